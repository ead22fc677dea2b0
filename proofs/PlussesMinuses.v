(* The rules of Plusses And Minuses, function by function as in `games/plusses_minuses/rules.py`.

   Columns, rows and places of the lists are counted from 0. *)
From mathcomp Require Import all_ssreflect.
From Quet Require Import Game.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Definition pm_move : eqType := [eqType of bool + nat * nat].
Definition Predict (plus : bool) : pm_move := inl plus.
Definition Fill (column row : nat) : pm_move := inr (column, row).

Record pm_state := PmState {
  predicted : seq bool;        (* true for +, in the order of play: players 1, 2, 1, ... *)
  filled : seq (nat * nat)     (* column and row of each filled square, the last one first *)
}.

(* height p(c) of the filled square in column c, and the column q(h) of the one in row h; None where none is filled *)
Definition height s c := ohead [seq x.2 | x <- filled s & x.1 == c].
Definition column s h := ohead [seq x.1 | x <- filled s & x.2 == h].

Section Rules.
Variables (n : nat) (second_part_first : player).

Definition pm_start := PmState [::] [::].
Definition is_predicting s := size (predicted s) < 2 * n.-1.

Definition free_squares s : seq (nat * nat) :=
  [seq (c, h) | h <- [seq h <- iota 0 n | column s h == None], c <- [seq c <- iota 0 n | height s c == None]].
Definition pm_legal_moves s : seq pm_move :=
  if is_predicting s then [:: Predict true; Predict false] else [seq Fill x.1 x.2 | x <- free_squares s].

Definition pm_play s (m : pm_move) :=
  match m with
  | inl plus => PmState (rcons (predicted s) plus) (filled s)
  | inr square => PmState (predicted s) (square :: filled s)
  end.

Definition pm_mover s :=
  if is_predicting s then if odd (size (predicted s)) then P2 else P1
  else if odd (size (filled s)) then opponent second_part_first else second_part_first.

Definition pm_is_over s := ~~ is_predicting s && (size (filled s) == n).

(* the sign at place k of the player's truth list; None where one of the two squares is missing *)
Definition truth s p k : option bool :=
  let line := if p is P1 then height s else column s in
  if (line k, line k.+1) is (Some a, Some b) then Some (a < b) else None.
Definition pm_score s p :=
  count (fun k => truth s p k == Some (nth false (predicted s) (2 * k + if p is P1 then 0 else 1))) (iota 0 n.-1).

Definition pm := @Game pm_state pm_move pm_legal_moves pm_play pm_mover pm_is_over pm_score.
End Rules.
