(* Theorem 5 of docs/proofs.md for n >= 5: no grid scores n^3, by the rules of the game. *)
From mathcomp Require Import all_ssreflect zify.
From Quet Require Import SumsGrid SumsGridCounting.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Lemma sums_from_sub total line x : x \in sums_from total line -> x \in prefixes total line.
Proof.
elim: line total => //= k line IH total; case: ifP => // _; rewrite !inE.
by case/orP=> [->|/IH->]; rewrite ?orbT.
Qed.
Lemma line_sums_sub line x : x \in line_sums line -> x \in runs line.
Proof.
elim: line => // k line IH; rewrite runs_cons [line_sums _]/(sums_from 0 (k :: line) ++ line_sums line).
by rewrite -/cat !mem_cat => /orP[/sums_from_sub->|/IH->]; rewrite ?orbT.
Qed.

Lemma all_sums_sub n s x : x \in all_sums n s -> x \in grid_sums n (fun i j => number s (i * n + j)).
Proof.
case/flatten_mapP=> line; rewrite mem_cat => which /line_sums_sub; rewrite mem_cat.
case/orP: which => /mapP[i]; rewrite mem_iota /= add0n => i_n ->; rewrite -map_comp => at_line.
  by apply/orP; left; apply/flatten_mapP; exists i; rewrite ?mem_iota.
move: at_line; rewrite mem_runs => /orP[/mapP[j]|at_line].
  rewrite mem_iota /= add0n => j_n ->; apply/orP; left; apply/flatten_mapP; exists j; rewrite ?mem_iota //.
  by rewrite mem_runs; apply/orP; left; apply/mapP; exists i; rewrite ?mem_iota.
by apply/orP; right; apply/flatten_mapP; exists i; rewrite ?mem_iota.
Qed.

Lemma count_up_all fuel m sums x : m < x <= count_up fuel m sums -> x \in sums.
Proof.
elim: fuel m => [|fuel IH] m /=; first by lia.
case: ifP => [at_sums|_]; last by lia.
by have [<-|differ] := m.+1 =P x => // range; apply: (IH m.+1); lia.
Qed.

(* whatever the numbers are, and also before the grid is full *)
Theorem Theorem_5 n s : 5 <= n -> sums_score n s < n * n * n.
Proof.
move=> n5; have [m range missing] := some_sum_missing (fun i j => number s (i * n + j)) n5.
rewrite ltnNge; apply/negP=> high; move/negP: missing; apply; apply: all_sums_sub.
by apply: (@count_up_all (size (all_sums n s)) 0); rewrite -/(sums_score n s); lia.
Qed.
