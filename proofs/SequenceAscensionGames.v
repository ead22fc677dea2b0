(* What a game of Sequence Ascension comes to: the squares in the order in which they were filled, and the terms on the path in the
   order in which the path comes to them. Images of the grid keep it, so the first term may be taken to stand in one eighth. *)
From mathcomp Require Import all_ssreflect zify.
From Quet Require Import Solitaires SequenceAscension.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Lemma sorted_rcons (T : Type) (e : rel T) s x y :
  sorted e (rcons s x) = sorted e s && ((size s == 0) || e (last y s) x).
Proof. by case: s => [|z s] //=; rewrite rcons_path. Qed.

Section Games.
Variables (n : nat) (terms : seq nat).
Notation rank k := (nth 0 terms k).

Record is_game (filled taken : seq nat) : Prop := IsGame {
  on_grid : all (fun x => x < n * n) filled;
  once_filled : uniq filled;
  filled_near : sorted (is_near n) filled;
  were_placed : all (fun k => k < size filled) taken;
  once_taken : uniq taken;
  taken_near : sorted (is_near n) [seq nth 0 filled k | k <- taken];
  ascending : sorted leq [seq rank k | k <- taken]
}.

(* ---- a position shows such a game *)
Record shows (s : asc_state) (filled taken : seq nat) : Prop := Shows {
  shown : is_game filled taken;
  shown_placed : placed s = size filled;
  shown_length : length s = size taken;
  shown_placing : is_placing s -> taken = [::];
  shown_last : last_one s = last (last 0 filled) [seq nth 0 filled k | k <- taken];
  size_index : size (index s) = n * n;
  size_path : size (path s) = n * n;
  shown_index x : x < n * n -> index_of s x = if x \in filled then (seq.index x filled).+1 else 0;
  shown_path x : x < n * n -> (path_of s x == 0) = (x \notin [seq nth 0 filled k | k <- taken])
}.

Lemma position_shows (s : position (asc n terms)) : comes_to s -> exists filled taken, shows s filled taken.
Proof.
elim=> {s} [|s x _ [filled [taken sh]] _ /andP[x_n legal]].
  exists [::], [::]; split=> //=; rewrite ?size_nseq // => x x_n; first by rewrite /index_of nth_nseq x_n.
  by rewrite /path_of nth_nseq x_n.
