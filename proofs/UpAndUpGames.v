(* What the search of UpAndUpSearch.v says about games by the rules. Such a game is one that the search sees, in the grid as it
   lies about the last square, and so are its images in other grids. *)
From mathcomp Require Import all_ssreflect zify ssrZ.
Require Import ZArith Lia.
From Quet Require Import Solitaires UpAndUp UpAndUpNineteen UpAndUpScores UpAndUpSearch UpAndUpBackward UpAndUpComplete.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* A game's image in another grid is a game. *)
Definition carries r path r' path' := [/\ size path' = size path, forall least most, has_size least most r -> has_size least most r',
  forall k, played r path k -> played r' path' k & forall k, stuck r k path -> stuck r' k path'].

Lemma carries_trans r1 path1 r2 path2 r3 path3 :
  carries r1 path1 r2 path2 -> carries r2 path2 r3 path3 -> carries r1 path1 r3 path3.
Proof. by case=> s1 w1 p1 t1 [s2 w2 p2 t2]; split=> [|a b /w1/w2|k /p1/p2|k /t1/t2] //; rewrite s2. Qed.

Section Image.
Variables (f : square -> square) (g : direction -> direction) (r r' : region).
Hypothesis f_inj : injective f.
Hypothesis g_back : involutive g.
Hypothesis f_shift : forall d k p, f (shift d k p) = shift (g d) k (f p).
Hypothesis f_inside : forall p, inside r' (f p) <-> inside r p.

Lemma stuck_image k path : stuck r k path -> stuck r' k (map f path).
Proof. by case: path => // p path st d; rewrite -[d]g_back -f_shift f_inside => /st; apply: map_f. Qed.
Lemma played_image path k : played r path k -> played r' (map f path) k.
Proof.
elim=> {path k} [p i|p d q path k _ IH i new e|p d q path k _ IH st i new e] /=.
- by constructor; apply/f_inside.
- by apply: (PlayedOn (d := g d) IH); rewrite ?e ?f_shift -?f_shift -?e ?f_inside -?map_cons ?mem_map.
- by apply: (PlayedAgain (d := g d) IH (stuck_image st)); rewrite ?e -?f_shift -?e ?f_inside -?map_cons ?mem_map.
Qed.
Lemma carries_image path : (forall least most, has_size least most r -> has_size least most r') ->
  carries r path r' (map f path).
Proof. by move=> wide; split=> // [|k|k]; [rewrite size_map|apply: played_image|apply: stuck_image]. Qed.
End Image.

Lemma to_origin r p rest : exists r' rest', carries r (p :: rest) r' (origin :: rest').
Proof.
exists (Region (x_min r - p.1) (x_max r - p.1) (y_min r - p.2) (y_max r - p.2)).
exists (map (fun q => apart q p) rest).
have -> : origin = apart p p by rewrite /apart !Z.sub_diag.
apply: (@carries_image (fun q => apart q p) id r _ _ _ _ _ (p :: rest)).
- by move=> [a1 a2] [b1 b2] []; rewrite /= => e1 e2; congr pair; lia.
- by [].
- by move=> d k q; case: d; rewrite /apart /=; congr pair; lia.
- by move=> q; rewrite /inside /=; lia.
- by move=> a b; rewrite /has_size /has_lines /=; case: b => [m|]; lia.
Qed.
Lemma flip_x r rest : exists rest',
  carries r (origin :: rest) (Region (- x_max r) (- x_min r) (y_min r) (y_max r)) (origin :: rest').
Proof.
exists (map (fun q => (- q.1, q.2)%Z) rest).
apply: (@carries_image (fun q : square => (- q.1, q.2)%Z)
  (fun d => match d with Rightward => Leftward | Leftward => Rightward | d => d end) r _ _ _ _ _ (origin :: rest)).
- by move=> [a1 a2] [b1 b2] []; rewrite /= => e1 e2; congr pair; lia.
- by case.
- by move=> d k q; case: d => /=; congr pair; lia.
- by move=> q; rewrite /inside /=; lia.
- by move=> a b; rewrite /has_size /has_lines /=; case: b => [m|]; lia.
Qed.
Lemma swap_axes r rest : exists rest',
  carries r (origin :: rest) (Region (y_min r) (y_max r) (x_min r) (x_max r)) (origin :: rest').
Proof.
exists (map (fun q => (q.2, q.1)%Z) rest).
apply: (@carries_image (fun q : square => (q.2, q.1)%Z) (fun d =>
  match d with Rightward => Upward | Upward => Rightward | Leftward => Downward | Downward => Leftward end)
  r _ _ _ _ _ (origin :: rest)).
- by move=> [a1 a2] [b1 b2] [] /= -> ->.
- by case.
- by move=> d k q; case: d.
- by move=> q; rewrite /inside /=; lia.
- by move=> a b; rewrite /has_size /has_lines /=; case: b => [m|]; lia.
Qed.

Lemma ordered r p rest : exists r' rest', is_ordered r' /\ carries r (p :: rest) r' (origin :: rest').
Proof.
have [r1 [rest1 c1]] := to_origin r p rest.
have [r2 [rest2 [x2 c2]]] : exists r' rest', (- x_min r' <= x_max r')%Z /\ carries r (p :: rest) r' (origin :: rest').
  have [le|gt] := Z_le_gt_dec (- x_min r1) (x_max r1); first by exists r1, rest1.
  have [rest' c] := flip_x r1 rest1.
  by exists (Region (- x_max r1) (- x_min r1) (y_min r1) (y_max r1)), rest'; split; [rewrite /=; lia|apply: carries_trans c1 c].
have [r3 [rest3 [x3 [y3 c3]]]] : exists r' rest', (- x_min r' <= x_max r')%Z /\ (- y_min r' <= y_max r')%Z /\
    carries r (p :: rest) r' (origin :: rest').
  have [le|gt] := Z_le_gt_dec (- y_min r2) (y_max r2); first by exists r2, rest2.
  have [rest' c] := swap_axes r2 rest2.
  have [rest'' c'] := flip_x (Region (y_min r2) (y_max r2) (x_min r2) (x_max r2)) rest'.
  have [rest3 c''] := swap_axes (Region (- y_max r2) (- y_min r2) (x_min r2) (x_max r2)) rest''.
  exists (Region (x_min r2) (x_max r2) (- y_max r2) (- y_min r2)), rest3; split; first by [].
  by split; [rewrite /=; lia|apply: carries_trans c2 (carries_trans c (carries_trans c' c''))].
have [le|gt] := Z_le_gt_dec (y_min r3) (x_min r3); first by exists r3, rest3.
have [rest' c] := swap_axes r3 rest3.
exists (Region (y_min r3) (y_max r3) (x_min r3) (x_max r3)), rest'; split; last exact: carries_trans c3 c.
by split=> //=; lia.
Qed.

(* The squares of a game by the rules *)
Definition whole n := Region 0 (Z.of_nat n - 1) 0 (Z.of_nat n - 1).
Definition to_square (q : nat * nat) : square := (Z.of_nat q.1, Z.of_nat q.2).
Lemma to_square_inj : injective to_square.
Proof. by move=> [a1 a2] [b1 b2] [] /= e1 e2; congr pair; lia. Qed.
Lemma inside_squares n q : q \in squares n -> inside (whole n) (to_square q).
Proof. by case: q => c r; rewrite mem_squares /inside /= => /andP[c_n r_n]; split; lia. Qed.
Lemma away_shifted k a b : is_away k a b -> exists d, to_square b = shift d (Z.of_nat k) (to_square a).
Proof.
case: a b => [a1 a2] [b1 b2]; rewrite /is_away /distance /to_square /=.
case/orP=> /andP[/eqP-> /eqP <-].
  by case: (leqP a2 b2) => ?; [exists Upward|exists Downward]; rewrite /=; congr pair; lia.
by case: (leqP a1 b1) => ?; [exists Rightward|exists Leftward]; rewrite /=; congr pair; lia.
Qed.
Lemma away_length k a b : is_away k a b -> distance a.1 b.1 + distance a.2 b.2 = k.
Proof.
by case: a b => [a1 a2] [b1 b2]; rewrite /is_away /distance /= => /orP[] /andP[/eqP-> /eqP <-]; lia.
Qed.
Lemma shifted_away n k d a : inside (whole n) (shift d (Z.of_nat k) (to_square a)) -> a \in squares n ->
  exists b, [/\ b \in squares n, is_away k a b & to_square b = shift d (Z.of_nat k) (to_square a)].
Proof.
case: a => [a1 a2]; rewrite mem_squares /inside /to_square; case: d => /= i j;
  [exists (a1 + k, a2)|exists (a1 - k, a2)|exists (a1, a2 + k)|exists (a1, a2 - k)];
  rewrite mem_squares /is_away /distance /= ; split; (try by congr pair; lia); lia.
Qed.
Lemma nothing_stuck n s k last rest : path s = last :: rest -> last \in squares n -> at_distance n s k = [::] ->
  stuck (whole n) (Z.of_nat k) (map to_square (path s)).
Proof.
move=> path_s at_n; rewrite /at_distance path_s /= => none d i.
have [b [b_n away e]] := shifted_away i at_n; rewrite -e -map_cons mem_map; last exact: to_square_inj.
apply: contraT => new; suff: b \in [::] by [].
by rewrite -[[::] in X in _ \in X]none mem_filter b_n away new.
Qed.

Lemma reached_played n s : reached n s -> path s != [::] ->
  exists2 k, next_step s = k.+1 & played (whole n) (map to_square (path s)) k.
Proof.
elim=> // {}s x at_s IH legal _; move: (legal); rewrite /up_legal_moves /up_play.
case E: (path s) IH => [|last rest] IH; first by exists 0 => //=; constructor; apply: inside_squares.
have {IH} [//|k next_k H] := IH; rewrite next_k.
have last_n : last \in squares n by apply: (reached_squares at_s); rewrite E mem_head.
have moved j : x \in at_distance n s j -> [/\ inside (whole n) (to_square x), is_away j last x &
    to_square x \notin map to_square (last :: rest)].
  rewrite /at_distance E mem_filter => /andP[/andP[away new] x_n]; split=> //; first exact: inside_squares.
  by rewrite mem_map //; apply: to_square_inj.
case none: (at_distance n s k.+1) => [|y l].
  case: k next_k H none => [|k] next_k H none; first by rewrite none.
  move=> /moved[i away new]; exists 1; first by rewrite /= (away_length away).
  have [d e] := away_shifted away; apply: (PlayedAgain (d := d) H) => //.
  by have := nothing_stuck E last_n none; rewrite E.
rewrite -none => /moved[i away new]; exists k.+1; first by rewrite /= (away_length away).
by have [d e] := away_shifted away; apply: (PlayedOn (d := d) H).
Qed.

(* What the search finds is so. *)
Section Sizes.
Variables (least : Z) (most : option Z).
Definition knows_ends (can : nat -> nat -> bool) N := forall r p rest j, has_size least most r -> size rest < N -> played r (p :: rest) j.+1 ->
  stuck r (Z.of_nat j.+2) (p :: rest) -> can (size rest) j.+1.

Lemma not_refuted can N r p rest k (final : bool) : knows_ends can N -> N <= 22 -> has_size least most r -> size rest <= N ->
  played r (p :: rest) k.+1 -> stuck r (Z.of_nat k.+2) (p :: rest) -> (final -> stuck r 1 (p :: rest)) ->
  root least most can (levels can (size rest)) (size rest) k.+1 final = false.
Proof.
move=> known N_small right_size le H st st1.
have [r' [rest' [order' [[sz'] right' played' stuck']]]] := ordered r p rest.
rewrite -sz'; apply: (@search_is_complete least most can N known N_small r') => //.
- exact: right' right_size.
- by rewrite sz'.
- exact: played'.
- exact: stuck'.
- by move=> /st1; apply: (stuck' 1%Z).
Qed.

Lemma knows_prefixes can N : N <= 21 -> all (prefixes least most can) (iota 1 N) -> knows_ends can N.+1.
Proof.
move=> N_small /allP prefixes_ok r p rest; move E: (size rest) => left.
elim/ltn_ind: left r p rest E => left IH r p rest sz j right_size left_N H st; apply: contraT => no.
have j_lt := played_size H.
have := prefixes_ok left; rewrite mem_iota => /(_ _)/allP/(_ j.+1); rewrite mem_iota (negbTE no).
rewrite -sz (@not_refuted can left r p rest j false) ?sz //; first by move=> absurd; apply: absurd; lia.
- move=> r2 p2 rest2 j2 right2 lt2; apply: (IH _ lt2 r2 p2 rest2) => //; lia.
- by move: left_N N_small; lia.
Qed.

Lemma size_ends left : size (ends_to least most left) = left.+1.
Proof. by elim: left => // left IH; rewrite /= size_rcons IH. Qed.
Lemma listedS left ends j : size ends = left.+1 ->
  listed (rcons ends (false :: [seq ~~ root least most (listed ends) (levels (listed ends) left.+1) left.+1 i false | i <- iota 1 left.+1]))
    left.+1 j.+1 = if j < left.+1 then ~~ root least most (listed ends) (levels (listed ends) left.+1) left.+1 j.+1 false else true.
Proof.
move=> sz; rewrite /listed nth_rcons sz ltnn eqxx; set f := (fun i => _).
have -> : nth true (false :: map f (iota 1 left.+1)) j.+1 = nth true (map f (iota 1 left.+1)) j by [].
case: ltnP => [lt|ge]; last by rewrite nth_default // size_map size_iota.
by rewrite (nth_map 0) ?size_iota // nth_iota.
Qed.
Lemma knows_listed left N : left <= 22 -> knows_ends (listed (ends_to least most left)) N.
Proof.
elim: left N => [|left IH] N small r p rest j right_size le H st; first by case: rest {le H st} => [|x [|y rest]].
have -> : ends_to least most left.+1 = let ends := ends_to least most left in rcons ends
  (false :: [seq ~~ root least most (listed ends) (levels (listed ends) left.+1) left.+1 i false | i <- iota 1 left.+1]) by [].
set ends := ends_to _ _ _ in IH *; rewrite /=; case: (ltngtP (size rest) left.+1) => [lt|gt|sz].
- by rewrite /listed nth_rcons size_ends lt; apply: (IH (size rest).+1 (ltnW small) r p rest j).
- by rewrite /listed nth_rcons size_ends ltnNge (ltnW gt) /= gtn_eqF // nth_nil.
have j_lt := played_size H; rewrite sz in j_lt; rewrite sz listedS ?size_ends // j_lt -sz.
by rewrite (@not_refuted _ left.+1 r p rest j false) ?sz //; apply: IH; apply: ltnW.
Qed.

Theorem finals_right n can N s : 1 < n -> has_size least most (whole n) -> knows_ends can N -> N <= 22 ->
  all (finals least most can) (iota 1 N) -> reached n s -> up_is_over n s -> N.+2 <= up_score s.
Proof.
move=> n1 right_size known N_small /allP finals_ok at_s /andP[/andP[some /nilP none] /nilP none1]; rewrite ltnNge; apply/negP=> short.
have [k next_k H] := reached_played at_s some; rewrite next_k in none.
case E: (path s) some => [//|last rest] _.
have last_n : last \in squares n by apply: (reached_squares at_s); rewrite E mem_head.
have st := nothing_stuck E last_n none; have st1 := nothing_stuck E last_n none1.
rewrite /up_score E /= in H st st1 short.
case: k next_k H st {none} => [|k] next_k H st.
  have [r' [rest' [order' [_ right' played' stuck']]]] := ordered (whole n) (to_square last) (map to_square rest).
  have beside := stuck' _ st1 Rightward; rewrite (played_zero (played' _ H)) inE in beside.
  suff /beside/eqP[] : inside r' (shift Rightward 1 origin) by [].
  have two : has_size 2 None (whole n) by rewrite /has_size /has_lines /=; lia.
  case: (order') => wx _ _; move: (right' _ _ two) (played_inside (played' _ H) (mem_head _ _)).
  by rewrite /has_size /has_lines /inside /=; lia.
have k_lt := played_size H; have := finals_ok (size rest); rewrite size_map in k_lt.
rewrite mem_iota => /(_ _)/allP/(_ k.+1); rewrite mem_iota -(size_map to_square rest).
rewrite (@not_refuted can N (whole n) (to_square last) (map to_square rest) k true) ?size_map //.
by move=> absurd; suff: false by []; apply: absurd; lia.
Qed.
End Sizes.

(* The checker asks about one grid. *)
Definition none_shorter_on n known length :=
  [&& 1 < n, known <= 22, length <= 24 & none_shorter (Z.of_nat n) (Some (Z.of_nat n)) known length].
Theorem none_shorter_right n known length : none_shorter_on n known length -> none_below (up n) length.
Proof.
case/and4P=> n1 known_small small ok s /comes_reached at_s over.
have : length.-2.+2 <= up_score s; last by apply: leq_trans; lia.
apply: (finals_right (least := Z.of_nat n) (most := Some (Z.of_nat n)) n1 _ (knows_listed known_small)) ok at_s over; last by lia.
by rewrite /has_size /has_lines /=; lia.
Qed.
