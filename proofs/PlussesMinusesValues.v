(* Theorems 1 and 2 of docs/proofs.md: values of Plusses And Minuses, for every n. *)
From mathcomp Require Import all_ssreflect zify.
Require Import ZArith Lia.
From Quet Require Import Game PlussesMinuses Mirrors.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* whether p scores place k *)
Definition scored s p k := truth s p k == Some (nth false (predicted s) (2 * k + if p is P1 then 0 else 1)).

Lemma score_below n s p : pm_score n s p <= n.-1.
Proof. by rewrite -[X in _ <= X](size_iota 0 n.-1); apply: count_size. Qed.

Lemma leadE n first s :
  lead (g := pm n first) s = (Z.of_nat (pm_score n s P1) - Z.of_nat (pm_score n s P2))%Z.
Proof. by []. Qed.

(* ---- at most 0: player 2 copies, and fills the mirror image in the diagonal *)
Theorem at_most_0 n first : 1 < n -> at_most (g := pm n first) 0 pm_start.
Proof.
move=> n_big; apply: (@replies_hold n first id id) => // s cp all_predicted ok full cl _.
suff eq : pm_score n s P1 = pm_score n s P2 by rewrite /lead /= eq; lia.
have mirror c : c < n -> height s c = column s c.
  move=> c_n; have [h at_f] := full_column ok full c_n; have := cl _ at_f.
  case: s at_f {cp full cl all_predicted} ok => l f /= at_f ok image_at_f.
  by rewrite (height_eq l ok at_f) (column_eq l ok image_at_f).
have same_truth k : k < n.-1 -> truth s P1 k = truth s P2 k by move=> k_n; rewrite /truth !mirror //; lia.
apply: eq_in_count => k; rewrite mem_iota /= add0n => k_n; rewrite same_truth //.
have below : (2 * k).+1 < size (predicted s) by rewrite all_predicted; lia.
by rewrite addn1 addn0 (cp _ below) //= mul2n odd_double.
Qed.

(* ---- at least: player 1 predicts - and copies, and takes column c as the image of row c - 1 *)
Section Around.
Variables (n : nat) (n_big : 1 < n).
Definition row_around c := if c is c'.+1 then c' else n.-1.
Definition column_around h := if h == n.-1 then 0 else h.+1.
Lemma row_around_lt c : c < n -> row_around c < n. Proof. by case: c => /=; lia. Qed.
Lemma column_around_lt h : h < n -> column_around h < n. Proof. by rewrite /column_around; case: eqP; lia. Qed.
Lemma column_of_row_around c : c < n -> column_around (row_around c) = c.
Proof. by case: c => [|c] c_n; rewrite /column_around /= ?eqxx //; case: eqP => //; lia. Qed.
Lemma row_of_column_around h : h < n -> row_around (column_around h) = h.
Proof. by rewrite /column_around; case: eqP => [->|]. Qed.

Lemma hold_around first (good : pm_state -> Prop) :
  (forall s, copied P1 (predicted s) -> size (predicted s) = 2 * n.-1 -> valid n (filled s) -> size (filled s) = n ->
    closed row_around column_around (filled s) -> (P1 = first -> (0, n.-1) \in filled s) -> good s) ->
  holds (g := pm n first) P1 good pm_start.
Proof.
exact: (@replies_hold n first row_around column_around row_around_lt column_around_lt column_of_row_around
  row_of_column_around P1 n_big good).
Qed.

Variable s : pm_state.
Hypotheses (cp : copied P1 (predicted s)) (all_predicted : size (predicted s) = 2 * n.-1).
Hypotheses (ok : valid n (filled s)) (full : size (filled s) = n).
Hypothesis cl : closed row_around column_around (filled s).

(* the column that is filled at the top; all other images keep their order *)
Definition top := odflt 0 (column s n.-1).

