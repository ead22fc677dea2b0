(* A search through all rows that keep the rules of some pairs, and that it comes to each of them. *)
From mathcomp Require Import all_ssreflect zify.
Require Import ZArith Lia.
From Quet Require Import Game Palindromes PalindromesFast PalindromesPairings.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* how the next square is filled, from left to right *)
Inductive step :=
| Put of bool               (* with this digit *)
| Free of nat & bool.       (* with either; the square after so many others gets the same digit, or the other one *)

Section Walk.
Variables (T : Type) (both : T -> (unit -> T) -> T) (leaf : seq bool -> Z -> T) (cut : nat -> written -> option T).

(* What `both` makes of what `leaf` says of the rows that begin as w and go on by t steps. `leaf` is given a row from right to
   left, and by how much player 1 leads in it. `both` may leave out what stands second. What `cut` says of the beginning of a
   row stands for all rows that begin so. *)
Fixpoint search (t : nat) (steps : seq step) (w : written) : T :=
  if t is t'.+1 then
    if cut t w is Some c then c else
    match steps with
    | [::] => leaf (squares w) (so_far w)
    | Put d :: rest => search t' rest (write w d)
    | Free after differ :: rest =>
        both (search t' (set_nth (Put false) rest after (Put differ)) (write w false))
          (fun _ => search t' (set_nth (Put false) rest after (Put (~~ differ))) (write w true))
    end
  else leaf (squares w) (so_far w).
End Walk.

Section Search.
Variables (m : nat) (P : pairing).
Notation p := (partner_of P).
Hypothesis good_P : good_pairing m P.

(* the rows that come about if the rules of all empty pairs are kept *)
Definition completes (r : row) (d : seq bool) := all (fun i =>
  if nth None r i is Some x then nth false d i == x
  else nth false d (p i) == differ_of P i (+) nth false d i) (iota 0 m).

Definition step_of (r : row) i :=
  if nth None r i is Some x then Put x
  else if p i < i then Put false else Free (p i - i).-1 (differ_of P i).   (* the first square of a pair decides *)
Definition steps (r : row) := [seq step_of r i | i <- iota 0 m].

Lemma search_reaches T (below : T -> T -> Prop) both leaf cut r d :
  (forall a, below a a) -> (forall a b c, below a b -> below a (both b c)) ->
  (forall a b c, below a (c tt) -> below a (both b c)) ->
  (forall e e' c, cut (size e') (foldl write blank e) = Some c ->
    below (leaf (rev (e ++ e')) (lead (g := pal) (full (e ++ e')))) c) ->
  whole m P r -> size d = m -> completes r d ->
  below (leaf (rev d) (lead (g := pal) (full d))) (search both leaf cut m (steps r) blank).
Proof.
move=> self left right short [sz wh] sz_d /allP compl.
have each i : i < m -> [/\ p i < m, p (p i) = i & differ_of P (p i) = differ_of P i].
  by move=> less; case/andP: good_P => /allP /(_ i) + _; rewrite mem_iota less => /(_ isT) /and4P[? /eqP ? /eqP ? _].
pose later k i := if nth None r i is Some x then Put x else if p i < k then Put (nth false d i) else step_of r i.
suff H t k : k + t = m -> below (leaf (rev d) (lead (g := pal) (full d)))
    (search both leaf cut t [seq later k i | i <- iota k t] (foldl write blank (take k d))).
  have := H m 0 erefl; rewrite take0 /=; congr (below _ (search _ _ _ _ _ _)).
  by apply: eq_map => i; rewrite /later /step_of; case: nth.
elim: t k => [|t IH] k kt /=.
  by rewrite squares_written cats0 take_oversize ?written_right //; lia.
case E: (cut _ _) => [c|].
  have sz_drop : size (drop k d) = t.+1 by rewrite size_drop sz_d; lia.
  by have := short (take k d) (drop k d) c; rewrite sz_drop cat_take_drop => /(_ E).
have k_m : k < m by lia.
have {}IH : below (leaf (rev d) (lead (g := pal) (full d)))
    (search both leaf cut t [seq later k.+1 i | i <- iota k.+1 t] (write (foldl write blank (take k d)) (nth false d k))).
  by have := IH k.+1; rewrite addSnnS => /(_ kt); rewrite (take_nth false) ?sz_d // foldl_rcons.
