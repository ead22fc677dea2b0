(* The checker of weak solutions for Divisors/Multiples, in which a reply is a whole turn.

   Within a turn only the mover pays. So a turn is a number to stop on and a walk there, and the cheapest walk is enough: whatever a
   player does in a turn costs as much at least, and the limit of 2r steps leaves room for a cheapest walk. The checker follows
   a game in which a move is such a turn. What the walks cost comes from outside; the checker looks whether it is right. *)
From mathcomp Require Import all_ssreflect zify.
Require Import ZArith Lia.
From Quet Require Import Game DivisorsMultiples Weak.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Turns.
Variable r : nat.
Implicit Types (s t : dm_state) (tk : seq bool) (d : seq nat).

(* for each number the others that it is a divisor or multiple of, and the larger over the smaller *)
Definition neighbours : seq (seq (nat * nat)) :=
  [seq [seq (z, ratio z y) | z <- numbers r & related z y && (z != y)] | y <- iota 0 r.+1].

Variables (near : seq (seq (nat * nat))) (dist : seq bool -> nat -> seq nat).
Hypothesis near_right : near = neighbours.

(* Whether d says what the cheapest walks from x cost: nothing to x, and to any other number as much as the best last step leaves. *)
Definition is_least d k c (row : seq (nat * nat)) :=
  all (fun e => eqn (c - (nth 0 d e.1 + k * e.2)) 0) row && has (fun e => eqn (nth 0 d e.1 + k * e.2) c) row.
Definition weight tk y := if nth false tk y then 2 else 1.
Definition right_dist tk x d : bool :=
  [&& 0 < x <= r, nth false tk x, eqn (nth 0 d x) 0 &
    all (fun y => eqn y x || is_least d (weight tk y) (nth 0 d y) (nth [::] near y)) (numbers r)].

(* the game of turns: a move is a number to stop on, and what it costs *)
Definition dm_turn : eqType := [eqType of nat * nat].
Definition turns s : seq dm_turn :=
  let d := dist (taken s) (current s) in
  if right_dist (taken s) (current s) d then [seq (y, nth 0 d y) | y <- numbers r & ~~ is_taken s y] else [::].
Definition play_turn s (m : dm_turn) : dm_state :=
  DM (set_nth false (taken s) m.1 true) m.1 (opponent (turn_of s)) 0 (pay s m.2).
Definition turn_game := @Game dm_state dm_turn turns play_turn turn_of (dm_is_over r) cost.

(* ---- what right distances are *)
Lemma numbersP y : (y \in numbers r) = (0 < y <= r).
Proof. by rewrite mem_iota add1n ltnS. Qed.
Lemma ratio_pos x y : 0 < x -> 0 < y -> 0 < ratio x y.
Proof. by move=> x0 y0; rewrite /ratio; case: (ltnP x y) => [/ltnW|] le; rewrite divn_gt0. Qed.

Section Distances.
Variables (tk : seq bool) (x : nat) (d : seq nat).
Hypothesis right : right_dist tk x d.
Notation D y := (nth 0 d y).
Notation step z y := (weight tk y * ratio z y).

Lemma row_of y : y \in numbers r ->
  nth [::] near y = [seq (z, ratio z y) | z <- numbers r & related z y && (z != y)].
Proof.
rewrite numbersP near_right /neighbours => /andP[_ le].
by rewrite (nth_map 0) ?size_iota // nth_iota.
Qed.
Lemma start_in : x \in numbers r. Proof. by rewrite numbersP; case/and4P: right. Qed.
Lemma start_taken : nth false tk x. Proof. by case/and4P: right. Qed.
Lemma start_dist : D x = 0. Proof. by case/and4P: right => _ _ /eqP. Qed.
Lemma other_least y : y \in numbers r -> y != x -> is_least d (weight tk y) (D y) [seq (z, ratio z y) | z <- numbers r & related z y && (z != y)].
Proof. by move=> y_in ne; case/and4P: right => _ _ _ /allP/(_ _ y_in); rewrite -row_of // => /orP[/eqP eq|//]; rewrite eq eqxx in ne. Qed.

