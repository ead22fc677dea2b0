(* What a game of any number of players is, and what perfect play of all of them leads to.

   A result has a number for each player. Of several results the mover takes one for which a list of numbers, the key, is
   largest; the first number in which two keys differ decides. As in `certificates/aims.py`, the key begins with what the
   mover wishes, and goes on with what the next players wish. *)
From mathcomp Require Import all_ssreflect.
Require Import ZArith Lia.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Definition result := seq Z.

Record many := Many {
  position : Type;
  move : eqType;
  legal_moves : position -> seq move;
  play : position -> move -> position;
  is_over : position -> bool;
  scores : position -> result;
  key : position -> result -> seq Z                           (* for who moves there *)
}.

Fixpoint is_less (k l : seq Z) : bool :=                      (* the first number in which they differ is less *)
  match k, l with
  | x :: k', y :: l' => (x <? y)%Z || (x =? y)%Z && is_less k' l'
  | [::], _ :: _ => true
  | _, [::] => false
  end.

Section Perfect.
Variable g : many.
Implicit Types (s : position g) (r : result).

Definition better s r r' := is_less (key s r') (key s r).     (* r is better than r' for who moves in s *)

(* Perfect play from s on leads to this result. Since it is inductive, no such game goes on for ever. *)
Inductive leads_to : position g -> result -> Prop :=
| LeadsEnd s : is_over s -> leads_to s (scores s)
| LeadsMove s m (after : move g -> result) : ~~ is_over s -> m \in legal_moves s ->
    (forall m', m' \in legal_moves s -> leads_to (play s m') (after m')) ->
    (forall m', m' \in legal_moves s -> ~~ better s (after m') (after m)) ->
    leads_to s (after m).

Lemma not_less_both k l : ~~ is_less k l -> ~~ is_less l k -> k = l.
Proof.
elim: k l => [|x k IH] [|y l] //=; rewrite !negb_or !negb_and => /andP[/Z.ltb_spec0 le one] /andP[/Z.ltb_spec0 ge two].
have eq : x = y by lia.
by subst y; rewrite Z.eqb_refl /= in one two; rewrite (IH l).
Qed.

(* There is one such result at most, if different results that can come about have different keys. *)
Variable sound : result -> Prop.
Hypothesis scores_sound : forall s, is_over s -> sound (scores s).
Hypothesis key_inj : forall s r r', ~~ is_over s -> sound r -> sound r' -> key s r = key s r' -> r = r'.

Lemma leads_sound s r : leads_to s r -> sound r.
Proof. by elim=> {s r} [s /scores_sound|s m after _ legal _ IH _] //; apply: IH. Qed.

Theorem leads_to_one s r r' : leads_to s r -> leads_to s r' -> r = r'.
Proof.
move=> leads; elim: leads r' => {s r} [s over|s m after going legal leads IH best] r' other; inversion other as [s' over'|s' m' after' going' legal' leads' best']; subst => //.
- by rewrite over in going'.
- by rewrite over' in going.
have same m0 : m0 \in legal_moves s -> after m0 = after' m0 by move=> legal0; apply: IH (leads' _ legal0).
apply: (@key_inj s) => //; [exact: leads_sound (leads _ legal)|exact: leads_sound (leads' _ legal')|].
apply: not_less_both; first by rewrite -(same _ legal'); apply: best.
by rewrite (same _ legal); apply: best'.
Qed.
End Perfect.
