(* What the search of UpAndUpSearch.v finds: nothing, among games of up to 17 steps. Coq compiles and runs it here, a minute long. *)
From mathcomp Require Import all_ssreflect.
Require Import ZArith.
From Quet Require Import UpAndUpSearch.

Lemma all_prefixes : all (prefixes 36%Z None can_end) (iota 1 16).
Proof. by native_compute. Qed.
Lemma all_finals : all (finals 36%Z None can_end) (iota 1 17).
Proof. by native_compute. Qed.

(* The search isn't blind: it doesn't refute the one run of 18 steps that gets stuck. *)
Lemma the_game_of_nineteen : root 36%Z None can_end (levels can_end 18) 18 18 true = false.
Proof. by native_compute. Qed.