Lemma dist_step z y : z \in numbers r -> y \in numbers r -> related z y -> D y <= D z + step z y.
Proof.
move=> z_in y_in rel; have [->|y_x] := eqVneq y x; first by rewrite start_dist.
have [->|z_y] := eqVneq z y; first exact: leq_addr.
case/andP: (other_least y_in y_x) => /allP/(_ (z, ratio z y)) + _.
by rewrite map_f ?mem_filter ?rel ?z_y // => /(_ isT).
Qed.
Lemma dist_from y : y \in numbers r -> y != x -> exists z, [/\ z \in numbers r, related z y, D y = D z + step z y & D z < D y].
Proof.
move=> y_in y_x; case/andP: (other_least y_in y_x) => _ /hasP[e /mapP[z]].
rewrite mem_filter => /andP[/andP[rel _] z_in] -> /eqP /= <-; exists z; split=> //.
rewrite -[X in X < _]addn0 ltn_add2l muln_gt0 /weight; case: (nth _ _ _) => /=;
  by apply: ratio_pos; [move: z_in|move: y_in]; rewrite numbersP => /andP[].
Qed.

(* walks from a number: those that come after it *)
Fixpoint is_walk x (w : seq nat) := if w is y :: w' then [&& y \in numbers r, related x y & is_walk y w'] else true.
Fixpoint walk_cost x (w : seq nat) := if w is y :: w' then step x y + walk_cost y w' else 0.
Lemma walk_rcons x0 w y : is_walk x0 w -> y \in numbers r -> related (last x0 w) y ->
  is_walk x0 (rcons w y) /\ walk_cost x0 (rcons w y) = walk_cost x0 w + step (last x0 w) y.
Proof.
elim: w x0 => [|z w IH] x0 /=; first by move=> _ -> ->; rewrite addnC.
by case/and3P=> -> -> walk y_in rel; have [-> ->] := IH z walk y_in rel; rewrite addnA.
Qed.

Lemma reach y : y \in numbers r ->
  exists w, [/\ is_walk x w, last x w = y, walk_cost x w = D y & size w <= count (fun z => D z < D y) (numbers r)].
Proof.
have [k] := ubnP (D y); elim: k y => // k IH y less y_in.
have [->|y_x] := eqVneq y x; first by exists [::]; rewrite start_dist.
have [z [z_in rel eq z_less]] := dist_from y_in y_x.
have [|w [walk last_w cost_w size_w]] := IH z _ z_in; first by apply: leq_trans z_less _; rewrite -ltnS.
have [|walk' cost'] := walk_rcons walk y_in; first by rewrite last_w.
exists (rcons w y); rewrite last_rcons size_rcons cost' cost_w last_w -eq; split=> //.
apply: leq_ltn_trans size_w _; elim: (numbers r) z_in => //= a l IHl; rewrite inE => /orP[/eqP <-|/IHl lt].
  rewrite ltnn z_less add0n add1n ltnS; apply: sub_count => b /= b_less; exact: ltn_trans b_less z_less.
by rewrite -addnS; apply: leq_add => //; case: ltnP => // a_less; rewrite (ltn_trans a_less z_less).
Qed.
End Distances.

(* ---- from turns to steps *)
Definition behind s : Z := (Z.of_nat (paid s).1 - Z.of_nat (paid s).2)%Z.
Definition good p v s : bool := if p is P1 then (behind s <=? v)%Z else (v <=? behind s)%Z.
(* the same position, and p has paid as much as in s or less, compared with the other player *)
Definition as_good p s t :=
  [/\ taken t = taken s, current t = current s, turn_of t = turn_of s &
    if p is P1 then (behind t <= behind s)%Z else (behind s <= behind t)%Z].

Lemma as_good_play p s t m : as_good p s t -> as_good p (play_turn s m) (play_turn t m).
Proof.
case=> same_taken same_current same_turn lead_t; split=> //=; rewrite ?same_taken ?same_turn //.
move: lead_t; rewrite /behind /= /pay same_turn; case: (p); case: (turn_of s) => /=; clear; lia.
Qed.

