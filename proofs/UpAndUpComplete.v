(* The search of UpAndUpSearch.v is complete: `search_is_complete` says that it never refutes a game that exists. *)
From mathcomp Require Import all_ssreflect zify ssrZ.
Require Import ZArith Lia.
From Quet Require Import UpAndUpSearch UpAndUpBackward.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Definition apart (w p : square) : square := (w.1 - p.1, w.2 - p.2)%Z.

Lemma bitsE m : bits m = count id m.
Proof. by elim: m => // [[] m IH] /=; rewrite IH. Qed.
Lemma bits_ok ts m : uniq ts -> all (nth false m) ts -> size ts <= bits m.
Proof.
move=> u /allP ok; rewrite bitsE -{1}(mkseq_nth false m) count_map -size_filter.
apply: uniq_leq_size => // t at_t; rewrite mem_filter /= ok // mem_iota /= add0n.
by rewrite ltnNge; apply/negP=> /(nth_default false) e; have := ok _ at_t; rewrite e.
Qed.
(* If square w of a game is visited at a time that its mask allows, the masks leave enough times. *)
Section Times.
Variables (rest : seq square) (f : square -> mask).
Hypothesis f_ok : forall w, w \in rest -> nth false (f w) (index w rest).
Lemma union_size ws : uniq ws -> {subset ws <= rest} -> size ws <= bits (union [seq f w | w <- ws]).
Proof.
move=> u sub; rewrite -(size_map (index^~ rest)); apply: bits_ok.
  rewrite map_inj_in_uniq // => a b /sub a_in /sub b_in e.
  by rewrite -(nth_index (0, 0)%Z a_in) e nth_index.
apply/allP=> t /mapP[w at_w ->]; rewrite nth_union has_map; apply/hasP; exists w => //=.
by apply: f_ok; apply: sub.
Qed.
Lemma enough_ok s ws : uniq ws -> {subset ws <= rest} -> enough_times s [seq f w | w <- ws].
Proof.
move=> u sub; rewrite /enough_times.
have -> : all (has id) [seq f w | w <- ws].
  apply/allP=> m /mapP[w at_w ->]; apply/(has_nthP false).
  exists (index w rest); last by apply: f_ok; apply: sub.
  by rewrite ltnNge; apply/negP=> /(nth_default false) e; have := f_ok (sub _ at_w); rewrite e.
rewrite size_map union_size // filter_map size_map union_size ?filter_uniq //.
by move=> w; rewrite mem_filter => /andP[_ /sub].
Qed.
End Times.

(* `can_end` has to be right about fewer than N steps. *)
Section Complete.
Variables (least : Z) (most : option Z) (can_end : nat -> nat -> bool) (N : nat).
Local Notation right_size := (has_size least most).
Local Notation fits := (fits least most).
Local Notation block := (block least most).
Local Notation enter := (enter least most).
Local Notation run := (run least most).
Local Notation search := (search least most can_end).
Local Notation root := (root least most can_end).
Hypothesis ends_ok : forall r p rest j, right_size r -> size rest < N -> played r (p :: rest) j.+1 ->
  stuck r (Z.of_nat j.+2) (p :: rest) -> can_end (size rest) j.+1.
Hypothesis N_small : N <= 22.

Lemma triangle_small k : k <= N -> (triangle k < 255)%Z.
Proof.
move=> le; have {le} : k <= 22 by apply: leq_trans le _.
have mono a b : (triangle a <= triangle (b + a))%Z.
  by elim: b => [|b IH]; [exact: Z.le_refl|rewrite addSn triangleS; lia].
by move=> /subnK e; have := mono k (22 - k); rewrite e => le; apply: Z.le_lt_trans le _.
Qed.

Lemma alive_ok r path s p rest : path = p :: rest -> right_size r -> played r path s -> size rest <= N ->
  is_alive can_end s (size rest).
Proof.
move=> E wide H; elim: H p rest E => {path s}
  [p _|p d q path k H IH _ _ _|p d q path k H IH st _ _ _] p' rest [_ <-] //= le.
  by have := IH _ _ erefl (ltnW le); rewrite /is_alive eqSS subSS.
