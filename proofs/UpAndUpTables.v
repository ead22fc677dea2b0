(* The checker of tables for Up And Up: a game for two in which one player makes all moves. Player 1 wants a high score, and
   player 2 a low one. *)
From mathcomp Require Import all_ssreflect.
Require Import ZArith Lia.
From Quet Require Import Solitaires UpAndUp UpAndUpScores Game Tables.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Tables.
Variables (p : player) (n : nat).
Definition up_of p n := @Game up_state [eqType of nat * nat] (up_legal_moves n) up_play (fun=> p) (up_is_over n)
  (fun s q => if q is P1 then up_score s else 0).
Local Notation g := (up_of p n).

(* What the other player holds holds of all games. *)
Lemma all_held (good : Game.position g -> Prop) (s : up_state) :
  holds (opponent p) good (up_start : Game.position g) -> @comes_to (up n) s -> holds (opponent p) good (s : Game.position g).
Proof.
move=> held; elim=> // {}s x _ IH going legal; inversion IH; subst; first by move: going; rewrite [Solitaires.is_over _]H.
  by move: H0; rewrite /=; case: (p).
exact: H2.
Qed.
Lemma held_over (good : Game.position g -> Prop) (s : up_state) q :
  holds q good (s : Game.position g) -> up_is_over n s -> good s.
Proof. by move=> held over; inversion held; subst => //; rewrite /= over in H. Qed.

Theorem value_none_better v : value (g := g) (Z.of_nat v) up_start -> if p is P1 then none_above (up n) v else none_below (up n) v.
Proof.
have kept := @all_held; have ends := @held_over; case=> low high; case: p kept ends low high => kept ends low high s at_s over.
  by have := ends _ _ _ (kept _ s high at_s) over; rewrite /lead /=; lia.
by have := ends _ _ _ (kept _ s low at_s) over; rewrite /lead /=; lia.
Qed.

Definition up_same (s t : up_state) : bool := (path s == path t) && (next_step s == next_step t).
Fixpoint unary k : seq bool := if k is k'.+1 then true :: unary k' else [:: false].
Definition up_code (s : up_state) : seq bool := flatten [seq unary x.1 ++ unary x.2 | x <- path s].
Definition up_left (s : up_state) := count (fun x => x \notin path s) (squares n).
Lemma up_left_less (s : Game.position g) m : ~~ Game.is_over s -> m \in legal_moves s -> up_left (Game.play s m) < up_left s.
Proof.
move=> _ /legal_new/andP[m_n new]; rewrite /up_left play_path.
have [k sz] : exists k, k = squares n by exists (squares n).
rewrite -sz in m_n *; elim: k m_n {sz} => //= x k IH; rewrite inE inE => /orP[/eqP <-|/IH].
  rewrite eqxx (new : _ \notin _) add0n add1n ltnS; apply: sub_count => y; by rewrite inE negb_or => /andP[].
case: (x == m) => /= lt; first by rewrite add0n (leq_trans lt) // leq_addl.
by rewrite ltn_add2l.
Qed.

Definition up_table_right (t : table g) : bool := table_right (g := g) up_same up_code t.
Definition up_promised (t : table g) (s : up_state) : option Z := promised (g := g) up_same up_code t s.
Theorem up_table_value t v : up_table_right t -> up_promised t up_start = Some (Z.of_nat v) ->
  if p is P1 then none_above (up n) v else none_below (up n) v.
Proof.
move=> right found; apply: value_none_better; apply: (table_value _ up_left_less right found).
by case=> a b [c d] /andP[/eqP /= -> /eqP /= ->].
Qed.
End Tables.