Lemma legalP t y stops : ((y, stops) \in dm_legal_moves r t) =
  [&& ~~ dm_is_over r t, y \in numbers r, related (current t) y &
    if stops then ~~ is_taken t y else (1 < steps_after r t) || (steps_after r t == 1) && can_stop_from r t y].
Proof.
rewrite /dm_legal_moves; case: ifP => //= _; apply/flatten_mapP/and3P.
  case=> z; rewrite mem_filter => /andP[rel z_in]; rewrite /moves_to mem_cat => /orP[].
    by case: ifP => // ok; rewrite inE => /eqP[-> ->].
  by case: ifP => // ok; rewrite inE => /eqP[-> ->]; rewrite ok.
case=> y_in rel ok; exists y; first by rewrite mem_filter rel.
by rewrite /moves_to mem_cat; case: stops ok => [/negbTE|] ->; rewrite inE eqxx ?orbT.
Qed.

Lemma pay_pay t y k a b : pay (DM (taken t) y (turn_of t) k (pay t a)) b = pay t (a + b).
Proof. by rewrite /pay /=; case: (turn_of t) => /=; rewrite addnA. Qed.

(* a walk that the mover can go *)
Lemma walk_held p (ok : dm_state -> Prop) w t : turn_of t = p -> ~~ dm_is_over r t -> w != [::] ->
  is_walk (current t) w -> ~~ is_taken t (last (current t) w) -> num_steps t + size w <= r ->
  holds (g := dm r) p ok (play_turn t (last (current t) w, walk_cost (taken t) (current t) w)) -> holds (g := dm r) p ok t.
Proof.
elim: w t => [|y [|z w] IH] t turn going // _ walk free room held.
  case/and3P: walk => y_in rel _; apply: (@HoldsMine (dm r) _ _ _ (y, true)) => //; first by rewrite /= legalP going y_in rel.
  by move: free held; rewrite /play_turn /= /price /is_taken /weight addn0 => /negbTE ->; rewrite mul1n.
case/and3P: walk => y_in rel walk; apply: (@HoldsMine (dm r) _ _ _ (y, false)) => //.
  by rewrite /= legalP going y_in rel /steps_after; apply/orP; left; move: room; rewrite /=; clear; lia.
apply: IH => //; first by move: room; rewrite /=; clear; lia.
move: held; rewrite /play_turn /= pay_pay /price /is_taken /weight.
by case: (nth false (taken t) y); rewrite ?mul1n.
Qed.

(* what the other player does in a turn costs as much as the cheapest walk at least *)
Definition paid_more p s c t :=
  if p is P1 then (behind t <= behind s - Z.of_nat c)%Z else (behind s + Z.of_nat c <= behind t)%Z.
Lemma steps_held p (ok : dm_state -> Prop) s d : turn_of s = opponent p -> ~~ dm_is_over r s ->
  right_dist (taken s) (current s) d -> has (fun y => ~~ is_taken s y) (numbers r) ->
  (forall y t, y \in numbers r -> ~~ is_taken s y -> as_good p (play_turn s (y, nth 0 d y)) t -> num_steps t = 0 ->
    holds (g := dm r) p ok t) ->
  forall t, taken t = taken s -> turn_of t = turn_of s -> current t \in numbers r -> num_steps t < 2 * r ->
    (num_steps t == (2 * r).-1 -> can_stop_from r t (current t)) -> paid_more p s (nth 0 d (current t)) t ->
    holds (g := dm r) p ok t.
Proof.
move=> turn going right /hasP[u u_in u_free] stopped t.
have [k] := ubnP (2 * r - num_steps t); elim: k t => // k IH t less same_taken same_turn cur_in in_time can_stop more.
have going_t : ~~ dm_is_over r t by rewrite /dm_is_over /num_taken same_taken.
have one_in : 1 \in numbers r by move: u_in; rewrite !numbersP; clear; lia.
have paid_step y (y_in : y \in numbers r) (rel : related (current t) y) :
    nth 0 d y <= nth 0 d (current t) + price t y.
  have := dist_step right cur_in y_in rel; rewrite /price /is_taken /weight same_taken.
  by case: (nth false _ _); rewrite ?mul1n.
