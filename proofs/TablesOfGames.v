(* The checker of tables for Plusses And Minuses and for Palindromes. *)
From mathcomp Require Import all_ssreflect zify.
Require Import ZArith Lia.
From Quet Require Import Game PlussesMinuses Mirrors Palindromes PalindromesPairings Tables.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* ---- Palindromes *)
Definition pal_same (r s : row) : bool := r == s.
Definition pal_code (r : row) : seq bool :=
  flatten [seq (if x is Some d then [:: true; d] else [:: false]) | x <- r].
Definition pal_left (r : row) := size r - digits_written r.

Lemma digits_less (r : row) m : m \in pal_legal_moves r ->
  [/\ digits_written (pal_play r m) = (digits_written r).+1, size (pal_play r m) = size r & digits_written r < size r].
Proof.
case/legalP=> less none; rewrite /pal_play digits_set //.
have size_same : size (set_nth None r m.1 (Some m.2)) = size r by rewrite size_set_nth; move: less; clear; lia.
by split=> //; rewrite -(digits_set m.2 less none) -size_same count_size.
Qed.
Lemma pal_left_less (r : position pal) m : ~~ is_over r -> m \in legal_moves r -> pal_left (play r m) < pal_left r.
Proof.
by move=> _ /digits_less[one two less]; rewrite /pal_left /= one two; move: less; clear; lia.
Qed.

(* no row is worth more than one in which all stretches about all centres are the player's *)
Definition pal_bound m := sumn [seq minn c (m - c) * (minn c (m - c)).+1 | c <- iota 1 m.-1].
Lemma half_below differ l r : half_length differ l r <= minn (size l) (size r).
Proof.
by elim: l r => [|[x|] l IH] [|[y|] r] //=; case: ifP => // _; rewrite minnSS ltnS.
Qed.
Lemma score_below (r : row) p : pal_score r p <= pal_bound (size r).
Proof.
rewrite /pal_score /pattern_score /pal_bound !sumnE !big_map big_seq [X in _ <= X]big_seq.
apply: leq_sum => c; rewrite mem_iota => /andP[c_pos c_less].
have : at_centre (wants_different p) r c <= minn c (size r - c).
  have le : c <= size r by move: c_pos c_less; clear; lia.
  by apply: leq_trans (half_below _ _ _) _; rewrite size_rev size_drop size_takel.
by move: (at_centre _ _ _) (minn _ _) => h k le; apply: leq_mul.
Qed.
Lemma pal_ends p m (good : row -> Prop) : (forall r, size r = m -> good r) ->
  holds (g := pal) p good (pal_start m).
Proof.
move=> all_good; apply: (@keep pal p good (fun r : row => size r = m) pal_left); last by rewrite size_nseq.
- by move=> r sz _; apply: all_good.
- by move=> r mv _ going legal; apply: pal_left_less.
- move=> r sz going _; move: going; rewrite /= over_full => /allPn[c /(nthP None)[i less <-] none].
  have legal : (i, true) \in pal_legal_moves r by apply/legalP; split=> //=; case: (nth _ _ _) none.
  by exists (i, true) => //; have [_ -> _] := digits_less legal.
- move=> r sz going _; split; last by move=> mv /digits_less[_ + _] => /= ->.
  move: going; rewrite /= over_full => /allPn[c /(nthP None)[i less <-] none].
  have : (i, true) \in pal_legal_moves r by apply/legalP; split=> //=; case: (nth _ _ _) none.
  by case: (pal_legal_moves r).
Qed.
Theorem pal_bounds m :
  at_least (g := pal) (- Z.of_nat (pal_bound m)) (pal_start m) /\ at_most (g := pal) (Z.of_nat (pal_bound m)) (pal_start m).
Proof.
split; apply: pal_ends => r sz; have := score_below r P1; have := score_below r P2; rewrite sz;
  have -> : lead (g := pal) r = (Z.of_nat (pal_score r P1) - Z.of_nat (pal_score r P2))%Z by [];
  move: (pal_score r P1) (pal_score r P2) (pal_bound m) => a b c; clear; lia.
Qed.

Definition pal_table_right (t : table pal) : bool := table_right (g := pal) pal_same pal_code t.
Definition pal_promised (t : table pal) (r : row) : option Z := promised (g := pal) pal_same pal_code t r.
Theorem pal_table_value t r v : pal_table_right t -> pal_promised t r = Some v -> value (g := pal) v r.
Proof. by apply: (@table_value pal pal_same pal_code pal_left _ pal_left_less) => s s' /eqP. Qed.

(* ---- Plusses And Minuses; the order in which squares were filled counts here *)
Section PlussesMinuses.
Variables (n : nat) (first : player).
Definition pm_same (s t : pm_state) : bool := (predicted s == predicted t) && (filled s == filled t).
Fixpoint unary k : seq bool := if k is k'.+1 then true :: unary k' else [:: false].
Definition pm_code (s : pm_state) : seq bool :=
  flatten [seq [:: true; x] | x <- predicted s] ++ false :: flatten [seq unary x.1 ++ unary x.2 | x <- filled s].
Definition pm_left (s : pm_state) :=
  (2 * n.-1 - size (predicted s)) + count (fun c => c \notin unzip1 (filled s)) (iota 0 n).

Lemma count_without (T : eqType) (a : pred T) c l : c \in l -> a c -> count (fun x => (x != c) && a x) l < count a l.
Proof.
move=> + a_c; elim: l => //= x l IH; rewrite inE eq_sym; case: (altP (x =P c)) => [-> _|_ /= /IH]; last by lia.
by rewrite a_c add0n add1n ltnS; apply: sub_count => y /andP[].
Qed.

Lemma pm_left_less (s : position (pm n first)) m : ~~ is_over s -> m \in legal_moves s -> pm_left (play s m) < pm_left s.
Proof.
move=> _; rewrite /= /pm_legal_moves /pm_left; case: ifP => [pred|_].
  by rewrite !inE => /orP[] /eqP-> /=; rewrite size_rcons; move: pred; rewrite /is_predicting; lia.
case/mapP=> x; rewrite free_squaresP => /and4P[x_n _ free _] -> /=; rewrite ltn_add2l.
have := @count_without _ (fun c => c \notin unzip1 (filled s)) x.1 (iota 0 n).
rewrite mem_iota x_n => /(_ isT free); congr (_ < _); apply: eq_count => c.
by rewrite inE negb_or.
Qed.

Definition pm_table_right (t : table (pm n first)) : bool := table_right (g := pm n first) pm_same pm_code t.
Definition pm_promised (t : table (pm n first)) (s : pm_state) : option Z := promised (g := pm n first) pm_same pm_code t s.
Theorem pm_table_value t s v : pm_table_right t -> pm_promised t s = Some v -> value (g := pm n first) v s.
Proof.
apply: (@table_value (pm n first) pm_same pm_code pm_left _ pm_left_less).
by case=> l f [l' f'] /andP[/eqP /= -> /eqP ->].
Qed.
End PlussesMinuses.
