(* Divisors/Multiples for two: what perfect play leads to in the game for any number of players is the value that both players can
   hold in the game for two. *)
From mathcomp Require Import all_ssreflect.
Require Import ZArith Lia.
From Quet Require Game.
From Quet Require Import DivisorsMultiples Many DivisorsMultiplesMany.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Two.
Variable r : nat.
Notation P1 := Game.P1. Notation P2 := Game.P2.

(* the same position in the other game *)
Definition for_two (s : dmm_state) : dm_state :=
  DM (dmm_taken s) (dmm_current s) (if dmm_mover s == 1 then P1 else P2) (dmm_num_steps s) (dmm_score s 1, dmm_score s 2).
Definition is_of_two (s : dmm_state) := (dmm_mover s == 1) || (dmm_mover s == 2).

Lemma for_two_play s m : is_of_two s -> dm_play (for_two s) m = for_two (dmm_play 2 s m) /\ is_of_two (dmm_play 2 s m).
Proof.
case: s => tk x w k paid; case: m => y stops; rewrite /is_of_two /= => /orP[] /eqP ->;
  by case: stops; rewrite /for_two /dm_play /dmm_play /dmm_pay /pay /dmm_score /= !nth_set_nth.
Qed.

Lemma two_holds s a : leads_to (g := dmm r 2) s a -> is_of_two s ->
  dm_at_least (r := r) (nth 0%Z a 0) (for_two s) /\ dm_at_most (r := r) (nth 0%Z a 0) (for_two s).
Proof.
elim=> {s a} [s over|s m after going legal _ IH best] two.
  have -> : nth 0%Z (scores (m := dmm r 2) s) 0 = Game.lead (g := dm r) (for_two s). by [].
  by split; apply: Game.HoldsEnd => //; apply: Z.le_refl.
have held m' : m' \in dmm_legal_moves r s ->
    dm_at_least (r := r) (nth 0%Z (after m') 0) (dm_play (for_two s) m') /\
    dm_at_most (r := r) (nth 0%Z (after m') 0) (dm_play (for_two s) m').
  by move=> legal'; have [-> two'] := for_two_play m' two; apply: IH.
have some : dm_legal_moves r (for_two s) != [::].
  by have: m \in dm_legal_moves r (for_two s) := legal; case: (dm_legal_moves r _).
have [low high] := held m legal.
have worse m' (legal' : m' \in dmm_legal_moves r s) :
    if dmm_mover s == 1 then (nth 0 (after m) 0 <= nth 0 (after m') 0)%Z else (nth 0 (after m') 0 <= nth 0 (after m) 0)%Z.
  have := best m' legal'; rewrite /better /key /= /liking /=; by case: ifP => _ /=; rewrite andbF orbF => /Z.ltb_spec0; lia.
have turn : turn_of (for_two s) = if dmm_mover s == 1 then P1 else P2 by [].
case: ifP turn worse => first turn worse; split.
- apply: Game.HoldsTheirs => // m' legal'; apply: Game.holds_weaker (proj1 (held m' legal')) => e.
  by move=> /(Z.le_trans _ _ _ (worse m' legal')).
- exact: (@Game.HoldsMine (dm r) P1 _ (for_two s) m).
- exact: (@Game.HoldsMine (dm r) P2 _ (for_two s) m).
- apply: Game.HoldsTheirs => // m' legal'; apply: Game.holds_weaker (proj2 (held m' legal')) => e le.
  exact: Z.le_trans le (worse m' legal').
Qed.

Theorem dmm_two_holds v : leads_to (g := dmm r 2) (dmm_start r 2) [:: v] ->
  dm_at_least (r := r) v (dm_start r) /\ dm_at_most (r := r) v (dm_start r).
Proof. by move/two_holds; apply. Qed.
End Two.
