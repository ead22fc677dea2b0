(* Theorem 3 of docs/proofs.md as far as Coq itself looks at all rows: the table's pairings, every m to 36. The larger ones
   to 52 are checked by `is_right`, extracted to OCaml (`make proofs-long`); `is_right_holds` says what it proves. *)
From mathcomp Require Import all_ssreflect zify.
Require Import ZArith Lia.
From Quet Require Import Game Palindromes PalindromesPairings PalindromesSearch PalindromesAvoiding.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* The pairs of blocks of two, four, two, four, ... squares from square i on; `left` squares, each paired with its mirror
   image in the block. *)
Fixpoint blocks fuel i left size differ : seq (nat * nat * bool) :=
  if fuel is fuel'.+1 then
    if left is 0 then [::] else
    let size := minn size left in
    [seq (i + j, i + size.-1 - j, differ) | j <- iota 0 size./2] ++
      blocks fuel' (i + size) (left - size) (6 - size) differ
  else [::].

(* the table of Theorem 3 *)
Definition table m : pairing :=
  if odd m then pairing_of m (blocks m 1 m.-1 2 false) (Some (0, false))
  else
    let ends := match m %% 6 with
      | 2 => [::]
      | 4 => [:: (0, m.-1, false)]
      | _ => let differ := m %% 12 == 6 in [:: (0, m.-2, differ); (1, m.-1, differ)]
      end in
    pairing_of m (ends ++ blocks m (size ends) (m - 2 * size ends) 2 true) None.
Definition promised m : Z := if odd m then 0%Z else if 6 %| m then (-4)%Z else (-2)%Z.

(* a pairing whose rules are all kept: no part is avoided *)
Definition is_right m := avoiding_right m (table m) [::] (promised m).

Lemma is_right_holds m : is_right m ->
  if odd m then at_least (g := pal) (promised m) (pal_start m) else at_most (g := pal) (promised m) (pal_start m).
Proof.
rewrite /is_right => right; case odd_m: (odd m).
  have -> : promised m = (- promised m)%Z by rewrite /promised odd_m.
  by apply: avoiding_at_least right; rewrite /table odd_m.
by apply: avoiding_at_most right; rewrite /table odd_m.
Qed.

Definition LARGEST := 36.

Lemma all_right : all is_right (iota 1 LARGEST).
Proof. by vm_compute. Qed.

Theorem Theorem_3_even m : 0 < m <= LARGEST -> ~~ odd m ->
  at_most (g := pal) (if 6 %| m then -4 else -2)%Z (pal_start m).
Proof.
move=> range even; have := allP all_right m; rewrite mem_iota => /(_ range) /is_right_holds.
by rewrite /promised (negbTE even).
Qed.

Theorem Theorem_3_odd m : 0 < m <= LARGEST -> odd m -> at_least (g := pal) 0 (pal_start m).
Proof.
move=> range odd_m; have := allP all_right m; rewrite mem_iota => /(_ range) /is_right_holds.
by rewrite /promised odd_m.
Qed.