rewrite /is_alive eqSS subSS subn0; case: eqP => // _; apply/hasP; exists k.+1; last exact: ends_ok H st.
by rewrite mem_iota /= add1n ltnS; apply: played_size H.
Qed.

Lemma level_run shorter left s : s < left -> is_alive can_end s.+1 left ->
  nth Leaf (level can_end shorter left) s.+1 = run_times (nth Leaf shorter s) s.+1 left.
Proof. by move=> lt alive; rewrite /= (nth_map 0) ?size_iota // nth_iota // add1n alive. Qed.

Lemma level_ends shorter left : let l := level can_end shorter left in
  nth Leaf l 0 = table_of (triangle left)
    (fun p => foldr (fun t m => either (find t p) m) [::] [seq nth Leaf l j | j <- iota 1 left & can_end left j]).
Proof.
move=> l; have -> : [seq nth Leaf l j | j <- iota 1 left & can_end left j] =
    [seq nth Leaf (behead l) j.-1 | j <- iota 1 left & can_end left j]; last by [].
by apply/eq_in_map=> j; rewrite mem_filter mem_iota; case: j => [|j]; rewrite ?andbF.
Qed.
Lemma head_levels left : head [::] (levels can_end left.+1) = level can_end (head [::] (levels can_end left)) left.+1.
Proof. by []. Qed.

Lemma shift_apart d k (p x : square) : (0 <= k)%Z -> exists d',
  let z := shift d' k (Z.abs (x.1 - p.1), Z.abs (x.2 - p.2))%Z in
  Z.abs z.1 = Z.abs (x.1 - (shift d k p).1) /\ Z.abs z.2 = Z.abs (x.2 - (shift d k p).2).
Proof.
case: p x => [p1 p2] [x1 x2] pos; case: d => /=.
- by case: (Z_le_dec 0 (x1 - p1)) => ?; [exists Leftward|exists Rightward] => /=; lia.
- by case: (Z_le_dec 0 (x1 - p1)) => ?; [exists Rightward|exists Leftward] => /=; lia.
- by case: (Z_le_dec 0 (x2 - p2)) => ?; [exists Downward|exists Upward] => /=; lia.
- by case: (Z_le_dec 0 (x2 - p2)) => ?; [exists Upward|exists Downward] => /=; lia.
Qed.

Lemma nth_ends (P : square) ts t : nth false (foldr (fun tr m => either (find tr P) m) [::] ts) t =
  has (fun tr => nth false (find tr P) t) ts.
Proof. by elim: ts => [|tr ts IH] /=; rewrite ?nth_nil // nth_either IH. Qed.

Lemma times_ok left : left <= N -> forall r p rest s, right_size r -> size rest = left -> (0 < s) || (left < N) ->
  comes r (p :: rest) s -> forall t, t < left ->
  nth false (find (nth Leaf (head [::] (levels can_end left)) s) (apart (nth (0, 0)%Z rest t) p)) t.
