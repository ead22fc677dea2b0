(* The search through all rows that keep the rules of a pairing, and that what it finds is held. *)
From mathcomp Require Import all_ssreflect zify.
Require Import ZArith Lia.
From Quet Require Import Game Palindromes PalindromesFast PalindromesPairings.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* how the next square is filled, from left to right *)
Inductive step :=
| Put of bool               (* with this digit *)
| Copy of nat & bool        (* as the square so many before the last one, or with the other digit *)
| Free.                     (* with either *)

(* The best lead by `pick`, Z.max or Z.min, of all rows that begin with the digits of `row`, which is reversed. *)
Fixpoint extreme (pick : Z -> Z -> Z) (steps : seq step) (row : seq bool) : Z :=
  match steps with
  | [::] => fast_lead (rev row)
  | Put d :: rest => extreme pick rest (d :: row)
  | Copy back differ :: rest => extreme pick rest (differ (+) nth false row back :: row)
  | Free :: rest => pick (extreme pick rest (false :: row)) (extreme pick rest (true :: row))
  end.

Section Search.
Variables (m : nat) (P : pairing).

Definition step_of k :=
  if is_first P k then Put (if first P is Some (_, d) then d else false)
  else if partner_of P k < k then Copy (k.-1 - partner_of P k) (differ_of P k) else Free.
Definition steps := [seq step_of k | k <- iota 0 m].

Lemma extreme_bound (below : Z -> Z -> Prop) pick d :
  (forall a, below a a) -> (forall a b c, below a b -> below a (pick b c)) ->
  (forall a b c, below a c -> below a (pick b c)) ->
  good_pairing m P -> size d = m -> keeps m P (full d) ->
  below (lead (g := pal) (full d)) (extreme pick steps [::]).
Proof.
move=> self left right good sz kp.
suff H j k : k + j = m -> below (lead (g := pal) (full d)) (extreme pick (drop k steps) (rev (take k d))).
  by have := H m 0 erefl; rewrite drop0 take0.
elim: j k => [|j IH] k kj.
  rewrite drop_oversize ?size_map ?size_iota; last lia.
  by rewrite take_oversize /= ?revK ?fast_lead_eq //; lia.
have k_m : k < m by lia.
have := IH k.+1; rewrite addSnnS => /(_ kj).
have -> : drop k steps = step_of k :: drop k.+1 steps.
  by rewrite (drop_nth Free) ?size_map ?size_iota // /steps (nth_map 0) ?size_iota // nth_iota.
rewrite (take_nth false) ?sz // rev_rcons /step_of /=.
have kp_k := kp _ k_m; rewrite (nth_map false) ?sz // in kp_k.
case: ifP kp_k => [_ eq|_ _].
  by move: eq; case: (first P) => [[f x]|] //= [->].
case: ifP => [p_k|_] /=; last by case: (nth false d k); [apply: right|apply: left].
case/andP: (good) => /allP /(_ k) + _; rewrite mem_iota add0n k_m => /(_ isT) /and4P[p_m /eqP pp /eqP dp own].
have := kp _ p_m; rewrite pp dp !(nth_map false) ?sz //.
have -> : is_first P (partner_of P k) = false.
  apply/negbTE; move: good; rewrite /good_pairing => /andP[/allP /(_ (partner_of P k)) + _].
  rewrite mem_iota add0n p_m => /(_ isT) /and4P[_ _ _ /eqP <-]; rewrite pp.
  by apply/eqP => eq; rewrite -eq ltnn in p_k.
case=> ->; rewrite nth_rev size_takel ?sz; try lia.
by rewrite (_ : k - (k.-1 - partner_of P k).+1 = partner_of P k) ?nth_take //; lia.
Qed.

Lemma full_digits (r : row) : all isSome r -> r = full (map (odflt false) r).
Proof. by elim: r => //= x r IH /andP[]; case: x => // d _ /IH <-. Qed.

(* Lemma 2: the replier's worst result among the rows that keep the rules *)
Theorem pairing_at_most : good_pairing m P -> first P = None ->
  at_most (g := pal) (extreme Z.max steps [::]) (pal_start m).
Proof.
move=> good none; have : replier P = P2 by rewrite /replier none.
have := @pairing_holds m P good (fun s => lead (g := pal) s <= extreme Z.max steps [::])%Z.
move=> hold eq; rewrite eq in hold; apply: hold => r sz all_full kp.
rewrite (full_digits all_full) in kp *.
by apply: (@extreme_bound Z.le) => //; rewrite ?size_map //; lia.
Qed.

Theorem pairing_at_least : good_pairing m P -> first P <> None ->
  at_least (g := pal) (extreme Z.min steps [::]) (pal_start m).
Proof.
move=> good some; have : replier P = P1 by rewrite /replier; case: (first P) some.
have := @pairing_holds m P good (fun s => extreme Z.min steps [::] <= lead (g := pal) s)%Z.
move=> hold eq; rewrite eq in hold; apply: hold => r sz all_full kp.
rewrite (full_digits all_full) in kp *.
by apply: (@extreme_bound (fun a b => b <= a)%Z) => //; rewrite ?size_map //; lia.
Qed.
End Search.

(* a pairing from the list of its pairs: two squares, and whether their digits differ *)
Definition pairing_of m (pairs : seq (nat * nat * bool)) (fst_move : option (nat * bool)) :=
  let alone := if fst_move is Some (f, _) then f else m in
  let find i := if [seq x <- pairs | (x.1.1 == i) || (x.1.2 == i)] is (a, b, d) :: _
                then (if a == i then b else a, d) else (if i == alone then i else m, false) in
  Pairing [seq (find i).1 | i <- iota 0 m] [seq (find i).2 | i <- iota 0 m] fst_move.