have more_y y (y_in : y \in numbers r) (rel : related (current t) y) s' :
    paid s' = pay t (price t y) -> paid_more p s (nth 0 d y) s'.
  move=> eq; have := paid_step y y_in rel; move: more; rewrite /paid_more /behind eq /pay same_turn turn.
  by case: (p) => /=; move: (price t y) (nth 0 d y) (nth 0 d (current t)) (paid t) (paid s) => a b c [e f] [e' f'] /=; clear; lia.
apply: HoldsTheirs => //; first by rewrite /= same_turn.
  have some m : m \in dm_legal_moves r t -> legal_moves (t : position (dm r)) != [::] by rewrite /=; case: (dm_legal_moves r t).
  have [two|few] := ltnP 1 (steps_after r t).
    by apply: (some (current t, false)); rewrite legalP going_t cur_in /related dvdnn two.
  have [one|zero] := eqVneq (steps_after r t) 1.
    apply: (some (1, false)); rewrite legalP going_t one_in one /related dvd1n /=; apply/hasP; exists u => //.
    by rewrite /related dvd1n orbT /is_taken same_taken.
  have /hasP[y y_in /andP[rel free]] : can_stop_from r t (current t).
    by apply: can_stop; move: few zero in_time; rewrite /steps_after; clear; lia.
  by apply: (some (y, true)); rewrite legalP going_t y_in rel.
case=> y stops; rewrite /= legalP => /and4P[_ y_in rel]; case: stops => ok_move.
  apply: (stopped y) => //; first by move: ok_move; rewrite /is_taken same_taken.
  split=> //=; first by rewrite same_taken.
    by rewrite same_turn.
  have := more_y y y_in rel (dm_play t (y, true)) erefl; rewrite /paid_more /behind /= /pay turn.
  by case: (p) => /=; clear; lia.
