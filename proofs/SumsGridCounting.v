(* Lemma 4 and Theorem 5 for n >= 5 of docs/proofs.md: in a sums grid some run is wasted. *)
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

(* ---- Theorem 5: if 1, ..., n^3 are all sums, each is a sum once *)
Section NoneMissing.
Variables (n : nat) (a : nat -> nat -> nat).
Hypothesis n_pos : 1 < n.
Let M := n * n * n.
Hypothesis none_missing : {subset iota 1 M <= grid_sums n a}.

Lemma sums_perm : perm_eq (grid_sums n a) (iota 1 M).
Proof.
have same_size : size (grid_sums n a) <= size (iota 1 M) by rewrite size_grid_sums size_iota.
have [_ same] := uniq_min_size (iota_uniq 1 M) none_missing same_size.
have u := leq_size_uniq (iota_uniq 1 M) none_missing same_size.
by apply: uniq_perm; rewrite ?iota_uniq // => x; rewrite same.
Qed.
Lemma sums_total : 2 * sumn (grid_sums n a) = M * M.+1.
Proof.
rewrite (perm_sumn sums_perm); elim: (M) => // k IH.
by rewrite -{1}[k.+1]addn1 iotaD sumn_cat mulnDr IH /=; lia.
Qed.

(* The sums of the full rows and columns are sums, different ones. *)
Definition full_lines := [seq row_sum n a i | i <- iota 0 n] ++ [seq column_sum n a j | j <- iota 0 n].
Lemma subseq_flatten (f : nat -> nat) (g : nat -> seq nat) s :
  (forall i, f i \in g i) -> subseq [seq f i | i <- s] (flatten [seq g i | i <- s]).
Proof. by move=> at_g; elim: s => //= i s IH; rewrite -cat1s; apply: cat_subseq; rewrite ?sub1seq. Qed.
Lemma last_prefix t line : line != [::] -> t + sumn line \in prefixes t line.
Proof.
case: line => // x line _; elim: line t x => [|y line IH] t x; first by rewrite /= addn0 mem_head.
by have := IH (t + x) y; rewrite /= -addnA => at_rest; rewrite inE at_rest orbT.
Qed.
Lemma longer_runs_cons k line : longer_runs (k :: line) = prefixes k line ++ longer_runs line. Proof. by []. Qed.
Lemma longer_whole line : 1 < size line -> sumn line \in longer_runs line.
Proof. by case: line => // x line some; rewrite longer_runs_cons mem_cat last_prefix //; case: line some. Qed.
Lemma full_lines_sub : subseq full_lines (grid_sums n a).
Proof.
apply: cat_subseq; apply: subseq_flatten => i.
  by rewrite -sumn_row; apply: runs_whole; rewrite -size_eq0 size_row; lia.
by rewrite -sumn_column; apply: longer_whole; rewrite size_column.
Qed.
Lemma full_lines_uniq : uniq full_lines.
Proof. by apply: subseq_uniq full_lines_sub _; rewrite (perm_uniq sums_perm) iota_uniq. Qed.
Lemma full_lines_small x : x \in full_lines -> x <= M.
Proof. by move/(mem_subseq full_lines_sub); rewrite (perm_mem sums_perm) mem_iota; lia. Qed.
Lemma row_small i : i < n -> row_sum n a i <= M.
Proof. by move=> i_n; apply: full_lines_small; rewrite mem_cat (map_f (row_sum n a)) // mem_iota. Qed.
Lemma column_small j : j < n -> column_sum n a j <= M.
Proof. by move=> j_n; apply: full_lines_small; rewrite mem_cat (map_f (column_sum n a)) ?orbT // mem_iota. Qed.

Lemma large_impossible : 6 <= n -> False.
Proof.
move=> n6.
have bound : 2 * sumn (grid_sums n a) <= (\sum_(0 <= k < n) (2 * weight n k - 1)) * (2 * M).
  rewrite Lemma_4 big_distrl /= big_nat_cond [X in _ <= X]big_nat_cond; apply: leq_sum => k /andP[/andP[_ k_n] _].
  by apply: leq_mul => //; have := row_small k_n; have := column_small k_n; lia.
have weights : \sum_(0 <= k < n) (2 * weight n k - 1) + n = 2 * (\sum_(0 <= k < n) weight n k).
  rewrite -[X in _ + X = _](_ : \sum_(0 <= k < n) 1 = n); last by rewrite sum_nat_const_nat subn0 muln1.
  rewrite -big_split big_distrr /=; apply: eq_big_nat => k /andP[_ k_n].
  have : 0 < weight n k by rewrite /weight; nia.
  by move: (weight n k) => w w_pos; lia.
have six := total_weight n; move: bound weights six; rewrite sums_total.
move: (\sum_(0 <= k < n) (2 * weight n k - 1)) (\sum_(0 <= k < n) weight n k) => V W bound weights six.
have M_pos : 0 < M by rewrite /M !muln_gt0; lia.
have : M * M.+1 <= M * (2 * V) by move: bound; lia.
rewrite leq_pmul2l // /M => le; have : 6 * (n * n) <= n * (n * n) by rewrite leq_mul2r n6 orbT.
by move: le weights six n6; clear; lia.
Qed.
End NoneMissing.

