(* Lemma 4 and Theorem 5 for n >= 6 of docs/proofs.md: in a sums grid some run is wasted. *)
From mathcomp Require Import all_ssreflect zify.
From Quet Require Import SumsGrid.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* ---- one line of numbers: its runs, and the weight of each square *)
(* all runs that begin with the first square *)
Fixpoint prefixes (total : nat) (line : seq nat) : seq nat :=
  if line is k :: rest then total + k :: prefixes (total + k) rest else [::].
Fixpoint runs (line : seq nat) : seq nat := if line is _ :: rest then prefixes 0 line ++ runs rest else [::].

Lemma size_prefixes t line : size (prefixes t line) = size line.
Proof. by elim: line t => //= k line IH t; rewrite IH. Qed.
Lemma runs_cons k line : runs (k :: line) = prefixes 0 (k :: line) ++ runs line. Proof. by []. Qed.
Lemma size_runs line : 2 * size (runs line) = size line * (size line).+1.
Proof. by elim: line => // k line IH; rewrite runs_cons size_cat size_prefixes mulnDr IH /=; lia. Qed.

(* a square counts once in each run of the row that it is in *)
Definition weight n i := i.+1 * (n - i).
Definition weighted n i line := \sum_(0 <= k < size line) weight n (i + k) * nth 0 line k.

Lemma sum_prefixes t line : sumn (prefixes t line) =
  size line * t + \sum_(0 <= k < size line) (size line - k) * nth 0 line k.
Proof.
elim: line t => [|x line IH] t /=; first by rewrite big_nil.
rewrite IH big_nat_recl //= subn0.
have -> : \sum_(0 <= i < size line) ((size line).+1 - i.+1) * nth 0 line i =
  \sum_(0 <= k < size line) (size line - k) * nth 0 line k by apply: eq_bigr => i _; rewrite subSS.
by lia.
Qed.

Lemma sum_runs line : sumn (runs line) = \sum_(0 <= k < size line) weight (size line) k * nth 0 line k.
Proof.
elim: line => [|x line IH]; first by rewrite big_nil.
rewrite runs_cons sumn_cat IH sum_prefixes muln0 add0n [size _]/=.
rewrite big_nat_recl // [in RHS]big_nat_recl //= -addnA -big_split /=; congr (_ + _).
  by rewrite /weight mul1n.
apply: eq_big_nat => k /andP[_ k_less]; rewrite /weight subSS -mulnDl; congr (_ * _).
Qed.

(* the runs of two and more squares *)
Fixpoint longer_runs (line : seq nat) : seq nat :=
  if line is k :: rest then prefixes k rest ++ longer_runs rest else [::].
Lemma mem_runs x line : (x \in runs line) = (x \in line) || (x \in longer_runs line).
Proof.
elim: line => // k line IH; rewrite runs_cons mem_cat IH /= add0n !inE mem_cat.
by do !case: (_ \in _); case: (_ == _).
Qed.
Lemma sum_longer line : sumn (runs line) = sumn line + sumn (longer_runs line).
Proof.
elim: line => // k line IH; rewrite runs_cons sumn_cat IH /= add0n sumn_cat.
by lia.
Qed.
Lemma size_longer line : size (runs line) = size line + size (longer_runs line).
Proof.
elim: line => // k line IH; rewrite runs_cons size_cat IH /= add0n size_cat.
by lia.
Qed.

Lemma runs_whole line : line != [::] -> sumn line \in runs line.
Proof.
case: line => // x line _; rewrite runs_cons mem_cat /= add0n.
suff -> : x + sumn line \in x :: prefixes x line by [].
by elim: line x => [|y line IH] x /=; rewrite ?addn0 ?mem_head // addnA inE IH orbT.
Qed.

(* ---- a grid: the number in row i and column j *)
Section Grid.
Variables (n : nat) (a : nat -> nat -> nat).
Definition row_of i := [seq a i j | j <- iota 0 n].
Definition column_of j := [seq a i j | i <- iota 0 n].
(* all runs, those of one square once *)
Definition grid_sums := flatten [seq runs (row_of i) | i <- iota 0 n] ++ flatten [seq longer_runs (column_of j) | j <- iota 0 n].

Lemma size_row i : size (row_of i) = n. Proof. by rewrite size_map size_iota. Qed.
Lemma size_column j : size (column_of j) = n. Proof. by rewrite size_map size_iota. Qed.

