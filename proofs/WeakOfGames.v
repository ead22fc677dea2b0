(* The checker of weak solutions for Palindromes and for Plusses And Minuses: which positions are alike there. And what else it
   has to know of Plusses And Minuses: bounds, and what mirror strategies hold. *)
From mathcomp Require Import all_ssreflect zify.
Require Import ZArith Lia.
From Quet Require Import Game PlussesMinuses Mirrors PlussesMinusesValues Palindromes PalindromesPairings Tables TablesOfGames Weak.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* ---- Palindromes: a row, its mirror image, and both with 0 and 1 exchanged have the same patterns *)
Definition exchange (other : bool) (r : row) : row := map (omap (addb other)) r.
Definition image (other backwards : bool) (r : row) : row := exchange other (if backwards then rev r else r).
Fixpoint is_exchanged (other : bool) (r s : row) : bool :=
  match r, s with
  | [::], [::] => true
  | None :: r', None :: s' => is_exchanged other r' s'
  | Some x :: r', Some y :: s' => ~~ (x (+) y (+) other) && is_exchanged other r' s'
  | _, _ => false
  end.
Definition pal_alike (r s : row) : bool :=
  is_exchanged false r s || is_exchanged true r s ||
  (let r' := rev r in is_exchanged false r' s || is_exchanged true r' s).

Lemma is_exchangedP other r s : is_exchanged other r s = (s == exchange other r).
Proof.
elim: r s => [|[x|] r IH] [|[y|] s] //=; rewrite IH !eqseq_cons //.
by case: x; case: y; case: (other).
Qed.
Lemma pal_alikeP r s : pal_alike r s <-> exists other backwards, s = image other backwards r.
Proof.
rewrite /pal_alike !is_exchangedP; split.
  by case/orP=> [/orP[]|/orP[]] /eqP->;
    [exists false, false|exists true, false|exists false, true|exists true, true].
by case=> [[] [[] ->]]; rewrite /image eqxx ?orbT.
Qed.

Lemma exchangeK other : involutive (exchange other).
Proof. by move=> r; rewrite /exchange -map_comp map_id_in // => -[x|] //= _; rewrite addKb. Qed.
Lemma imageK other backwards : involutive (image other backwards).
Proof.
by move=> r; case: backwards; rewrite /image /exchange -?map_rev ?revK -/(exchange _ _) -/(exchange _ (exchange _ _)) exchangeK.
Qed.
Lemma size_image other backwards r : size (image other backwards r) = size r.
Proof. by rewrite size_map; case: backwards; rewrite ?size_rev. Qed.
Lemma digits_image other backwards r : digits_written (image other backwards r) = digits_written r.
Proof.
rewrite /digits_written count_map (eq_count (a2 := isSome)); last by case.
by case: backwards; rewrite ?count_rev.
Qed.

Lemma half_sym differ l r : half_length differ l r = half_length differ r l.
Proof. by elim: l r => [|[x|] l IH] [|[y|] r] //=; rewrite addbC IH. Qed.
Lemma half_exchange differ other l r : half_length differ (exchange other l) (exchange other r) = half_length differ l r.
Proof. by elim: l r => [|[x|] l IH] [|[y|] r] //=; rewrite IH; case: x; case: y; case: (other). Qed.
Lemma centre_rev differ r c : c <= size r -> at_centre differ (rev r) c = at_centre differ r (size r - c).
Proof. by move=> le; rewrite /at_centre take_rev drop_rev revK half_sym. Qed.

Lemma iota_rev n : [seq n - c | c <- iota 1 n.-1] = rev (iota 1 n.-1).
Proof.
apply: (@eq_from_nth _ 0); rewrite ?size_map ?size_rev // size_iota => i less.
rewrite (nth_map 0) ?size_iota // nth_rev ?size_iota // !nth_iota //; lia.
Qed.
Lemma score_rev differ r : pattern_score differ (rev r) = pattern_score differ r.
Proof.
rewrite /pattern_score size_rev -[RHS]sumn_rev -map_rev -iota_rev -map_comp; congr sumn.
apply/eq_in_map => c; rewrite mem_iota => /andP[c_pos c_less] /=.
by rewrite centre_rev //; move: c_pos c_less; lia.
Qed.
Lemma score_image differ other backwards r : pattern_score differ (image other backwards r) = pattern_score differ r.
Proof.
have -> : pattern_score differ (image other backwards r) = pattern_score differ (if backwards then rev r else r).
  rewrite /image /pattern_score size_map; congr sumn; apply: eq_map => c.
  by rewrite /at_centre /exchange -map_take -map_drop -map_rev half_exchange.
by case: backwards; rewrite ?score_rev.
Qed.

Definition image_move (other backwards : bool) m (x : nat * bool) := (if backwards then m - x.1.+1 else x.1, other (+) x.2).
Lemma rev_set (r : row) i x : i < size r -> rev (set_nth None r i x) = set_nth None (rev r) (size r - i.+1) x.
Proof.
move=> less; have sz : size (set_nth None r i x) = size r by rewrite size_set_nth; lia.
apply: (@eq_from_nth _ None) => [|j]; rewrite ?size_set_nth !size_rev sz; first lia.
move=> j_less; rewrite nth_rev sz // !nth_set_nth /= nth_rev //.
by congr (if _ then _ else _); lia.
Qed.
Lemma exchange_set other (r : row) i d :
  exchange other (set_nth None r i (Some d)) = set_nth None (exchange other r) i (Some (other (+) d)).
Proof.
rewrite /exchange; elim: r i => [|x r IH] [|i] //=; last by rewrite IH.
by congr cons; elim: i => //= i ->.
Qed.
Lemma image_play other backwards r m : m.1 < size r ->
  image other backwards (pal_play r m) = pal_play (image other backwards r) (image_move other backwards (size r) m).
Proof. by move=> less; rewrite /pal_play /image; case: backwards; rewrite ?rev_set // exchange_set. Qed.
Lemma image_legal other backwards (r : row) m : m \in pal_legal_moves r ->
  image_move other backwards (size r) m \in pal_legal_moves (image other backwards r).
Proof.
case/legalP=> less none; apply/legalP; rewrite size_image; split; first by case: backwards => //=; lia.
rewrite /image /exchange (nth_map None); last by case: backwards; rewrite ?size_rev //=; lia.
case: backwards => /=; last by rewrite none.
rewrite nth_rev; last by lia.
by rewrite (_ : size r - (size r - m.1.+1).+1 = m.1) ?none //; lia.
Qed.

Lemma pal_alike_sym r s : pal_alike r s -> pal_alike s r.
Proof. by case/pal_alikeP=> o [b ->]; apply/pal_alikeP; exists o, b; rewrite imageK. Qed.
Lemma pal_alike_same (r s : position pal) : pal_alike r s -> [/\ is_over s = is_over r, mover s = mover r & lead s = lead r].
Proof.
case/pal_alikeP=> o [b ->]; split; rewrite /= /pal_is_over /pal_mover ?digits_image ?size_image //.
by rewrite /lead /= /pal_score !score_image.
Qed.
Lemma pal_alike_moves (r s : position pal) m : pal_alike r s -> m \in legal_moves r ->
  exists2 m', m' \in legal_moves s & pal_alike (play r m) (play s m').
Proof.
case/pal_alikeP=> o [b ->] legal; exists (image_move o b (size r) m); first exact: image_legal.
by apply/pal_alikeP; exists o, b; rewrite [RHS]image_play //; case/legalP: legal.
Qed.

Theorem pal_weak_holds p v K key bit depth reply stages most found r :
  @weak_right pal pal_alike p v K key bit depth reply stages most r = Some found ->
  if p is P1 then at_least (g := pal) v r else at_most (g := pal) v r.
Proof.
apply: (@weak_holds pal pal_alike (fun _ => True)) => //.
- by move=> *; apply: pal_alike_sym.
- by move=> *; apply: pal_alike_same.
- by move=> *; apply: pal_alike_moves.
Qed.

(* ---- Plusses And Minuses: the order in which squares were filled doesn't matter *)
Section PlussesMinuses.
Variables (n : nat) (first : player).
Implicit Types s t : pm_state.

Fixpoint same_signs (l l' : seq bool) : bool :=
  match l, l' with
  | [::], [::] => true
  | x :: k, y :: k' => ~~ (x (+) y) && same_signs k k'
  | _, _ => false
  end.
Definition has_square (f : seq (nat * nat)) (x : nat * nat) := has (fun y => eqn x.1 y.1 && eqn x.2 y.2) f.
Definition pm_alike s t : bool :=
  [&& eqn (size (filled s)) (size (filled t)), all (has_square (filled t)) (filled s) & same_signs (predicted s) (predicted t)].
Definition pm_inv s := valid n (filled s).

Lemma same_signsP l l' : same_signs l l' = (l == l').
Proof. by elim: l l' => [|x l IH] [|y l'] //=; rewrite eqseq_cons IH; case: x; case: y. Qed.
Lemma has_squareE f x : has_square f x = (x \in f).
Proof. by rewrite /has_square; elim: f => //= y f ->; rewrite inE; case: x; case: y. Qed.
Lemma valid_uniq f : valid n f -> uniq f.
Proof. by case/and4P=> u _ _ _; apply: map_uniq u. Qed.
Lemma pm_alikeP s t : pm_inv s -> pm_inv t -> pm_alike s t <-> predicted s = predicted t /\ perm_eq (filled s) (filled t).
Proof.
move=> /valid_uniq us /valid_uniq ut; rewrite /pm_alike same_signsP (eq_all (has_squareE _)); split.
  case/and3P=> /eqP sz /allP sub /eqP ->; split=> //; apply: uniq_perm => //.
  by have [|//] := uniq_min_size us sub; rewrite sz.
case=> -> perm; rewrite eqxx andbT; apply/andP; split; first by apply/eqP; apply: perm_size.
by apply/allP=> x; rewrite (perm_mem perm).
Qed.

Section Alike.
Variables s t : pm_state.
Hypotheses (inv_s : pm_inv s) (inv_t : pm_inv t) (signs : predicted s = predicted t) (perm : perm_eq (filled s) (filled t)).

Lemma height_same c : height s c = height t c.
Proof.
have [/mapP[[c' h] at_s /= ->]|none] := boolP (c \in unzip1 (filled s)).
  have := at_s; rewrite (perm_mem perm) => at_t.
  by case: (s) (t) inv_s inv_t at_s at_t => [l f] [l' f'] ok ok' at_s at_t; rewrite (height_eq _ ok at_s) (height_eq _ ok' at_t).
have none' : c \notin unzip1 (filled t) by rewrite -(perm_mem (perm_map fst perm)).
by move: none none'; rewrite -!height_none => /eqP -> /eqP ->.
Qed.
Lemma column_same h : column s h = column t h.
Proof.
have [/mapP[[c h'] at_s /= ->]|none] := boolP (h \in unzip2 (filled s)).
  have := at_s; rewrite (perm_mem perm) => at_t.
  by case: (s) (t) inv_s inv_t at_s at_t => [l f] [l' f'] ok ok' at_s at_t; rewrite (column_eq _ ok at_s) (column_eq _ ok' at_t).
have none' : h \notin unzip2 (filled t) by rewrite -(perm_mem (perm_map snd perm)).
by move: none none'; rewrite -!column_none => /eqP -> /eqP ->.
Qed.
Lemma score_same p : pm_score n s p = pm_score n t p.
Proof.
rewrite /pm_score signs; apply: eq_count => k; rewrite /truth.
by case: p; rewrite ?height_same ?column_same.
Qed.
Lemma legal_same : pm_legal_moves n s = pm_legal_moves n t.
Proof.
rewrite /pm_legal_moves /is_predicting signs; case: ifP => // _; rewrite /free_squares.
have -> : [seq h <- iota 0 n | column s h == None] = [seq h <- iota 0 n | column t h == None].
  by apply: eq_filter => h; rewrite column_same.
have -> // : [seq c <- iota 0 n | height s c == None] = [seq c <- iota 0 n | height t c == None].
by apply: eq_filter => c; rewrite height_same.
Qed.
End Alike.

Lemma pm_inv_play (s : position (pm n first)) m : pm_inv s -> m \in legal_moves s -> pm_inv (play s m).
Proof.
rewrite /pm_inv /= /pm_legal_moves => ok; case: ifP => [_|_].
  by rewrite !inE => /orP[] /eqP->.
case/mapP=> x; rewrite free_squaresP => /and4P[x1 x2 f1 f2] -> /=.
by rewrite -surjective_pairing valid_cons x1 x2 f1 f2.
Qed.
Lemma pm_alike_sym s t : pm_inv s -> pm_inv t -> pm_alike s t -> pm_alike t s.
Proof.
by move=> ok ok' /(pm_alikeP ok ok')[signs perm]; apply/pm_alikeP => //; rewrite perm_sym.
Qed.
Lemma pm_alike_same (s t : position (pm n first)) : pm_inv s -> pm_inv t -> pm_alike s t ->
  [/\ is_over t = is_over s, mover t = mover s & lead t = lead s].
Proof.
move=> ok ok' /(pm_alikeP ok ok')[signs perm]; have sz := perm_size perm.
split; rewrite /= /pm_is_over /pm_mover /is_predicting ?signs ?sz //.
by rewrite /lead /= !(score_same ok ok' signs perm).
Qed.
Lemma pm_alike_moves (s t : position (pm n first)) m : pm_inv s -> pm_inv t -> pm_alike s t -> m \in legal_moves s ->
  exists2 m', m' \in legal_moves t & pm_alike (play s m) (play t m').
Proof.
move=> ok ok' /(pm_alikeP ok ok')[signs perm] legal.
have legal' : m \in legal_moves (t : position (pm n first)) by rewrite /= -(legal_same ok ok' signs perm).
exists m => //; apply/pm_alikeP; [exact: pm_inv_play legal|exact: pm_inv_play legal'|].
by case: m {legal legal'} => [plus|x] /=; rewrite ?signs // perm_cons.
Qed.

Theorem pm_weak_holds p v K key bit depth reply stages most found :
  @weak_right (pm n first) pm_alike p v K key bit depth reply stages most pm_start = Some found ->
  if p is P1 then at_least (g := pm n first) v pm_start else at_most (g := pm n first) v pm_start.
Proof.
apply: (@weak_holds (pm n first) pm_alike pm_inv) => //.
- by move=> *; apply: pm_inv_play.
- exact: pm_alike_sym.
- exact: pm_alike_same.
- by move=> *; apply: pm_alike_moves.
Qed.

(* nobody scores more signs than a player predicts *)
Lemma pm_ends p (good : pm_state -> Prop) : (forall s, good s) -> holds (g := pm n first) p good pm_start.
Proof.
have can_go s : pm_inv s -> ~~ pm_is_over n s -> exists m, m \in pm_legal_moves n s.
  move=> ok; rewrite /pm_is_over /pm_legal_moves; case: ifP => [_ _|_ /= going].
    by exists (Predict true); rewrite inE eqxx.
  have less : size (filled s) < n by have := valid_size ok; move: going; case: ltngtP.
  have [|c c_n c_free] := @some_free n (unzip1 (filled s)); first by rewrite size_map.
  have [|h h_n h_free] := @some_free n (unzip2 (filled s)); first by rewrite size_map.
  by exists (Fill c h); apply/mapP; exists (c, h) => //; rewrite free_squaresP c_n h_n c_free.
move=> all_good; apply: (@keep (pm n first) p good pm_inv (pm_left n)) => //.
- by move=> s m _ going; apply: pm_left_less.
- by move=> s ok going _; have [m legal] := can_go s ok going; exists m => //; apply: pm_inv_play.
- move=> s ok going _; split; last by move=> m; apply: pm_inv_play.
  by have [m] := can_go s ok going; rewrite /=; case: (pm_legal_moves n s).
Qed.
Theorem pm_bounds : at_least (g := pm n first) (- Z.of_nat n.-1) pm_start /\ at_most (g := pm n first) (Z.of_nat n.-1) pm_start.
Proof.
have below s p : pm_score n s p <= n.-1 by rewrite -[X in _ <= X](size_iota 0); apply: count_size.
split; apply: pm_ends => s; have := below s P1; have := below s P2; rewrite /lead /=;
  move: (pm_score n s P1) (pm_score n s P2) (n.-1) => a b c; clear; lia.
Qed.

(* what the mirror strategies of Theorems 1 and 2 hold *)
Definition mirror_value p : Z :=
  if p is P1 then if first is P1 then 0%Z else Z.max (-3) (1 - Z.of_nat n) else 0%Z.
Theorem mirror_holds p : 2 <= n ->
  if p is P1 then at_least (g := pm n first) (mirror_value p) pm_start else at_most (g := pm n first) (mirror_value p) pm_start.
Proof.
move=> n_big; have [low1 high1] := Theorem_1 n_big; have [low2 high2] := Theorem_2 n_big.
by rewrite /mirror_value; case: p; case: (first).
Qed.
End PlussesMinuses.
