(* Theorem 5 of docs/proofs.md for n = 3: no 3 by 3 grid scores 27. A search tries all grids whose 27 sums are different and at
   most 27; it is proven that it misses none, and Coq runs it. *)
From mathcomp Require Import all_ssreflect zify.
From Quet Require Import SumsGrid SumsGridCounting SumsGridValues SumsGridFewWasted.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Search.
Variables (n most : nat).      (* the side, and the largest sum *)

(* Numbers are written row by row. `before` are those before a new one, the last one first: these stand in its row and column. *)
Fixpoint in_column rows (before : seq nat) : seq nat :=
  if rows is rows'.+1 then nth 0 before n.-1 :: in_column rows' (drop n before) else [::].
Definition row_before (before : seq nat) := take (size before %% n) before.
Definition column_before (before : seq nat) := in_column (size before %/ n) before.
(* the sums of the runs that end with a new number: so much, and the line back from it *)
Fixpoint sums_back total (line : seq nat) : seq nat := if line is k :: rest then k + total :: sums_back (k + total) rest else [::].
Definition new_sums x (before : seq nat) := x :: sums_back x (row_before before) ++ sums_back x (column_before before).
Fixpoint all_new before (numbers : seq nat) : seq nat :=
  if numbers is x :: rest then new_sums x before ++ all_new (x :: before) rest else [::].

(* `used` says of each sum whether it was met; what is too large counts as met. *)
Fixpoint fits (used : seq bool) total (line : seq nat) : option (seq bool) :=
  if line is k :: rest then
    let sum := k + total in if nth true used sum then None else fits (set_nth true used sum true) sum rest
  else Some used.
Fixpoint some_grid left before used : bool :=
  if left is left'.+1 then
    let row := row_before before in let column := column_before before in
    some (fun x => if nth true used x then false else
                   if fits (set_nth true used x true) x row is Some used1 then
                     if fits used1 x column is Some used2 then some_grid left' (x :: before) used2 else false
                   else false) (iota 1 most)
  else true.

Definition marks used (new : seq nat) used' := forall v, nth true used' v = (v \in new) || nth true used v.
Lemma marks_one used v : marks used [:: v] (set_nth true used v true).
Proof. by move=> w; rewrite nth_set_nth inE /=; case: eqP. Qed.
Lemma marks_cat used new used' new' used'' : marks used new used' -> marks used' new' used'' -> marks used (new ++ new') used''.
Proof. by move=> is_used is_used' v; rewrite is_used' is_used mem_cat orbA [_ || (v \in new)]orbC. Qed.
Lemma fits_all used total line : uniq (sums_back total line) -> {in sums_back total line, forall v, nth true used v = false} ->
  exists2 used', fits used total line = Some used' & marks used (sums_back total line) used'.