apply: IH => //=.
- by move: less in_time; clear; lia.
- by move: ok_move in_time; rewrite /steps_after; clear; lia.
- move=> last_step; case/orP: ok_move => [two|/andP[_ //]].
  by move: two last_step; rewrite /steps_after; clear; lia.
- exact: (more_y y y_in rel).
Qed.

Lemma turnsP s m : m \in turns s -> let d := dist (taken s) (current s) in
  [/\ right_dist (taken s) (current s) d, m.1 \in numbers r, ~~ is_taken s m.1 & m.2 = nth 0 d m.1].
Proof.
rewrite /turns; case: ifP => // right /mapP[y]; rewrite mem_filter => /andP[free y_in] -> /=.
by split.
Qed.

Lemma turns_held p v s : holds (g := turn_game) p (fun s => good p v s) s ->
  forall t, as_good p s t -> num_steps t = 0 -> holds (g := dm r) p (fun s => good p v s) t.
Proof.
elim=> {s} [s over ok|s m going turn legal _ IH|s going turn some _ IH] t [same_taken same_current same_turn lead_t] zero.
- apply: HoldsEnd; first by move: over; rewrite /= /dm_is_over /num_taken same_taken.
  by move: ok lead_t; rewrite /good; case: (p); clear; lia.
- have [right m_in free m_cost] := turnsP legal.
  have [w [walk last_w cost_w size_w]] := reach right m_in.
  have w_some : w != [::].
    by apply: contra free => /eqP w_nil; move: last_w; rewrite w_nil /= => <-; apply: start_taken right.
  apply: (@walk_held p _ w) => //.
  + by rewrite same_turn.
  + by move: going; rewrite /= /dm_is_over /num_taken same_taken.
  + by rewrite same_current.
  + by rewrite same_current last_w /is_taken same_taken.
  + by rewrite zero add0n; apply: leq_trans size_w _; rewrite -[X in _ <= X](size_iota 1 r); apply: count_size.
  apply: IH => //; rewrite same_current same_taken last_w cost_w -m_cost -surjective_pairing.
  exact: as_good_play.
- have [m legal] : exists m, m \in turns s.
    by move: some; rewrite /=; case: (turns s) => // m ms _; exists m; rewrite mem_head.
  have [right m_in free _] := turnsP legal.
  apply: (@steps_held p _ s (dist (taken s) (current s))) => //.
  + by apply/hasP; exists m.1.
  + move=> y t' y_in y_free; apply: IH; rewrite /= /turns right; apply/mapP; exists y => //.
    by rewrite mem_filter y_free.
  + by rewrite same_current; apply: start_in right.
  + by rewrite zero; move: m_in; rewrite numbersP; clear; lia.
  + by rewrite zero => /eqP; move: m_in; rewrite numbersP; clear; lia.
  + rewrite same_current (start_dist right) /paid_more; move: lead_t; case: (p); clear; lia.
Qed.

(* ---- of positions that differ in what was paid only the worst counts *)
Fixpoint same_bools (l l' : seq bool) : bool :=
  match l, l' with
  | [::], [::] => true
  | x :: k, y :: k' => ~~ (x (+) y) && same_bools k k'
  | _, _ => false
  end.
Definition is_worst p s t : bool :=
  [&& eqn (current s) (current t), same_bools (taken s) (taken t), is_player (turn_of s) (turn_of t) &
    if p is P1 then (behind t <=? behind s)%Z else (behind s <=? behind t)%Z].
Lemma is_worstP p s t : is_worst p s t -> as_good p s t.
Proof.
have boolsP l l' : same_bools l l' -> l' = l.
  by elim: l l' => [|x l IH] [|y l'] //= /andP[+ /IH ->]; case: x; case: y.
case/and4P=> /eqP cur /boolsP same turn ok; split=> //.
  by move: turn; case: (turn_of s) (turn_of t) => [] [].
by move: ok; case: (p) => /Z.leb_le.
Qed.

Lemma as_good_held p v s t : as_good p s t ->
  holds (g := turn_game) p (fun s => good p v s) s -> holds (g := turn_game) p (fun s => good p v s) t.
Proof.
move=> same held; elim: held t same => {s}
  [s over ok|s m going turn legal _ IH|s going turn some _ IH] t same;
  have [same_taken same_current same_turn lead_t] := same.
- apply: HoldsEnd; first by move: over; rewrite /= /dm_is_over /num_taken same_taken.
  by move: ok lead_t; rewrite /good; case: (p); clear; lia.
all: have same_turns : turns t = turns s by rewrite /turns /is_taken same_taken same_current.
all: have going_t : ~~ dm_is_over r t by move: going; rewrite /= /dm_is_over /num_taken same_taken.
- by apply: (@HoldsMine turn_game _ _ _ m) => //=; [rewrite same_turn|rewrite same_turns|apply: IH; apply: as_good_play].
- apply: HoldsTheirs => //=; rewrite ?same_turn ?same_turns // => m legal.
  by apply: (IH m legal); apply: as_good_play.
Qed.

Definition dm_weak_right p v (K : Type) (key : dm_state -> K) bit depth reply stages most : option (nat * nat) :=
  strategy_right (g := turn_game) p (good p v) (is_worst p) (is_worst p) key bit depth reply stages most (dm_start r).

Theorem dm_weak_holds p v K key bit depth reply stages most found :
  @dm_weak_right p v K key bit depth reply stages most = Some found ->
  if p is P1 then dm_at_most (r := r) v (dm_start r) else dm_at_least (r := r) v (dm_start r).
Proof.
move=> done; have held : holds (g := turn_game) p (fun s => good p v s) (dm_start r).
  apply: (@strategy_holds turn_game p (good p v) (is_worst p) (is_worst p) (fun _ => True)) done => // s t _ _.
  by rewrite orbb => /is_worstP; apply: as_good_held.
have {}held : holds (g := dm r) p (fun s => good p v s) (dm_start r).
  by apply: (turns_held held) => //; split=> //; case: (p); clear; lia.
by move: held; rewrite /good; case: (p) => held; apply: holds_weaker held => e /Z.leb_le.
Qed.
End Turns.
