(* The rules of the Divisors/Multiples Sequence Game for any number of players, function by function as in
   `games/divisors_multiples/rules.py`, and what the players wish, as in its `claims.py` and in `certificates/aims.py`.

   `DivisorsMultiples.v` has the same rules for two players. `DivisorsMultiplesTwo.v` proves that both lead to the same value. *)
From mathcomp Require Import all_ssreflect zify.
Require Import ZArith Lia.
From Quet Require Import DivisorsMultiples Many.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Record dmm_state := DMM {
  dmm_taken : seq bool;       (* of 0, 1, ..., r; 0 is unused *)
  dmm_current : nat;          (* the number stepped to last *)
  dmm_mover : nat;            (* whose turn it is: 1, 2, ... *)
  dmm_num_steps : nat;        (* made in this turn so far *)
  dmm_paid : seq nat          (* by player 1, player 2, ... *)
}.
Implicit Types (s : dmm_state) (a b c : result).
Definition dmm_is_taken s y := nth false (dmm_taken s) y.
Definition dmm_score s q := nth 0 (dmm_paid s) q.-1.

Definition dmm_price s y := if dmm_is_taken s y then 2 * ratio (dmm_current s) y else ratio (dmm_current s) y.
Definition dmm_pay s k := set_nth 0 (dmm_paid s) (dmm_mover s).-1 (dmm_score s (dmm_mover s) + k).

Section Rules.
Variables r p : nat.                                          (* the largest number, and how many play *)

Definition players := iota 1 p.
Definition dmm_start := DMM (set_nth false (nseq r.+1 false) 1 true) 1 1 0 (nseq p 0).
Definition dmm_num_taken s := count id (dmm_taken s).
Definition dmm_is_over s := dmm_num_taken s == r.
Definition dmm_can_stop_from s x := has (fun y => related x y && ~~ dmm_is_taken s y) (numbers r).
(* a turn has at most 2r steps, the stopping one included *)
Definition dmm_steps_after s := 2 * r - dmm_num_steps s - 1.
Definition dmm_moves_to s y : seq dm_move :=
  (if (1 < dmm_steps_after s) || (dmm_steps_after s == 1) && dmm_can_stop_from s y then [:: (y, false)] else [::]) ++
  (if dmm_is_taken s y then [::] else [:: (y, true)]).
Definition dmm_legal_moves s : seq dm_move :=
  if dmm_is_over s then [::] else flatten [seq dmm_moves_to s y | y <- numbers r & related (dmm_current s) y].
Definition dmm_play s (m : dm_move) : dmm_state :=
  let: (y, stops) := m in
  if stops then DMM (set_nth false (dmm_taken s) y true) y (dmm_mover s %% p).+1 0 (dmm_pay s (dmm_price s y))
  else DMM (dmm_taken s) y (dmm_mover s) (dmm_num_steps s).+1 (dmm_pay s (dmm_price s y)).

(* What has been paid, as a certificate tells it: as a difference if there are two players. *)
Definition standing (paid : seq nat) : result :=
  let scores := [seq Z.of_nat (nth 0 paid q.-1) | q <- players] in
  if p == 2 then [:: nth 0%Z scores 0 - nth 0%Z scores 1]%Z else scores.
Definition dmm_scores s := standing (dmm_paid s).

(* the sum over the others of what they have paid less what this player has paid *)
Definition total a := foldr Z.add 0%Z a.
Definition wish a q : Z := (total a - Z.of_nat p * nth 0%Z a q.-1)%Z.
(* how the player w likes a result: what w wishes, then what the next players wish, and at last that less is paid *)
Definition liking (w : nat) a : seq Z :=
  if p == 2 then [:: if w == 1 then (- nth 0 a 0)%Z else nth 0%Z a 0]
  else rcons [seq wish a q | q <- rot w.-1 players] (- total a)%Z.

Definition dmm := @Many dmm_state dm_move dmm_legal_moves dmm_play dmm_is_over dmm_scores (fun s => liking (dmm_mover s)).

(* ---- a result has so many numbers, and its liking tells which it is *)
Definition width := if p == 2 then 1 else p.
Lemma size_standing paid : size (standing paid) = width.
Proof. by rewrite /standing /width; case: ifP => // _; rewrite size_map size_iota. Qed.

Lemma liking_inj w a b : size a = width -> size b = width -> liking w a = liking w b -> a = b.
Proof.
rewrite /liking /width; case: ifP => _.
  case: a b => [|x [|? ?]] // [|y [|? ?]] // _ _; case: ifP => _ [eq]; congr [:: _] => //; move: eq; clear; lia.
move=> size_a size_b /rcons_inj[same_wishes same_total]; apply: (@eq_from_nth _ 0%Z) => [|i]; rewrite size_a ?size_b // => less.
have /eq_in_map/(_ i.+1) := same_wishes; rewrite mem_rot mem_iota add1n !ltnS less => /(_ isT).
rewrite /wish /= => same; apply: (@Z.mul_reg_l _ _ (Z.of_nat p)); move: less same same_total; clear; lia.
Qed.

(* Perfect play leads to one result. *)
Theorem dmm_leads_to_one s a b : leads_to (g := dmm) s a -> leads_to (g := dmm) s b -> a = b.
Proof.
apply: (@leads_to_one dmm (fun a => size a = width)) => [e _|e c d _]; first exact: size_standing.
exact: liking_inj.
Qed.
End Rules.
