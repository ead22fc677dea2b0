(* Theorem 4 of docs/proofs.md: on every n by n grid with n >= 36 the lowest score is 19. *)
From mathcomp Require Import all_ssreflect zify ssrZ.
Require Import ZArith Lia.
From Quet Require Import UpAndUp UpAndUpNineteen UpAndUpSearch UpAndUpBackward UpAndUpGames UpAndUpSearchRun.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Theorem Theorem_4_at_least n s : 36 <= n -> reached n s -> up_is_over n s -> 19 <= up_score s.
Proof.
move=> n36 at_s over; have n1 : 1 < n by apply: leq_trans n36.
have right_size : has_size 36 None (whole n) by move: n36; rewrite /has_size /has_lines /=; clear; lia.
exact (@finals_right 36 None n can_end 17 s n1 right_size (@knows_prefixes 36 None can_end 16 (isT : 16 <= 21) all_prefixes)
  (isT : 17 <= 22) all_finals at_s over).
Qed.

Theorem Theorem_4 n : 36 <= n ->
  (exists s, [/\ reached n s, up_is_over n s & up_score s = 19]) /\
  forall s, reached n s -> up_is_over n s -> 19 <= up_score s.
Proof. by move=> n36; split; [apply: Theorem_4_at_most|move=> s; apply: Theorem_4_at_least]. Qed.
