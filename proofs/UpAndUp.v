(* The rules of Up And Up, function by function as in `games/up_and_up/rules.py`.

   A square is its column and row, from 0. The game is a list of squares, the last one first, and the length of the next
   step. *)
From mathcomp Require Import all_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Record up_state := UpState {
  path : seq (nat * nat);    (* the squares of the numbers, the last one first *)
  next_step : nat            (* how far the next number goes, unless no empty square lies there *)
}.

Section Rules.
Variable n : nat.
Definition up_start := UpState [::] 0.

Definition squares : seq (nat * nat) := [seq (c, r) | r <- iota 0 n, c <- iota 0 n].
Definition distance (a b : nat) := (a - b) + (b - a).
(* in the same row or column, so many squares away *)
Definition is_away k (a b : nat * nat) :=
  ((a.1 == b.1) && (distance a.2 b.2 == k)) || ((a.2 == b.2) && (distance a.1 b.1 == k)).
Definition at_distance s k :=
  if path s is last :: _ then [seq x <- squares | is_away k last x & x \notin path s] else [::].

Definition up_legal_moves s :=
  if path s is [::] then squares
  else if at_distance s (next_step s) is [::] then at_distance s 1 else at_distance s (next_step s).

Definition up_play s (x : nat * nat) :=
  if path s is last :: _ then UpState (x :: path s) (distance last.1 x.1 + distance last.2 x.2).+1
  else UpState [:: x] 1.

Definition up_is_over s := (path s != [::]) && nilp (at_distance s (next_step s)) && nilp (at_distance s 1).
Definition up_score s := size (path s).

(* the positions that games come to *)
Inductive reached : up_state -> Prop :=
| ReachedStart : reached up_start
| ReachedMove s x : reached s -> x \in up_legal_moves s -> reached (up_play s x).
End Rules.
