(* "A few wasted runs" of docs/proofs.md: the counting bounds for sums grids.

   A grid that scores m wastes n^3 - m runs. If these are fewer than n, few full lines have a sum above m, none has one above
   2m, and few of the others are equal. `can_waste` looks at all choices of such lines; Coq runs it. *)
From mathcomp Require Import all_ssreflect zify.
From Quet Require Import SumsGrid SumsGridCounting SumsGridValues.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* ---- lists of numbers *)
Lemma sum_subset t z : uniq t -> {subset t <= z} -> sumn t <= sumn z.
Proof.
elim: t z => // x t IH z /= /andP[x_out u] sub.
have at_z : x \in z by apply: sub; rewrite mem_head.
rewrite (perm_sumn (perm_to_rem at_z)) /= leq_add2l; apply: IH => // y at_t.
have /perm_mem/(_ y) := perm_to_rem at_z; rewrite sub ?inE ?at_t ?orbT // => /esym/orP[/eqP e|//].
by move: x_out; rewrite -e at_t.
Qed.
Lemma sum_subseq s t : subseq s t -> sumn s <= sumn t.
Proof. by case/perm_to_subseq=> z /perm_sumn->; rewrite sumn_cat leq_addr. Qed.
Lemma sum_iota1 m : 2 * sumn (iota 1 m) = m * m.+1.
Proof. by elim: m => // m IH; rewrite -{1}[m.+1]addn1 iotaD sumn_cat mulnDr IH /=; lia. Qed.
(* what the different numbers of a list lack of m adds up to at least 0 + 1 + 2 + ... *)
Definition triangle k := sumn (iota 0 k).
Lemma triangle_le j k : j <= k -> triangle j <= triangle k.
Proof. by move=> /subnKC<-; rewrite /triangle iotaD sumn_cat leq_addr. Qed.
Lemma lack_different m s : all (geq m) s -> triangle (size (undup s)) <= sumn [seq m - x | x <- s].
Proof.
move=> /allP small; apply: leq_trans (sum_subseq (map_subseq _ (undup_subseq s))).
rewrite -(size_map (subn m)); apply: sum_different; rewrite map_inj_in_uniq ?undup_uniq // => x y.
by rewrite !mem_undup => /small /= x_m /small /= y_m; lia.
Qed.

(* If 1, ..., m are among the sums, all but so many of any s of them are at most m and different. *)
Lemma all_but m sums s z : perm_eq sums (s ++ z) -> {subset iota 1 m <= sums} ->
  size s <= size (undup [seq x <- s | x <= m]) + (size sums - m).
Proof.
move=> perm all_in; rewrite (perm_size perm) size_cat.
suff : m <= size (undup [seq x <- s | x <= m]) + size z by lia.
rewrite -size_cat -{1}(size_iota 1 m); apply: uniq_leq_size; first exact: iota_uniq.
move=> x at_iota; have := all_in x at_iota; move: at_iota; rewrite (perm_mem perm) !mem_cat mem_undup mem_filter mem_iota.
by case: (x \in z) => /=; rewrite ?orbT ?orbF // => range ->; rewrite andbT; lia.
Qed.

(* ---- a line with a sum above 2m: each way to cut it has a part above m, and so has the way not to cut it *)
Fixpoint tails (line : seq nat) : seq nat := if line is k :: rest then k + sumn rest :: tails rest else [::].
Lemma tails_sub line : subseq (tails line) (runs line).
Proof.
elim: line => // k line IH; rewrite runs_cons -(cat1s (k + sumn line) (tails line) : _ = tails (k :: line)).
by apply: cat_subseq => //; rewrite sub1seq; apply: (@last_prefix 0 (k :: line)).
Qed.
Lemma parts_above m t line : 2 * m < t + sumn line ->
  size line <= count (ltn m) (prefixes t line) + count (ltn m) (tails (behead line)).
Proof.
elim: line t => // x line IH t; rewrite [sumn _]/= addnA => above; have := IH _ above.
by case: line {IH} above => [|y line] /=; rewrite ?addn0 /=; lia.
Qed.
Lemma runs_above m line : 2 * m < sumn line -> size line <= count (ltn m) (runs line).
Proof.
case: line => // x line above; have := @parts_above m 0 (x :: line) above.
rewrite runs_cons count_cat => /leq_trans; apply; rewrite leq_add2l.
by apply: (leq_count_subseq _ (tails_sub line)).
Qed.

