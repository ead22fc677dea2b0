(* The rules of Sums Equal 1,2,3,...m In Small Grid, as in `games/sums_grid/rules.py`.

   Squares are numbered row by row from 0. *)
From mathcomp Require Import all_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Record sums_state := SumsState {
  numbers : seq nat;      (* the number in each square, 0 where it is empty *)
  is_done : bool          (* whether the player has said so *)
}.
Inductive sums_move := Write of nat & nat | Done.     (* a square and its number, 0 to erase *)

Section Rules.
Variable n : nat.
Definition LARGEST := 10 ^ 9.

Definition sums_start := SumsState (nseq (n * n) 0) false.
Definition number s square := nth 0 (numbers s) square.
Definition sums_is_legal s (m : sums_move) :=
  ~~ is_done s &&
  match m with
  | Done => all (fun k => k != 0) (numbers s)
  | Write square k => [&& square < n * n, k <= LARGEST, k != number s square & (k == 0) || (k \notin numbers s)]
  end.
(* numbers above n^3 are legal but never help, and are not listed *)
Definition sums_legal_moves s : seq sums_move :=
  [seq m <- [seq Write square k | square <- iota 0 (n * n), k <- iota 0 (n * n * n).+1] ++ [:: Done] | sums_is_legal s m].
Definition sums_play s (m : sums_move) :=
  match m with
  | Done => SumsState (numbers s) true
  | Write square k => SumsState (set_nth 0 (numbers s) square k) (is_done s)
  end.

(* the squares of each row and of each column, in order *)
Definition rows := [seq [seq i * n + j | j <- iota 0 n] | i <- iota 0 n].
Definition columns := [seq [seq j * n + i | j <- iota 0 n] | i <- iota 0 n].

(* the sums of the runs that begin with the first square of the line; a run with an empty square has none *)
Fixpoint sums_from (total : nat) (line : seq nat) : seq nat :=
  if line is k :: rest then if k == 0 then [::] else total + k :: sums_from (total + k) rest else [::].
Fixpoint line_sums (line : seq nat) : seq nat :=
  if line is _ :: rest then sums_from 0 line ++ line_sums rest else [::].
Definition all_sums s := flatten [seq line_sums [seq number s x | x <- line] | line <- rows ++ columns].

(* the largest m such that 1, ..., m all occur *)
Fixpoint count_up fuel m (sums : seq nat) :=
  if fuel is fuel'.+1 then if m.+1 \in sums then count_up fuel' m.+1 sums else m else m.
Definition sums_score s := let sums := all_sums s in count_up (size sums) 0 sums.
End Rules.
