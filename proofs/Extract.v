(* The rules and the verified checker as OCaml, for `make checker`. Numbers become OCaml's integers of 63 bits. *)
From mathcomp Require Import all_ssreflect.
From Quet Require Import Game PlussesMinuses Palindromes PalindromesPairings PalindromesSearch PalindromesAvoiding PalindromesValues UpAndUp SumsGrid
  Tables TablesOfGames Weak WeakOfGames Blob BlobChecker DivisorsMultiples
  DivisorsMultiplesChecker ConvolutedCoprimality ConvolutedCoprimalityChecker Refutations Solitaires UpAndUpScores UpAndUpTables
  UpAndUpGames SumsGridChecker SequenceAscension.
From Quet Require DivisorsMultiplesMany DivisorsMultiplesManyChecker DivisorsMultiplesManySets SequenceAscensionClauses.
Require Import ZArith Extraction ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZInt.

(* the games of two with moves that OCaml has a type for *)
Module PlussesMinusesRules.
Definition start : pm_state := pm_start.
Definition legal n s : list (bool + nat * nat) := pm_legal_moves n s.
Definition play s (m : bool + nat * nat) : pm_state := pm_play s m.
Definition mover n first s := pm_mover n first s.
Definition over n s := pm_is_over n s.
Definition score n s p := pm_score n s p.
End PlussesMinusesRules.

Module PalindromesRules.
Definition start m : list (option bool) := pal_start m.
Definition legal (r : list (option bool)) : list (nat * bool) := pal_legal_moves r.
Definition play (r : list (option bool)) (m : nat * bool) : list (option bool) := pal_play r m.
Definition mover (r : list (option bool)) := pal_mover r.
Definition over (r : list (option bool)) := pal_is_over r.
Definition score (r : list (option bool)) p := pal_score r p.
End PalindromesRules.

Module BlobRules.
Definition start n : list (list bool) := blob_start n.
Definition legal n s : list (nat * nat) := blob_legal_moves n s.
Definition play (s : list (list bool)) (x : nat * nat) : list (list bool) := blob_play s x.
Definition mover s := blob_mover s.
Definition over n s := blob_is_over n s.
Definition score n s p := blob_score n s p.
Definition is_edge (s : list (list bool)) c r := ~~ is_filled s c r && beside s c r.
End BlobRules.

Module DivisorsMultiplesRules.
Definition start r := dm_start r.
Definition legal r s : list (nat * bool) := dm_legal_moves r s.
Definition play s (m : nat * bool) := dm_play s m.
Definition mover s := turn_of s.
Definition over r s := dm_is_over r s.
Definition score s p := cost s p.
End DivisorsMultiplesRules.

Module DivisorsMultiplesManyRules.
Import DivisorsMultiplesMany.
Definition start r p := dmm_start r p.
Definition legal r s : list (nat * bool) := dmm_legal_moves r s.
Definition play p s (m : nat * bool) := dmm_play p s m.
Definition mover s := dmm_mover s.
Definition over r s := dmm_is_over r s.
Definition score s q := dmm_score s q.
End DivisorsMultiplesManyRules.

Module UpAndUpRules.
Definition start := up_start.
Definition legal n s : list (nat * nat) := up_legal_moves n s.
Definition play s (x : nat * nat) := up_play s x.
Definition over n s := up_is_over n s.
Definition score s := up_score s.
End UpAndUpRules.

Module SumsGridRules.
Definition start n := sums_start n.
Definition legal n s := sums_legal_moves n s.
Definition is_legal n s m := sums_is_legal n s m.
Definition play s m := sums_play s m.
Definition over s := is_done s.
Definition score n s := sums_score n s.
End SumsGridRules.

Module ConvolutedCoprimalityRules.
Definition start n players := cc_start n players.
Definition legal n s : list (nat * nat) := cc_legal_moves n s.
Definition play n players grids s (x : nat * nat) := cc_play n players grids s x.
Definition over (s : cc_state) := ended s.
Definition scores players s : list Z := cc_scores players s.
End ConvolutedCoprimalityRules.

Module SequenceAscensionRules.
Definition start n := asc_start n.
Definition legal n terms s := asc_legal_moves n terms s.
Definition play n terms s x := asc_play n terms s x.
Definition over n terms s := asc_is_over n terms s.
Definition score s := length s.
End SequenceAscensionRules.

(* What the checker asks. PalindromesAvoiding.v proves what `avoiding_at_most` and `avoiding_at_least` say,
   TablesOfGames.v what `pal_table_value`, `pm_table_value` and `pal_bounds` say, WeakOfGames.v what `pal_weak_holds`,
   `pm_weak_holds`, `pm_bounds` and `mirror_holds` say, BlobChecker.v what `blob_table_value`, `blob_weak_holds` and
   `blob_bounds` say, DivisorsMultiplesChecker.v what `dm_weak_holds` says, DivisorsMultiplesManyChecker.v what `dmm_table_leads`
   says, DivisorsMultiplesManySets.v what `dmm_sets_lead` says,
   ConvolutedCoprimalityChecker.v what `cc_table_leads` says, Solitaires.v what `score_of` says, UpAndUpTables.v what `up_table_right`
   says, UpAndUpGames.v what `none_shorter_on` says, and SumsGridChecker.v what `sums_bound` and `sums_tried` say. *)
Module Check.
Definition avoiding_is_right m P (parts : list (list (option bool))) limit := avoiding_right m P parts limit.
Definition bound m := pal_bound m.

Definition palindromes_add (t : tree (list (option bool) * Z)) (r : list (option bool)) v : tree (list (option bool) * Z) :=
  add (g := pal) pal_code t r v.
Definition palindromes_right (t : tree (list (option bool) * Z)) := pal_table_right t.
Definition palindromes_value (t : tree (list (option bool) * Z)) (r : list (option bool)) := pal_promised t r.
Definition palindromes_lead (r : list (option bool)) : Z := lead (g := pal) r.

Definition plusses_minuses_add (t : tree (pm_state * Z)) (s : pm_state) v : tree (pm_state * Z) :=
  add (g := pm 2 P1) pm_code t s v.
Definition plusses_minuses_right n first (t : tree (pm_state * Z)) := @pm_table_right n first t.
Definition plusses_minuses_value n first (t : tree (pm_state * Z)) (s : pm_state) := @pm_promised n first t s.
Definition plusses_minuses_lead n first (s : pm_state) : Z := lead (g := pm n first) s.

Definition blob_add (t : tree (list (list bool) * Z)) (s : list (list bool)) v : tree (list (list bool) * Z) :=
  add (g := blob 2) blob_code t s v.
Definition blob_right n (t : tree (list (list bool) * Z)) := @blob_table_right n t.
Definition blob_value n (t : tree (list (list bool) * Z)) (s : list (list bool)) := @blob_promised n t s.
Definition blob_lead n (s : list (list bool)) : Z := lead (g := blob n) s.

Definition palindromes_holds p v (K : Type) (key : list (option bool) -> K) bit depth reply stages most m :=
  weak_right (g := pal) pal_alike p v key bit depth reply stages most (pal_start m).
Definition plusses_minuses_holds n first p v (K : Type) (key : pm_state -> K) bit depth reply stages most :=
  weak_right (g := pm n first) pm_alike p v key bit depth reply stages most pm_start.
Definition blob_holds n p v (K : Type) (key : list (list bool) -> K) bit depth reply stages most :=
  weak_right (g := blob n) blob_alike p v key bit depth reply stages most (blob_start n).
Definition divisors_multiples_lead r (s : dm_state) : Z := lead (g := dm r) s.
Definition divisors_multiples_holds r dist p v (K : Type) (key : dm_state -> K) bit depth reply stages most :=
  dm_weak_right r (neighbours r) dist p v key bit depth reply stages most.
Definition convoluted_coprimality_add n players grids t s (r : list Z) := @cc_add n players grids t s r.
Definition convoluted_coprimality_right n players grids t := @cc_table_right n players grids t.
Definition convoluted_coprimality_result n players grids t s : option (list Z) := @cc_promised n players grids t s.
Definition convoluted_coprimality_better n players grids s (r r' : list Z) := @cc_better n players grids s r r'.
Definition divisors_multiples_many_scores p (s : DivisorsMultiplesMany.dmm_state) : list Z := DivisorsMultiplesMany.dmm_scores p s.
Definition divisors_multiples_many_plus (a b : list Z) : list Z := DivisorsMultiplesManyChecker.plus a b.
Definition divisors_multiples_many_add (t : tree (DivisorsMultiplesMany.dmm_state * list Z)) s (e : list Z) :=
  DivisorsMultiplesManyChecker.dmm_add t s e.
Definition divisors_multiples_many_right r p (t : tree (DivisorsMultiplesMany.dmm_state * list Z)) :=
  DivisorsMultiplesManyChecker.dmm_table_right r p t.
Definition divisors_multiples_many_promised p (t : tree (DivisorsMultiplesMany.dmm_state * list Z)) s : option (list Z) :=
  DivisorsMultiplesManyChecker.dmm_promised p t s.
Definition divisors_multiples_many_sets_right r p (still : list bool -> nat -> list Z) : bool :=
  DivisorsMultiplesManySets.sets_right r p still.
Definition divisors_multiples_many_value r p (still : list bool -> nat -> list Z) s : list Z :=
  DivisorsMultiplesManySets.dmm_value r p still s.
Definition mirror_holds_at n first p : Z := mirror_value n first p.

(* the highest score of Up And Up and of Sequence Ascension, by `up_bounds` and `asc_bounds` *)
Definition squares_bound n := n * n.
Definition up_and_up_score n (moves : list (nat * nat)) : option nat := score_of (g := up n) moves.
Definition up_and_up_add (t : tree (up_state * Z)) (s : up_state) v : tree (up_state * Z) := add (g := up_of P1 2) up_code t s v.
Definition up_and_up_right p n (t : tree (up_state * Z)) := @up_table_right p n t.
Definition up_and_up_value p n (t : tree (up_state * Z)) (s : up_state) := @up_promised p n t s.
Definition up_and_up_none_shorter n known length := none_shorter_on n known length.
Definition sums_grid_score n (moves : list sums_move) : option nat := score_of (g := sums n) moves.
Definition sums_grid_bound n : nat := sums_bound n.
Definition sums_grid_tried (n : nat) : option nat := sums_tried n.
Definition sequence_ascension_score n terms (moves : list nat) : option nat := score_of (g := asc n terms) moves.
Definition sequence_ascension_clauses number n terms v : list (positive * clause) :=
  SequenceAscensionClauses.numbered number 1 (SequenceAscensionClauses.clauses_of_games n terms v).
Definition sequence_ascension_none_from number named n terms v (step_of : nat -> step) count : bool :=
  SequenceAscensionClauses.asc_none_from number named n terms v step_of count.
End Check.

(* clauses that can't all be true: `refuted` in Refutations.v *)
Module Refute.
Definition number_all (cs : list (positive * clause)) : clauses := number_all cs.
Definition refutes (known : clauses) (steps : list step) : bool := refutes known steps.
End Refute.

(* whether Theorem 3 holds for m: `is_right_holds` in PalindromesValues.v *)
Definition theorem_3 := is_right.

(* these are slow as Coq defines them *)
Extract Inlined Constant eqn => "Int.equal".
Extract Inlined Constant Z.of_nat => "Fun.id".
Extract Inlined Constant Z.eqb => "Int.equal".
Extract Inlined Constant Z.ltb => "((<) : int -> int -> bool)".
Extraction "extracted.ml" PlussesMinusesRules PalindromesRules BlobRules DivisorsMultiplesRules DivisorsMultiplesManyRules UpAndUpRules
  SumsGridRules ConvolutedCoprimalityRules SequenceAscensionRules pairing_of Check Refute theorem_3.