case: (sh) => -[grid once near were tonce tnear asc] pl len placing lst szi szp ind pth.
rewrite /= /asc_play; case E: (is_placing s); last first.
- (* a step of the path *)
  have filled_x : x \in filled.
    move: legal; rewrite E /=; case: (length s == 0); rewrite /can_take ?E ind //; first by case: ifP.
    by case/andP=> _ /and3P[]; case: ifP.
  have nth_x : nth 0 filled (seq.index x filled) = x by rewrite nth_index.
  have not_yet : x \notin [seq nth 0 filled k | k <- taken].
    move: legal; rewrite E /=; case: eqP => [|_ /andP[_]]; first by rewrite len; case: (taken).
    by rewrite /can_take E -pth // => /and3P[].
  have mapped : [seq nth 0 filled k | k <- rcons taken (seq.index x filled)] = rcons [seq nth 0 filled k | k <- taken] x.
    by rewrite map_rcons nth_x.
  have steps : (length s == 0) || is_near n (last_one s) x && (rank (last 0 taken) <= rank (seq.index x filled)).
    move: legal; rewrite E /=; case: (eqVneq (length s) 0) => //= len0 /andP[-> /=].
    rewrite /can_take E => /and3P[_ _]; rewrite /term_on (ind x x_n) filled_x /=.
    case/lastP: taken {mapped not_yet tnear asc tonce sh placing pth} were len lst len0 => [_ -> //|taken k].
    rewrite all_rcons => /andP[k_in _] _; rewrite map_rcons !last_rcons => -> _.
    have k_n : nth 0 filled k < n * n by move/allP: grid; apply; rewrite mem_nth.
    by rewrite ind // mem_nth // index_uniq.
  exists filled, (rcons taken (seq.index x filled)); split=> //=.
  + split=> //.
    * by rewrite all_rcons index_mem filled_x.
    * rewrite rcons_uniq tonce andbT; apply: contra not_yet => there.
      by apply/mapP; exists (seq.index x filled).
    * rewrite mapped (sorted_rcons _ _ _ (last 0 filled)) tnear size_map -len /= -lst.
      by case/orP: steps => [->|/andP[->]]; rewrite ?orbT.
    * rewrite map_rcons (sorted_rcons _ _ _ (rank 0)) asc size_map -len /= last_map.
      by case/orP: steps => [->|/andP[_ ->]]; rewrite ?orbT.
  + by rewrite len size_rcons.
  + by rewrite mapped last_rcons.
  + by rewrite size_set_nth szp; apply/maxn_idPr.
  + move=> y y_n; rewrite mapped mem_rcons in_cons negb_or -pth // /path_of nth_set_nth /=.
    by case: (eqVneq y x).
- (* a term is placed *)
  have no_path := placing E; rewrite no_path /= in tnear asc lst pth *.
  have is_empty : x \notin filled.
    move: legal; rewrite E /=; case: eqP => [|_ /andP[_]]; first by rewrite pl; case: (filled).
    by rewrite /can_take E ind //; case: ifP.
  have steps : (size filled == 0) || is_near n (last 0 filled) x.
    by move: legal; rewrite E /= pl lst; case: eqP => //= _ /andP[->].
  exists (rcons filled x), [::]; split=> //=.
  + split=> //; first by rewrite all_rcons x_n.
    * by rewrite rcons_uniq is_empty.
    * by rewrite (sorted_rcons _ _ _ 0) near.
  + by rewrite pl size_rcons.
  + by rewrite len no_path.
  + by rewrite last_rcons.
  + by rewrite size_set_nth szi; apply/maxn_idPr.
  + move=> y y_n; rewrite /index_of nth_set_nth /= mem_rcons in_cons.
    case: (eqVneq y x) => [->|ne] /=; rewrite -cats1 index_cat ?(negbTE is_empty) /= ?eqxx ?addn0 ?pl //.
    by move: (ind _ y_n); rewrite /index_of => ->; case: ifP.
Qed.

(* a score is the length of a path, and every shorter beginning of the path is one, too *)
Lemma first_steps filled taken v : is_game filled taken -> is_game filled (take v taken).
Proof.
case=> grid once near were tonce tnear asc; split=> //.
- by apply/allP => k /mem_take; move/allP: were; apply.
- by rewrite take_uniq.
- by rewrite map_take take_sorted.
- by rewrite map_take take_sorted.
Qed.

Lemma score_game (s : position (asc n terms)) v : comes_to s -> v <= score s ->
  exists filled taken, is_game filled taken /\ size taken = v.
Proof.
move=> /position_shows [filled [taken sh]] high; exists filled, (take v taken).
split; first exact: first_steps (shown sh).
by rewrite size_takel // -(shown_length sh).
Qed.

(* ---- images of the grid *)
Record is_image (g : nat -> nat) : Prop := IsImage {
  image_on_grid x : x < n * n -> g x < n * n;
  image_back x : x < n * n -> g (g x) = x;
  image_near x y : x < n * n -> y < n * n -> is_near n (g x) (g y) = is_near n x y
}.

Lemma image_game g filled taken : is_image g -> is_game filled taken -> is_game (map g filled) taken.
Proof.
move=> [on back keeps] [grid once near were tonce tnear asc].
have near_mapped s : all (fun x => x < n * n) s -> sorted (is_near n) s -> sorted (is_near n) (map g s).
  case: s => //= x s /andP[]; elim: s x => //= y s IH x x_n /andP[y_n s_n] /andP[xy ys].
  by rewrite keeps // xy IH.
have was_on k : k < size filled -> nth 0 filled k < n * n by move=> k_in; move/allP: grid; apply; rewrite mem_nth.
split=> //; rewrite ?size_map //.
- by rewrite all_map; apply/allP => x x_in /=; apply: on; move/allP: grid; apply.
- rewrite map_inj_in_uniq // => x y x_in y_in /(congr1 g).
  by rewrite !back //; move/allP: grid; apply.
- exact: near_mapped.
- have -> : [seq nth 0 (map g filled) k | k <- taken] = map g [seq nth 0 filled k | k <- taken].
    by rewrite -map_comp; apply/eq_in_map => k k_in /=; rewrite (nth_map 0) //; move/allP: were; apply.
  by apply: near_mapped => //; rewrite all_map; apply/allP => k k_in /=; apply: was_on; move/allP: were; apply.
Qed.

Definition square row column := row * n + column.
Definition turned x := square (x %% n) (x %/ n).
Definition mirrored x := square (x %/ n) (n.-1 - x %% n).

Lemma on_the_grid x : x < n * n -> x %/ n < n /\ x %% n < n.
Proof. by move=> x_n; rewrite ltn_divLR ?ltn_mod; case: (n) x_n. Qed.
Lemma square_on row column : row < n -> column < n ->
  [/\ square row column < n * n, square row column %/ n = row & square row column %% n = column].
Proof.
move=> r c; have n0 : 0 < n by case: (n) r.
by rewrite /square divnMDl // modnMDl divn_small // modn_small // addn0; split=> //; nia.
Qed.

Lemma turned_is_image : is_image turned.
Proof.
split=> x; first by case/on_the_grid => r c; case: (square_on c r).
- by move=> x_n; case: (on_the_grid x_n) => r c; rewrite /turned; case: (square_on c r) => _ -> ->; rewrite /square -divn_eq.
- move=> y x_n y_n; case: (on_the_grid x_n) (on_the_grid y_n) => r c [r' c'].
  by rewrite /is_near /turned; case: (square_on c r) (square_on c' r') => _ -> -> [_ -> ->]; rewrite andbC.
Qed.
Lemma mirrored_is_image : is_image mirrored.
Proof.
have last_n c : c < n -> n.-1 - c < n by lia.
split=> x; first by case/on_the_grid => r /last_n c; case: (square_on r c).
- move=> x_n; case: (on_the_grid x_n) => r c; rewrite /mirrored; case: (square_on r (last_n _ c)) => _ -> ->.
  by rewrite /square {3}(divn_eq x n); congr (_ + _); lia.
- move=> y x_n y_n; case: (on_the_grid x_n) (on_the_grid y_n) => r c [r' c'].
  rewrite /is_near /mirrored; case: (square_on r (last_n _ c)) (square_on r' (last_n _ c')) => _ -> -> [_ -> ->].
  by congr (_ && _); rewrite /distance; lia.