Proof.
elim: line total used => [|k line IH] total used /=; first by move=> _ _; exists used.
move=> /andP[out u] free; rewrite free ?mem_head //.
have [|used' -> is_used] := IH (k + total) (set_nth true used (k + total) true) u.
  move=> v at_new; rewrite marks_one inE; case: eqP => [e|_] /=; last by rewrite free // inE at_new orbT.
  by rewrite e (negbTE out) in at_new.
by exists used' => //; apply: (marks_cat (marks_one used (k + total)) is_used).
Qed.

Lemma some_gridS left before used : some_grid left.+1 before used =
  has (fun x => if nth true used x then false else
                if fits (set_nth true used x true) x (row_before before) is Some used1 then
                  if fits used1 x (column_before before) is Some used2 then some_grid left (x :: before) used2 else false
                else false) (iota 1 most).
Proof. by rewrite -some_has. Qed.
Lemma some_grid_complete before numbers used : uniq (all_new before numbers) ->
  {in all_new before numbers, forall v, (0 < v <= most) && ~~ nth true used v} -> some_grid (size numbers) before used.
Proof.
elim: numbers before used => // x numbers IH before used.
rewrite -[all_new before _]/(new_sums x before ++ all_new (x :: before) numbers) cat_uniq => /and3P[u apart u'] free.
have free' v : v \in new_sums x before -> nth true used v = false.
  by move=> at_new; have := free v; rewrite mem_cat at_new => /(_ isT)/andP[_ /negbTE].
rewrite some_gridS; apply/hasP; exists x.
  by rewrite mem_iota; have := free x; rewrite mem_cat mem_head => /(_ isT)/andP[range _]; lia.
rewrite free' ?mem_head //; move: u; rewrite /new_sums -cat1s catA cat_uniq => /and3P[u_row apart_row u_column].
have m1 := marks_one used x.
have [|v at_row|used1 -> m2] := @fits_all (set_nth true used x true) x (row_before before); first by case/andP: u_row.
  have -> : (nth true (set_nth true used x true) v) = (v == x) by rewrite m1 free' ?orbF ?inE // mem_cat at_row orbT.
  by case: eqP => // e; case/andP: u_row; rewrite -{1}e at_row.
have m12 := marks_cat m1 m2.
have [//|v at_column|used2 -> m3] := @fits_all used1 x (column_before before).
  by rewrite m12 free' ?orbF; [apply/negbTE; apply: (hasPn apart_row)|rewrite inE mem_cat at_column !orbT].
apply: IH => // v at_rest; have := free v; rewrite mem_cat at_rest orbT => /(_ isT)/andP[-> /negbTE not_used].
by rewrite (marks_cat m12 m3) not_used orbF -catA cat1s; apply: (hasPn apart).
Qed.
End Search.

(* where the sums of the search stand among those of the grid *)
Definition places :=
  [:: 0; 3; 1; 5; 4; 2; 6; 18; 9; 7; 21; 11; 10; 8; 24; 12; 20; 19; 15; 13; 23; 22; 17; 16; 14; 26; 25].
Lemma all_new_are a : all_new 3 [::] [seq a i j | i <- iota 0 3, j <- iota 0 3] = [seq nth 0 (grid_sums 3 a) k | k <- places].
Proof. by rewrite /= !add0n !addnA. Qed.

(* Coq runs the search here. *)
Lemma none_found : some_grid 3 27 9 [::] (true :: nseq 27 false) = false.
Proof. vm_cast_no_check (erefl false). Qed.

Lemma three_impossible a : {subset iota 1 27 <= grid_sums 3 a} -> False.
Proof.
move=> all_in; have perm : perm_eq (grid_sums 3 a) (iota 1 27) by apply: (@sums_perm 3 a).
have in_range k : k < 27 -> 0 < nth 0 (grid_sums 3 a) k <= 27.
  move=> k_27; have : nth 0 (grid_sums 3 a) k \in iota 1 27 by rewrite -(perm_mem perm) mem_nth // size_grid_sums.
  by rewrite mem_iota; move: (nth _ _ _) => v; lia.
have places_small k : k \in places -> k < 27 by apply/allP: k.
have := none_found; rewrite (@some_grid_complete 3 27 [::] [seq a i j | i <- iota 0 3, j <- iota 0 3]) // all_new_are.
  rewrite map_inj_in_uniq // => k l /places_small k_27 /places_small l_27 /eqP.
  by rewrite nth_uniq ?size_grid_sums // ?(perm_uniq perm) ?iota_uniq // => /eqP.
move=> v /mapP[k /places_small/in_range range ->]; rewrite range.
by case: (nth 0 _ k) range => // v' range; rewrite -[nth _ _ _]/(nth true (nseq 27 false) v') nth_nseq; case: ifP => //; lia.
Qed.

Theorem Theorem_5_three s : sums_score 3 s < 27.
Proof.
rewrite ltnNge; apply/negP=> high; apply: (@three_impossible (fun i j => number s (i * 3 + j))) => x; rewrite mem_iota => range.
apply: all_sums_sub; apply: (@count_up_all (size (all_sums 3 s)) 0); rewrite -/(sums_score 3 s); lia.
Qed.