Lemma image_around c : c.+1 < n -> c.+1 != top -> exists2 h, height s c.+1 = Some h & column s c = Some h.+1.
Proof.
move=> c_n not_top; have [h at_f] := full_column ok full c_n; have image_at_f := cl at_f.
move: not_top ok at_f image_at_f; rewrite /top; case: (s) => l f /= not_top ok' at_f image_at_f.
exists h; first exact: (height_eq l ok' at_f).
move: image_at_f; rewrite /image /column_around /=; case: eqP => [eq _|_ i]; last exact: (column_eq l ok' i).
by move: not_top; rewrite -eq (column_eq l ok' at_f) eqxx.
Qed.

Lemma scored_around k : k.+2 < n -> k.+1 != top -> k.+2 != top -> scored s P2 k = scored s P1 k.+1.
Proof.
move=> k_n one two; rewrite /scored /truth.
have [a -> ->] := image_around (ltnW k_n) one; have [b -> ->] := image_around k_n two.
have below : (2 * k).+2 < size (predicted s) by rewrite all_predicted; lia.
rewrite ltnS addn0 addn1; have -> : 2 * k.+1 = (2 * k).+2 by lia.
by rewrite (cp below) //= mul2n odd_double.
Qed.

(* all places but two correspond *)
Lemma scores_split : exists N, [/\ n = N.+2,
  pm_score n s P1 = scored s P1 0 + count (fun k => scored s P1 k.+1) (iota 0 N) &
  pm_score n s P2 = count (scored s P2) (iota 0 N) + scored s P2 N].
Proof.
case: n n_big => [|[|N]] // _; exists N; split=> //.
  by rewrite /pm_score /= -[1]/(1 + 0) iotaDl count_map.
have range : iota 0 N.+2.-1 = iota 0 N ++ [:: N] by rewrite -[N.+2.-1]/N.+1 -[in LHS]addn1 iotaD.
by rewrite /pm_score range count_cat /= addn0.
Qed.
End Around.

Theorem at_least_0 n : 1 < n -> at_least (g := pm n P1) 0 pm_start.
Proof.
move=> n_big; apply: hold_around => // s cp all_predicted ok full cl /(_ erefl) corner.
have [N [nE one two]] := scores_split n_big s; rewrite /lead /= one two.
have top0 : top n s = 0.
  by move: ok corner; rewrite /top; case: (s) => l f /= ok' /(column_eq l ok') ->.
have -> : count (scored s P2) (iota 0 N) = count (fun k => scored s P1 k.+1) (iota 0 N).
  apply: eq_in_count => k; rewrite mem_iota /= add0n => k_N.
  by rewrite (scored_around n_big) // ?top0 //; lia.
have -> : scored s P1 0.
  have [h at_f] := full_column ok full n_big.
  have h_n : h < n by case/and4P: ok => _ _ _ /allP /(_ _ at_f).
  have below : 0 < size (predicted s) by rewrite all_predicted; lia.
  move: cp ok corner at_f below; rewrite /scored /truth; case: (s) => l f /= cp' ok' corner at_f below.
  rewrite (height_eq l ok' corner) (height_eq l ok' at_f) (cp' 0) //.
  by apply/eqP; congr Some; lia.
by case: (scored s P2 N); lia.
Qed.

Lemma count_either (T : eqType) (a b c : pred T) l :
  {in l, forall x, a x -> b x || c x} -> count a l <= count b l + count c l.
Proof.
elim: l => //= x l IH sub; have {IH} : count a l <= count b l + count c l.
  by apply: IH => y i; apply: sub; rewrite inE i orbT.
have := sub x (mem_head _ _).
by case: (a x); case: (b x); case: (c x) => /= H; first [lia | have := H isT].
Qed.

Lemma count_hit N e i : count (fun k => k + i == e) (iota 0 N) <= 1.
Proof.
have [le|gt] := leqP i e; last by rewrite (@eq_count _ _ pred0) ?count_pred0 // => k /=; lia.
rewrite (@eq_count _ _ (pred1 (e - i))) => [|k /=]; last lia.
by rewrite count_uniq_mem ?iota_uniq // leq_b1.
Qed.

Theorem at_least_m3 n : 1 < n -> at_least (g := pm n P2) (Z.max (-3) (1 - Z.of_nat n)) pm_start.
Proof.
move=> n_big; apply: hold_around => // s cp all_predicted ok full cl _.
have [N [nE one two]] := scores_split n_big s.
have := score_below n s P1; have := score_below n s P2; rewrite leadE one two.
have := @count_either _ (scored s P2) (fun k => scored s P1 k.+1)
  (predU (fun k => k + 1 == top n s) (fun k => k + 2 == top n s)) (iota 0 N).
have H : {in iota 0 N, forall k, scored s P2 k -> scored s P1 k.+1 ||
    predU (fun k => k + 1 == top n s) (fun k => k + 2 == top n s) k}.
  move=> k; rewrite mem_iota /= add0n addn1 addn2 => k_N.
  have [|one'] := altP (k.+1 =P _); first by rewrite orbT.
  have [|two'] := altP (k.+2 =P _); first by rewrite !orbT.
  by rewrite (scored_around n_big) // => [->//|]; lia.
move/(_ H); have : count (predU (fun k => k + 1 == top n s) (fun k => k + 2 == top n s)) (iota 0 N) <= 2.
  apply: leq_trans (_ : count (fun k => k + 1 == top n s) (iota 0 N) + count (fun k => k + 2 == top n s) (iota 0 N) <= _).
    by rewrite -count_predUI leq_addr.
  by have := count_hit N (top n s) 1; have := count_hit N (top n s) 2; lia.
have := leq_b1 (scored s P1 0); have := leq_b1 (scored s P2 N).
move: (nat_of_bool _) (nat_of_bool _) (count (scored s P2) _) (count (fun k => scored s P1 k.+1) _) (count _ _).
by rewrite nE => *; lia.
Qed.

Theorem Theorem_1 n : 2 <= n -> value (g := pm n P1) 0 pm_start.
Proof. by move=> n_big; split; [apply: at_least_0|apply: at_most_0]. Qed.

(* at least -1 for n = 2, -2 for n = 3, and -3 for all larger n; at most 0 *)
Theorem Theorem_2 n : 2 <= n ->
  at_least (g := pm n P2) (Z.max (-3) (1 - Z.of_nat n)) pm_start /\ at_most (g := pm n P2) 0 pm_start.
Proof. by move=> n_big; split; [apply: at_least_m3|apply: at_most_0]. Qed.
