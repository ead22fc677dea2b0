(* The rules of Convoluted Coprimality for any number of players, function by function as in
   `games/convoluted_coprimality/rules.py`.

   Columns and rows are counted from 0, players from 1. A grid is the path of its squares, the latest first: number 1 stands
   in the last square of the list, and the number written last in the first one. *)
From mathcomp Require Import all_ssreflect.
Require Import ZArith.
From Quet Require Import Many.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Definition cc_move : eqType := [eqType of nat * nat].         (* column and row *)

Record cc_state := CC {
  trail : seq cc_move;    (* the squares of the grid that are filled *)
  still : seq bool;       (* whether players 1, 2, ... are still in the game *)
  turn : nat;             (* who writes the next number *)
  num_grid : nat;         (* the grid being filled, from 1 *)
  ended : bool            (* whether one player is left or the last grid is blocked *)
}.
Definition is_in (l : seq bool) p := nth false l p.-1.

(* the number written in a square, or 0 *)
Fixpoint number_in (l : seq cc_move) (x : cc_move) : nat :=
  if l is y :: l' then if (y.1 == x.1) && (y.2 == x.2) then size l else number_in l' x else 0.

Section Rules.
Variables (n players grids : nat).                            (* the side of a grid, how many play, and how many grids may be blocked *)

Definition squares_beside (x : cc_move) : seq cc_move :=      (* ascending, as squares are numbered row by row *)
  let: (c, r) := x in
  (if 0 < r then [:: (c, r.-1)] else [::]) ++ (if 0 < c then [:: (c.-1, r)] else [::]) ++
  (if c < n.-1 then [:: (c.+1, r)] else [::]) ++ (if r < n.-1 then [:: (c, r.+1)] else [::]).
Definition on_border (x : cc_move) := [|| x.2 == 0, x.2 == n.-1, x.1 == 0 | x.1 == n.-1].

(* a square beside the last number can take the next one if it is empty, and on the border or beside a second filled one *)
Definition can_take (l : seq cc_move) x :=
  (number_in l x == 0) && (on_border x || (2 <= count (fun y => number_in l y != 0) (squares_beside x))).
Definition next_squares (l : seq cc_move) := if l is x :: _ then [seq y <- squares_beside x | can_take l y] else [::].
Definition cc_legal_moves (s : cc_state) := if ended s then [::] else next_squares (trail s).
Definition is_blocked (l : seq cc_move) := nilp (next_squares l).

(* whether the next number would stand in x beside one that it shares a factor with *)
Definition shares_factor (l : seq cc_move) y := let k := number_in l y in (k != 0) && (1 < gcdn (size l).+1 k).
Definition eliminates (l : seq cc_move) x := has (shares_factor l) (squares_beside x).

(* all players in order, those after p first; p comes last *)
Definition in_turn p := iota p.+1 (players - p) ++ iota 1 p.
Definition next_left (l : seq bool) p := head 0 [seq q <- in_turn p | is_in l q].
Definition new_grid (l : seq bool) k := CC [:: (0, n.-1)] l (next_left l 0) k false.
Definition cc_start := new_grid (nseq players true) 1.

(* in this order: elimination, one player left, the turn passes, a blocked grid is renewed *)
Definition cc_play (s : cc_state) (x : cc_move) : cc_state :=
  let out := eliminates (trail s) x in
  let l := x :: trail s in
  let in_game := if out then set_nth false (still s) (turn s).-1 false else still s in
  if out && (count id in_game == 1) then CC l in_game (turn s) (num_grid s) true
  else let next := if out || prime (size l) then next_left in_game (turn s) else turn s in
    if ~~ is_blocked l then CC l in_game next (num_grid s) false
    else if grids <= num_grid s then CC l in_game next (num_grid s) true
    else new_grid in_game (num_grid s).+1.

Definition cc_scores (s : cc_state) : result := [seq if is_in (still s) p then 1%Z else 0%Z | p <- iota 1 players].

(* A player wishes a large share of the win; those who are still in the game have equal shares. Shares are told in parts
   of 1/840, which is exact for 8 players at most (`share_exact` in ConvolutedCoprimalityChecker.v). The mover
   prefers a large share of its own, then of the next player, and so on, and at last the smaller sum of scores. *)
Definition total (r : result) : Z := foldr Z.add 0%Z r.
Definition share (r : result) p : Z := (840 * nth 0%Z r p.-1 / total r)%Z.
Definition cc_key (s : cc_state) (r : result) : seq Z := rcons [seq share r p | p <- in_turn (turn s).-1] (- total r)%Z.

Definition cc := @Many cc_state cc_move cc_legal_moves cc_play ended cc_scores cc_key.
End Rules.