Proof.
elim: left => // left IH le r.
have run p rest s : right_size r -> size rest = left.+1 -> played r (p :: rest) s.+1 -> forall t, t < left.+1 ->
    nth false (find (nth Leaf (head [::] (levels can_end left.+1)) s.+1) (apart (nth (0, 0)%Z rest t) p)) t.
  move=> wide sz H t t_lt; have := played_size H; rewrite sz => s_lt.
  have alive : is_alive can_end s.+1 left.+1 by rewrite -sz (alive_ok erefl wide H) ?sz.
  rewrite head_levels level_run //.
  rewrite /run_times find_table; last 2 first.
  - exact: triangle_small.
  - by have := played_near H (mem_nth (0, 0)%Z (_ : t < size rest)); rewrite sz; apply.
  case: (played_back H) => d [q [path [e q_p _ back]]].
  set x := nth _ rest t; set k := Z.of_nat s.+1; set next := nth Leaf _ s.
  have [d' [e1 e2]] := @shift_apart d k p x (Nat2Z.is_nonneg _).
  have found : nth false (delay (same (shift d' k (Z.abs (apart x p).1, Z.abs (apart x p).2)) (0, 0)%Z)
      (find next (shift d' k (Z.abs (apart x p).1, Z.abs (apart x p).2)))) t.
    rewrite nth_delay; case: t t_lt @x e1 e2 => [_|t t_lt] x e1 e2.
      move: e1 e2; rewrite /x e /= q_p !Z.sub_diag /= sameP; case: (shift d' k _) => a b /= e1 e2.
      by apply/eqP; congr pair; lia.
    rewrite (@find_abs next _ (apart x q)); first last.
    - by rewrite e2 /apart /= q_p.
    - by rewrite e1 /apart /= q_p.
    rewrite /x e /=; apply: (IH (ltnW le) r) => //; last by rewrite le orbT.
    by move: sz; rewrite e => -[].
  by rewrite !nth_either; case: d' {e1 e2} found => ->; rewrite ?orbT.
move=> p rest [|s] wide sz inner [H|[z [j [H st]]]] t t_lt //; try exact: run.
  by rewrite (played_zero H) in sz.
rewrite head_levels level_ends find_table; last 2 first.
- exact: triangle_small.
- by have := played_near H (mem_nth (0, 0)%Z (_ : t < size rest)); rewrite sz; apply.
rewrite nth_ends has_map; apply/hasP; have j_lt := played_size H; rewrite sz in j_lt.
have := run _ _ _ wide sz H t t_lt; rewrite head_levels => found.
exists j.+1; first by rewrite mem_filter mem_iota -{1}sz (ends_ok wide _ H st) ?sz //=; lia.
set x := apart _ p in found *; move: found; rewrite (@find_abs _ x (Z.abs x.1, Z.abs x.2)) //= Z.abs_involutive //.
Qed.

(* what the search supposes, in a position whose path is rest from here on *)
Definition fine r (rest filled : seq square) spare wanted l :=
  [/\ forall x, x \in rest -> x \notin filled, uniq wanted, {subset wanted <= rest},
      size wanted + spare = size rest & holds r l].

Lemma block_cons d ds k p filled next spare wanted l : block (d :: ds) k p filled next spare wanted l =
  let z := shift d k p in
  if (if fits (leave d l z) then block ds k p filled next spare wanted (leave d l z) else true) then
    if is_in z filled then true else
    if fits (hold l z) then
      if is_in z wanted then block ds k p filled next spare wanted (hold l z)
      else if spare is spare'.+1 then block ds k p filled next spare' (z :: wanted) (hold l z) else true
    else true
  else false.
Proof. by []. Qed.

Lemma block_ok r p rest filled k next : right_size r -> inside r p -> (0 < k)%Z ->
  (forall spare wanted l, fine r rest filled spare wanted l -> next spare wanted l = false) ->
  (forall d, inside r (shift d k p) -> shift d k p \in rest) ->
  forall ds spare wanted l, fine r rest filled spare wanted l -> block ds k p filled next spare wanted l = false.
Proof.
move=> wide ip kpos next_ok st; elim=> [|d ds IH] spare wanted l; first exact: next_ok.
case=> disj uw sub sz hl; rewrite block_cons; set z := shift d k p => /=.
case: (@inside_dec r z) => [i|o]; last first.
  have hz := holds_leave ip kpos o hl.
  by rewrite (holds_fits wide hz) IH.
have at_z : z \in rest by apply: st.
have hz := holds_hold i hl.
rewrite is_inE (negbTE (disj _ at_z)) (holds_fits wide hz) is_inE.
suff -> : (if z \in wanted then block ds k p filled next spare wanted (hold l z)
  else if spare is spare'.+1 then block ds k p filled next spare' (z :: wanted) (hold l z) else true) = false by case: ifP.
case: ifP => [z_wanted|z_new]; first by apply: IH.
have u : uniq (z :: wanted) by rewrite /= z_new.
have sub' : {subset z :: wanted <= rest} by move=> x; rewrite inE => /orP[/eqP->|/sub].
case: spare sz => [|spare] sz; first by have := uniq_leq_size u sub'; rewrite /= -sz addn0 ltnn.
by apply: IH; split=> //=; rewrite addSnnS.
Qed.

Lemma enter_ok r q path s filled spare wanted l next : right_size r -> inside r q -> uniq (q :: path) ->
  (forall spare wanted l, fine r path (q :: filled) spare wanted l -> next s q (q :: filled) spare wanted l = false) ->
  fine r (q :: path) filled spare wanted l -> enter next s q filled spare wanted l = false.
Proof.
move=> wide iq /= /andP[q_new u] next_ok [disj uw sub sz hl].
rewrite /enter is_inE (negbTE (disj _ (mem_head _ _))).
have hq := holds_hold iq hl; rewrite (holds_fits wide hq) is_inE.
have disj' x : x \in path -> x \notin q :: filled.
  move=> at_x; rewrite inE negb_or disj ?inE ?at_x ?orbT // andbT.
  by apply: contraNneq q_new => <-.
case: ifP => [q_wanted|q_not].
  apply: next_ok; split=> //; rewrite withoutE.
  - exact: rem_uniq.
  - move=> x; rewrite mem_rem_uniq // inE => /andP[ne /sub]; rewrite inE (negbTE ne) //.
  - by rewrite size_rem //; case: (wanted) q_wanted sz => //= w ws _ [].
have sub' : {subset wanted <= path}.
  by move=> x at_x; have := sub _ at_x; rewrite inE => /orP[/eqP e|//]; rewrite -e at_x in q_not.
case: spare sz => [|spare] sz; first by have := uniq_leq_size uw sub'; rewrite -[size wanted]addn0 sz ltnn.
by apply: next_ok; split=> //; move: sz; rewrite addnS => -[].
Qed.

Lemma run_ok r p rest s filled spare wanted l next left : right_size r -> size rest = left -> left <= N ->
  played r (p :: rest) s.+1 -> fine r rest filled spare wanted l ->
  (forall q path filled spare wanted l, comes r (q :: path) s -> (size path).+1 = left -> fine r path filled spare wanted l ->
    next s q filled spare wanted l = false) ->
  run next (head [::] (levels can_end left)) s.+1 p filled spare wanted l = false.
Proof.
move=> wide sz le H ok next_ok; rewrite /run.
have -> : can_reach (nth Leaf (head [::] (levels can_end left)) s.+1) s.+1 p wanted.
  case: ok => _ uw sub _ _; rewrite /can_reach.
  apply: (@enough_ok rest (fun w => find (nth Leaf (head [::] (levels can_end left)) s.+1) (apart w p))) => // w at_w.
  rewrite -{1}(nth_index (0, 0)%Z at_w); apply: (times_ok le wide sz) => //; first by left.
  by rewrite -sz index_mem.
have [d [q [path [e q_p _ back]]]] := played_back H; rewrite e in sz ok.
have entered : enter next s (shift d (Z.of_nat s.+1) p) filled spare wanted l = false.
  rewrite -q_p; apply: enter_ok ok => //; first by apply: (comes_inside back); rewrite mem_head.
    exact: comes_uniq back.
  by move=> spare' wanted' l' ok; apply: (next_ok q path).
rewrite -pred_Sn; case: d {q_p} entered => ->; by do 3?[case: ifP].
Qed.

Lemma search_ok left : left < N -> forall r p rest s filled spare wanted l, right_size r -> size rest = left ->
  comes r (p :: rest) s -> fine r rest filled spare wanted l ->
  search left (levels can_end left) s p filled spare wanted l = false.
Proof.
elim: left => [|left IH] lt r p rest s filled spare wanted l wide sz back ok.
  case: rest sz ok {back} => // _ [_ _ sub _ _]; case: wanted sub => //= w wanted sub.
  by have := sub _ (mem_head _ _).
have next_ok s' q path filled' spare' wanted' l' : comes r (q :: path) s' -> (size path).+1 = left.+1 ->
    fine r path filled' spare' wanted' l' ->
    search left (levels can_end left) s' q filled' spare' wanted' l' = false.
  by move=> back' [sz'] ok'; apply: (IH (ltnW lt) r) ok'.
rewrite /search -/search; case: s back => [|s] back; last first.
  case: back => [H|[] //]; exact: (run_ok wide sz (ltnW lt) H ok (next_ok s)).
case: back => [H|[_ [j [H st]]]]; first by rewrite (played_zero H) in sz.
apply/negbTE/allPn; exists j.+1.
  by have := played_size H; rewrite sz mem_iota; lia.
have -> : can_end left.+1 j.+1 by rewrite -sz (ends_ok wide _ H st) ?sz.
have -> : is_alive can_end j.+1 left.+1 by rewrite -sz (alive_ok erefl wide H) ?sz // ltnW.
apply/negbT; apply: (block_ok (rest := rest) (r := r)) => //; first by apply: (played_inside H); rewrite mem_head.
  by move=> spare' wanted' l' ok'; apply: (run_ok wide sz (ltnW lt) H ok' (next_ok j)).
move=> d i; have := st d i; rewrite inE => /orP[/eqP e|//].
by have := @away_shift d (Z.of_nat j.+2) p; rewrite e /away !Z.sub_diag; lia.
Qed.

Definition is_ordered r := [/\ - x_min r <= x_max r, - y_min r <= y_max r & y_min r <= x_min r]%Z.
Lemma search_is_complete r rest k (final : bool) : right_size r -> is_ordered r -> size rest <= N ->
  played r (origin :: rest) k.+1 -> stuck r (Z.of_nat k.+2) (origin :: rest) ->
  (final -> stuck r 1 (origin :: rest)) ->
  root (levels can_end (size rest)) (size rest) k.+1 final = false.
Proof.
move=> wide [wx wy xy] le H st st1; rewrite /root (alive_ok erefl wide H) //.
have i0 : inside r origin by apply: (played_inside H); rewrite mem_head.
have left_pos : 0 < size rest by have := played_size H; lia.
case E: (levels can_end (size rest)) => [|t ts]; first by case: (size rest) left_pos E.
have t_head : t = head [::] (levels can_end (size rest)) by rewrite E.
have ts_tail : ts = levels can_end (size rest).-1 by case: (size rest) left_pos E => //= left _ [_ ->].
have rest_of d j : (0 < j)%Z -> stuck r j (origin :: rest) -> inside r (shift d j origin) -> shift d j origin \in rest.
  move=> pos /(_ d) stj /stj; rewrite inE => /orP[/eqP e|//].
  by have := @away_shift d j origin; rewrite e /away !Z.sub_diag; lia.
have start : fine r rest [:: origin] (size rest) [::] (start_limits least).
  split=> //=.
    by move=> x at_x; rewrite inE; apply: contraTneq at_x => ->; have := played_uniq H; rewrite /= => /andP[].
  have half : (least / 2 + least / 2 <= least)%Z by have := Z.mul_div_le least 2 erefl; lia.
  move: i0 wide; rewrite /inside /has_size /has_lines /= => ? [[? _] [? _]].
  by split; split=> //=; lia.
set go := (X in block _ (Z.of_nat k.+2) _ _ X).
have go_ok spare wanted l : fine r rest [:: origin] spare wanted l -> go spare wanted l = false.
  case=> disj uw sub sz [hx hy]; rewrite /go.
  have h : holds r (order l).
    rewrite /order; case B: (before l.2) => [b|] //; split=> //=; apply: axis_before => //.
    by case: hy => _ _ /(_ _ B); lia.
  rewrite (holds_fits wide h) t_head ts_tail.
  apply: (run_ok wide erefl le H) => // q path filled' spare' wanted' l' back sz' ok'.
  have -> : (size rest).-1 = size path by rewrite -sz'.
  by apply: (search_ok _ wide erefl) ok'; rewrite ?sz'.
have far spare wanted l : fine r rest [:: origin] spare wanted l ->
    block directions (Z.of_nat k.+2) origin [:: origin] go spare wanted l = false.
  by apply: (block_ok wide i0) => // d; apply: rest_of.
case: final st1 => [/(_ isT) st1|_]; last exact: far.
by apply: (block_ok wide i0 _ far) => // d; apply: rest_of.
Qed.
End Complete.