Qed.

(* in one eighth of the grid *)
Definition is_in_eighth x := x %/ n <= x %% n <= n.-1 %/ 2.

Lemma first_in_eighth filled taken : is_game filled taken -> filled != [::] -> exists filled',
  [/\ is_game filled' taken, filled' != [::], size filled' = size filled & is_in_eighth (nth 0 filled' 0)].
Proof.
pose near_to_edge c := c <= n.-1 %/ 2.
have by_image g f : is_image g -> is_game f taken -> f != [::] ->
    [/\ is_game (map g f) taken, map g f != [::], size (map g f) = size f & nth 0 (map g f) 0 = g (nth 0 f 0)].
  by move=> im ok some; split; [exact: image_game|case: (f) some|rewrite size_map|case: (f) some].
have mirror f : is_game f taken -> f != [::] -> exists f', [/\ is_game f' taken, f' != [::], size f' = size f,
    nth 0 f' 0 %/ n = nth 0 f 0 %/ n & near_to_edge (nth 0 f' 0 %% n)].
  move=> ok some; have : nth 0 f 0 < n * n by move/allP: (on_grid ok); apply; rewrite mem_nth; case: (f) some.
  case/on_the_grid=> r c; case: (boolP (near_to_edge (nth 0 f 0 %% n))) => [|far]; first by exists f.
  case: (by_image _ f mirrored_is_image ok some) => ok' some' sz first; exists (map mirrored f); rewrite first.
  have c' : n.-1 - nth 0 f 0 %% n < n by lia.
  by case: (square_on r c') => _; rewrite /mirrored => -> ->; split=> //; move: far; rewrite /near_to_edge; lia.
have turn f : is_game f taken -> f != [::] -> exists f', [/\ is_game f' taken, f' != [::], size f' = size f,
    nth 0 f' 0 %/ n = nth 0 f 0 %% n & nth 0 f' 0 %% n = nth 0 f 0 %/ n].
  move=> ok some; have : nth 0 f 0 < n * n by move/allP: (on_grid ok); apply; rewrite mem_nth; case: (f) some.
  case/on_the_grid=> r c; case: (by_image _ f turned_is_image ok some) => ok' some' sz first; exists (map turned f).
  by rewrite first /turned; case: (square_on c r) => _ -> ->.
move=> ok some.
have [f1 [ok1 some1 sz1 _ c1]] := mirror _ ok some.
have [f2 [ok2 some2 sz2 r2 c2]] := turn _ ok1 some1.
have [f3 [ok3 some3 sz3 r3 c3]] := mirror _ ok2 some2.
move: r3; rewrite r2 => r3; rewrite /near_to_edge -r3 in c1 c3.
have [f4 [ok4 some4 sz4 r4 c4]] := turn _ ok3 some3.
case: (leqP (nth 0 f3 0 %/ n) (nth 0 f3 0 %% n)) => [le|/ltnW le]; [exists f3|exists f4]; split=> //.
- by rewrite sz3 sz2.
- by rewrite /is_in_eighth le.
- by rewrite sz4 sz3 sz2.
- by rewrite /is_in_eighth r4 c4 le.
Qed.
End Games.
