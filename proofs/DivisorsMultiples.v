(* The rules of the Divisors/Multiples Sequence Game for two, function by function as in `games/divisors_multiples/rules.py`.

   Who pays less wins. So it is player 1 who wants the value, which is what player 1 pays minus what player 2 pays, to be low. *)
From mathcomp Require Import all_ssreflect.
Require Import ZArith.
From Quet Require Import Game.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Record dm_state := DM {
  taken : seq bool;       (* of 0, 1, ..., r; 0 is unused *)
  current : nat;          (* the number stepped to last *)
  turn_of : player;
  num_steps : nat;        (* made in this turn so far *)
  paid : nat * nat        (* by player 1 and by player 2 *)
}.
Definition dm_move : eqType := [eqType of nat * bool].        (* the number stepped to, and whether the turn stops there *)
Definition is_taken (s : dm_state) y := nth false (taken s) y.
Definition cost (s : dm_state) p := if p is P1 then (paid s).1 else (paid s).2.

Definition related x y := (y %| x) || (x %| y).               (* y is a divisor or a multiple of x *)
Definition ratio x y := if x < y then y %/ x else x %/ y.
Definition price (s : dm_state) y := if is_taken s y then 2 * ratio (current s) y else ratio (current s) y.
Definition pay (s : dm_state) k := if turn_of s is P1 then ((paid s).1 + k, (paid s).2) else ((paid s).1, (paid s).2 + k).

Section Rules.
Variable r : nat.                                             (* the largest number *)

Definition numbers := iota 1 r.
Definition dm_start := DM (set_nth false (nseq r.+1 false) 1 true) 1 P1 0 (0, 0).
Definition num_taken (s : dm_state) := count id (taken s).
Definition dm_is_over (s : dm_state) := num_taken s == r.
Definition can_stop_from (s : dm_state) x := has (fun y => related x y && ~~ is_taken s y) numbers.
(* a turn has at most 2r steps, the stopping one included *)
Definition steps_after (s : dm_state) := 2 * r - num_steps s - 1.
Definition moves_to (s : dm_state) y : seq dm_move :=
  (if (1 < steps_after s) || (steps_after s == 1) && can_stop_from s y then [:: (y, false)] else [::]) ++
  (if is_taken s y then [::] else [:: (y, true)]).
Definition dm_legal_moves (s : dm_state) : seq dm_move :=
  if dm_is_over s then [::] else flatten [seq moves_to s y | y <- numbers & related (current s) y].
Definition dm_play (s : dm_state) (m : dm_move) : dm_state :=
  let: (y, stops) := m in
  if stops then DM (set_nth false (taken s) y true) y (opponent (turn_of s)) 0 (pay s (price s y))
  else DM (taken s) y (turn_of s) (num_steps s).+1 (pay s (price s y)).

Definition dm := @Game dm_state dm_move dm_legal_moves dm_play turn_of dm_is_over cost.

(* the value of the game is at least, or at most, v *)
Definition dm_at_least v := holds (g := dm) P2 (fun s => v <= lead s)%Z.    (* player 2 can hold at least v *)
Definition dm_at_most v := holds (g := dm) P1 (fun s => lead s <= v)%Z.     (* player 1 can hold at most v *)
End Rules.