(* different numbers add up to at least 0 + 1 + 2 + ... *)
Lemma sum_different s : uniq s -> sumn (iota 0 (size s)) <= sumn s.
Proof.
elim: {s}(size s) {-2}s (erefl (size s)) => [|k IH] s sz u; first by rewrite sz.
have /hasP[x at_s big] : has (leq k) s.
  apply: contraT => /hasPn small; have : size s <= size (iota 0 k); last by rewrite sz size_iota ltnn.
  by apply: uniq_leq_size => // x /small; rewrite mem_iota -ltnNge.
rewrite (perm_sumn (perm_to_rem at_s)) sz -[k.+1]addn1 iotaD sumn_cat /= add0n addn0 addnC leq_add //.
by have := IH (rem x s); rewrite size_rem // sz rem_uniq // => /(_ erefl isT).
Qed.

(* For n = 5: the ten full lines are different and at most 125, and add up to an even number. Here y is what a line lacks of
   125. *)
Lemma five_lines (M : nat) (y : nat -> nat) (r0 r1 r2 r3 r4 c0 c1 c2 c3 c4 : nat) :
  let lines := [:: r0; r1; r2; r3; r4; c0; c1; c2; c3; c4] in M = 125 -> {in lines, forall x, x + y x = M} -> uniq lines ->
  9 * (r0 + c0) + 15 * (r1 + c1) + 17 * (r2 + c2) + 15 * (r3 + c3) + 9 * (r4 + c4) = M * M.+1 ->
  r0 + r1 + r2 + r3 + r4 = c0 + c1 + c2 + c3 + c4 -> False.
Proof.
move=> lines M_is lack u total same.
have lacks s : subseq s lines -> sumn (iota 0 (size s)) <= sumn [seq y x | x <- s].
  move=> sub; rewrite -(size_map y); apply: sum_different; rewrite map_inj_in_uniq ?(subseq_uniq sub) // => p q at_p at_q e.
  by have := lack p (mem_subseq sub at_p); rewrite e -(lack q (mem_subseq sub at_q)) => /addIn.
have ten : 45 <= sumn [seq y x | x <- lines] by exact: (lacks lines (subseq_refl _)).
have six : 15 <= sumn [seq y x | x <- [:: r1; r2; r3; c1; c2; c3]].
  exact: (lacks _ (cat_subseq (sub0seq [:: r0]) (cat_subseq (subseq_refl [:: r1; r2; r3]) (cat_subseq (sub0seq [:: r4; c0])
    (cat_subseq (subseq_refl [:: c1; c2; c3]) (sub0seq [:: c4])))))).
have two : 1 <= sumn [seq y x | x <- [:: r2; c2]].
  exact: (lacks _ (cat_subseq (sub0seq [:: r0; r1]) (cat_subseq (subseq_refl [:: r2]) (cat_subseq (sub0seq [:: r3; r4; c0; c1])
    (cat_subseq (subseq_refl [:: c2]) (sub0seq [:: c3; c4])))))).
have e x : x \in lines -> x + y x = 125 by rewrite -M_is; apply: lack.
have := (e r0, e r1, e r2, e r3, e r4, (e c0, e c1, e c2, e c3, e c4)).
rewrite !inE !eqxx !orbT /= => -[[[[[/(_ isT) e0 /(_ isT) e1] /(_ isT) e2] /(_ isT) e3] /(_ isT) e4]].
move=> [[[[/(_ isT) f0 /(_ isT) f1] /(_ isT) f2] /(_ isT) f3] /(_ isT) f4].
have {}total : 9 * (r0 + c0) + 15 * (r1 + c1) + 17 * (r2 + c2) + 15 * (r3 + c3) + 9 * (r4 + c4) = 125 * 126 by rewrite total M_is.
move: ten six two e0 e1 e2 e3 e4 f0 f1 f2 f3 f4 total same; rewrite /lines [sumn _]/= [in sumn _]/=.
move: (y r0) (y r1) (y r2) (y r3) (y r4) (y c0) (y c1) (y c2) (y c3) (y c4) => *; clear u lack lacks e lines; lia.
Qed.
Lemma sum_five (F : nat -> nat) : \sum_(0 <= k < 5) F k = F 0 + F 1 + F 2 + F 3 + F 4.
Proof. by rewrite !big_nat_recr ?big_geq. Qed.
Lemma five_impossible a : {subset iota 1 (5 * 5 * 5) <= grid_sums 5 a} -> False.
Proof.
move=> none_missing; have u := full_lines_uniq (isT : 1 < 5) none_missing.
have small := full_lines_small (isT : 1 < 5) none_missing.
have total := sums_total (isT : 1 < 5) none_missing; rewrite Lemma_4 sum_five in total.
have same : \sum_(0 <= i < 5) row_sum 5 a i = \sum_(0 <= j < 5) column_sum 5 a j by rewrite exchange_big.
rewrite !sum_five in same.
apply: (@five_lines (5 * 5 * 5) (fun x => 5 * 5 * 5 - x) _ _ _ _ _ _ _ _ _ _ erefl _ u total same).
by move=> x /small le; rewrite subnKC.
Qed.

(* in any grid of numbers *)
Lemma some_sum_missing n a : 5 <= n -> exists2 m, 0 < m <= n * n * n & m \notin grid_sums n a.
Proof.
move=> n5; have [/allP all_in|/allPn[m]] := boolP (all (mem (grid_sums n a)) (iota 1 (n * n * n))); last first.
  by rewrite mem_iota => range out; exists m => //; lia.
exfalso; case: (ltnP 5 n) => [n6|n_5]; first by apply: (large_impossible _ all_in n6); lia.
by have E : n = 5; [apply/eqP; rewrite eqn_leq n_5|subst n; apply: five_impossible all_in].
Qed.