(* ---- lines numbered from 0: the rows, then the columns *)
Definition doubled n line := 2 * weight n (if line < n then line else line - n) - 1.      (* its weight, as in Lemma 4 *)
Definition line_sum n a line := if line < n then row_sum n a line else column_sum n a (line - n).
Definition lines n := iota 0 (n + n).

(* Is this certain: a grid with at most so many wasted runs hasn't just these lines above m? Any shift may be added to the weights
   of the rows and taken from those of the columns, or the other way round. *)
Section Evaluator.
Variables (n wasted : nat) (long : seq nat) (to_rows : bool) (shift : nat).
Let m := n * n * n - wasted.
Definition own line := doubled n line - 2 * (line \in long).
Definition shifted line := if (line < n) == to_rows then own line + shift else own line - shift.
Definition heaviest := 2 * (n * n).       (* any number does; a smaller one shows less *)
Definition lost := sumn [seq triangle (count (fun line => (line \notin long) && (k < shifted line)) (lines n) - (wasted - size long))
                        | k <- iota 0 heaviest].
Definition most_weight := sumn [seq (1 + (line \in long)) * shifted line | line <- lines n].
Definition is_excluded := if most_weight <= m then true else m * (most_weight - m.+1) < lost.
End Evaluator.

(* all ways to choose at most k members *)
Fixpoint choices k (s : seq nat) : seq (seq nat) :=
  if s is x :: s' then choices k s' ++ (if k is k'.+1 then [seq x :: t | t <- choices k' s'] else [::]) else [:: [::]].
Fixpoint some (T : Type) (p : T -> bool) (s : seq T) := if s is x :: s' then if p x then true else some p s' else false.
Definition shifts n := [seq (to_rows, shift) | shift <- 0 :: [seq doubled n k | k <- iota 0 n], to_rows <- [:: true; false]].
Definition cant_waste n wasted :=
  all (fun long => some (fun s => is_excluded n wasted long s.1 s.2) (shifts n)) (choices wasted (lines n)).

Lemma choices_all k s t : subseq t s -> size t <= k -> t \in choices k s.
Proof.
elim: s k t => [|x s IH] k t /=; first by case: t.
rewrite mem_cat; case: t => [|y t] sub le; first by rewrite IH ?sub0seq.
move: sub => /=; case: ifP => [/eqP->|_] sub; last by rewrite IH.
by case: k le => // k le; rewrite map_f ?orbT // IH.
Qed.
Lemma some_has T (p : T -> bool) s : some p s = has p s. Proof. by elim: s => //= x s ->; case: (p x). Qed.

Section Grid.
Variables (n : nat) (a : nat -> nat -> nat) (m wasted : nat).
Hypothesis n_large : 1 < n.
Hypothesis wasted_few : wasted < n.
Hypothesis m_is : m = n * n * n - wasted.
Hypothesis all_in : {subset iota 1 m <= grid_sums n a}.

Let cube : n <= n * n * n. Proof. by rewrite -mulnA leq_pmulr // muln_gt0; lia. Qed.
Lemma wasted_is : size (grid_sums n a) - m = wasted. Proof. by rewrite size_grid_sums m_is; move: cube; lia. Qed.

(* a run of the grid stands in rows, or in columns *)
Lemma count_rows (p : pred nat) i : i < n -> count p (runs (row_of n a i)) <= count p (grid_sums n a).
Proof.
move=> i_n; rewrite count_cat; apply: leq_trans (leq_addr _ _).
apply: leq_count_subseq; have : i \in iota 0 n by rewrite mem_iota.
elim: (iota 0 n) => //= j s IH; rewrite inE => /orP[/eqP<-|/IH sub]; first exact: prefix_subseq.
by apply: subseq_trans sub (suffix_subseq _ _).
Qed.
Lemma count_runs p line : count p (runs line) = count p line + count p (longer_runs line).
Proof. by elim: line => // k line IH; rewrite runs_cons count_cat IH /= add0n count_cat; lia. Qed.
Lemma count_columns (p : pred nat) j : j < n -> count p (runs (column_of n a j)) <= count p (grid_sums n a).
Proof.
move=> j_n; rewrite count_runs count_cat !count_flatten -!map_comp.
apply: (@leq_add _ _ _ _).
  rewrite /column_of count_map; apply: leq_trans (_ : sumn [seq (p (a i j) : nat) | i <- iota 0 n] <= _).
    by elim: (iota 0 n) => //= i s IH; rewrite leq_add2l.
  elim: (iota 0 n) => //= i s IH; apply: leq_add => //; rewrite count_runs; apply: leq_trans (leq_addr _ _).
  rewrite count_map; have : j \in iota 0 n by rewrite mem_iota.
  by elim: (iota 0 n) => //= k s' IH'; rewrite inE => /orP[/eqP<-|/IH']; lia.
have : j \in iota 0 n by rewrite mem_iota.
by elim: (iota 0 n) => //= k s IH; rewrite inE => /orP[/eqP<-|/IH] /=; lia.
Qed.

Lemma above_few : count (ltn m) (grid_sums n a) <= wasted.
Proof.
have /perm_to_subseq[z perm] := filter_subseq (ltn m) (grid_sums n a).
have := all_but perm all_in; rewrite wasted_is size_filter.
suff -> : [seq x <- [seq x <- grid_sums n a | m < x] | x <= m] = [::] by [].
by apply/eqP; rewrite -(negbK (_ == _)) -has_filter; apply/hasPn => x; rewrite mem_filter => /andP[/= above _]; lia.
Qed.
Lemma line_at_most line : line \in lines n -> line_sum n a line <= 2 * m.
Proof.
rewrite mem_iota /= add0n => line_n; rewrite leqNgt; apply/negP=> above.
suff : n <= count (ltn m) (grid_sums n a) by have := above_few; lia.
move: above; rewrite /line_sum; case: ifP => [row|column]; rewrite -?sumn_row -?sumn_column => /runs_above.
  by rewrite size_row => /leq_trans; apply; apply: count_rows.
by rewrite size_column => /leq_trans; apply; apply: count_columns; lia.
Qed.

Let columns_are : iota (0 + n) n = map (addn n) (iota 0 n). Proof. by rewrite add0n -iotaDl addn0. Qed.
Lemma full_lines_are : full_lines n a = [seq line_sum n a line | line <- lines n].
Proof.
rewrite /lines iotaD map_cat /full_lines; congr (_ ++ _).
  by apply/eq_in_map => i; rewrite mem_iota /line_sum add0n /= => ->.
rewrite columns_are -map_comp; apply/eq_in_map => j _ /=.
by rewrite /line_sum ltnNge leq_addr /= addKn.
Qed.
Lemma lines_sub : subseq [seq line_sum n a line | line <- lines n] (grid_sums n a).
Proof. by rewrite -full_lines_are; apply: full_lines_sub. Qed.

Lemma sum_lines (F : nat -> nat) : \sum_(line <- lines n) F line = \sum_(0 <= k < n) (F k + F (n + k)).
Proof.
by rewrite /lines iotaD columns_are big_cat big_split big_map /index_iota subn0.
Qed.
Lemma total_of_lines : 2 * sumn (grid_sums n a) = \sum_(line <- lines n) doubled n line * line_sum n a line.
Proof.
rewrite Lemma_4 sum_lines; apply: eq_big_nat => k /andP[_ k_n].
by rewrite /doubled /line_sum k_n ltnNge leq_addr /= addKn mulnDr.
Qed.
Lemma rows_columns (to_rows : bool) : \sum_(line <- lines n | (line < n) == to_rows) line_sum n a line =
  \sum_(line <- lines n | (line < n) != to_rows) line_sum n a line.
Proof.
have half (b : bool) : \sum_(line <- lines n | (line < n) == b) line_sum n a line = \sum_(0 <= i < n) row_sum n a i.
  rewrite big_mkcond sum_lines; case: b.
    apply: eq_big_nat => k /andP[_ k_n]; rewrite k_n ltnNge leq_addr /= addn0 /line_sum k_n //.
  transitivity (\sum_(0 <= j < n) column_sum n a j); last by rewrite exchange_big.
  by apply: eq_big_nat => k /andP[_ k_n]; rewrite k_n ltnNge leq_addr /= /line_sum ltnNge leq_addr /= addKn.
rewrite half -(half (~~ to_rows)); apply: eq_bigl => line; by case: (line < n) to_rows => -[].
Qed.

(* the lines above m, and what the others lack of m *)
Definition above := [seq line <- lines n | m < line_sum n a line].
Definition lacks line := m - line_sum n a line.
Lemma mem_above line : line \in lines n -> (line \in above) = (m < line_sum n a line).
Proof. by rewrite mem_filter => ->; rewrite andbT. Qed.
Lemma above_size : size above <= wasted.
Proof.
have -> : size above = count (ltn m) [seq line_sum n a line | line <- lines n] by rewrite size_filter count_map.
exact: leq_trans (leq_count_subseq _ lines_sub) above_few.
Qed.

Lemma all_sums_at_least : m * m.+1 + 2 * (\sum_(line <- above) line_sum n a line) <= 2 * sumn (grid_sums n a).
Proof.
have sub : subseq [seq line_sum n a line | line <- above] (grid_sums n a).
  exact: subseq_trans (map_subseq _ (filter_subseq _ _)) lines_sub.
have [z perm] := perm_to_subseq sub; rewrite (perm_sumn perm) sumn_cat sumnE big_map mulnDr addnC leq_add2l -sum_iota1.
rewrite leq_mul2l /=; apply: sum_subset; first exact: iota_uniq.
move=> x at_iota; have := all_in at_iota; rewrite (perm_mem perm) mem_cat => /orP[/mapP[line]|//].
by rewrite mem_filter => /andP[large _] e; move: at_iota; rewrite mem_iota e; lia.
Qed.

(* Any of the lines that aren't above m are different, but for few. *)
Lemma lack_much (p : pred nat) :
  triangle (count (fun line => (line \notin above) && p line) (lines n) - (wasted - size above)) <=
  \sum_(line <- lines n | (line \notin above) && p line) lacks line.
Proof.
set q := fun line => (line \notin above) && p line.
have sub : subseq [seq line_sum n a line | line <- lines n & ((line \in above) || q line)] (grid_sums n a).
  exact: subseq_trans (map_subseq _ (filter_subseq _ _)) lines_sub.
have [z perm] := perm_to_subseq sub; have := all_but perm all_in; rewrite wasted_is size_map.
have -> : [seq x <- [seq line_sum n a line | line <- lines n & (line \in above) || q line] | x <= m] =
    [seq line_sum n a line | line <- lines n & q line].
  rewrite filter_map -filter_predI; congr (map _ _); apply: eq_in_filter => line at_lines /=.
  by rewrite /q mem_above //; case: (ltnP m).
have -> : size [seq line <- lines n | (line \in above) || q line] = size above + count q (lines n).
  rewrite size_filter; have -> : size above = count (mem above) (lines n).
    by rewrite size_filter; apply: eq_in_count => line at_lines; rewrite [RHS]mem_above.
  rewrite -(count_predUI (mem above) q) [count (predI _ _) _](_ : _ = 0) ?addn0 //.
  by apply/eqP; rewrite -leqn0 leqNgt -has_count; apply/hasPn => line _ /=; rewrite /q; case: (line \in above).
move=> few; apply: leq_trans (_ : triangle (size (undup [seq line_sum n a line | line <- lines n & q line])) <= _).
  by apply: triangle_le; lia.
have -> : \sum_(line <- lines n | q line) lacks line = sumn [seq m - x | x <- [seq line_sum n a line | line <- lines n & q line]].
  by rewrite -map_comp sumnE big_map big_filter.
apply: lack_different; apply/allP => x /mapP[line]; rewrite mem_filter => /andP[/andP[out _] at_lines] ->.
by move: out; rewrite mem_above // -leqNgt.
Qed.

Section Shift.
Variables (to_rows : bool) (shift : nat).
Let own := own n above.
Let c := shifted n above to_rows shift.

Lemma own_total : m * m.+1 <= \sum_(line <- lines n) own line * line_sum n a line.
Proof.
rewrite -(leq_add2r (2 * (\sum_(line <- above) line_sum n a line))).
apply: leq_trans all_sums_at_least _; rewrite total_of_lines /above big_filter big_distrr [in X in _ <= _ + X]big_mkcond -big_split /=.
rewrite big_seq [X in _ <= X]big_seq; apply: leq_sum => line at_lines.
have two : 2 <= doubled n line.
  rewrite /doubled /weight; move: at_lines; rewrite mem_iota add0n /= => at_lines.
  have : (if line < n then line else line - n) < n by case: ifP; lia.
  by move: (if _ then _ else _) => k; nia.
rewrite /own /SumsGridFewWasted.own mem_above //; case: ifP => _; first by rewrite muln1 -mulnDl subnK.
by rewrite muln0 subn0 addn0.
Qed.
Lemma shifted_total : m * m.+1 <= \sum_(line <- lines n) c line * line_sum n a line.
Proof.
apply: leq_trans own_total _.
have step : \sum_(line <- lines n) own line * line_sum n a line + \sum_(line <- lines n | (line < n) == to_rows) shift * line_sum n a line
    <= \sum_(line <- lines n) c line * line_sum n a line + \sum_(line <- lines n | (line < n) != to_rows) shift * line_sum n a line.
  rewrite ![\sum_(_ <- _ | _) _]big_mkcond -!big_split /=; apply: leq_sum => line _.
  by rewrite /c /shifted -/(own line); case: eqP => _; rewrite ?addn0 -mulnDl leq_mul2r; apply/orP; right; lia.
by move: step; rewrite -!big_distrr /= rows_columns leq_add2r.
Qed.

Lemma at_most_weight : \sum_(line <- lines n) c line * line_sum n a line + \sum_(line <- lines n | line \notin above) c line * lacks line
  <= m * most_weight n above to_rows shift.
Proof.
rewrite /most_weight sumnE big_map big_distrr [X in _ + X <= _]big_mkcond -big_split /= big_seq [X in _ <= X]big_seq.
apply: leq_sum => line at_lines; rewrite -/(c line) /lacks; have := line_at_most at_lines.
by have := mem_above at_lines; case: (line \in above) => /= /esym; move: (line_sum n a line) (c line) => v k; nia.
Qed.
Lemma lost_at_most : lost n wasted above to_rows shift <= \sum_(line <- lines n | line \notin above) c line * lacks line.
Proof.
rewrite /lost sumnE big_map; apply: leq_trans (leq_sum _ (fun k _ => lack_much (fun line => k < c line))) _.
under eq_bigr => k _ do rewrite -big_filter_cond big_mkcond; rewrite exchange_big big_filter /=.
apply: leq_sum => line _; rewrite -big_mkcond big_const_seq iter_addn_0 mulnC leq_mul2r; apply/orP; right.
rewrite -size_filter -{2}(size_iota 0 (c line)); apply: uniq_leq_size; first by rewrite filter_uniq ?iota_uniq.
by move=> k; rewrite mem_filter !mem_iota => /andP[->].
Qed.
Lemma not_excluded : ~~ is_excluded n wasted above to_rows shift.
Proof.
have m_pos : 0 < m by rewrite m_is; move: cube; lia.
have := leq_trans (leq_add shifted_total (leqnn _)) (leq_trans (leq_add (leqnn _) lost_at_most) at_most_weight).
rewrite /is_excluded -m_is; move: (most_weight _ _ _ _) (lost _ _ _ _ _) => W L all_of_them; apply/negP.
case: ifP => [W_m _|/negbT W_m]; last by nia.
by have : m * W <= m * m; [rewrite leq_mul2l W_m orbT | nia].
Qed.
End Shift.

Lemma cannot : ~~ cant_waste n wasted.
Proof.
apply/negP=> /allP/(_ above); rewrite (choices_all (filter_subseq _ _) above_size) some_has => /(_ isT)/hasP[s _].
by apply/negP; apply: not_excluded.
Qed.
End Grid.

(* of the score as the rules count it, whatever the numbers are, and also before the grid is full *)
Theorem few_wasted n wasted s : 1 < n -> wasted < n -> cant_waste n wasted -> sums_score n s < n * n * n - wasted.
Proof.
move=> n_large few cant; rewrite ltnNge; apply/negP=> high; move: cant; apply/negP.
apply: (@cannot n (fun i j => number s (i * n + j)) _ _ n_large few erefl) => x; rewrite mem_iota => range.
apply: all_sums_sub; apply: (@count_up_all (size (all_sums n s)) 0); rewrite -/(sums_score n s); lia.
Qed.

(* for n = 5 this is Theorem 5, and for n = 6 there is nothing to choose *)
Theorem counting_bounds s :
  [/\ sums_score 5 s <= 124, sums_score 6 s <= 215 & sums_score 7 s <= 341] /\
  [/\ sums_score 8 s <= 510, sums_score 9 s <= 726 & sums_score 10 s <= 997].
Proof.
have at_most n wasted : 1 < n -> wasted < n -> cant_waste n wasted -> sums_score n s <= n * n * n - wasted.+1.
  by move=> n1 few cant; have := @few_wasted n wasted s n1 few cant; lia.
split; split; first (by have := @Theorem_5 5 s isT; lia);
  [have := at_most 6 0 | have := at_most 7 1 | have := at_most 8 1 | have := at_most 9 2 | have := at_most 10 2];
  move=> /(_ isT isT); apply; by vm_compute.
Qed.
