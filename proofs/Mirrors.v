(* Strategies in Plusses And Minuses that reply by images: the player who replies copies the predictions of the other
   one, and answers the square in column c and row h by the square in the image of row h and the image of column c. *)
From mathcomp Require Import all_ssreflect zify.
Require Import ZArith Lia.
From Quet Require Import Game PlussesMinuses.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* ---- filled squares, no two in one row or column *)
Section Squares.
Variable n : nat.
Definition valid (f : seq (nat * nat)) :=
  [&& uniq (unzip1 f), uniq (unzip2 f), all (fun x => x.1 < n) f & all (fun x => x.2 < n) f].

Lemma valid_cons x f : valid (x :: f) = [&& x.1 < n, x.2 < n, x.1 \notin unzip1 f, x.2 \notin unzip2 f & valid f].
Proof. by rewrite /valid /=; do 4 case: (_ \notin _) || case: (_ < n); rewrite ?andbF. Qed.

Lemma valid_size f : valid f -> size f <= n.
Proof.
case/and4P=> u _ /allP below _; rewrite -(size_map fst) -[X in _ <= X](size_iota 0 n).
by apply: uniq_leq_size => // c /mapP[x /below ? ->]; rewrite mem_iota.
Qed.

Lemma height_eq l f c h : valid f -> (c, h) \in f -> height (PmState l f) c = Some h.
Proof.
rewrite /height /=; elim: f => //= x f IH; rewrite valid_cons => /and5P[_ _ notin _ ok].
rewrite inE => /orP[/eqP<- /=|at_f]; first by rewrite eqxx.
case: eqP => [eq|_]; last exact: IH.
by case/negP: notin; rewrite eq; apply: (map_f fst at_f).
Qed.

Lemma column_eq l f c h : valid f -> (c, h) \in f -> column (PmState l f) h = Some c.
Proof.
rewrite /column /=; elim: f => //= x f IH; rewrite valid_cons => /and5P[_ _ _ notin ok].
rewrite inE => /orP[/eqP<- /=|at_f]; first by rewrite eqxx.
case: eqP => [eq|_]; last exact: IH.
by case/negP: notin; rewrite eq; apply: (map_f snd at_f).
Qed.

Lemma height_none s c : (height s c == None) = (c \notin unzip1 (filled s)).
Proof.
rewrite /height; elim: (filled s) => //= x f IH; rewrite inE negb_or -IH (eq_sym c).
by case: (x.1 == c).
Qed.
Lemma column_none s h : (column s h == None) = (h \notin unzip2 (filled s)).
Proof.
rewrite /column; elim: (filled s) => //= x f IH; rewrite inE negb_or -IH (eq_sym h).
by case: (x.2 == h).
Qed.

Lemma free_squaresP s x : (x \in free_squares n s) =
  [&& x.1 < n, x.2 < n, x.1 \notin unzip1 (filled s) & x.2 \notin unzip2 (filled s)].
Proof.
apply/allpairsP/and4P => [[[h c]]|[c_n h_n free_c free_h]].
  rewrite !mem_filter !mem_iota height_none column_none /= add0n.
  by case=> /andP[free_h h_n] /andP[free_c c_n] ->.
exists (x.2, x.1); rewrite !mem_filter !mem_iota height_none column_none free_c free_h /= add0n.
by case: (x) c_n h_n.
Qed.

(* a line is free if there are fewer squares than lines *)
Lemma some_free (l : seq nat) : size l < n -> exists2 d, d < n & d \notin l.
Proof.
move=> less; have [/allP all_in|/allPn[d]] := boolP (all (mem l) (iota 0 n)).
  by have := uniq_leq_size (iota_uniq 0 n) all_in; rewrite size_iota leqNgt less.
by rewrite mem_iota => /= d_n free; exists d.
Qed.

