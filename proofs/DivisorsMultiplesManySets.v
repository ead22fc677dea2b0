(* A checker of perfect play in Divisors/Multiples for any number of players that looks at all sets of taken numbers.

   Of a set the mover is known. From outside it is known by how much the scores still change where just these numbers are taken and one
   of 1, ..., r is the current one, whether it is taken or not. The checker looks at all steps in each set. Since every step costs the
   mover something, a best walk comes to no number twice, and the limit of 2r steps stops none. *)
From mathcomp Require Import all_ssreflect zify.
Require Import ZArith Lia.
From Quet Require DivisorsMultiplesChecker.
From Quet Require Import DivisorsMultiples Many DivisorsMultiplesMany DivisorsMultiplesManyChecker.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Sets.
Variables r p : nat.
Implicit Types (s : dmm_state) (m : dm_move) (a b c e : result) (tk : seq bool).
Notation liking := (liking p). Notation width := (width p). Notation bill := (bill p). Notation no_change := (no_change p).
Notation scores := (dmm_scores p). Notation play := (dmm_play p). Notation legal_moves := (dmm_legal_moves r).
Notation is_over := (dmm_is_over r).
Variable still : seq bool -> nat -> result.

Definition mover_of tk := ((count id tk).-1 %% p).+1.
Definition after_stop tk y : result :=
  let tk' := set_nth false tk y true in if count id tk' == r then no_change else still tk' y.
(* for each number the numbers beside it, and the larger over the smaller *)
Definition beside : seq (seq (nat * nat)) := [seq [seq (y, ratio x y) | y <- numbers r & related x y] | x <- numbers r].

(* comparisons with what is liked so, after a payment of k; u is what a payment of 1 adds *)
Fixpoint less_paid k (u a b : seq Z) : bool :=
  match u, a, b with
  | z :: u', x :: a', y :: b' => let y' := (k * z + y)%Z in (x <? y')%Z || (x =? y')%Z && less_paid k u' a' b'
  | _, _, _ => false
  end.
Fixpoint same_paid k (u a b : seq Z) : bool :=
  match u, a, b with
  | z :: u', x :: a', y :: b' => (x =? k * z + y)%Z && same_paid k u' a' b'
  | [::], [::], [::] => true
  | _, _, _ => false
  end.
