(* The rules of Palindromes/Antipalindromes In Sequence, function by function as in `games/palindromes/rules.py`.

   Squares are counted from 0 from the left. A digit is a boolean: true is 1. *)
From mathcomp Require Import all_ssreflect.
From Quet Require Import Game.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Definition row := seq (option bool).      (* None is an empty square *)
Definition digits_written (r : row) := count isSome r.

Definition pal_move : eqType := [eqType of nat * bool].       (* the square and its digit *)
Definition empty_squares (r : row) := [seq i <- iota 0 (size r) | nth None r i == None].
Definition pal_legal_moves (r : row) : seq pal_move := [seq (i, d) | i <- empty_squares r, d <- [:: false; true]].
Definition pal_play (r : row) (m : pal_move) : row := set_nth None r m.1 (Some m.2).
Definition pal_mover (r : row) := if odd (digits_written r) then P2 else P1.
Definition pal_is_over (r : row) := digits_written r == size r.

(* Half the length of the player's longest pattern about a centre. `l` has the squares before the centre from right to
   left, and `r` those after it from left to right. `differ` is whether digits that are mirror images differ. A pattern
   with an empty square in it does not count. *)
Fixpoint half_length (differ : bool) (l r : row) : nat :=
  match l, r with
  | Some x :: l', Some y :: r' => if x (+) y == differ then (half_length differ l' r').+1 else 0
  | _, _ => 0
  end.
Definition wants_different p := if p is P1 then false else true.
Definition at_centre differ (r : row) c := half_length differ (rev (take c r)) (drop c r).
Definition pattern_score differ (r : row) :=
  sumn [seq at_centre differ r c * (at_centre differ r c).+1 | c <- iota 1 (size r).-1].  (* 2 + 4 + ... + 2 * half *)
Definition pal_score (r : row) p := pattern_score (wants_different p) r.
Definition pal_start m : row := nseq m None.

Definition pal := @Game row pal_move pal_legal_moves pal_play pal_mover pal_is_over pal_score.

(* the same game with the goals exchanged: player 1 scores the antipalindromes *)
Definition pal_exchanged := @Game row pal_move pal_legal_moves pal_play pal_mover pal_is_over
  (fun r p => pal_score r (opponent p)).