Lemma size_grid_sums : size grid_sums = n * n * n.
Proof.
rewrite size_cat !size_flatten /shape -!map_comp.
have const (f : nat -> seq nat) k : (forall i, size (f i) = k) -> sumn [seq (size \o f) i | i <- iota 0 n] = n * k.
  move=> eq; rewrite (eq_map (_ : _ =1 fun=> k)) //; elim: n 0 => //= m IH j.
  by rewrite IH mulSn.
have one : size (runs (row_of 0)) = n * n.+1 %/ 2.
  by have := size_runs (row_of 0); rewrite size_row; lia.
have one' i : size (runs (row_of i)) = n * n.+1 %/ 2.
  by have := size_runs (row_of i); rewrite size_row; lia.
have two j : size (longer_runs (column_of j)) = n * n.+1 %/ 2 - n.
  by have := size_runs (column_of j); have := size_longer (column_of j); rewrite size_column; lia.
rewrite (const _ _ one') (const _ _ two) -mulnDr -mulnA; congr (_ * _).
have E : 2 * (n * n.+1 %/ 2) = n * n.+1 by have := size_runs (row_of 0); rewrite one size_row.
by nia.
Qed.

Definition row_sum i := \sum_(0 <= j < n) a i j.
Definition column_sum j := \sum_(0 <= i < n) a i j.

Lemma sumn_row i : sumn (row_of i) = row_sum i.
Proof. by rewrite /row_of sumnE big_map /row_sum /index_iota subn0. Qed.
Lemma sumn_column j : sumn (column_of j) = column_sum j.
Proof. by rewrite /column_of sumnE big_map /column_sum /index_iota subn0. Qed.

(* Lemma 4, doubled: the sum of each full row and column counts twice its weight minus 1 *)
Lemma Lemma_4 : 2 * sumn grid_sums = \sum_(0 <= k < n) (2 * weight n k - 1) * (row_sum k + column_sum k).
Proof.
have flat (f : nat -> seq nat) : sumn (flatten [seq f i | i <- iota 0 n]) = \sum_(0 <= i < n) sumn (f i).
  by rewrite sumn_flatten sumnE !big_map /index_iota subn0.
have rows : \sum_(0 <= i < n) sumn (runs (row_of i)) = \sum_(0 <= k < n) weight n k * column_sum k.
  under eq_bigr => i _ do rewrite sum_runs size_row.
  rewrite exchange_big /=; apply: eq_big_nat => k /andP[_ k_n].
  rewrite /column_sum big_distrr /=; apply: eq_bigr => i _.
  by rewrite (nth_map 0) ?size_iota // nth_iota.
have columns : \sum_(0 <= j < n) sumn (runs (column_of j)) = \sum_(0 <= k < n) weight n k * row_sum k.
  under eq_bigr => i _ do rewrite sum_runs size_column.
  rewrite exchange_big /=; apply: eq_big_nat => k /andP[_ k_n].
  rewrite /row_sum big_distrr /=; apply: eq_bigr => i _.
  by rewrite (nth_map 0) ?size_iota // nth_iota.
have all_squares : \sum_(0 <= j < n) column_sum j = \sum_(0 <= i < n) row_sum i by rewrite exchange_big.
have split : \sum_(0 <= j < n) sumn (runs (column_of j)) =
    \sum_(0 <= j < n) column_sum j + \sum_(0 <= j < n) sumn (longer_runs (column_of j)).
  by rewrite -big_split; apply: eq_bigr => j _; rewrite sum_longer sumn_column.
rewrite sumn_cat !flat rows.
have -> : \sum_(0 <= k < n) (2 * weight n k - 1) * (row_sum k + column_sum k) =
    2 * (\sum_(0 <= k < n) weight n k * row_sum k) + 2 * (\sum_(0 <= k < n) weight n k * column_sum k)
    - (\sum_(0 <= i < n) row_sum i + \sum_(0 <= j < n) column_sum j).
  rewrite -mulnDr -!big_split big_distrr /=; apply/eqP; rewrite -(eqn_add2r (\sum_(0 <= i < n) (row_sum i + column_sum i))).
  rewrite subnK.
    rewrite -big_split; apply/eqP; apply: eq_big_nat => k /andP[_ k_n] /=.
    have : 0 < weight n k by rewrite /weight; nia.
    by move: (weight n k) => w w_pos; nia.
  rewrite big_nat_cond [X in _ <= X]big_nat_cond; apply: leq_sum => k /andP[/andP[_ k_n] _].
  have : 0 < weight n k by rewrite /weight; nia.
  by move: (weight n k) => w w_pos; nia.
by move: columns split all_squares; lia.
Qed.
End Grid.

Lemma total_weight n : 6 * (\sum_(0 <= k < n) weight n k) = n * n.+1 * n.+2.
Proof.
have line m : 2 * (\sum_(0 <= k < m) k.+1) = m * m.+1.
  by elim: m => [|m IH]; rewrite ?big_nil // big_nat_recr //= mulnDr IH; lia.
elim: n => [|n IH]; first by rewrite big_nil.
rewrite big_nat_recr //=; have -> : \sum_(0 <= k < n) weight n.+1 k = \sum_(0 <= k < n) weight n k + \sum_(0 <= k < n) k.+1.
  rewrite -big_split; apply: eq_big_nat => k /andP[_ k_n] /=; rewrite /weight; nia.
rewrite /weight subSnn muln1 !mulnDr IH.
by have := line n; move: (\sum_(0 <= k < n) k.+1) => S; nia.
Qed.

(* Theorem 5 for n >= 6, in any grid of numbers *)
Lemma some_sum_missing n a : 6 <= n -> exists2 m, 0 < m <= n * n * n & m \notin grid_sums n a.
Proof.
move=> n6; set M := n * n * n.
have [/allP all_in|/allPn[m]] := boolP (all (mem (grid_sums n a)) (iota 1 M)); last first.
  by rewrite mem_iota => range out; exists m => //; lia.
exfalso.
have same_size : size (grid_sums n a) <= size (iota 1 M) by rewrite size_grid_sums size_iota.
have [_ same] := uniq_min_size (iota_uniq 1 M) all_in same_size.
have u := leq_size_uniq (iota_uniq 1 M) all_in same_size.
have perm : perm_eq (grid_sums n a) (iota 1 M) by apply: uniq_perm; rewrite ?iota_uniq // => x; rewrite same.
have total : 2 * sumn (grid_sums n a) = M * M.+1.
  rewrite (perm_sumn perm); elim: (M) => // k IH.
  by rewrite -{1}[k.+1]addn1 iotaD sumn_cat mulnDr IH /=; lia.
have small x : x \in grid_sums n a -> x <= M by rewrite -same mem_iota; lia.
have row_small i : i < n -> row_sum n a i <= M.
  move=> i_n; rewrite -sumn_row; apply: small; rewrite mem_cat; apply/orP; left.
  apply/flatten_mapP; exists i; first by rewrite mem_iota.
  by apply: runs_whole; rewrite -size_eq0 size_row; lia.
have column_small j : j < n -> column_sum n a j <= M.
  move=> j_n; rewrite -sumn_column; apply: small; rewrite mem_cat.
  have : sumn (column_of n a j) \in runs (column_of n a j) by apply: runs_whole; rewrite -size_eq0 size_column; lia.
  rewrite mem_runs => /orP[/mapP[i]|i].
    rewrite mem_iota => /= i_n ->; apply/orP; left; apply/flatten_mapP; exists i; first by rewrite mem_iota.
    by rewrite mem_runs; apply/orP; left; apply/mapP; exists j => //; rewrite mem_iota.
  by apply/orP; right; apply/flatten_mapP; exists j => //; rewrite mem_iota.
have bound : 2 * sumn (grid_sums n a) <= (\sum_(0 <= k < n) (2 * weight n k - 1)) * (2 * M).
  rewrite Lemma_4 big_distrl /= big_nat_cond [X in _ <= X]big_nat_cond; apply: leq_sum => k /andP[/andP[_ k_n] _].
  by apply: leq_mul => //; have := row_small _ k_n; have := column_small _ k_n; lia.
have weights : \sum_(0 <= k < n) (2 * weight n k - 1) + n = 2 * (\sum_(0 <= k < n) weight n k).
  rewrite -[X in _ + X = _](_ : \sum_(0 <= k < n) 1 = n); last by rewrite sum_nat_const_nat subn0 muln1.
  rewrite -big_split big_distrr /=; apply: eq_big_nat => k /andP[_ k_n].
  have : 0 < weight n k by rewrite /weight; nia.
  by move: (weight n k) => w w_pos; lia.
have six := total_weight n; move: bound weights six; rewrite total {total perm small row_small column_small}.
move: (\sum_(0 <= k < n) (2 * weight n k - 1)) (\sum_(0 <= k < n) weight n k) => V W bound weights six.
have M_pos : 0 < M by rewrite /M !muln_gt0; lia.
have : M * M.+1 <= M * (2 * V) by move: bound; lia.
rewrite leq_pmul2l // /M => le; have : 6 * (n * n) <= n * (n * n) by rewrite leq_mul2r n6 orbT.
by move: le weights six n6; clear; lia.
Qed.
