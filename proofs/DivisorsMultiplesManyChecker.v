(* Checkers of perfect play in Divisors/Multiples for any number of players: by a table of all positions, and by all sets of
   taken numbers.

   What was paid doesn't change which of two results a player likes better. So what is checked of a position is by how much each
   score still changes, and positions that differ only in what was paid are one. *)
From mathcomp Require Import all_ssreflect zify.
Require Import ZArith Lia.
From Quet Require Import DivisorsMultiples Many DivisorsMultiplesMany Tables.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* ---- sums of results *)
Definition plus (a b : seq Z) : seq Z := [seq (x.1 + x.2)%Z | x <- zip a b].
Arguments plus : simpl never.

Lemma plus_cons x a y b : plus (x :: a) (y :: b) = (x + y)%Z :: plus a b. Proof. by []. Qed.
Lemma size_plus a b : size a = size b -> size (plus a b) = size a.
Proof. by move=> same; rewrite size_map size1_zip ?same. Qed.
Lemma nth_plus a b i : size a = size b -> nth 0%Z (plus a b) i = (nth 0%Z a i + nth 0%Z b i)%Z.
Proof. by elim: a b i => [|x a IH] [|y b] [|i] // [same]; apply: IH. Qed.
Lemma total_plus a b : size a = size b -> total (plus a b) = (total a + total b)%Z.
Proof. by elim: a b => [|x a IH] [|y b] // [/IH same]; rewrite plus_cons /= same; clear; lia. Qed.
Lemma plus_rcons a b x y : size a = size b -> plus (rcons a x) (rcons b y) = rcons (plus a b) (x + y)%Z.
Proof. by move=> same; rewrite /plus zip_rcons // map_rcons. Qed.
Lemma plusA a b c : plus a (plus b c) = plus (plus a b) c.
Proof. by elim: a b c => [|x a IH] [|y b] [|z c] //; rewrite !plus_cons IH Z.add_assoc. Qed.
Lemma plus_map (T : Type) (f h : T -> Z) l : [seq (f x + h x)%Z | x <- l] = plus (map f l) (map h l).
Proof. by elim: l => //= x l ->. Qed.
Lemma less_plus c a b : size c = size a -> size c = size b -> is_less (plus c a) (plus c b) = is_less a b.
Proof.
elim: c a b => [|z c IH] [|x a] [|y b] // [size_a] [size_b]; rewrite !plus_cons /= IH //.
by congr (_ || _ && _); [case: (Z.ltb_spec x y); case: Z.ltb_spec => //|case: (Z.eqb_spec x y); case: Z.eqb_spec => //]; clear; lia.
Qed.

Lemma not_less_trans a b c : ~~ is_less a b -> ~~ is_less b c -> ~~ is_less a c.
Proof.
elim: a b c => [|x a IH] [|y b] [|z c] //=; rewrite !negb_or !negb_and.
case: (Z.ltb_spec x y); case: (Z.ltb_spec y z); case: (Z.ltb_spec x z); case: (Z.eqb_spec x y); case: (Z.eqb_spec y z);
  case: (Z.eqb_spec x z) => //=; try (clear; lia).
by move=> *; apply: IH; eassumption.
Qed.
Lemma less_not a b : is_less a b -> ~~ is_less b a.
Proof.
elim: a b => [|x a IH] [|y b] //=; rewrite negb_or negb_and.
by case: (Z.ltb_spec x y); case: (Z.ltb_spec y x); case: (Z.eqb_spec x y); case: (Z.eqb_spec y x) => //=; try (clear; lia);
  move=> *; apply: IH.
Qed.

Definition same_numbers (a b : seq Z) : bool := all2 Z.eqb a b.
Lemma same_numbersP a b : same_numbers a b -> a = b.
Proof. by elim: a b => [|x a IH] [|y b] //= /andP[/Z.eqb_eq -> /IH ->]. Qed.

Section Checker.
Variables r p : nat.
Implicit Types (s : dmm_state) (m : dm_move) (a b c e : result) (tk : seq bool).
Notation standing := (standing p). Notation liking := (liking p). Notation width := (width p).
Notation scores := (dmm_scores p). Notation play := (dmm_play p). Notation legal_moves := (dmm_legal_moves r).
Notation is_over := (dmm_is_over r).

Lemma liking_plus w a b : size a = width -> size b = width -> liking w (plus a b) = plus (liking w a) (liking w b).
Proof.
rewrite /liking /width; case: ifP => _ size_a size_b.
  by rewrite nth_plus ?size_a //; case: ifP => _; rewrite /plus //=; congr [:: _]; clear; lia.
rewrite total_plus ?size_a // plus_rcons ?size_map // -plus_map; congr rcons; last by clear; lia.
by apply: eq_map => q; rewrite /wish total_plus ?nth_plus ?size_a //; clear; lia.
Qed.
Lemma size_liking w a : size (liking w a) = if p == 2 then 1 else p.+1.
Proof. by rewrite /liking; case: ifP => // _; rewrite size_rcons size_map size_rot size_iota. Qed.
Lemma liking_less w c a b : size c = width -> size a = width -> size b = width ->
  is_less (liking w (plus c a)) (liking w (plus c b)) = is_less (liking w a) (liking w b).
Proof. by move=> *; rewrite !liking_plus // less_plus // !size_liking. Qed.

(* what a payment changes, and what a move does *)
Definition bill w k : result := standing (set_nth 0 [::] w.-1 k).
Lemma size_bill w k : size (bill w k) = width. Proof. exact: size_standing. Qed.

Lemma standing_paid paid i k : standing (set_nth 0 paid i (nth 0 paid i + k)) = plus (standing paid) (standing (set_nth 0 [::] i k)).
Proof.
have one q : Z.of_nat (nth 0 (set_nth 0 paid i (nth 0 paid i + k)) q.-1) =
    Z.add (Z.of_nat (nth 0 paid q.-1)) (Z.of_nat (nth 0 (set_nth 0 [::] i k) q.-1)).
  by rewrite !nth_set_nth /= nth_nil; case: eqP => [->|_]; clear; lia.
rewrite /standing (eq_map one) plus_map; case: ifP => // _.
by rewrite !nth_plus ?size_map // /plus /=; congr [:: _]; clear; lia.
Qed.
Lemma scores_play s m : scores (play s m) = plus (scores s) (bill (dmm_mover s) (dmm_price s m.1)).
Proof. by case: m => y []; rewrite /scores /= standing_paid. Qed.

Lemma legalP s y stops : ((y, stops) \in legal_moves s) =
  [&& ~~ is_over s, y \in numbers r, related (dmm_current s) y &
    if stops then ~~ dmm_is_taken s y else (1 < dmm_steps_after r s) || (dmm_steps_after r s == 1) && dmm_can_stop_from r s y].
Proof.
rewrite /legal_moves; case: ifP => //= _; apply/flatten_mapP/and3P.
  case=> z; rewrite mem_filter => /andP[rel z_in]; rewrite /dmm_moves_to mem_cat => /orP[].
    by case: ifP => // ok; rewrite inE => /eqP[-> ->].
  by case: ifP => // ok; rewrite inE => /eqP[-> ->]; rewrite ok.
case=> y_in rel ok; exists y; first by rewrite mem_filter rel.
by rewrite /dmm_moves_to mem_cat; case: stops ok => [/negbTE|] ->; rewrite inE eqxx ?orbT.
Qed.

(* each move makes the game shorter *)
Definition dmm_left s := count (fun y => ~~ dmm_is_taken s y) (numbers r) * (2 * r).+1 + (2 * r - dmm_num_steps s).
Lemma left_less s m : m \in legal_moves s -> dmm_left (play s m) < dmm_left s.
Proof.
case: m => y stops; rewrite legalP => /and4P[_ y_in _]; case: stops => [|ok].
  rewrite /dmm_is_taken => free; rewrite /dmm_left /= subn0; set after := count _ _; set before := count _ _.
  have less : after < before.
    rewrite /after /before; elim: (numbers r) (iota_uniq 1 r : uniq (numbers r)) y_in => //= x l IH /andP[x_l uniq_l].
    rewrite inE /dmm_is_taken /= nth_set_nth /= => /orP[/eqP <-|y_l].
      rewrite eqxx free /= add0n add1n ltnS; apply: sub_count => z /=; rewrite nth_set_nth /=; by case: eqP.
    have -> : (x == y) = false by apply/eqP => eq; rewrite eq y_l in x_l.
    by rewrite ltn_add2l; apply: IH.
  by move: less; clear; nia.
by rewrite /dmm_left ltn_add2l /=; move: ok; rewrite /dmm_steps_after; clear; lia.
Qed.

(* ---- tables: for each position by how much the scores still change *)
Definition dmm_same s t :=
  (dmm_taken s, dmm_current s, dmm_mover s, dmm_num_steps s) == (dmm_taken t, dmm_current t, dmm_mover t, dmm_num_steps t).
Definition dmm_code s : seq bool :=
  dmm_taken s ++ nseq (dmm_current s) true ++ false :: nseq (dmm_num_steps s) true ++ false :: nseq (dmm_mover s) true.
Definition dmm_table := tree (dmm_state * result).
Definition dmm_add (t : dmm_table) s e : dmm_table := insert (dmm_code s) (s, e) t.
Definition dmm_promised (t : dmm_table) s : option result :=
  if find (dmm_code s) t is Some (s', e) then if dmm_same s' s && (size e == width) then Some e else None else None.

(* a move's change, if the table is right *)
Definition changes (t : dmm_table) s : seq (option result) :=
  [seq (if dmm_promised t (play s m) is Some e then Some (plus (bill (dmm_mover s) (dmm_price s m.1)) e) else None) |
    m <- legal_moves s].
Definition no_change : result := nseq width 0%Z.
Definition dmm_position_right (t : dmm_table) s e : bool :=
  if is_over s then same_numbers e no_change
  else let here := changes t s in
    has (fun x => if x is Some a then same_numbers a e else false) here &&
    all (fun x => if x is Some a then ~~ is_less (liking (dmm_mover s) e) (liking (dmm_mover s) a) else false) here.
Definition dmm_table_right (t : dmm_table) : bool := all_of (fun x => dmm_position_right t x.1 x.2) t.

Lemma plus_no_change a : size a = width -> plus a no_change = a.
Proof. by rewrite /no_change => <-; elim: a => //= x a IH; rewrite plus_cons Z.add_0_r IH. Qed.

Lemma same_right t s s' e : dmm_same s' s -> dmm_position_right t s' e = dmm_position_right t s e.
Proof.
case: s s' => [tk x w k paid] [tk' x' w' k' paid'] /eqP[-> -> -> ->].
rewrite /dmm_position_right; suff -> : changes t (DMM tk x w k paid') = changes t (DMM tk x w k paid) by [].
by apply: eq_map => -[y []].
Qed.

Theorem dmm_table_leads t s e : dmm_table_right t -> dmm_promised t s = Some e -> leads_to (g := dmm r p) s (plus (scores s) e).
Proof.
move=> right; have [k] := ubnP (dmm_left s); elim: k s e => // k IH s e less; rewrite {1}/dmm_promised.
case found: (find _ _) => [[s' e']|] //; case: ifP => // /andP[same /eqP size_e] [eq]; rewrite {}eq in found size_e.
have := all_found right found; rewrite /= (same_right _ _ same) /dmm_position_right.
case: ifP => [over /same_numbersP ->|/negbT going];
  first by rewrite plus_no_change ?size_standing //; exact: (@LeadsEnd (dmm r p) s over).
rewrite /changes has_map all_map => /andP[/hasP[m legal /= best] /allP bound].
pose after m := plus (scores (play s m)) (odflt no_change (dmm_promised t (play s m))).
have leads m' (legal' : m' \in legal_moves s) : exists2 a, dmm_promised t (play s m') = Some a &
    leads_to (g := dmm r p) (play s m') (plus (scores (play s m')) a).
  have /= := bound _ legal'; case found': (dmm_promised _ _) => [a|] // _; exists a => //.
  by apply: IH => //; apply: leq_trans (left_less legal') _; rewrite -ltnS.
have size_promised u a : dmm_promised t u = Some a -> size a = width.
  by rewrite /dmm_promised; case: (find _ _) => [[? ?]|] //; case: ifP => // /andP[_ /eqP <-] [->].
have eq : plus (scores s) e = after m.
  by move: best; rewrite /after; case: (dmm_promised _ _) => [a|] // /same_numbersP <-; rewrite scores_play plusA.
rewrite eq; apply: (@LeadsMove (dmm r p)) => // m' legal' /=; have [a found' leads_a] := leads m' legal'.
  by rewrite /after found'.
rewrite /Many.better /key /= -eq /after found' /= scores_play -plusA.
rewrite liking_less ?size_standing // ?size_plus ?size_bill ?(size_promised _ _ found') //.
by have /= := bound _ legal'; rewrite found'.
Qed.
End Checker.