(* in a full grid every column has a square *)
Lemma full_column f c : valid f -> size f = n -> c < n -> exists h, (c, h) \in f.
Proof.
case/and4P=> u _ /allP below _ full c_n; suff: c \in unzip1 f by case/mapP=> -[c' h] at_f ->; exists h.
apply: contraT => free; have: uniq (c :: unzip1 f) by rewrite /= free.
move/(@uniq_leq_size _ _ (iota 0 n)); rewrite /= size_map size_iota full ltnn; apply=> d.
by rewrite inE mem_iota => /orP[/eqP->|/mapP[x /below ? ->]].
Qed.
End Squares.

(* ---- copied predictions: at the places that are p's, p repeats the symbol before, and begins with - *)
Definition is_place_of p k := if p is P1 then ~~ odd k else odd k.
Definition copied p (l : seq bool) := forall k, k < size l -> is_place_of p k ->
  nth false l k = if k is k'.+1 then nth false l k' else false.

Lemma copied_rcons p l x : copied p l ->
  (is_place_of p (size l) -> x = last false l) -> copied p (rcons l x).
Proof.
move=> cp eq k; rewrite size_rcons ltnS => le mine.
have := le; rewrite leq_eqVlt => /orP[/eqP same|less].
  rewrite nth_rcons same ltnn eqxx eq -?same //; case: k {le mine} same => [|k] same.
    by case: (l) same.
  by rewrite nth_rcons -same ltnSn -(nth_last false) -same.
rewrite nth_rcons less cp //; case: k less {le mine} => // k less.
by rewrite nth_rcons (ltnW less).
Qed.

Section Replies.
Variables (n : nat) (first : player).
Variables (row_of column_of : nat -> nat).  (* the row that is the image of a column, the column that is that of a row *)
Hypothesis row_lt : forall c, c < n -> row_of c < n.
Hypothesis column_lt : forall h, h < n -> column_of h < n.
Hypothesis column_of_row : forall c, c < n -> column_of (row_of c) = c.
Hypothesis row_of_column : forall h, h < n -> row_of (column_of h) = h.
Variable p : player.  (* who replies *)
Hypothesis n_big : 1 < n.

Definition image (x : nat * nat) := (column_of x.2, row_of x.1).
Definition closed (f : seq (nat * nat)) := forall x, x \in f -> image x \in f.

Lemma imageK x : x.1 < n -> x.2 < n -> image (image x) = x.
Proof. by case: x => c h c_n h_n; rewrite /image /= column_of_row // row_of_column. Qed.

(* while images are closed, the free columns are the images of the free rows *)
Lemma image_free f c : closed f -> valid n f -> c < n -> (row_of c \in unzip2 f) = (c \in unzip1 f).
Proof.
move=> cl /and4P[_ _ _ /allP below] c_n; apply/mapP/mapP=> -[x at_f eq].
  by exists (image x); [apply: cl|rewrite /= -eq column_of_row].
by exists (image x); [apply: cl|rewrite /= -eq].
Qed.

Lemma image_valid x f : closed f -> image x != x -> valid n (x :: f) -> valid n (image x :: x :: f).
Proof.
case: x => c h cl differ ok; move: (ok); rewrite valid_cons => /= /and5P[c_n h_n free_c free_h ok_f].
rewrite valid_cons ok /= column_lt // row_lt //= !inE !negb_or image_free // free_c.
rewrite -(image_free cl ok_f (column_lt h_n)) row_of_column // free_h !andbT.
apply/andP; split; apply: contra differ => /eqP eq; rewrite /image /=.
  by rewrite -eq row_of_column.
by rewrite -eq column_of_row.
Qed.

Lemma closed_both x f : closed f -> x.1 < n -> x.2 < n -> closed (image x :: x :: f).
Proof.
by move=> cl c_n h_n y; rewrite !inE => /or3P[/eqP->|/eqP->|/cl->]; rewrite ?imageK ?eqxx ?orbT.
Qed.

Lemma closed_own x f : closed f -> image x = x -> closed (x :: f).
Proof. by move=> cl own y; rewrite !inE => /orP[/eqP->|/cl->]; rewrite ?own ?eqxx ?orbT. Qed.

(* What p keeps in the second part: all images are filled, or p is to move and the last square alone has no image. If p
   begins, the first square is that of column 0 which is its own image. *)
Definition squares_kept s :=
  [/\ valid n (filled s), p = first -> (0, row_of 0) \in filled s \/ filled s = [::] &
      closed (filled s) \/ pm_mover n first s = p /\
        exists x f, [/\ filled s = x :: f, closed f & image x != x]].
Definition kept s :=
  [/\ copied p (predicted s), size (predicted s) <= 2 * n.-1 &
      if is_predicting n s then filled s = [::] else squares_kept s].
Definition moves_left s := (2 * n.-1 - size (predicted s)) + (n - size (filled s)).

Lemma kept_predicting s x : is_predicting n s -> kept s ->
  (is_place_of p (size (predicted s)) -> x = last false (predicted s)) -> kept (pm_play s (Predict x)).
Proof.
move=> pred [cp le none] eq; split; first exact: copied_rcons.
  by rewrite size_rcons.
rewrite pred in none; rewrite /= none; case: ifP => // _; split=> //=; [by right|by left].
Qed.

Lemma place_mover s : is_predicting n s ->
  is_place_of p (size (predicted s)) = is_player (pm_mover n first s) p.
Proof. by rewrite /pm_mover /is_place_of => ->; case: p; case: (odd _). Qed.

(* a column that is free: the first one if none is filled *)
Lemma free_column (f : seq (nat * nat)) : size f < n -> exists d, [/\ d < n, d \notin unzip1 f & f = [::] -> d = 0].
Proof.
case: f => [|x f] less; first by exists 0; split=> //; lia.
by have [|d d_n free] := @some_free n (unzip1 (x :: f)); rewrite ?size_map //; exists d.
Qed.

Theorem replies_hold (good : pm_state -> Prop) :
  (forall s, copied p (predicted s) -> size (predicted s) = 2 * n.-1 -> valid n (filled s) -> size (filled s) = n ->
    closed (filled s) -> (p = first -> (0, row_of 0) \in filled s) -> good s) ->
  holds (g := pm n first) p good pm_start.
Proof.
move=> ends; apply: (@keep (pm n first) p good kept moves_left); last first.
- by split=> //; rewrite /is_predicting /=; have -> : 0 < 2 * n.-1 by lia.
- (* the opponent moves *)
  move=> s ks going turn; have [cp le] := ks; rewrite /= /pm_legal_moves.
  have [pred none|filling [ok own shape]] := boolP (is_predicting n s).
    split=> // m; rewrite !inE => legal; have [x ->] : exists x, m = Predict x.
      by case/orP: legal => /eqP->; [exists true|exists false].
    apply: kept_predicting => //; rewrite place_mover // (turn : pm_mover n first s = _); by case: (p).
  have less : size (filled s) < n.
    by move: going (valid_size ok); rewrite /= /pm_is_over filling /= ltn_neqAle => -> ->.
  have [c [c_n c_free _]] := free_column less.
  have [|h h_n h_free] := @some_free n (unzip2 (filled s)); first by rewrite size_map.
  split.
    have : (c, h) \in free_squares n s by rewrite free_squaresP c_n h_n c_free h_free.
    by case: (free_squares n s).
  move=> m /mapP[x]; rewrite free_squaresP => /and4P[x1 x2 f1 f2] ->; split=> //.
  rewrite [is_predicting _ _](_ : _ = is_predicting n s) // (negbTE filling).
  have {shape} cl : closed (filled s).
    by case: shape => // -[turn']; move: turn; rewrite /= turn'; case: (p).
  split; first by rewrite /= -surjective_pairing valid_cons x1 x2 f1 f2.
  + move=> eq; case: (own eq) => [i|none]; first by left; rewrite inE i orbT.
    by move: turn; rewrite /= /pm_mover (negbTE filling) none /= -eq; case: (p).
  + rewrite /= -surjective_pairing.
    have [fixed|moved] := altP (image x =P x); first by left; apply: closed_own.
    right; split; last by exists x, (filled s).
    move: turn; rewrite /= /pm_mover [is_predicting n (PmState _ _)](_ : _ = is_predicting n s) //.
    by rewrite (negbTE filling) /=; case: (odd _); case: (p) (first) => [] [].
- (* p replies *)
  move=> s ks going turn; have [cp le] := ks; rewrite /= /pm_legal_moves.
  have [pred none|filling [ok own shape]] := boolP (is_predicting n s).
    exists (Predict (last false (predicted s))); first by case: (last _ _).
    exact: kept_predicting.
  have less : size (filled s) < n.
    by move: going (valid_size ok); rewrite /= /pm_is_over filling /= ltn_neqAle => -> ->.
  have legal x : valid n (x :: filled s) -> Fill x.1 x.2 \in [seq Fill x.1 x.2 | x <- free_squares n s].
    by rewrite valid_cons => /and5P[? ? ? ? _]; apply/mapP; exists x => //; rewrite free_squaresP; apply/and4P.
  case: shape => [cl|[_ [x [f [eq cl moved]]]]].
    have [d [d_n d_free d_0]] := free_column less.
    have ok' : valid n ((d, row_of d) :: filled s).
      by rewrite valid_cons /= d_n row_lt // d_free image_free // d_free.
    exists (Fill d (row_of d)); first exact: legal ok'.
    split=> //; rewrite [is_predicting _ _](_ : _ = is_predicting n s) // (negbTE filling).
    split=> //=; last by left; apply: closed_own => //; rewrite /image /= column_of_row.
    by move=> e; left; case: (own e) => [i|/d_0->]; rewrite inE ?i ?orbT ?eqxx.
  rewrite eq in ok own; have ok' := image_valid cl moved ok.
  exists (Fill (image x).1 (image x).2); first by apply: legal; rewrite eq.
  split=> //; rewrite [is_predicting _ _](_ : _ = is_predicting n s) // (negbTE filling).
  split; rewrite /= ?eq // -?surjective_pairing //.
    by move=> e; left; case: (own e) => // i; rewrite inE i orbT.
  by left; move: ok; rewrite valid_cons => /and3P[? ? _]; apply: closed_both.
- (* the game gets shorter *)
  move=> s m [_ le] shape going; rewrite /= /pm_legal_moves /moves_left.
  move: shape; have [pred _|filling [ok _ _]] := boolP (is_predicting n s).
    by rewrite !inE => /orP[] /eqP-> /=; rewrite size_rcons; move: pred; rewrite /is_predicting; lia.
  have less : size (filled s) < n.
    by move: going (valid_size ok); rewrite /= /pm_is_over filling /= ltn_neqAle => -> ->.
  by case/mapP=> x _ -> /=; lia.
- (* the end *)
  move=> s [cp le]; case: ifP => [pred _|filling [ok own shape]]; rewrite /= /pm_is_over.
    by rewrite pred.
  rewrite filling => /eqP full; have predicted_all : size (predicted s) = 2 * n.-1.
    by move: filling; rewrite /is_predicting; lia.
  apply: ends => //.
    case: shape => // -[_ [x [f [eq cl moved]]]]; rewrite eq in ok full.
    by have := valid_size (image_valid cl moved ok); rewrite /= -/(size (x :: f)) full ltnn.
  by move=> /own[] // none; move: full n_big; rewrite none => <-.
Qed.
End Replies.
