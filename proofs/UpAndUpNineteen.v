(* Theorem 4 of docs/proofs.md, at most 19: one game of 19 numbers gets stuck in the corner of every n by n grid with
   n >= 36. *)
From mathcomp Require Import all_ssreflect zify.
Require Import Lia.
From Quet Require Import UpAndUp.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Definition nineteen : seq (nat * nat) :=
  [:: (0, 1); (1, 1); (1, 3); (1, 0); (1, 4); (6, 4); (0, 4); (0, 11); (0, 19); (0, 28);
      (10, 28); (21, 28); (33, 28); (33, 15); (19, 15); (19, 0); (35, 0); (18, 0); (0, 0)].

Lemma mem_squares n x : (x \in squares n) = (x.1 < n) && (x.2 < n).
Proof.
case: x => c r; apply/allpairsPdep/andP => /= [[r' [c' []]]|[c_n r_n]].
  by rewrite !mem_iota => ? ? [-> ->]; lia.
by exists r, c; rewrite !mem_iota; split=> //; lia.
Qed.

(* What holds on every grid of 36 by 36 or more is decided without the grid: whether a square can be the next one, one step
   further than the step before; and whether nothing is empty k squares from the last one, which is near a corner. *)
Definition can_follow s (x : nat * nat) :=
  [&& x.1 < 36, x.2 < 36, x \notin path s &
      if path s is last :: _ then is_away (next_step s) last x else true].
Definition around k (x : nat * nat) : seq (nat * nat) :=
  [:: (x.1 + k, x.2); (x.1, x.2 + k)] ++ (if k <= x.1 then [:: (x.1 - k, x.2)] else [::]) ++
  (if k <= x.2 then [:: (x.1, x.2 - k)] else [::]).
Definition is_blocked s k := if path s is last :: _ then all (mem (path s)) (around k last) else true.

Lemma away_around k a b : is_away k a b -> b \in around k a.
Proof.
case: a b => [a1 a2] [b1 b2]; rewrite /is_away /around /distance mem_cat mem_cat /=.
case/orP=> /andP[/eqP e /eqP d]; case: (leqP k a1); case: (leqP k a2) => ? ?; rewrite !inE !xpair_eqE; lia.
Qed.
Lemma blocked_nothing n s k : is_blocked s k -> at_distance n s k = [::].
Proof.
rewrite /is_blocked /at_distance; case: (path s) => // last rest /allP blocked.
apply/eqP; rewrite -[_ == _]negbK -has_filter; apply/negP=> /hasP[x _ /andP[away /negP]].
by apply; apply: blocked; apply: away_around.
Qed.

Lemma follow_legal n s x : 36 <= n -> can_follow s x -> x \in up_legal_moves n s.
Proof.
move=> n36 /and4P[/leq_trans/(_ n36) c /leq_trans/(_ n36) r fresh]; rewrite /up_legal_moves.
case path_s: (path s) => [|last rest] away; first by rewrite mem_squares c r.
suff: x \in at_distance n s (next_step s) by case: (at_distance n s (next_step s)).
by rewrite /at_distance path_s mem_filter mem_squares away -path_s fresh c r.
Qed.

Fixpoint all_follow s game := if game is x :: rest then can_follow s x && all_follow (up_play s x) rest else true.
Lemma all_follow_reached n s game : 36 <= n -> reached n s -> all_follow s game -> reached n (foldl up_play s game).
Proof.
move=> n36; elim: game s => //= x game IH s at_s /andP[follows others].
by apply: IH others; apply: ReachedMove at_s _; apply: follow_legal.
Qed.

Theorem Theorem_4_at_most n : 36 <= n -> exists s, [/\ reached n s, up_is_over n s & up_score s = 19].
Proof.
move=> n36; exists (foldl up_play up_start nineteen); split.
- by apply: all_follow_reached => //; constructor.
- by rewrite /up_is_over !blocked_nothing.
- by [].
Qed.
