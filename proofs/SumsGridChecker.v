(* What the second checker asks about sums grids: the bounds that hold of every grid, by the theorems of docs/proofs.md. *)
From mathcomp Require Import all_ssreflect zify.
From Quet Require Import Solitaires SumsGrid SumsGridCounting SumsGridValues SumsGridFewWasted SumsGridThree SumsGridWaves.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Definition sums n := @Solitaire sums_state sums_move (sums_start n) (sums_is_legal n) sums_play is_done (sums_score n).

Lemma at_most_runs n s : sums_score n s <= n * n * n.
Proof.
rewrite -(size_grid_sums n (fun i j => number s (i * n + j))) -(size_iota 1 (sums_score n s)).
apply: uniq_leq_size (iota_uniq _ _) _ => x; rewrite mem_iota => range; apply: all_sums_sub.
by apply: (@count_up_all (size (all_sums n s)) 0); rewrite -/(sums_score n s); lia.
Qed.

(* the best bounds that are proven, but without the search of Theorem 5 for n = 3 *)
Definition sums_bound n := nth (n * n * n) [:: 0; 1; 8; 27; 64; 124; 215; 341; 510; 726; 993] n.
Theorem sums_bounds n : none_above (sums n) (sums_bound n).
Proof.
suff small (s : sums_state) : sums_score n s <= sums_bound n by move=> s _ _; apply: small.
have [[b5 b6 b7] [b8 b9 _]] := counting_bounds s; have [b10 _ _] := wave_bounds s; have := @at_most_runs n s.
by rewrite /sums_bound; do 11?[case: n => [|n] //]; rewrite [nth _ _ _]/= nth_nil.
Qed.

(* what the search of Theorem 5 shows *)
Definition sums_tried (n : nat) := if n == 3 then Some 26 else None.
Theorem sums_searched n v : sums_tried n = Some v -> none_above (sums n) v.
Proof.
rewrite /sums_tried; case: eqP => // -> [<-].
suff less (s : sums_state) : sums_score 3 s <= 26 by move=> s _ _; apply: less.
exact: Theorem_5_three.
Qed.

Theorem sums_below n : none_below (sums n) 0.
Proof. by []. Qed.
