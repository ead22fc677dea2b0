(* Lemma 1 of docs/proofs.md: in Palindromes the players may exchange their goals without a change of the value. *)
From mathcomp Require Import all_ssreflect.
Require Import ZArith Lia.
From Quet Require Import Game Palindromes.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* 0 and 1 are exchanged in every second square, beginning with the first one if b *)
Fixpoint flip (b : bool) (r : row) : row := if r is x :: r' then omap (addb b) x :: flip (~~ b) r' else [::].
Definition flip_move (m : pal_move) : pal_move := (m.1, odd m.1 (+) m.2).

Lemma size_flip b r : size (flip b r) = size r. Proof. by elim: r b => //= x r IH b; rewrite IH. Qed.
Lemma digits_flip b r : digits_written (flip b r) = digits_written r.
Proof. by rewrite /digits_written; elim: r b => //= x r IH b; rewrite IH; case: x. Qed.
Lemma nth_flip b r i : (nth None (flip b r) i == None) = (nth None r i == None).
Proof. by elim: r b i => [|x r IH] b [|i] //=; case: x. Qed.
Lemma empty_flip b r : empty_squares (flip b r) = empty_squares r.
Proof. by rewrite /empty_squares size_flip; apply: eq_filter => i; apply: nth_flip. Qed.
Lemma flip_set b r i d : i < size r ->
  flip b (set_nth None r i (Some d)) = set_nth None (flip b r) i (Some ((b (+) odd i) (+) d)).
Proof.
elim: r b i => // x r IH b [|i] /= less; first by rewrite addbF.
by rewrite IH // addNb addbN.
Qed.

Lemma flip_cat b l r : flip b (l ++ r) = flip b l ++ flip (b (+) odd (size l)) r.
Proof. by elim: l b => [|x l IH] b /=; rewrite ?addbF // IH addNb addbN. Qed.
Lemma rev_flip b r : rev (flip b r) = flip (b (+) ~~ odd (size r)) (rev r).
Proof.
elim/last_ind: r b => [|r x IH] b //; rewrite -cats1 flip_cat !rev_cat IH /= size_cat addn1 /= negbK.
by rewrite addbN.
Qed.

(* palindromes become antipalindromes *)
Lemma half_flip differ b l r : half_length differ (flip b l) (flip (~~ b) r) = half_length (~~ differ) l r.
Proof.
elim: l r b => [|x l IH] [|y r] b //=; [by case: x|].
by case: x => [x|] //=; case: y => [y|] //=; rewrite IH {IH}; case: x; case: y; case: b; case: differ.
Qed.

Lemma score_flip differ r : pattern_score differ (flip false r) = pattern_score (~~ differ) r.
Proof.
rewrite /pattern_score size_flip; congr sumn; apply/eq_in_map => c; rewrite mem_iota => /andP[c_pos c_less].
suff -> : at_centre differ (flip false r) c = at_centre (~~ differ) r c by [].
have le : c <= size r by case: (size r) c_less => [|k] /=; rewrite ?add1n ltnS // => /leq_trans; apply.
have size_l : size (take c r) = c by rewrite size_takel.
rewrite /at_centre -[in LHS](cat_take_drop c r) flip_cat size_l addFb.
rewrite take_size_cat ?drop_size_cat ?size_flip // rev_flip size_l addFb.
by rewrite -[X in flip X (drop c r)]negbK half_flip.
Qed.

Lemma legal_flip r m : m \in pal_legal_moves r -> flip_move m \in pal_legal_moves (flip false r).
Proof.
case/allpairsP=> -[i d] /= [free _ ->]; apply/allpairsP; exists (i, odd i (+) d).
by rewrite empty_flip; split=> //; case: (_ (+) _).
Qed.

Lemma play_flip r m : m \in pal_legal_moves r -> pal_play (flip false r) (flip_move m) = flip false (pal_play r m).
Proof.
case/allpairsP=> -[i d] [+ _ ->]; rewrite /= mem_filter mem_iota /pal_play /= => /andP[_ i_r].
by rewrite flip_set.
Qed.

Lemma back_flip r m : m \in pal_legal_moves (flip false r) -> flip_move m \in pal_legal_moves r /\ flip_move (flip_move m) = m.
Proof.
case/allpairsP=> -[i d] [+ _ ->] /=; rewrite empty_flip => free; split; last by rewrite /flip_move /= addKb.
by apply/allpairsP; exists (i, odd i (+) d); split=> //; case: (_ (+) _).
Qed.

Lemma start_flip m b : flip b (pal_start m) = pal_start m.
Proof. by rewrite /pal_start; elim: m b => //= m IH b; rewrite IH. Qed.

Lemma lead_flip r : lead (g := pal_exchanged) (flip false r) = lead (g := pal) r.
Proof. by rewrite /lead /= /pal_score /= !score_flip. Qed.
Lemma lead_flip' r : lead (g := pal) (flip false r) = lead (g := pal_exchanged) r.
Proof. by rewrite /lead /= /pal_score /= !score_flip. Qed.

Lemma over_flip r : pal_is_over (flip false r) = pal_is_over r.
Proof. by rewrite /pal_is_over digits_flip size_flip. Qed.
Lemma mover_flip r : pal_mover (flip false r) = pal_mover r.
Proof. by rewrite /pal_mover digits_flip. Qed.

Lemma to_exchanged p (good good' : row -> Prop) m : (forall r, good r -> good' (flip false r)) ->
  holds (g := pal) p good (pal_start m) -> holds (g := pal_exchanged) p good' (pal_start m).
Proof.
move=> ok; rewrite -[in X in _ -> X](start_flip m false).
apply: (@translate pal pal_exchanged (flip false) flip_move flip_move over_flip mover_flip legal_flip back_flip play_flip).
by move=> e _; apply: ok.
Qed.
Lemma from_exchanged p (good good' : row -> Prop) m : (forall r, good r -> good' (flip false r)) ->
  holds (g := pal_exchanged) p good (pal_start m) -> holds (g := pal) p good' (pal_start m).
Proof.
move=> ok; rewrite -[in X in _ -> X](start_flip m false).
apply: (@translate pal_exchanged pal (flip false) flip_move flip_move over_flip mover_flip legal_flip back_flip play_flip).
by move=> e _; apply: ok.
Qed.

Theorem Lemma_1 m v : value (g := pal) v (pal_start m) <-> value (g := pal_exchanged) v (pal_start m).
Proof.
split=> -[low high]; split.
- by apply: to_exchanged low => r; rewrite lead_flip.
- by apply: to_exchanged high => r; rewrite lead_flip.
- by apply: from_exchanged low => r; rewrite lead_flip'.
- by apply: from_exchanged high => r; rewrite lead_flip'.
Qed.