(* An end of a step: how the mover likes it to go on there, and, where it isn't taken, to stop there. *)
Definition step_end := (seq Z * option (seq Z))%type.
Definition step_price (e : step_end) k : Z := Z.of_nat (if e.2 is None then 2 * k else k).
Definition step_worse u a (e : step_end) k : bool :=
  let c := step_price e k in ~~ less_paid c u a e.1 && (if e.2 is Some b then ~~ less_paid c u a b else true).
Definition step_same u a (e : step_end) k : bool :=
  let c := step_price e k in same_paid c u a e.1 || (if e.2 is Some b then same_paid c u a b else false).
Definition set_right (rows : seq (seq (nat * nat))) tk : bool :=
  let w := mover_of tk in
  let here := still tk in
  let u := liking w (bill w 1) in
  let results := [seq here y | y <- numbers r] in
  let ends := [seq (liking w z.1, if nth false tk z.2 then None else Some (liking w (after_stop tk z.2))) |
    z <- zip results (numbers r)] in
  all (fun a => size a == width) results &&
  all (fun x => all (fun z => step_worse u x.1.1 (nth ([::], None) ends z.1.-1) z.2) x.2 &&
    has (fun z => step_same u x.1.1 (nth ([::], None) ends z.1.-1) z.2) x.2) (zip ends rows).

Fixpoint all_bits n (ok : seq bool -> bool) : bool :=
  if n is n'.+1 then all_bits n' (fun l => ok (false :: l)) && all_bits n' (fun l => ok (true :: l)) else ok [::].
Definition sets_right : bool :=
  let rows := beside in all_bits r.-1 (fun l => let tk := [:: false, true & l] in (count id tk == r) || set_right rows tk).

Definition dmm_value s : result := plus (scores s) (if is_over s then no_change else still (dmm_taken s) (dmm_current s)).

(* -- what a payment changes *)
Definition times k a : seq Z := [seq (k * x)%Z | x <- a].
Lemma nth_times k a i : nth 0%Z (times k a) i = (k * nth 0%Z a i)%Z.
Proof. by elim: a i => [|x a IH] [|i] //=; rewrite ?IH //; clear; lia. Qed.
Lemma total_times k a : total (times k a) = (k * total a)%Z.
Proof. by elim: a => [|x a IH] /=; rewrite ?IH; clear; lia. Qed.
Lemma liking_times w k a : liking w (times k a) = times k (liking w a).
Proof.
rewrite /liking; case: ifP => _; first by rewrite nth_times; case: ifP => _ /=; congr [:: _]; clear; lia.
rewrite /times map_rcons -/(times k a) -map_comp total_times; congr rcons; last by clear; lia.
by apply: eq_map => q /=; rewrite /wish total_times nth_times; clear; lia.
Qed.
Lemma bill_times w k : bill w k = times (Z.of_nat k) (bill w 1).
Proof.
have one q : Z.of_nat (nth 0 (set_nth 0 [::] w.-1 k) q.-1) = Z.mul (Z.of_nat k) (Z.of_nat (nth 0 (set_nth 0 [::] w.-1 1) q.-1)).
  by rewrite !nth_set_nth /= nth_nil; case: eqP => _; clear; lia.
have all_ : [seq Z.of_nat (nth 0 (set_nth 0 [::] w.-1 k) q.-1) | q <- players p] =
    times (Z.of_nat k) [seq Z.of_nat (nth 0 (set_nth 0 [::] w.-1 1) q.-1) | q <- players p].
  by rewrite /times -map_comp; apply: eq_map.
by rewrite /bill /standing all_; case: ifP => // _; rewrite !nth_times /=; congr [:: _]; clear; lia.
Qed.
Lemma total_bill i k n j : total [seq Z.of_nat (nth 0 (set_nth 0 [::] i k) q.-1) | q <- iota j.+1 n] =
  if j <= i < j + n then Z.of_nat k else 0%Z.
Proof.
elim: n j => [|n IH] j /=; first by case: ifP => //; clear; lia.
rewrite IH nth_set_nth /= nth_nil; case: eqP => [->|]; case: ifP; case: ifP; clear; lia.
Qed.
Lemma bill_lowers w k : 1 < p -> 0 < w <= p -> 0 < k -> (nth 0 (liking w (bill w k)) 0 < 0)%Z.
Proof.
move=> p_some w_in k_pos; have own q : nth 0 (set_nth 0 [::] w.-1 k) q = if q == w.-1 then k else 0.
  by rewrite nth_set_nth /= nth_nil.
have entry i : i < p -> nth 0%Z [seq Z.of_nat (nth 0 (set_nth 0 [::] w.-1 k) q.-1) | q <- players p] i =
    Z.of_nat (if i == w.-1 then k else 0).
  by move=> less; rewrite (nth_map 0) ?size_iota // nth_iota // add1n own.
rewrite /liking /bill /standing; case not_two: (p == 2).
  move/eqP: not_two => two; rewrite !entry ?two //; move: w_in k_pos; rewrite two.
  by case: w {own entry} => [|[|[|w]]] //= _; clear; lia.
rewrite nth_rcons size_map size_rot size_iota ifT; last by move: p_some; clear; lia.
rewrite (nth_map 0) ?size_rot ?size_iota; last by move: p_some; clear; lia.
have less : w.-1 < p by move: w_in; clear; lia.
rewrite /rot (drop_nth 0) ?size_iota //= nth_iota // /wish /players total_bill entry /=; last by move: w_in; clear; lia.
by rewrite add0n less eqxx; move: p_some k_pos; clear; nia.
Qed.

Lemma less_paidE k u a b : size u = size a -> size u = size b -> less_paid k u a b = is_less a (plus (times k u) b).
Proof. by elim: u a b => [|z u IH] [|x a] [|y b] // [size_a] [size_b]; rewrite [times _ _]/= plus_cons /= IH. Qed.
Lemma same_paidP k u a b : size u = size a -> size u = size b -> same_paid k u a b -> a = plus (times k u) b.
Proof.
by elim: u a b => [|z u IH] [|x a] [|y b] // [size_a] [size_b] /= /andP[/Z.eqb_eq -> /IH ->] //.
Qed.

(* -- what is checked of a set *)
Lemma all_bitsP n ok l : all_bits n ok -> size l = n -> ok l.
Proof.
elim: n ok l => [|n IH] ok [|x l] //= /andP[one two] [size_l].
by case: x; [apply: (IH (fun l => ok (true :: l)))|apply: (IH (fun l => ok (false :: l)))].
Qed.

Hypotheses (right : sets_right) (p_some : 1 < p) (r_some : 1 < r).

Definition shape tk := [&& size tk == r.+1, ~~ nth false tk 0 & nth false tk 1].
Definition cost tk x y := if nth false tk y then 2 * ratio x y else ratio x y.

Section OneSet.
Variable tk : seq bool.
Hypotheses (tk_shape : shape tk) (some_left : count id tk != r).
Notation w := (mover_of tk).

Lemma this_right : set_right beside tk.
Proof.
case/and3P: tk_shape; case: tk some_left => [|[] [|[] l]] // left size_tk _ _.
have : (count id [:: false, true & l] == r) || set_right beside [:: false, true & l].
  by apply: (all_bitsP right); move: size_tk r_some => /=; clear; lia.
by rewrite (negbTE left).
Qed.

Lemma size_still x : x \in numbers r -> size (still tk x) = width.
Proof. by move=> x_in; case/andP: this_right; rewrite all_map => /allP/(_ _ x_in)/eqP. Qed.

Lemma shape_stop y : y \in numbers r -> shape (set_nth false tk y true).
Proof.
rewrite mem_iota => y_in; case/and3P: tk_shape => /eqP size_tk zero one.
rewrite /shape !nth_set_nth size_set_nth size_tk /= one; apply/and3P; split.
- by apply/eqP; move: y_in; clear; lia.
- by case: eqP zero y_in => // <-.
- by case: eqP.
Qed.
End OneSet.

Lemma size_after_stop tk y : shape tk -> y \in numbers r -> size (after_stop tk y) = width.
Proof.
move=> tk_shape y_in; rewrite /after_stop; case: ifP => [_|/negbT left]; first by rewrite size_nseq.
exact: size_still (shape_stop tk_shape y_in) left _ y_in.
Qed.

Section OneSetAgain.
Variable tk : seq bool.
Hypotheses (tk_shape : shape tk) (some_left : count id tk != r).
Notation w := (mover_of tk).

Definition end_of y : step_end := (liking w (still tk y), if nth false tk y then None else Some (liking w (after_stop tk y))).
Lemma number_right x : x \in numbers r ->
  (forall y, y \in numbers r -> related x y -> step_worse (liking w (bill w 1)) (liking w (still tk x)) (end_of y) (ratio x y)) /\
  exists y, [/\ y \in numbers r, related x y & step_same (liking w (bill w 1)) (liking w (still tk x)) (end_of y) (ratio x y)].
Proof.
move=> x_in; have := this_right tk_shape some_left; rewrite /set_right.
set ends := [seq _ | z <- zip _ _]; case/andP=> _.
have ends_all : ends = [seq end_of y | y <- numbers r].
  rewrite /ends -[X in zip _ X]map_id zip_map -map_comp; exact: eq_map.
have nth_ends y : y \in numbers r -> nth ([::], None) ends y.-1 = end_of y.
  rewrite mem_iota => y_in; rewrite ends_all (nth_map 0) ?size_iota ?nth_iota; try by move: y_in; clear; lia.
  by congr end_of; move: y_in; clear; lia.
rewrite [X in zip X _]ends_all /beside zip_map all_map => /allP/(_ _ x_in) /= /andP[/allP all_worse /hasP[[y k] /mapP[y']]].
rewrite mem_filter => /andP[rel y_in] [-> ->] /=; rewrite nth_ends // => same; split; last by exists y'.
move=> z z_in rel_z; have := all_worse (z, ratio x z); rewrite /= nth_ends //; apply.
by apply/mapP; exists z => //; rewrite mem_filter rel_z.
Qed.

Lemma price_of x y : step_price (end_of y) (ratio x y) = Z.of_nat (cost tk x y).
Proof. by rewrite /step_price /cost /=; case: (nth false tk y). Qed.
Lemma paid_liking x y a : size a = width ->
  plus (times (step_price (end_of y) (ratio x y)) (liking w (bill w 1))) (liking w a) = liking w (plus (bill w (cost tk x y)) a).
Proof. by move=> size_a; rewrite price_of liking_plus ?size_bill // -liking_times -bill_times. Qed.

Lemma walk_worse x y : x \in numbers r -> y \in numbers r -> related x y ->
  ~~ is_less (liking w (still tk x)) (liking w (plus (bill w (cost tk x y)) (still tk y))).
Proof.
move=> x_in y_in rel; have [/(_ _ y_in rel) /andP[+ _] _] := number_right x_in.
by rewrite less_paidE ?size_liking // paid_liking // size_still.
Qed.
Lemma stop_worse x y : x \in numbers r -> y \in numbers r -> related x y -> ~~ nth false tk y ->
  ~~ is_less (liking w (still tk x)) (liking w (plus (bill w (cost tk x y)) (after_stop tk y))).
Proof.
move=> x_in y_in rel free; have [/(_ _ y_in rel) /andP[_ +] _] := number_right x_in.
have -> : (end_of y).2 = Some (liking w (after_stop tk y)) by rewrite /= (negbTE free).
by rewrite less_paidE ?size_liking // paid_liking // size_after_stop.
Qed.
Lemma attained x : x \in numbers r -> exists y, [/\ y \in numbers r, related x y &
  liking w (still tk x) = liking w (plus (bill w (cost tk x y)) (still tk y)) \/
  ~~ nth false tk y /\ liking w (still tk x) = liking w (plus (bill w (cost tk x y)) (after_stop tk y))].
Proof.
move=> x_in; have [_ [y [y_in rel /orP[]]]] := number_right x_in.
  move/same_paidP; rewrite !size_liking paid_liking ?size_still // => eq; exists y; split=> //; left; exact: eq.
case free: (nth false tk y); first by have -> : (end_of y).2 = None by rewrite /= free.
have -> : (end_of y).2 = Some (liking w (after_stop tk y)) by rewrite /= free.
move/same_paidP; rewrite !size_liking paid_liking ?size_after_stop // => eq.
by exists y; split=> //; right; split; [rewrite free|exact: eq].
Qed.
End OneSetAgain.

(* -- from sets to positions *)
Lemma choose (P : dm_move -> result -> Prop) (l : seq dm_move) :
  (forall m, m \in l -> exists a, P m a) -> exists h : dm_move -> result, forall m, m \in l -> P m (h m).
Proof.
elim: l => [|m l IH] some; first by exists (fun _ => [::]).
have [a ok] := some m (mem_head _ _).
have [|h oks] := IH; first by move=> m' m'_l; apply: some; rewrite inE m'_l orbT.
exists (fun m' => if m' == m then a else h m') => m'; rewrite inE; case: eqP => [-> //|_]; exact: oks.
Qed.
Lemma exists_best (h : dm_move -> seq Z) (l : seq dm_move) m0 : m0 \in l ->
  exists2 m, m \in l & forall m', m' \in l -> ~~ is_less (h m) (h m').
Proof.
have irreflexive a : ~~ is_less a a by apply/negP => less; have := less_not less; rewrite less.
elim: l m0 => // m [|m1 l] IH _ _; first by exists m; rewrite ?mem_head // => m'; rewrite inE => /eqP ->.
have [best best_l good] := IH m1 (mem_head _ _).
case less: (is_less (h best) (h m)).
  exists m; first exact: mem_head; move=> m'; rewrite inE => /orP[/eqP -> //|m'_l].
  exact: not_less_trans (less_not less) (good _ m'_l).
exists best; first by rewrite inE best_l orbT.
by move=> m'; rewrite inE => /orP[/eqP ->|/good //]; rewrite less.
Qed.

(* a position that can come up, or the limit of steps is farther away than it can be *)
Definition fine s := [/\ shape (dmm_taken s), dmm_current s \in numbers r, dmm_mover s = mover_of (dmm_taken s),
  dmm_num_steps s < 2 * r & dmm_num_steps s = (2 * r).-1 -> dmm_can_stop_from r s (dmm_current s)].
Lemma fine_play s m : fine s -> m \in legal_moves s -> fine (play s m).
Proof.
case: m => y stops [s_shape cur_in turn in_time _]; rewrite legalP => /and4P[going y_in rel]; case: stops => ok; split=> //=.
- exact: shape_stop.
- rewrite turn /mover_of /dmm_is_taken in ok *; congr _.+1; rewrite count_set_nth_ltn; last first.
    by case/and3P: s_shape => /eqP -> _ _; move: y_in; rewrite mem_iota; clear; lia.
  rewrite (negbTE ok) subn0 addn1 /= -addn1 modnDml addn1 prednK //.
  by case/and3P: s_shape; case: (dmm_taken s) => [|[] [|[] l]].
- by move: in_time; clear; lia.
- by move: r_some; clear; lia.
- by move: ok; rewrite /dmm_steps_after; clear; lia.
- by move: ok; rewrite /dmm_steps_after /dmm_can_stop_from /= => /orP[|/andP[_ ->] //]; clear; lia.
Qed.

Lemma some_free s : fine s -> ~~ is_over s -> exists2 u, u \in numbers r & ~~ dmm_is_taken s u.
Proof.
case=> /and3P[/eqP size_tk zero one] _ _ _ _; rewrite /is_over /dmm_num_taken /dmm_is_taken.
case: (dmm_taken s) size_tk zero one => [|[] l] //= [size_l] _ _; rewrite add0n -size_l -all_count -has_predC.
case/(has_nthP false) => i less free; exists i.+1 => //.
by rewrite mem_iota; move: less; rewrite size_l; clear; lia.
Qed.
Lemma some_move s : fine s -> ~~ is_over s -> exists m, m \in legal_moves s.
Proof.
move=> s_fine going; have [u u_in u_free] := some_free s_fine going; case: s_fine => _ cur_in _ in_time can_stop.
have one_in : 1 \in numbers r by rewrite mem_iota; move: r_some; clear; lia.
have [two|few] := ltnP 1 (dmm_steps_after r s).
  by exists (dmm_current s, false); rewrite legalP going cur_in /related dvdnn two.
have [one|zero] := eqVneq (dmm_steps_after r s) 1.
  exists (1, false); rewrite legalP going one_in one /related dvd1n /=; apply/hasP; exists u => //.
  by rewrite /related dvd1n orbT.
have /hasP[y y_in /andP[rel free]] : dmm_can_stop_from r s (dmm_current s).
  by apply: can_stop; move: few zero in_time; rewrite /dmm_steps_after; clear; lia.
by exists (y, true); rewrite legalP going y_in rel.
Qed.

Notation here s := (still (dmm_taken s) (dmm_current s)).
Notation likes s a := (liking (dmm_mover s) a).
(* how many numbers are better to be on: no best walk from here is longer *)
Definition rank s := count (fun z => nth 0 (likes s (here s)) 0 <? nth 0 (likes s (still (dmm_taken s) z)) 0)%Z (numbers r).

(* e is by how much the scores still change from s on: no more than is said for the mover, and no less if there are steps enough *)
Definition is_worth s e :=
  [/\ size e = width, leads_to (g := dmm r p) s (plus (scores s) e), is_over s -> e = no_change &
    ~~ is_over s -> ~~ is_less (likes s (here s)) (likes s e) /\
      ((dmm_num_steps s + rank s).+1 < 2 * r -> ~~ is_less (likes s e) (likes s (here s)))].

Lemma rank_less s : fine s -> ~~ is_over s -> rank s < r.
Proof.
case=> _ cur_in _ _ _ _; rewrite /rank -[X in _ < X](size_iota 1 r) ltn_neqAle count_size andbT -all_count.
by apply/negP => /allP/(_ _ cur_in); rewrite Z.ltb_irrefl.
Qed.
Lemma worth_exact s e : fine s -> ~~ is_over s -> is_worth s e -> dmm_num_steps s + r < 2 * r -> e = here s.
Proof.
move=> s_fine going [size_e _ _ /(_ going)[le ge]] steps; have less := rank_less s_fine going.
case: s_fine => s_shape cur_in _ _ _; apply: (@liking_inj p (dmm_mover s)) => //; first exact: size_still.
by apply: not_less_both => //; apply: ge; move: less steps; clear; lia.
Qed.

Lemma worth s : fine s -> exists e, is_worth s e.
Proof.
have [k] := ubnP (dmm_left r s); elim: k s => // k IH s less s_fine.
have [over|going] := boolP (is_over s).
  exists no_change; split; rewrite ?over //; first exact: size_nseq.
  by rewrite plus_no_change ?size_standing //; exact: (@LeadsEnd (dmm r p) s over).
have [h worths] : exists h : dm_move -> result, forall m, m \in legal_moves s -> is_worth (play s m) (h m).
  apply: (choose (P := fun m => is_worth (play s m))) => m legal; apply: IH; last exact: fine_play.
  by apply: leq_trans (left_less p legal) _; rewrite -ltnS.
have size_h m : m \in legal_moves s -> size (h m) = width by case/worths.
pose price m := cost (dmm_taken s) (dmm_current s) m.1.
pose change m := plus (bill (dmm_mover s) (price m)) (h m).
have size_change m : m \in legal_moves s -> size (change m) = width by move=> legal; rewrite /change size_plus ?size_bill // size_h.
have [m0 legal0] := some_move s_fine going.
have [best best_legal is_best] := exists_best (fun m => likes s (change m)) legal0.
have [s_shape cur_in turn in_time can_stop] := s_fine.
have some_left : count id (dmm_taken s) != r by [].
have stop_exact y : (y, true) \in legal_moves s -> h (y, true) = after_stop (dmm_taken s) y.
  move=> legal; have is_worth_y := worths _ legal; have y_fine := fine_play s_fine legal.
  rewrite /after_stop; case: ifP => [over|/negbT going_y]; first by case: is_worth_y => _ _ ->.
  apply: (worth_exact y_fine) => //=; move: r_some; clear; lia.
have later m : m \in legal_moves s -> plus (scores (play s m)) (h m) = plus (scores s) (change m).
  by move=> legal; rewrite scores_play /change plusA; case: m legal.
exists (change best); split=> //.
- exact: size_change.
- rewrite -later //; apply: (@LeadsMove (dmm r p) s best (fun m => plus (scores (play s m)) (h m))) => // m legal.
    by case: (worths _ legal).
  by rewrite /Many.better /key /= !later // liking_less ?size_standing ?size_change // is_best.
- by rewrite (negbTE going).
move=> _; split.
  case: best best_legal {is_best} => y stops; rewrite /change => legal; have := legal; rewrite legalP => /and4P[_ y_in rel].
  rewrite /price turn /=; case: stops legal => legal ok; first by rewrite stop_exact //; apply: stop_worse.
  apply: not_less_trans (walk_worse s_shape some_left cur_in y_in rel) _.
  have [_ _ _ /(_ going)[]] := worths _ legal; rewrite /= turn => below _.
  by rewrite liking_less ?size_bill ?size_still ?(size_h _ legal).
move=> enough; have [y [y_in rel [walk|[free stop]]]] := attained s_shape some_left cur_in; last first.
  have legal : (y, true) \in legal_moves s by rewrite legalP going y_in rel.
  by rewrite [in X in is_less _ X]turn stop -turn -stop_exact //; apply: is_best.
have price_pos : 0 < cost (dmm_taken s) (dmm_current s) y.
  have : 0 < ratio (dmm_current s) y.
    by apply: DivisorsMultiplesChecker.ratio_pos; [move: cur_in|move: y_in]; rewrite mem_iota => /andP[].
  by rewrite /cost; case: ifP => // _; rewrite muln_gt0.
have w_in : 0 < dmm_mover s <= p by rewrite turn /mover_of /= ltn_mod; move: p_some; clear; lia.
have rises : (nth 0 (likes s (here s)) 0 < nth 0 (likes s (still (dmm_taken s) y)) 0)%Z.
  have := bill_lowers p_some w_in price_pos; rewrite turn walk liking_plus ?size_bill ?size_still // nth_plus ?size_liking //.
  by clear; lia.
have rank_pos : rank (play s (y, false)) < rank s.
  rewrite /rank /=; elim: (numbers r) y_in => //= z l IHl; rewrite inE => /orP[/eqP <-|/IHl lt].
    rewrite Z.ltb_irrefl (introT (Z.ltb_spec0 _ _) rises) add0n add1n ltnS; apply: sub_count => v /=.
    by move=> /Z.ltb_spec0 above; apply/Z.ltb_spec0; move: above rises; clear; lia.
  rewrite -addnS; apply: leq_add => //; case: Z.ltb_spec0 => // above; rewrite (introT (Z.ltb_spec0 _ _)) //.
  by move: above rises; clear; lia.
have legal : (y, false) \in legal_moves s.
  by rewrite legalP going y_in rel /dmm_steps_after; apply/orP; left; move: enough rank_pos; clear; lia.
have [_ _ _ /(_ going)[_ above]] := worths _ legal.
rewrite [in X in is_less _ X]turn walk -turn; apply: not_less_trans (is_best _ legal) _.
rewrite /change liking_less ?size_bill ?size_still ?(size_h _ legal) //; apply: above.
by rewrite [dmm_num_steps _]/=; move: enough rank_pos; clear; lia.
Qed.

(* Perfect play leads to what is said, from the start and from each position after the first step. *)
Lemma dmm_fine_leads s : fine s -> dmm_num_steps s + r < 2 * r -> leads_to (g := dmm r p) s (dmm_value s).
Proof.
move=> s_fine steps; have [e e_worth] := worth s_fine; have [size_e leads over_e _] := e_worth.
rewrite /dmm_value; case: ifP => [/over_e <- //|/negbT going]; by rewrite -(worth_exact s_fine going e_worth steps).
Qed.

Theorem dmm_sets_lead s : s = dmm_start r p \/ (exists2 m, m \in legal_moves (dmm_start r p) & s = play (dmm_start r p) m) ->
  leads_to (g := dmm r p) s (dmm_value s).
Proof.
have start_fine : fine (dmm_start r p).
  have start_taken : dmm_taken (dmm_start r p) = [:: false, true & nseq r.-1 false] by case: (r) r_some.
  rewrite /fine start_taken; split.
  - by rewrite /shape /= size_nseq; apply/eqP; move: r_some; clear; lia.
  - by rewrite /= mem_iota; move: r_some; clear; lia.
  - by rewrite /mover_of /= count_nseq mod0n.
  - by rewrite /=; move: r_some; clear; lia.
  - by rewrite /=; move: r_some; clear; lia.
case=> [->|[m legal ->]]; apply: dmm_fine_leads => //; try exact: fine_play; first by rewrite /=; move: r_some; clear; lia.
by case: m legal => y [] _ /=; move: r_some; clear; lia.
Qed.
End Sets.
