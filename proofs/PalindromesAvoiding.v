(* Lemma 5 of docs/proofs.md: a player who replies in pairs, and breaks a rule now and then so that no part of a bad row
   comes about; and a function that looks whether this holds a limit, with the proof that it is right. *)
From mathcomp Require Import all_ssreflect zify.
Require Import ZArith Lia.
From Quet Require Import Game Palindromes PalindromesFast PalindromesPairings PalindromesSearch.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Avoiding.
Variables (m : nat) (P : pairing) (parts : seq row) (limit : Z).
Notation p := (partner_of P).

(* the opponent, who wants palindromes (false) or antipalindromes (true), leads by this where player 1 leads by v *)
Definition opponent_differs := if replier P is P2 then false else true.
Definition opponents_lead := lead_of opponent_differs.
Definition fine (v : Z) := (opponents_lead v <=? limit)%Z.
(* what is said of all rows that begin so, if the opponent's lead stays below v in them *)
Definition cut T (v : Z) (said : T) t w := if stays_below opponent_differs v t w then Some said else None.

(* ok has to be true where the limit is kept *)
Definition every ok (r : row) := search (fun a b => a && b tt) ok (cut (limit + 1) true) m (steps m P r) blank.

Definition has_part (r q : row) := all (fun i => (nth None q i == None) || (nth None r i == nth None q i)) (iota 0 m).

(* no row that keeps the rules from here on is bad *)
Definition within := every (fun _ => fine).

(* the pairs of S filled as in d, but for square s *)
Definition broken (r : row) (S : seq nat) (d : seq bool) s : row :=
  [seq if i == s then Some (~~ nth false d i)
       else if (i \in S) || (p i \in S) then Some (nth false d i) else nth None r i | i <- iota 0 m].

(* Among the pairs of S, named by one square each, are some that the opponent can't fill all as in d. *)
Fixpoint can_be_left fuel (r : row) (d : seq bool) (S : seq nat) : bool :=
  if fuel is fuel'.+1 then
    let kept := [seq s <- S | within (broken r S d s) && within (broken r S d (p s))] in
    if size kept < size S then can_be_left fuel' r d kept else S != [::]
  else false.
Definition free_pairs (r : row) := [seq i <- iota 0 m | (nth None r i == None) && (i < p i)].

Definition held (r : row) :=
  every (fun l v => fine v || can_be_left m.+1 r (rev l) (free_pairs r)) r.

Definition fill (r : row) i x := set_nth None (set_nth None r i (Some x)) (p i) (Some (differ_of P i (+) x)).
Definition flip (r : row) j := set_nth None r j (omap negb (nth None r j)).

(* whether one of the two digits in square j can be held, with these other pairs free or filled by their rules *)
Fixpoint has_reply (r : row) j (others : seq nat) : bool :=
  within (flip r j) ||
  match others with
  | [::] => held r || held (flip r j)
  | k :: rest => [&& has_reply r j rest, has_reply (fill r k false) j rest & has_reply (fill r k true) j rest]
  end.

Definition keeps_rules (r : row) := (size r == m) && all (fun i =>
  if is_first P i then nth None r i == omap snd (first P)
  else nth None r (p i) == omap (addb (differ_of P i)) (nth None r i)) (iota 0 m).
Definition good_part (q : row) := keeps_rules q && has (fun i => isSome (nth None q i) && ~~ is_first P i) (iota 0 m).
Definition is_avoided (q : row) :=
  all (fun j => [|| nth None q j == None, is_first P j | has_reply q j (free_pairs q)]) (iota 0 m).

(* the opponent's best lead in rows that keep the rules and have no part; for others, and below the limit, something less than it *)
Definition lead_without_parts (l : seq bool) v := let w := opponents_lead v in
  if (limit <=? w)%Z && has (has_part (full (rev l))) parts then (limit - 1)%Z else w.
Definition best_without_parts :=
  search (fun a b => Z.max a (b tt)) lead_without_parts (cut limit (limit - 1)%Z) m (steps m P (begun m P)) blank.

Definition avoiding_right :=
  [&& good_pairing m P, all good_part parts, all is_avoided parts & (best_without_parts =? limit)%Z].

(* ---- that this is right *)
Hypothesis good_P : good_pairing m P.
Let each i : i < m -> [/\ p i < m, p (p i) = i, differ_of P (p i) = differ_of P i & (p i == i) = is_first P i].
Proof.
by move=> less; case/andP: good_P => /allP /(_ i) + _; rewrite mem_iota less => /(_ isT) /and4P[? /eqP ? /eqP ? /eqP ?].
Qed.

(* `within` says this, and it can be decided *)
Definition all_fine (r : row) := [forall d : m.-tuple bool, completes m P r d ==> fine (lead (g := pal) (full d))].

Lemma below_right v (e e' : seq bool) : stays_below opponent_differs v (size e') (foldl write blank e) ->
  (opponents_lead (lead (g := pal) (full (e ++ e'))) < v)%Z.
Proof. by rewrite -written_right foldl_cat; apply: stays_below_right; apply: has_lengths_written. Qed.

Lemma every_right (ok : seq bool -> Z -> bool) (r : row) (d : seq bool) : (forall l v, fine v -> ok l v) -> every ok r -> whole m P r -> size d = m -> completes m P r d ->
  ok (rev d) (lead (g := pal) (full d)).
Proof.
move=> fine_ok yes wh sz compl; move: yes; rewrite /every.
apply: (@search_reaches m P good_P bool (fun a b => b -> a) (fun a b => a && b tt) ok _ r d) => //.
- by move=> a b c ok_a /andP[/ok_a].
- by move=> a b c ok_a /andP[_ /ok_a].
move=> e e' c; rewrite /cut; case: ifP => // /below_right less _ _; apply: fine_ok; apply/Z.leb_le; lia.
Qed.

Lemma within_all_fine r : whole m P r -> within r -> all_fine r.
Proof.
move=> wh yes; apply/forallP => d; apply/implyP => compl.
exact: (@every_right (fun _ => fine) r d (fun _ v ok => ok) yes wh (size_tuple d) compl).
Qed.

(* S has both squares of its pairs here *)
Definition left_by (r : row) (d : seq bool) (S : seq nat) :=
  [/\ S != [::], (forall s, s \in S -> [/\ s < m, nth None r s = None & p s \in S]) &
    forall s, s \in S -> all_fine (broken r S d s)].
Definition is_held (r : row) := forall d : m.-tuple bool, completes m P r d -> ~~ fine (lead (g := pal) (full d)) ->
  exists S, left_by r d S.

Lemma completesP (r : row) (d : seq bool) : reflect (forall i, i < m ->
    if nth None r i is Some x then nth false d i = x else nth false d (p i) = differ_of P i (+) nth false d i)
  (completes m P r d).
Proof.
apply: (iffP allP) => [compl i i_m|compl i]; last first.
  by rewrite mem_iota => /andP[_ i_m]; have := compl _ i_m; case: nth => [x|] ->.
by have := compl i; rewrite mem_iota i_m => /(_ isT); case: nth => [x|] /eqP.
Qed.

(* r' is r with some more squares filled, in pairs and by the rules *)
Definition extends (r r' : row) := forall i, i < m -> nth None r' i = nth None r i \/
  nth None r i = None /\ exists b, nth None r' i = Some b /\ nth None r' (p i) = Some (differ_of P i (+) b).

Lemma completes_less r r' d : extends r r' -> completes m P r' d -> completes m P r d.
Proof.
move=> ext /completesP compl; apply/completesP => i i_m; have [p_m _ _ _] := each i_m.
have := compl _ i_m; case: (ext _ i_m) => [->|[-> [b [-> pb]]]] // ->.
by have := compl _ p_m; rewrite pb.
Qed.

Lemma all_fine_more r r' : extends r r' -> all_fine r -> all_fine r'.
Proof.
move=> ext /forallP yes; apply/forallP => d; apply/implyP => compl.
by have /implyP := yes d; apply; apply: completes_less compl.
Qed.

Lemma all_fine_held r : all_fine r -> is_held r.
Proof. by move=> /forallP yes d compl; have /implyP /(_ compl) -> := yes d. Qed.

Lemma whole_fill r i x y : whole m P r -> i < m -> whole m P (set_nth None (set_nth None r i (Some x)) (p i) (Some y)).
Proof.
move=> [sz wh] i_m; have [p_m pp _ _] := each i_m; split.
  by rewrite !size_set_nth sz; lia.
move=> j j_m; rewrite !nth_set_nth /= !nth_set_nth /=; have [q_m qq _ _] := each j_m.
case: eqP => // not_p; case: eqP => // not_i none; have [usual pn] := wh _ j_m none; split=> //.
case: eqP => [eq|_]; first by case: not_i; rewrite -qq eq pp.
by case: eqP => // eq; case: not_p; rewrite -eq qq.
Qed.

Lemma whole_flip r j : whole m P r -> j < m -> nth None r j != None -> whole m P (flip r j).
Proof.
move=> [sz wh] j_m some; split; first by rewrite size_set_nth sz; apply/maxn_idPr.
move=> i i_m; rewrite !nth_set_nth /=; case: eqP => [_|not_j none]; first by case: nth some.
have [usual pn] := wh _ i_m none; split=> //; case: eqP => // eq; move: some; by rewrite -eq pn.
Qed.

Lemma flip_set r j y : flip (set_nth None r j (Some y)) j = set_nth None r j (Some (~~ y)).
Proof. by rewrite /flip nth_set_nth /= eqxx set_set_nth eqxx. Qed.

Lemma nth_broken r S d s i : i < m -> nth None (broken r S d s) i =
  if i == s then Some (~~ nth false d i)
  else if (i \in S) || (p i \in S) then Some (nth false d i) else nth None r i.
Proof. by move=> i_m; rewrite (nth_map 0) ?size_iota // nth_iota. Qed.

Lemma whole_broken r S d s : whole m P r -> s < m -> (s \in S) || (p s \in S) -> whole m P (broken r S d s).
Proof.
move=> [sz wh] s_m s_S; split; first by rewrite size_map size_iota.
move=> i i_m; rewrite nth_broken //; case: eqP => // not_s; case: ifP => // out none.
have [usual pn] := wh _ i_m none; split=> //; have [p_m pp _ _] := each i_m.
rewrite nth_broken // pp orbC out; case: eqP => // eq.
by move: s_S; rewrite -eq pp orbC out.
Qed.

Lemma can_be_left_right fuel r d S : whole m P r -> all (fun s => (s < m) && (nth None r s == None)) S ->
  can_be_left fuel r d S -> exists S', left_by r d S'.
Proof.
move=> wh; elim: fuel S => //= fuel IH S /allP S_free; case: ifP => [_ yes|same some].
  by apply: IH yes; apply/allP => s; rewrite mem_filter => /andP[_ /S_free].
have /all_filterP ok : all (fun s => within (broken r S d s) && within (broken r S d (p s))) S.
  by rewrite all_count eqn_leq count_size -size_filter leqNgt same.
have {}ok s : s \in S -> within (broken r S d s) && within (broken r S d (p s)).
  by rewrite -{1}ok mem_filter => /andP[].
exists (S ++ [seq p s | s <- S]).
have mem i : i < m -> (i \in S ++ [seq p s | s <- S]) = (i \in S) || (p i \in S).
  move=> i_m; have [_ pp _ _] := each i_m; rewrite mem_cat; congr (_ || _).
  apply/mapP/idP => [[s s_S ->]|p_S]; last by exists (p i).
  by have /andP[s_m _] := S_free _ s_S; have [_ -> _ _] := each s_m.
have in_S s : s \in S ++ [seq p s | s <- S] -> [/\ s < m, nth None r s = None & (s \in S) || (p s \in S)].
  rewrite mem_cat => /orP[s_S|/mapP[s' s_S ->]].
    by have /andP[-> /eqP ->] := S_free _ s_S; rewrite s_S.
  have /andP[s_m /eqP none] := S_free _ s_S; have [p_m pp _ _] := each s_m.
  by have [_ /(_ _ s_m none) [_ ->]] := wh; rewrite pp s_S orbT.
split.
- by move: some; case: (S).
- move=> s /in_S[s_m none s_S]; split=> //; have [p_m pp _ _] := each s_m.
  by rewrite mem // pp orbC.
- move=> s /in_S[s_m none s_S].
  have -> : broken r (S ++ [seq p s | s <- S]) d s = broken r S d s.
    apply: (@eq_from_nth _ None); first by rewrite !size_map.
    move=> i; rewrite size_map size_iota => i_m; rewrite !nth_broken // !mem //.
      by have [_ pp _ _] := each i_m; rewrite pp [(p i \in S) || _]orbC orbb.
    by have [] := each i_m.
  apply: within_all_fine; first exact: whole_broken.
  case/orP: s_S => [/ok/andP[] //|/ok/andP[_]].
  by have [_ -> _ _] := each s_m.
Qed.

Lemma held_right r : whole m P r -> held r -> is_held r.
Proof.
move=> wh yes d compl bad.
have : fine (lead (g := pal) (full d)) || can_be_left m.+1 r (rev (rev d)) (free_pairs r).
  apply: (@every_right (fun l v => fine v || can_be_left m.+1 r (rev l) (free_pairs r)) r d _ yes wh (size_tuple d) compl).
  by move=> l v ->.
rewrite (negbTE bad) revK orFb; apply: can_be_left_right => //; apply/allP => s; rewrite mem_filter mem_iota add0n => /andP[/andP[-> _] /andP[_ ->]].
exact: isT.
Qed.

(* From a position that is held, there is a reply to one that is held. *)
Lemma reply_held r i x : whole m P r -> is_held r -> i < m -> nth None r i = None ->
  exists y, is_held (set_nth None (set_nth None r i (Some x)) (p i) (Some y)).
Proof.
move=> wh hold i_m none; have [p_m pp dp own] := each i_m.
have [sz /(_ _ i_m none) [usual pn]] := wh; rewrite (negbTE usual) in own.
set y := differ_of P i (+) x; pose row_of y' := set_nth None (set_nth None r i (Some x)) (p i) (Some y').
have nth_row y' j : nth None (row_of y') j = if j == p i then Some y' else if j == i then Some x else nth None r j.
  by rewrite /row_of !nth_set_nth /= !nth_set_nth.
have [fine_other|not_fine] := boolP (all_fine (row_of (~~ y))); first by exists (~~ y); apply: all_fine_held.
exists y; rewrite -/(row_of y) => d compl bad.
have ext : extends r (row_of y).
  move=> j j_m; rewrite !nth_row; case: eqP => [->|not_p]; first by right; split=> //; exists y; split=> //;
    rewrite pp eqxx eq_sym own dp /y addKb.
  case: eqP => [->|_]; last by left.
  by right; split=> //; exists x; rewrite eqxx.
have [S [S_some S_free S_fine]] := hold _ (completes_less ext compl) bad.
have d_i : nth false d i = x.
  by have /completesP /(_ _ i_m) := compl; rewrite nth_row eqxx eq_sym own.
have d_p : nth false d (p i) = y.
  by have /completesP /(_ _ p_m) := compl; rewrite nth_row eqxx.
have p_inj j : j < m -> (p j == i) = (j == p i).
  by move=> j_m; have [_ qq _ _] := each j_m; apply/eqP/eqP => [<-|->]; rewrite ?qq.
pose S' := [seq s <- S | (s != i) && (s != p i)].
have [S'_none|S'_some] := eqVneq S' [::].
  (* the last pair of S: the other digit would have been fine *)
  have only s : s \in S -> (s == i) || (s == p i).
    move=> s_S; apply/negPn/negP; rewrite negb_or => not_it.
    have in_S' : s \in S' by rewrite mem_filter not_it.
    by rewrite S'_none in in_S'.
  have [s s_S] : exists s, s \in S by case: (S) S_some => // s ? _; exists s; apply: mem_head.
  have p_S : p i \in S.
    by have [s_m _ ps_S] := S_free _ s_S; case/orP: (only _ s_S) => /eqP eq; rewrite eq // in s_S ps_S.
  have i_S : i \in S by have [_ _] := S_free _ p_S; rewrite pp.
  case/negP: not_fine; have := S_fine _ p_S.
  suff -> : broken r S d (p i) = row_of (~~ y) by [].
  apply: (@eq_from_nth _ None).
    by rewrite size_map size_iota; case: (whole_fill x (~~ y) wh i_m).
  move=> j; rewrite size_map size_iota => j_m; rewrite nth_broken // nth_row.
  case: eqP => [->|/eqP not_p]; first by rewrite d_p.
  case: eqP => [->|/eqP not_i]; first by rewrite i_S d_i.
  case: ifP => // /orP[/only|/only]; first by rewrite (negbTE not_p) (negbTE not_i).
  rewrite p_inj // (negbTE not_p) /=.
  have [_ qq _ _] := each j_m => /eqP eq; by rewrite -qq eq pp eqxx in not_i.
(* otherwise those pairs of S that are still free *)
exists S'; split=> //.
  move=> s; rewrite mem_filter => /andP[/andP[not_i not_p] s_S]; have [s_m s_none ps_S] := S_free _ s_S.
  split=> //; first by rewrite nth_row (negbTE not_i) (negbTE not_p).
  rewrite mem_filter ps_S andbT p_inj // not_p /=; apply/eqP => eq.
  by have [_ qq _ _] := each s_m; rewrite -qq eq pp eqxx in not_i.
move=> s; rewrite mem_filter => /andP[/andP[not_i not_p] s_S].
have p_in k : k < m -> (p k \in S) = (k \in S).
  move=> k_m; have [_ kk _ _] := each k_m.
  by apply/idP/idP => k_S; have [_ _] := S_free _ k_S; rewrite ?kk.
have p_in' k : k < m -> (p k \in S') = (k \in S').
  move=> k_m; have [_ kk _ _] := each k_m; rewrite !mem_filter p_in // p_inj //.
  have -> : (p k == p i) = (k == i) by apply/eqP/eqP => [eq|-> //]; rewrite -kk eq pp.
  by congr (_ && _); rewrite andbC.
have at_i : nth None (broken (row_of y) S' d s) i = Some x.
  by rewrite nth_broken // eq_sym (negbTE not_i) p_in' // orbb mem_filter eqxx nth_row eqxx eq_sym own.
have at_p : nth None (broken (row_of y) S' d s) (p i) = Some y.
  by rewrite nth_broken // eq_sym (negbTE not_p) pp (p_in' _ i_m) orbb mem_filter eqxx nth_row eqxx.
apply: all_fine_more (S_fine _ s_S) => j j_m.
have [-> {j j_m}|nj_p] := eqVneq j (p i).
  rewrite at_p nth_broken // eq_sym (negbTE not_p) pp (p_in _ i_m) orbb; case: ifP => _; first by left; rewrite d_p.
  by right; split=> //; exists y; split=> //; rewrite at_i dp /y addKb.
have [-> {j j_m nj_p}|nj_i] := eqVneq j i.
  rewrite at_i nth_broken // eq_sym (negbTE not_i) p_in // orbb; case: ifP => _; first by left; rewrite d_i.
  by right; split=> //; exists x; split=> //; rewrite at_p.
left; rewrite !nth_broken // p_in // p_in' // !orbb mem_filter nj_p nj_i /=.
by rewrite nth_row (negbTE nj_p) (negbTE nj_i).
Qed.

(* r' is r where some of these pairs are filled by their rules *)
Definition fills (others : seq nat) (r r' : row) := size r' = m /\ forall i, i < m -> nth None r' i = nth None r i \/
  [/\ (i \in others) || (p i \in others), nth None r i = None &
      exists b, nth None r' i = Some b /\ nth None r' (p i) = Some (differ_of P i (+) b)].

Lemma nth_fill r k b i : nth None (fill r k b) i =
  if i == p k then Some (differ_of P k (+) b) else if i == k then Some b else nth None r i.
Proof. by rewrite /fill !nth_set_nth /= !nth_set_nth. Qed.

Lemma has_reply_right others r j r' : whole m P r -> j < m -> nth None r j != None ->
  all (fun k => (k < m) && (nth None r k == None)) others -> uniq others ->
  all (fun k => p k \notin others) others -> fills others r r' -> has_reply r j others ->
  is_held r' \/ is_held (flip r' j).
Proof.
elim: others r => [|k rest IH] r wh j_m some free_k un apart [sz' fls] /=.
  have -> : r' = r.
    have [sz _] := wh; apply: (@eq_from_nth _ None); first by rewrite sz.
    by move=> i; rewrite sz' => /fls[//|[]].
  case/or3P=> [yes|yes|yes].
  - by right; apply/all_fine_held/within_all_fine => //; apply: whole_flip.
  - by left; apply: held_right.
  - by right; apply: held_right => //; apply: whole_flip.
case/orP=> [yes|].
  right; apply: all_fine_held; apply: all_fine_more (within_all_fine (whole_flip wh j_m some) yes) => i i_m.
  rewrite !nth_set_nth /=; have same_j : nth None r' j = nth None r j.
    by case: (fls _ j_m) => // [[_ none]]; rewrite none in some.
  case: eqP => [_|_]; first by rewrite same_j; left.
  case: (fls _ i_m) => [->|[_ none [b [r'_i r'_p]]]]; first by left.
  right; split=> //; exists b; split=> //; case: eqP => // eq.
  have [_ /(_ _ i_m none) [_]] := wh; rewrite eq => none_j; by rewrite none_j in some.
case/and3P=> keep zero one.
move: free_k un apart => /= /andP[/andP[k_m /eqP none] free_rest] /andP[k_new un] /andP[_ apart].
have [p_m pp dp own] := each k_m; have [_ wh_r] := wh; have [usual pn] := wh_r _ k_m none; rewrite (negbTE usual) in own.
have apart' : all (fun k => p k \notin rest) rest.
  by apply/allP => k' k'_in; have := allP apart _ k'_in; rewrite inE negb_or => /andP[].
case: (fls _ k_m) => [r'_k|[_ _ [b [r'_k r'_p]]]].
  rewrite none in r'_k; apply: IH keep => //; split=> // i i_m; case: (fls _ i_m) => [|[]]; first by left.
  rewrite !inE => mem_i none_i [b [r'_i r'_pi]]; right; split=> //; last by exists b.
  have [q_m qq _ _] := each i_m; move: mem_i.
  have [eq|_] := eqVneq i k; first by rewrite eq r'_k in r'_i.
  have [eq|_] := eqVneq (p i) k; first by rewrite eq r'_k in r'_pi.
  by [].
have rest_far i : i \in rest -> (i != k) && (i != p k).
  move=> i_in; apply/andP; split; first by apply: contraNneq k_new => <-.
  apply/eqP => eq; have := allP apart _ i_in; by rewrite eq pp mem_head.
have {zero one} yes : has_reply (fill r k b) j rest by case: (b).
apply: IH yes => //.
- exact: whole_fill.
- by rewrite nth_fill; case: ifP => // _; case: ifP.
- apply/allP => i i_in; have /andP[-> none_i] := allP free_rest _ i_in.
  by rewrite nth_fill; have /andP[/negbTE -> /negbTE ->] := rest_far _ i_in.
split=> // i i_m; rewrite nth_fill.
have [->|not_p] := eqVneq i (p k); first by left.
have [->|not_k] := eqVneq i k; first by left.
case: (fls _ i_m) => [|[]]; first by left.
rewrite !inE (negbTE not_k) /= => mem_i none_i set_i; right; split=> //.
have [_ qq _ _] := each i_m; move: mem_i; have [eq|_] := eqVneq (p i) k => //.
by rewrite -qq eq eqxx in not_p.
Qed.

Definition is_safe (r : row) := whole m P r /\ (keeps m P r /\ ~~ has (has_part r) parts \/ is_held r).

Lemma keepsP r : reflect (size r = m /\ keeps m P r) (keeps_rules r).
Proof.
apply: (iffP andP) => [[/eqP sz /allP kp]|[/eqP sz kp]]; split=> //.
  by move=> i i_m; have := kp i; rewrite mem_iota i_m => /(_ isT); case: ifP => _ /eqP.
by apply/allP => i; rewrite mem_iota => /andP[_ i_m]; have := kp _ i_m; case: ifP => _ ->.
Qed.

Lemma has_partP r q : reflect (forall i, i < m -> nth None q i <> None -> nth None r i = nth None q i) (has_part r q).
Proof.
apply: (iffP allP) => [part i i_m some|part i].
  by have := part i; rewrite mem_iota i_m => /(_ isT) /orP[/eqP //|/eqP].
rewrite mem_iota => /andP[_ i_m]; have [//|/eqP some] := eqVneq (nth None q i) None.
by apply/eqP/part.
Qed.

(* The reply by the rule is safe, or it completes a part, and then one of the replies is held. *)
Lemma reply_safe r i x : all good_part parts -> all is_avoided parts -> is_safe r -> i < m -> nth None r i = None ->
  exists y, is_safe (set_nth None (set_nth None r i (Some x)) (p i) (Some y)).
Proof.
move=> good_parts avoided [wh [[kp no_part]|hold]] i_m none; last first.
  by have [y] := reply_held x wh hold i_m none; exists y; split; [apply: whole_fill|right].
have [sz /(_ _ i_m none) [usual pn]] := wh; have [p_m pp dp own] := each i_m; rewrite (negbTE usual) in own.
have [_ kp'] := reply_kept good_P x i_m usual sz none kp; set y := differ_of P i (+) x in kp'.
set r' := set_nth None _ (p i) _ in kp'; have wh' : whole m P r' by apply: whole_fill.
have [/hasP[q q_in part]|no_part'] := boolP (has (has_part r') parts); last by exists y; split=> //; left.
have /andP[/keepsP[sz_q kp_q] _] := allP good_parts _ q_in.
have wh_q : whole m P q by apply: keeps_whole.
(* the part has the pair that was filled last *)
have q_p : nth None q (p i) != None.
  apply: contraNneq no_part => q_p; apply/hasP; exists q => //; apply/has_partP => j j_m some.
  have /has_partP /(_ _ j_m some) <- := part; rewrite /r' !nth_set_nth /= !nth_set_nth /=.
  case: eqP => [eq|_]; first by rewrite eq q_p in some.
  case: eqP => // eq; case: wh_q => _ /(_ _ p_m q_p) [_]; rewrite pp -eq => q_j; by rewrite q_j in some.
have usual_p : ~~ is_first P (p i) by have [_ _ _ <-] := each p_m; rewrite pp eq_sym own.
have := allP (allP avoided _ q_in) (p i); rewrite mem_iota p_m (negbTE q_p) (negbTE usual_p) => /(_ isT) yes.
have free_q : all (fun k => (k < m) && (nth None q k == None)) (free_pairs q).
  by apply/allP => k; rewrite mem_filter mem_iota => /andP[/andP[-> _] /andP[_ ->]].
have apart : all (fun k => p k \notin free_pairs q) (free_pairs q).
  apply/allP => k; rewrite !mem_filter !mem_iota => /andP[/andP[_ less] /andP[_ k_m]].
  by have [_ kk _ _] := each k_m; rewrite kk ltnNge (ltnW less) /= andbF.
have fls : fills (free_pairs q) q r'.
  split=> [|j j_m]; first by case: wh'.
  have [q_j|/eqP q_j] := eqVneq (nth None q j) None; last by left; have /has_partP := part; apply.
  have [usual_j q_pj] := wh_q.2 _ j_m q_j; have := kp' _ j_m; rewrite (negbTE usual_j) q_j.
  have [j'_m jj _ own_j] := each j_m.
  case r'_j: (nth None r' j) => [b|] r'_p; [right|by left]; split=> //; last by exists b.
  rewrite !mem_filter !mem_iota q_j q_pj /= jj j_m j'_m !andbT.
  by case: (ltngtP j (p j)) => // eq; move: own_j; rewrite -eq eqxx (negbTE usual_j).
have un : uniq (free_pairs q) by rewrite filter_uniq ?iota_uniq.
have [held_r'|held_flip] := has_reply_right wh_q p_m q_p free_q un apart fls yes.
- by exists y; split=> //; right.
- exists (~~ y); have -> : set_nth None (set_nth None r i (Some x)) (p i) (Some (~~ y)) = flip r' (p i).
    exact: esym (flip_set _ _ _).
  by split; [apply: whole_flip => //; rewrite /r' nth_set_nth /= eqxx|right].
Qed.

Theorem avoiding_holds : avoiding_right -> holds (g := pal) (replier P) (fun r => fine (lead (g := pal) r)) (pal_start m).
Proof.
case/and4P=> _ good_parts avoided /Z.eqb_eq best; apply: (@replies_hold m P good_P _ is_safe).
- by move=> r [].
- have [sz kp] := keeps_begun good_P; split; first exact: keeps_whole.
  left; split=> //; apply/hasPn => q q_in; apply/negP => /has_partP part.
  have /andP[_ /hasP[i]] := allP good_parts _ q_in; rewrite mem_iota => /andP[_ i_m] /andP[some usual].
  have q_i : nth None q i <> None by move=> none; rewrite none in some.
  have := part _ i_m q_i; rewrite /begun; move: usual; rewrite /is_first; case: (first P) => [[f d]|] /=.
    by rewrite nth_set_nth /= => /negbTE ->; rewrite nth_nseq if_same => eq; rewrite -eq in q_i.
  by rewrite nth_nseq if_same => _ eq; rewrite -eq in q_i.
- by move=> r i x sf i_m none; apply: reply_safe.
move=> r [[sz wh] safe] all_full.
have rE := full_digits all_full; set d := map (odflt false) r in rE; have sz_d : size d = m by rewrite size_map.
case: safe => [[kp no_part]|hold].
  rewrite /fine; apply/Z.leb_le; rewrite -best; have [sz_b kp_b] := keeps_begun good_P.
  have compl : completes m P (begun m P) d by apply: keeps_completes => //; rewrite -rE.
  have short e e' c : cut limit (limit - 1)%Z (size e') (foldl write blank e) = Some c ->
      (lead_without_parts (rev (e ++ e')) (lead (g := pal) (full (e ++ e'))) <= c)%Z.
    rewrite /cut; case: ifP => // /below_right less [<-]; rewrite /lead_without_parts; cbv zeta.
    by move/Z.leb_gt: (less) => ->; rewrite andFb; lia.
  have wh_b : whole m P (begun m P) by apply: keeps_whole.
  have := @search_reaches m P good_P Z Z.le (fun a b => Z.max a (b tt)) lead_without_parts _ (begun m P) d
    Z.le_refl _ _ short wh_b sz_d compl.
  rewrite {1}/lead_without_parts revK -rE (negbTE no_part) andbF => bound; apply: bound => a b c; lia.
apply/negPn/negP => bad.
have compl : completes m P r (tcast sz_d (in_tuple d)).
  apply/completesP => i i_m; rewrite val_tcast /=; rewrite rE (nth_map false) ?sz_d //.
have [] := hold _ compl; first by rewrite val_tcast /= -rE.
move=> S [some S_free _]; case: (S) some S_free => // s S' _ /(_ s (mem_head _ _)) [s_m none _].
by have := allP all_full _ (mem_nth None (_ : s < size r)); rewrite sz none => /(_ s_m).
Qed.
End Avoiding.

Theorem avoiding_at_most m P parts limit : first P = None -> avoiding_right m P parts limit ->
  at_most (g := pal) limit (pal_start m).
Proof.
move=> none right; have /and4P[good_P _ _ _] := right; have := avoiding_holds good_P right.
have replies : replier P = P2 by rewrite /replier none.
rewrite replies => hold; apply: holds_weaker hold => r.
by rewrite /fine /opponents_lead /opponent_differs replies => /Z.leb_le.
Qed.

Theorem avoiding_at_least m P parts limit : first P <> None -> avoiding_right m P parts limit ->
  at_least (g := pal) (- limit) (pal_start m).
Proof.
move=> some right; have /and4P[good_P _ _ _] := right; have := avoiding_holds good_P right.
have replies : replier P = P1 by rewrite /replier; case: (first P) some.
rewrite replies => hold; apply: holds_weaker hold => r.
by rewrite /fine /opponents_lead /opponent_differs replies /lead_of => /Z.leb_le; lia.
Qed.
