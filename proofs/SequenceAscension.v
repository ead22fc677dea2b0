(* The rules of the Sequence Ascension Solitaire Grid Game, function by function as in `games/sequence_ascension/rules.py`.

   Squares are numbered row by row from 0. *)
From mathcomp Require Import all_ssreflect zify.
From Quet Require Import Solitaires.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Record asc_state := AscState {
  placed : nat;             (* terms placed *)
  is_placing : bool;        (* true in the first part *)
  length : nat;             (* squares on the path *)
  last_one : nat;           (* the square filled or stepped to last *)
  index : seq nat;          (* for each square: k where the k-th term stands, 0 where it is empty *)
  path : seq nat            (* for each square: 1, 2, ... along the path, or 0 *)
}.

Section Rules.
Variables (n : nat) (terms : seq nat).   (* the side of the grid, and the terms; only their order matters *)

Definition squares := iota 0 (n * n).
Definition asc_start := AscState 0 true 0 0 (nseq (n * n) 0) (nseq (n * n) 0).
Definition index_of s x := nth 0 (index s) x.
Definition path_of s x := nth 0 (path s) x.
Definition term_on s x := nth 0 terms (index_of s x).-1.

Definition distance (a b : nat) := (a - b) + (b - a).
(* it touches the square, or is it *)
Definition is_near (x y : nat) := (distance (x %/ n) (y %/ n) <= 1) && (distance (x %% n) (y %% n) <= 1).
Definition can_take s x :=
  if is_placing s then index_of s x == 0
  else [&& index_of s x != 0, path_of s x == 0 & term_on s (last_one s) <= term_on s x].
Definition is_stuck s := ~~ has (fun x => is_near (last_one s) x && can_take s x) squares.

Definition asc_is_legal s x :=
  (x < n * n) &&
  if is_placing s && (placed s == 0) then true
  else if ~~ is_placing s && (length s == 0) then index_of s x != 0
  else is_near (last_one s) x && can_take s x.
Definition asc_legal_moves s := filter (asc_is_legal s) squares.

Definition asc_play s x :=
  if is_placing s then
    let filled := AscState (placed s).+1 true (length s) x (set_nth 0 (index s) x (placed s).+1) (path s) in
    AscState (placed filled) (~~ is_stuck filled) (length filled) x (index filled) (path filled)
  else AscState (placed s) false (length s).+1 x (index s) (set_nth 0 (path s) x (length s).+1).
Definition asc_is_over s := (0 < length s) && is_stuck s.

Definition asc := @Solitaire asc_state nat asc_start asc_is_legal asc_play asc_is_over length.

(* a square is on the path once *)
Lemma path_size (s : position asc) : comes_to s ->
  size (path s) = n * n /\ length s = count (fun k => k != 0) (path s).
Proof.
elim=> {s} [|s x _ [sz len] _ /andP[x_n legal]]; first by rewrite size_nseq count_nseq.
rewrite /= /asc_play; case: ifP => //= placing; split; first by rewrite size_set_nth sz; lia.
have none : path_of s x == 0.
  move: legal; rewrite placing /=; case: ifP => [/eqP len0 _|_]; last by rewrite /can_take placing => /and4P[].
  move: len; rewrite len0 => /esym/eqP; rewrite -leqn0 leqNgt -has_count => /hasPn all0.
  by have := all0 (path_of s x); rewrite negbK; apply; rewrite mem_nth // sz.
by rewrite count_set_nth_ltn ?sz // -/(path_of s x) (eqP none) len subn0 addn1.
Qed.
Theorem asc_bounds : none_above asc (n * n) /\ none_below asc 1.
Proof.
split=> s at_s over; last by case/andP: over.
by have [<- len] := path_size at_s; rewrite -[score s]/(length s) len count_size.
Qed.
End Rules.
