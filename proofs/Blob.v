(* The rules of the Multiples/Divisors Blob Game, function by function as in `games/blob/rules.py`.

   Columns and rows are counted from 0. A grid is the list of its rows from the bottom up; true is a filled square. *)
From mathcomp Require Import all_ssreflect.
From Quet Require Import Game.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Definition grid := seq (seq bool).
Definition blob_move : eqType := [eqType of nat * nat].       (* column and row *)
Definition is_filled (s : grid) c r := nth false (nth [::] s r) c.
Definition num_filled (s : grid) := sumn [seq count id l | l <- s].
Definition beside (s : grid) c r :=
  [|| is_filled s c.+1 r, is_filled s c r.+1, (0 < c) && is_filled s c.-1 r | (0 < r) && is_filled s c r.-1].

(* the lengths of the runs of filled and of empty squares in a line; the first run has k squares more, alike x *)
Fixpoint runs_from (x : bool) (k : nat) (l : seq bool) : seq nat :=
  match l with
  | [::] => [:: k]
  | y :: l' => if x == y then runs_from x k.+1 l' else k :: runs_from y 1 l'
  end.
Definition runs (l : seq bool) : seq nat := if l is x :: l' then runs_from x 1 l' else [::].
(* of any two lengths one divides the other *)
Definition is_good (l : seq bool) : bool := all (fun a => all (fun b => (a %| b) || (b %| a)) (runs l)) (runs l).

Section Rules.
Variable n : nat.

Definition blob_start : grid := nseq n (nseq n false).
Definition most_filled := 2 * (n * n)./2./2.                  (* both players fill n * n / 4 squares *)
Definition blob_is_over (s : grid) := num_filled s == most_filled.
Definition squares : seq blob_move := [seq (c, r) | r <- iota 0 n, c <- iota 0 n].
Definition blob_legal_moves (s : grid) : seq blob_move :=
  if num_filled s == 0 then squares
  else if blob_is_over s then [::]
  else [seq x <- squares | ~~ is_filled s x.1 x.2 && beside s x.1 x.2].
Definition blob_play (s : grid) (x : blob_move) : grid :=
  set_nth [::] s x.2 (set_nth false (nth [::] s x.2) x.1 true).
Definition blob_mover (s : grid) := if odd (num_filled s) then P2 else P1.
Definition column_of (s : grid) c := [seq nth false l c | l <- s].
Definition blob_score (s : grid) p :=
  count is_good (if p is P1 then s else [seq column_of s c | c <- iota 0 n]).

Definition blob := @Game grid blob_move blob_legal_moves blob_play blob_mover blob_is_over blob_score.
End Rules.