have same_steps : (forall i, k < i < m -> p i = k -> nth None r i <> None) ->
    [seq later k i | i <- iota k.+1 t] = [seq later k.+1 i | i <- iota k.+1 t].
  move=> not_k; apply/eq_in_map => i; rewrite mem_iota => i_in; rewrite /later.
  have i_m : i < m by lia.
  have [_ pp _] := each _ i_m; case r_i: (nth None r i) => //; rewrite ltnS [p i <= k]leq_eqVlt.
  case: eqP => [eq|//]; have i_in' : k < i < m by lia.
  by case: (not_k i i_in' eq r_i).
have := compl k; rewrite mem_iota k_m => /(_ isT); rewrite {1}/later.
case none: (nth None r k) => [x|] /=.
  move=> /eqP <-; rewrite same_steps // => i i_in eq r_i.
  have i_m : i < m by lia.
  by have [_] := wh _ i_m r_i; rewrite eq none.
have [usual pn] := wh _ k_m none; have [p_m pp dp] := each _ k_m.
case: ifP => [p_k _|/negbT]; last rewrite -leqNgt => k_p.
  by rewrite same_steps // => i i_in eq; move: p_k; rewrite -eq; have [|_ -> _] := each i; lia.
rewrite /step_of none ltnNge k_p /= => /eqP d_p.
have k_p' : k < p k.
  rewrite ltn_neqAle k_p andbT eq_sym; case/andP: good_P => /allP /(_ k) + _; rewrite mem_iota k_m => /(_ isT).
  by case/and4P => _ _ _ /eqP ->.
have p_t : (p k - k).-1 < t by lia.
have after b : nth false d k = b -> set_nth (Put false) [seq later k i | i <- iota k.+1 t] (p k - k).-1
    (Put (differ_of P k (+) b)) = [seq later k.+1 i | i <- iota k.+1 t].
  move=> d_k; apply: (@eq_from_nth _ (Put false)) => [|j].
    by rewrite size_set_nth !size_map size_iota (maxn_idPr p_t).
  rewrite size_set_nth size_map size_iota (maxn_idPr p_t) => j_t; rewrite nth_set_nth /= !(nth_map 0) ?size_iota // nth_iota //.
  case: eqP => [eq|neq]; first by rewrite /later (_ : k.+1 + j = p k) ?pn ?pp ?ltnSn ?d_p ?d_k //; lia.
  have i_m : k.+1 + j < m by lia.
  rewrite /later; case r_i: (nth None r _) => //; rewrite ltnS [p _ <= k]leq_eqVlt.
  case: eqP => [eq|//]; case: neq; have [_ qq _] := each _ i_m; rewrite eq in qq; rewrite qq; lia.
move: IH; case d_k: (nth false d k) => IH.
  by apply: right; rewrite -(after true) ?addbT // in IH.
by apply: left; rewrite -(after false) ?addbF // in IH.
Qed.

Lemma full_digits (r : row) : all isSome r -> r = full (map (odflt false) r).
Proof. by elim: r => //= x r IH /andP[]; case: x => // d _ /IH <-. Qed.

Lemma keeps_completes d : size d = m -> keeps m P (full d) -> completes (begun m P) d.
Proof.
move=> sz kp; apply/allP => i; rewrite mem_iota add0n => /andP[_ i_m].
have := kp _ i_m; have [_ kp'] := keeps_begun good_P; have := kp' _ i_m.
rewrite /begun /is_first; case E: (first P) => [[f x]|] /=; last first.
  have := good_P; rewrite /good_pairing => /andP[/allP /(_ i)]; rewrite mem_iota i_m => /(_ isT) /and4P[p_m _ _ _] _.
  by rewrite !nth_nseq !if_same !(nth_map false) ?sz // => _ [->].
rewrite nth_set_nth /=; case: eqP i_m => [-> f_m _|_ i_m _]; first by rewrite (nth_map false) ?sz // => [[->]].
have := good_P; rewrite /good_pairing => /andP[/allP /(_ i)]; rewrite mem_iota i_m => /(_ isT) /and4P[p_m _ _ _] _.
by rewrite nth_nseq if_same !(nth_map false) ?sz // => [[->]].
Qed.
End Search.

(* a pairing from the list of its pairs: two squares, and whether their digits differ *)
Definition pairing_of m (pairs : seq (nat * nat * bool)) (fst_move : option (nat * bool)) :=
  let alone := if fst_move is Some (f, _) then f else m in
  let find i := if [seq x <- pairs | (x.1.1 == i) || (x.1.2 == i)] is (a, b, d) :: _
                then (if a == i then b else a, d) else (if i == alone then i else m, false) in
  Pairing [seq (find i).1 | i <- iota 0 m] [seq (find i).2 | i <- iota 0 m] fst_move.
