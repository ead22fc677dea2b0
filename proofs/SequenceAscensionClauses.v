(* Clauses that a game of Sequence Ascension obeys if its score is at least v: those of `games/sequence_ascension/claims.py`.

   A game gives a value to each variable, and with these values all clauses hold. So if a proof refutes the clauses, no score is v or
   more: `asc_refuted`. *)
From mathcomp Require Import all_ssreflect zify.
From Quet Require Import Refutations Solitaires SequenceAscension SequenceAscensionGames.
Require Import PArith.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* groups of variables of which at most one is true: where a term stands, which term is on a square, where a step is, which step is on
   a square *)
Inductive group := OfTerm of nat | OfSquare of nat | OfStep of nat | OnSquare of nat.
Inductive variable :=
| TermOn of nat & nat               (* term k stands on square s *)
| StepOn of nat & nat               (* step p of the path is on square s *)
| RankOn of nat & nat               (* the path comes to s, where a term of rank r stands *)
| LeftOut of nat                    (* term k isn't on the path *)
| SoFar of group & nat              (* one of the first i + 1 of the group is true *)
| AtLeast of bool & nat & nat.      (* at least j of the first i are true: of the terms left out, or of the squares without a step *)

Definition yes (x : variable) := (true, x).
Definition no (x : variable) := (false, x).
Definition opposite (l : bool * variable) := (~~ l.1, l.2).

Section Clauses.
Variables (n : nat) (terms : seq nat) (v : nat).
Notation rank k := (nth 0 terms k).

Definition all_terms := iota 0 (n * n).
Definition all_steps := iota 0 v.
Definition most_left := n * n - v.
Definition num_ranks := (foldr maxn 0 [seq rank k | k <- all_terms]).+1.
Definition touching s := [seq o <- squares n | (o != s) && is_near n s o].

(* terms of a rank, and of all lower ones *)
Definition of_rank r := [seq k <- all_terms | rank k == r].
Definition below r := flatten [seq of_rank q | q <- iota 0 r].

Definition members g :=
  match g with
  | OfTerm k => [seq TermOn k s | s <- squares n]
  | OfSquare s => [seq TermOn k s | k <- all_terms]
  | OfStep p => [seq StepOn p s | s <- squares n]
  | OnSquare s => [seq StepOn p s | p <- all_steps]
  end.
Definition any_of g := SoFar g (size (members g)).-1.

Definition one_of_clauses g i x :=
  [:: no x; yes (SoFar g i)] ::
  if i is j.+1 then
    [:: [:: no (SoFar g j); yes (SoFar g i)]; [:: no x; no (SoFar g j)]; [:: no (SoFar g i); yes (SoFar g j); yes x]]
  else [:: [:: no (SoFar g i); yes x]].
Definition one_of g :=
  let xs := members g in flatten [seq one_of_clauses g i (nth (LeftOut 0) xs i) | i <- iota 0 (size xs)].

Definition items (is_of_terms : bool) :=
  if is_of_terms then [seq yes (LeftOut k) | k <- below num_ranks] else [seq no (any_of (OnSquare s)) | s <- squares n].
(* how the count of one more follows from the count before it *)
Definition counted_clauses t i (x : bool * variable) j :=
  let was := if j <= i then [:: AtLeast t i j] else [::] in
  let fewer := if 1 < j then [:: AtLeast t i j.-1] else [::] in
  let now := AtLeast t i.+1 j in
  [seq [:: no one; yes now] | one <- was] ++
  (map no fewer ++ [:: opposite x; yes now]) ::
  (no now :: map yes was ++ [:: x]) ::
  [seq no now :: map yes was ++ [:: yes one] | one <- fewer].
Definition counted t :=
  let xs := items t in
  flatten [seq
    let x := nth (no (LeftOut 0)) xs i in
    flatten [seq counted_clauses t i x j | j <- iota 1 (minn most_left i.+1)] ++
    (if most_left <= i then [:: (if 0 < most_left then [:: no (AtLeast t i most_left)] else [::]) ++ [:: opposite x]] else [::])
  | i <- iota 0 (size xs)].

(* the first terms are placed, as many as there are steps at least, or all *)
Definition placed_clauses :=
  [seq [:: yes (any_of (OfTerm k))] | k <- all_steps] ++
  [seq [:: no (any_of (OfTerm k)); yes (any_of (OfTerm k.-1))] | k <- iota v most_left] ++
  [seq [:: no (any_of (OfTerm (n * n).-1)); yes (any_of (OfSquare s))] | s <- squares n] ++
  [:: [seq yes (TermOn 0 s) | s <- squares n & is_in_eighth n s]].

Definition touching_clauses s :=
  let beside := touching s in
  flatten [seq
    (if 0 < k then [:: no (TermOn k s) :: [seq yes (TermOn k.-1 o) | o <- beside]] else [::]) ++
    (if k.+1 < n * n then
       [:: no (TermOn k s) :: (if v <= k.+1 then [:: no (any_of (OfTerm k.+1))] else [::]) ++
           [seq yes (TermOn k.+1 o) | o <- beside]]
     else [::])
  | k <- all_terms] ++
  flatten [seq
    (if 0 < p then [:: no (StepOn p s) :: [seq yes (StepOn p.-1 o) | o <- beside]] else [::]) ++
    (if p.+1 < v then [:: no (StepOn p s) :: [seq yes (StepOn p.+1 o) | o <- beside]] else [::])
  | p <- all_steps].

Definition left_out_clauses :=
  [seq [:: yes (any_of (OfTerm k)); yes (LeftOut k)] | k <- iota v most_left] ++
  flatten [seq flatten [seq
    [:: [:: no (TermOn k s); no (LeftOut k); no (any_of (OnSquare s))];
        [:: no (TermOn k s); yes (LeftOut k); yes (RankOn (rank k) s)]]
  | s <- squares n] | k <- all_terms] ++
  (if 0 < most_left then [:: [:: yes (AtLeast true (n * n) most_left)]] else [::]).

(* If j of the m terms below a rank are left out, m - j steps have lower ranks: the first ones, as the path never descends. *)
Definition rank_clauses r :=
  let lower := size (below r) in
  let through := size (below r.+1) in
  let possible := [seq p <- all_steps | (lower - p <= most_left) && (p < through)] in
  let here := of_rank r in
  let unless p :=
    (if p < lower then [:: no (AtLeast true lower (lower - p))] else [::]) ++
    (if through - p <= most_left then [:: yes (AtLeast true through (through - p))] else [::]) in
  flatten [seq [seq no (StepOn p s) :: unless p ++ [:: yes (RankOn r s)] | s <- squares n] | p <- possible] ++
  flatten [seq
    [:: no (RankOn r s) :: [seq yes (TermOn k s) | k <- here]; no (RankOn r s) :: [seq yes (StepOn p s) | p <- possible]] ++
    [seq [:: no (RankOn r s); no (RankOn q s)] | q <- iota 0 r]
  | s <- squares n].

Definition clauses_of_games :=
  flatten [seq one_of (OfTerm k) | k <- all_terms] ++
  flatten [seq one_of (OfSquare s) | s <- squares n] ++
  flatten [seq one_of (OfStep p) | p <- all_steps] ++
  [seq [:: yes (any_of (OfStep p))] | p <- all_steps] ++
  flatten [seq one_of (OnSquare s) | s <- squares n] ++
  counted false ++
  placed_clauses ++
  flatten [seq touching_clauses s | s <- squares n] ++
  left_out_clauses ++
  counted true ++
  flatten [seq rank_clauses r | r <- iota 0 num_ranks].

(* ---- the ranks *)
Lemma count_below a r : count a (below r) = count (fun k => (rank k < r) && a k) all_terms.
Proof.
elim: r => [|r IH]; first by elim: all_terms => //= k s <-; rewrite ltn0.
rewrite /below -addn1 iotaD map_cat flatten_cat count_cat -/(below r) IH /= cats0 count_filter.
elim: all_terms => //= k s IHs. by rewrite -IHs; case: (a k); rewrite /= ?andbT ?andbF; lia.
Qed.
Lemma size_below r : size (below r) = count (fun k => rank k < r) all_terms.
Proof. by rewrite -count_predT count_below; apply: eq_count => k; rewrite andbT. Qed.
Lemma take_below r : r <= num_ranks -> take (size (below r)) (below num_ranks) = below r.
Proof. by move=> le; rewrite {2}/below -(subnKC le) iotaD map_cat flatten_cat take_size_cat. Qed.
Lemma rank_small k : k < n * n -> rank k < num_ranks.
Proof.
rewrite /num_ranks ltnS => k_n; have : k \in all_terms by rewrite mem_iota.
by elim: all_terms => //= o s IH; rewrite in_cons => /orP[/eqP <-|/IH]; lia.
Qed.

Lemma sorted_count s r p : sorted leq s -> p < size s -> (nth 0 s p < r) = (p < count (fun x => x < r) s).
Proof.
elim: s p => //= x s IH p path_s p_s; case: (ltnP x r) => [x_r|r_x].
  by case: p p_s => //= p p_s; rewrite IH // (path_sorted path_s).
have high : all (leq r) (x :: s).
  by rewrite /= r_x; move: path_s; rewrite (path_sortedE leq_trans) => /andP[/allP h _]; apply/allP => y /h /(leq_trans r_x).
have -> : count (fun y => y < r) s = 0.
  by apply/eqP; rewrite -leqn0 leqNgt -has_count; apply/hasPn => y y_s; move/allP: high => /(_ y); rewrite in_cons y_s orbT; lia.
by move/all_nthP: high => /(_ 0 p p_s) /=; lia.
Qed.

(* ---- what a game says of each variable *)
Section Game.
Variables filled taken : seq nat.
Hypotheses (ok : is_game n terms filled taken) (long : size taken = v) (some : 0 < v) (first_in : is_in_eighth n (nth 0 filled 0)).

Definition is_on_path s := s \in [seq nth 0 filled k | k <- taken].
Definition simply x :=
  match x with
  | TermOn k s => (k < size filled) && (nth 0 filled k == s)
  | StepOn p s => (p < v) && (nth 0 filled (nth 0 taken p) == s)
  | RankOn r s => [&& s \in filled, seq.index s filled \in taken & rank (seq.index s filled) == r]
  | LeftOut k => k \notin taken
  | _ => false
  end.
Definition in_group x := if x is SoFar g i then has simply (take i.+1 (members g)) else simply x.
Definition is_true x :=
  if x is AtLeast t i j then j <= count (fun l => in_group l.2 == l.1) (take i (items t)) else in_group x.
Definition is_so (l : bool * variable) := is_true l.2 == l.1.
Definition all_hold := all (has is_so).

Lemma so_yes x : is_so (yes x) = is_true x. Proof. by rewrite /is_so eqb_id. Qed.
Lemma so_no x : is_so (no x) = ~~ is_true x. Proof. by rewrite /is_so eqbF_neg. Qed.
Lemma so_opposite l : is_so (opposite l) = ~~ is_so l.
Proof. by case: l => b x; rewrite /is_so /=; case: (is_true x); case: b. Qed.
Lemma all_hold_cat cs ds : all_hold (cs ++ ds) = all_hold cs && all_hold ds. Proof. exact: all_cat. Qed.
Lemma all_hold_flatten (T : eqType) (f : T -> seq (seq (bool * variable))) s :
  (forall x, x \in s -> all_hold (f x)) -> all_hold (flatten (map f s)).
Proof.
by elim: s => //= x s IH h; rewrite all_hold_cat h ?mem_head //= IH // => y y_s; apply: h; rewrite in_cons y_s orbT.
Qed.
Lemma all_hold_map (T : eqType) (f : T -> seq (bool * variable)) s :
  (forall x, x \in s -> has is_so (f x)) -> all_hold (map f s).
Proof. by move=> h; rewrite /all_hold all_map; apply/allP. Qed.

Lemma filled_on k : k < size filled -> nth 0 filled k < n * n.
Proof. by move=> k_in; move/allP: (on_grid ok); apply; rewrite mem_nth. Qed.
Lemma filled_small : size filled <= n * n.
Proof.
rewrite -(size_iota 0 (n * n)); apply: uniq_leq_size (once_filled ok) _ => x x_in.
by rewrite mem_iota add0n; move/allP: (on_grid ok); apply.
Qed.
Lemma taken_on p : p < v -> nth 0 taken p < size filled.
Proof. by move=> p_v; move/allP: (were_placed ok); apply; rewrite mem_nth // long. Qed.
Lemma taken_small : v <= size filled.
Proof.
rewrite -long -(size_iota 0 (size filled)); apply: uniq_leq_size (once_taken ok) _ => k k_in.
by rewrite mem_iota add0n; move/allP: (were_placed ok); apply.
Qed.
Lemma v_small : v <= n * n. Proof. exact: leq_trans taken_small filled_small. Qed.

(* groups *)
Lemma members_simple g i : i < size (members g) -> is_true (nth (LeftOut 0) (members g) i) = simply (nth (LeftOut 0) (members g) i).
Proof. by case: g => x /=; rewrite size_map => i_s; rewrite (nth_map 0). Qed.
Lemma same_filled k l : k < size filled -> l < size filled -> nth 0 filled k = nth 0 filled l -> k = l.
Proof. by move=> k_in l_in /eqP; rewrite nth_uniq ?(once_filled ok) // => /eqP. Qed.
Lemma at_most_one g i j : i < j -> j < size (members g) ->
  ~~ (simply (nth (LeftOut 0) (members g) i) && simply (nth (LeftOut 0) (members g) j)).
Proof.
move=> ij; case: g => x /=; rewrite size_map size_iota => j_s; have i_s := ltn_trans ij j_s;
  rewrite !(nth_map 0) ?size_iota ?nth_iota ?add0n //=; apply/negP.
- by case/andP=> /andP[_ /eqP ->] /andP[_ /eqP eq]; move: ij; rewrite eq ltnn.
- by case/andP=> /andP[i_in /eqP eq] /andP[j_in /eqP]; rewrite -eq => /(same_filled j_in i_in) ji; move: ij; rewrite ji ltnn.
- by case/andP=> /andP[_ /eqP ->] /andP[_ /eqP eq]; move: ij; rewrite eq ltnn.
- case/andP=> /andP[_ /eqP eq] /andP[_ /eqP]; rewrite -eq => /(same_filled (taken_on j_s) (taken_on i_s)) /eqP.
  by rewrite nth_uniq ?(once_taken ok) ?long // => /eqP ji; move: ij; rewrite ji ltnn.
Qed.
Lemma one_of_holds g : all_hold (one_of g).
Proof.
apply: all_hold_flatten => i; rewrite mem_iota add0n => /= i_s; set x := nth _ _ i.
have so_far : is_true (SoFar g i) = has simply (take i (members g)) || simply x.
  by rewrite /= (take_nth (LeftOut 0) i_s) has_rcons orbC.
have once : ~~ (has simply (take i (members g)) && simply x).
  apply/negP => /andP[]; case/(has_nthP (LeftOut 0))=> j; rewrite size_take i_s => ji.
  by rewrite nth_take // => yj xi; move: (at_most_one ji i_s); rewrite yj xi.
have x_simple : is_true x = simply x by exact: members_simple.
rewrite /one_of_clauses; case: i => [|j] in x i_s so_far once x_simple *.
  by rewrite /all_hold /= !so_yes !so_no so_far x_simple take0 /=; case: (simply x).
have before : is_true (SoFar g j) = has simply (take j.+1 (members g)) by [].
by rewrite /all_hold /= !so_yes !so_no so_far before x_simple; move: once; case: (simply x); case: (has simply _).
Qed.

Lemma any_of_true g : 0 < size (members g) -> is_true (any_of g) = has simply (members g).
Proof. by move=> s0; rewrite /= prednK // take_size. Qed.
Lemma is_placed k : is_true (any_of (OfTerm k)) = (k < size filled).
Proof.
have n0 : 0 < n * n by move: v_small; lia.
rewrite any_of_true ?size_map ?size_iota // has_map; apply/hasP/idP => [[s _ /andP[]] //|k_in].
by exists (nth 0 filled k); rewrite ?mem_iota ?filled_on //= k_in eqxx.
Qed.
Lemma is_filled s : is_true (any_of (OfSquare s)) = (s \in filled).
Proof.
have n0 : 0 < n * n by move: v_small; lia.
rewrite any_of_true ?size_map ?size_iota // has_map; apply/hasP/idP => [[k _ /andP[k_in /eqP <-]]|s_in].
  by rewrite mem_nth.
exists (seq.index s filled); last by rewrite /= index_mem s_in nth_index //= eqxx.
by rewrite mem_iota add0n; apply: leq_trans filled_small; rewrite index_mem.
Qed.
Lemma is_on p : p < v -> is_true (any_of (OfStep p)).
Proof.
move=> p_v; have n0 : 0 < n * n by move: v_small; lia.
rewrite any_of_true ?size_map ?size_iota // has_map; apply/hasP.
by exists (nth 0 filled (nth 0 taken p)); rewrite ?mem_iota ?filled_on ?taken_on //= p_v eqxx.
Qed.
Lemma path_comes s : is_true (any_of (OnSquare s)) = is_on_path s.
Proof.
rewrite any_of_true ?size_map ?size_iota // has_map; apply/hasP/mapP => [[p _ /andP[p_v /eqP <-]]|[k k_in ->]].
  by exists (nth 0 taken p); rewrite // mem_nth // long.
exists (seq.index k taken); first by rewrite mem_iota add0n -long index_mem.
by rewrite /= -long index_mem k_in nth_index //= eqxx.
Qed.

(* counts *)
Lemma count_others s : uniq s -> all (fun x => x < n * n) s -> count (fun x => x \notin s) (iota 0 (n * n)) = n * n - size s.
Proof.
move=> once small; rewrite -{2}(size_iota 0 (n * n)) -(count_predC (mem s) (iota 0 (n * n))).
rewrite (_ : count (mem s) _ = size s) ?addKn // -size_filter; apply: perm_size; apply: uniq_perm => //.
  by rewrite filter_uniq ?iota_uniq.
move=> x; rewrite mem_filter mem_iota add0n; apply/andP/idP => [[]//|x_s]; split=> //; by move/allP: small; apply.
Qed.
Lemma taken_terms : all (fun k => k < n * n) taken.
Proof. by apply/allP => k k_in; apply: leq_trans filled_small; move/allP: (were_placed ok); apply. Qed.
Lemma count_items t : count is_so (items t) = most_left.
Proof.
case: t; rewrite /items count_map.
- rewrite count_below /most_left -long -(count_others (once_taken ok) taken_terms); apply: eq_in_count => k.
  by rewrite mem_iota add0n => k_n /=; rewrite so_yes /= rank_small.
- have -> : most_left = n * n - size [seq nth 0 filled k | k <- taken] by rewrite size_map long.
  rewrite -count_others.
  + by apply: eq_count => s /=; rewrite so_no path_comes.
  + rewrite map_inj_in_uniq ?(once_taken ok) // => k l k_in l_in; apply: same_filled.
      by move/allP: (were_placed ok); apply.
    by move/allP: (were_placed ok); apply.
  + by rewrite all_map; apply/allP => k k_in; apply: filled_on; move/allP: (were_placed ok); apply.
Qed.
Definition so_many t i := count is_so (take i (items t)).
Lemma at_least t i j : is_true (AtLeast t i j) = (j <= so_many t i).
Proof.
rewrite /= /so_many; congr (_ <= _).
by case: t; rewrite /items -!map_take !count_map; apply: eq_count.
Qed.
Lemma so_many_small t i : so_many t i <= i /\ so_many t i <= most_left.
Proof.
rewrite /so_many -(count_items t); split; first by apply: leq_trans (count_size _ _) _; rewrite size_take; case: ltnP.
by rewrite -{2}(cat_take_drop i (items t)) count_cat leq_addr.
Qed.
Lemma counted_holds t : all_hold (counted t).
Proof.
apply: all_hold_flatten => i; rewrite mem_iota add0n => /= i_s; set x := nth _ _ i.
have more : so_many t i.+1 = so_many t i + is_so x.
  by rewrite /so_many (take_nth (no (LeftOut 0)) i_s) -cats1 count_cat /= addn0.
have [small few] := so_many_small t i; have [_ few'] := so_many_small t i.+1.
rewrite all_hold_cat; apply/andP; split; last first.
  case: (leqP most_left i) => // _; rewrite /all_hold /= andbT; case: (ltnP 0 most_left) => some_left /=.
    by rewrite so_no so_opposite at_least orbF; move: more few'; case: (is_so x); lia.
  by rewrite so_opposite orbF; move: more few'; case: (is_so x); lia.
apply: all_hold_flatten => j; rewrite mem_iota => /andP[j0 j_s]; rewrite /counted_clauses /all_hold.
case: (leqP j i) => ji; case: (ltnP 1 j) => j1;
  rewrite /= ?so_no ?so_yes ?so_opposite ?at_least more; case: (is_so x); lia.
Qed.

(* placing *)
Lemma placed_hold : all_hold placed_clauses.
Proof.
rewrite /placed_clauses !all_hold_cat; apply/and4P; split.
- apply: all_hold_map => k; rewrite mem_iota add0n /= so_yes is_placed orbF => k_v.
  exact: leq_trans k_v taken_small.
- by apply: all_hold_map => k; rewrite mem_iota /= so_no so_yes !is_placed => /andP[k_v _]; lia.
- apply: all_hold_map => s; rewrite mem_iota add0n /= so_no so_yes is_placed is_filled orbF => s_n.
  case: ltnP => //= full; have := @uniq_min_size _ filled (iota 0 (n * n)) (once_filled ok).
  case=> [x x_in||_ ->]; [|by rewrite size_iota; exact: leq_trans (leqSpred _) full|by rewrite mem_iota].
  by rewrite mem_iota add0n; move/allP: (on_grid ok); apply.
- have f0 : 0 < size filled by exact: leq_trans some taken_small.
  rewrite /all_hold /= andbT has_map; apply/hasP; exists (nth 0 filled 0).
    by rewrite mem_filter first_in mem_iota filled_on.
  by rewrite /= so_yes /= f0 eqxx.
Qed.

Lemma near_sym x y : is_near n x y = is_near n y x. Proof. by rewrite /is_near /distance; congr ((_ <= 1) && (_ <= 1)); rewrite addnC. Qed.
Lemma has_touching s (f : nat -> variable) o : s < n * n -> o < n * n -> o != s -> is_near n s o -> is_true (f o) ->
  has is_so [seq yes (f o) | o <- touching s].
Proof.
move=> s_n o_n ne near t; rewrite has_map; apply/hasP; exists o; last by rewrite /= so_yes.
by rewrite mem_filter ne near mem_iota.
Qed.
Lemma touching_hold s : s < n * n -> all_hold (touching_clauses s).
Proof.
move=> s_n; rewrite /touching_clauses all_hold_cat; apply/andP; split.
- have next k : k.+1 < size filled -> nth 0 filled k != nth 0 filled k.+1 /\ is_near n (nth 0 filled k) (nth 0 filled k.+1).
    move=> k_in; split; first by rewrite nth_uniq ?(once_filled ok) ?(ltnW k_in) // neq_ltn leqnn.
    by move/(sortedP 0): (filled_near ok); apply.
  apply: all_hold_flatten => k; rewrite mem_iota add0n => /= k_n; rewrite all_hold_cat; apply/andP; split.
  + case: k k_n => //= k k_n; rewrite /all_hold /= andbT so_no.
    case: (boolP (is_true _)) => //= /andP[k_in /eqP on]; have [ne near] := next _ k_in; rewrite on in ne near.
    apply: (has_touching (o := nth 0 filled k)) => //; rewrite ?filled_on //; try lia; first by rewrite near_sym.
    by rewrite /= eqxx andbT; lia.
  + case: ltnP => // k1_n; rewrite /all_hold /= andbT so_no has_cat.
    case: (boolP (is_true _)) => //= /andP[k_in /eqP on].
    case: (ltnP k.+1 (size filled)) => [k1_in|out]; last first.
      by case: leqP => [_|below_v]; rewrite /= ?so_no ?is_placed; [lia|move: taken_small; lia].
    have [ne near] := next _ k1_in; rewrite on in ne near; apply/orP; right.
    apply: (has_touching (o := nth 0 filled k.+1)) => //; rewrite ?filled_on //; first by rewrite eq_sym.
    by rewrite /= eqxx andbT.
- have next p : p.+1 < v -> nth 0 filled (nth 0 taken p) != nth 0 filled (nth 0 taken p.+1)
      /\ is_near n (nth 0 filled (nth 0 taken p)) (nth 0 filled (nth 0 taken p.+1)).
    move=> p_v; have p_v' : p < v by lia.
    split; first by rewrite nth_uniq ?(once_filled ok) ?taken_on // nth_uniq ?(once_taken ok) ?long // neq_ltn leqnn.
    move/(sortedP 0): (taken_near ok) => /(_ p); rewrite size_map long !(nth_map 0) ?long //; exact.
  apply: all_hold_flatten => p; rewrite mem_iota add0n => /= p_v; rewrite all_hold_cat; apply/andP; split.
  + case: p p_v => //= p p_v; rewrite /all_hold /= andbT so_no.
    case: (boolP (is_true _)) => //= /andP[_ /eqP on]; have [ne near] := next _ p_v; rewrite on in ne near.
    apply: (has_touching (o := nth 0 filled (nth 0 taken p))) => //; rewrite ?filled_on ?taken_on //; try lia; first by rewrite near_sym.
    by rewrite /= eqxx andbT; lia.
  + case: ltnP => // p1_v; rewrite /all_hold /= andbT so_no.
    case: (boolP (is_true _)) => //= /andP[_ /eqP on]; have [ne near] := next _ p1_v; rewrite on in ne near.
    apply: (has_touching (o := nth 0 filled (nth 0 taken p.+1))) => //; rewrite ?filled_on ?taken_on //; first by rewrite eq_sym.
    by rewrite /= eqxx andbT.
Qed.

(* terms left out, and ranks *)
Lemma on_path_term k : k < size filled -> is_on_path (nth 0 filled k) = (k \in taken).
Proof.
move=> k_in; apply/mapP/idP => [[l l_in]|k_t]; last by exists k.
by move/same_filled => -> //; move/allP: (were_placed ok); apply.
Qed.
Lemma left_out_hold : all_hold left_out_clauses.
Proof.
rewrite /left_out_clauses !all_hold_cat; apply/and3P; split.
- apply: all_hold_map => k _; rewrite /= !so_yes is_placed /= orbF; case: ltnP => //= out.
  by apply/negP => k_in; move/allP: (were_placed ok) => /(_ k k_in); lia.
- apply: all_hold_flatten => k _; apply: all_hold_flatten => s _; rewrite /all_hold /= !so_no !so_yes path_comes /=.
  case: (ltnP k (size filled)) => //= k_in; case: (eqVneq (nth 0 filled k) s) => //= <-.
  rewrite on_path_term // mem_nth //= index_uniq ?(once_filled ok) // eqxx.
  by case: (k \in taken).
- case: ltnP => // _; rewrite /all_hold /= so_yes at_least /so_many orbF take_oversize ?count_items ?leqnn //.
  rewrite /items size_map size_below; apply: leq_trans (count_size _ _) _; by rewrite size_iota.
Qed.

Definition lower_taken r := count (fun k => rank k < r) taken.
Lemma lower_left r : r <= num_ranks -> so_many true (size (below r)) + lower_taken r = size (below r).
Proof.
move=> le; rewrite /so_many /items -map_take take_below // count_map.
rewrite -(count_predC (fun k => k \notin taken) (below r)); congr (_ + _).
  by apply: eq_count => k /=; rewrite so_yes.
rewrite count_below /lower_taken.
have same : perm_eq [seq k <- all_terms | k \in taken] taken.
  apply: uniq_perm; [by rewrite filter_uniq ?iota_uniq|exact: once_taken ok|move=> k].
  rewrite mem_filter mem_iota add0n; apply/andP/idP => [[]//|k_t]; split=> //; by move/allP: taken_terms; apply.
move/permP: same => /(_ (fun k => rank k < r)) <-; rewrite count_filter.
by apply: eq_count => k /=; rewrite negbK.
Qed.
Lemma rank_of_step p r : p < v -> (rank (nth 0 taken p) < r) = (p < lower_taken r).
Proof.
move=> p_v; move: (@sorted_count _ r p (ascending ok)); rewrite size_map long => /(_ p_v).
by rewrite (nth_map 0) ?long // count_map.
Qed.

Lemma ranks_hold r : r < num_ranks -> all_hold (rank_clauses r).
Proof.
move=> r_n; rewrite /rank_clauses; have [_ few] := so_many_small true (size (below r)).
have [_ few'] := so_many_small true (size (below r.+1)).
have lower := lower_left (ltnW r_n); have through := lower_left r_n.
rewrite all_hold_cat; apply/andP; split.
- apply: all_hold_flatten => p; rewrite mem_filter mem_iota add0n => /andP[/andP[p_low p_through] /= p_v].
  apply: all_hold_map => s _; rewrite /= so_no; case: (boolP (is_true _)) => //= /andP[_ /eqP <-].
  rewrite has_cat /= so_yes orbF /= mem_nth ?taken_on // index_uniq ?(once_filled ok) ?taken_on // mem_nth ?long //=.
  have := rank_of_step r p_v; have := rank_of_step r.+1 p_v; set k := nth 0 taken p => at_most at_least_r.
  rewrite has_cat; case: (ltnP p (size (below r))) => p_r; case: (leqP (size (below r.+1) - p) most_left) => t_p;
    rewrite /= ?so_no ?so_yes ?at_least ?orbF; lia.
- apply: all_hold_flatten => s _; rewrite /all_hold /= -/all_hold !so_no /=.
  case: (boolP [&& s \in filled, seq.index s filled \in taken & rank (seq.index s filled) == r]) => /=; last first.
    by move=> not_r; apply: all_hold_map => q _ /=; rewrite so_no /= not_r.
  case/and3P=> s_in k_in /eqP k_r; apply/and3P; split.
  + rewrite has_map; apply/hasP; exists (seq.index s filled); last by rewrite /= so_yes /= index_mem s_in nth_index //= eqxx.
    rewrite mem_filter k_r eqxx mem_iota add0n /=; apply: leq_trans filled_small; by rewrite index_mem.
  + have p_v : seq.index (seq.index s filled) taken < v by rewrite -long index_mem.
    rewrite has_map; apply/hasP; exists (seq.index (seq.index s filled) taken); last first.
      by rewrite /= so_yes /= p_v !nth_index //= eqxx.
    rewrite mem_filter mem_iota add0n /= p_v andbT.
    move: (rank_of_step r p_v) (rank_of_step r.+1 p_v); rewrite nth_index // k_r ltnn ltnS leqnn; lia.
  + apply: all_hold_map => q q_r /=; rewrite !so_no /= s_in k_in k_r /=.
    by move: q_r; rewrite mem_iota add0n; case: (eqVneq r q) => [->|]; rewrite ?ltnn ?orbT.
Qed.

Theorem game_obeys : all_hold clauses_of_games.
Proof.
have and_these cs ds : all_hold cs -> all_hold ds -> all_hold (cs ++ ds) by rewrite all_hold_cat => -> ->.
have one_of_each f (xs : seq nat) : all_hold (flatten [seq one_of (f x) | x <- xs]).
  by apply: all_hold_flatten => x _; exact: one_of_holds.
do 3 (apply: (and_these); first exact: (one_of_each)).
apply: (and_these); first by apply: all_hold_map => p; rewrite mem_iota add0n /= so_yes orbF; exact: is_on.
apply: (and_these); first exact: (one_of_each).
apply: (and_these); first exact: counted_holds.
apply: (and_these); first exact: placed_hold.
apply: (and_these); first by apply: all_hold_flatten => s; rewrite mem_iota add0n; exact: touching_hold.
apply: (and_these); first exact: left_out_hold.
apply: (and_these); first exact: counted_holds.
by apply: all_hold_flatten => r; rewrite mem_iota add0n; exact: ranks_hold.
Qed.
End Game.

Theorem score_obeys (s : position (asc n terms)) : 0 < v -> comes_to s -> v <= score s ->
  exists truth : variable -> bool, all (has (fun l => truth l.2 == l.1)) clauses_of_games.
Proof.
move=> some at_s high; have [filled [taken [ok long]]] := score_game at_s high.
have filled_some : filled != [::].
  by apply: contraTneq (taken_small ok long) => ->; rewrite -ltnNge.
have [filled' [ok' _ _ first_in]] := first_in_eighth ok filled_some.
by exists (is_true filled' taken); apply: game_obeys.
Qed.
End Clauses.

(* ---- the same with numbers for variables, as the proof in a certificate has them. Who numbers them needn't be trusted: what is named
   by a number is compared with what was numbered. *)
Definition is_same_group g h :=
  match g, h with
  | OfTerm a, OfTerm b | OfSquare a, OfSquare b | OfStep a, OfStep b | OnSquare a, OnSquare b => a == b
  | _, _ => false
  end.
Definition is_same x y :=
  match x, y with
  | TermOn a b, TermOn c d | StepOn a b, StepOn c d | RankOn a b, RankOn c d => (a == c) && (b == d)
  | LeftOut a, LeftOut b => a == b
  | SoFar g a, SoFar h b => is_same_group g h && (a == b)
  | AtLeast t a b, AtLeast u c d => [&& t == u, a == c & b == d]
  | _, _ => false
  end.
Lemma same_right x y : is_same x y -> x = y.
Proof.
case: x y => [a b|a b|a b|a|g a|t a b] [c d|c d|c d|c|h c|u c d] //=.
- by case/andP=> /eqP -> /eqP ->.
- by case/andP=> /eqP -> /eqP ->.
- by case/andP=> /eqP -> /eqP ->.
- by move/eqP->.
- by case/andP=> + /eqP ->; case: g h => k [] l //= /eqP ->.
- by case/and3P=> /eqP -> /eqP -> /eqP ->.
Qed.

Section Numbers.
Variables (number : variable -> positive) (named : positive -> variable).

Fixpoint numbered (first : positive) (cs : seq (seq (bool * variable))) : seq (positive * clause) :=
  if cs is c :: rest then (first, [seq (l.1, number l.2) | l <- c]) :: numbered (Pos.succ first) rest else [::].
Definition are_named := all (all (fun l : bool * variable => is_same (named (number l.2)) l.2)).
Definition asc_none_from n terms v step_of count :=
  let cs := clauses_of_games n terms v in
  [&& 0 < v, are_named cs & refutes_from step_of count 0 (number_all (numbered 1 cs))].

Lemma numbered_hold truth first cs : are_named cs -> all (has (fun l => truth l.2 == l.1)) cs ->
  all (fun pc => holds (fun p => truth (named p)) pc.2) (numbered first cs).
Proof.
elim: cs first => //= c cs IH first /andP[c_named cs_named] /andP[c_holds cs_hold]; rewrite IH // andbT.
elim: c c_named c_holds {IH} => //= l c IH /andP[l_named c_named] so; rewrite /holds /= /is_true_of /= (same_right l_named).
by case/orP: so => [->|/(IH c_named)] //; rewrite /holds => ->; rewrite orbT.
Qed.

Theorem asc_refuted n terms v step_of count : asc_none_from n terms v step_of count -> none_above (asc n terms) v.-1.
Proof.
case/and3P=> some all_named; rewrite refutes_each => no_way s at_s _; rewrite leqNgt; apply/negP => high.
have [truth all_hold] : exists truth, all (has (fun l => truth l.2 == l.1)) (clauses_of_games n terms v).
  by apply: (score_obeys (s := s)) => //; rewrite -(prednK some).
by move: (refuted no_way (fun p => truth (named p))); rewrite numbered_hold.
Qed.
End Numbers.
