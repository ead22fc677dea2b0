(* A verified checker of tables for any number of players: a result for each position, equal to that of its best move.

   The trees are those of `Tables.v`. As there, the position itself is kept beside its result, and is compared. *)
From mathcomp Require Import all_ssreflect.
Require Import ZArith.
From Quet Require Import Tables Many.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section TablesOfMany.
Variable g : many.
Variables (same : position g -> position g -> bool) (code : position g -> seq bool) (left : position g -> nat).
Hypothesis sameP : forall s t, same s t -> s = t.
(* each move makes the game shorter, from positions with a property that moves keep *)
Variable inv : position g -> Prop.
Hypothesis inv_play : forall s m, inv s -> ~~ is_over s -> m \in legal_moves s -> inv (play s m).
Hypothesis left_less : forall s m, inv s -> ~~ is_over s -> m \in legal_moves s -> left (play s m) < left s.

Fixpoint same_result (r r' : result) : bool :=
  match r, r' with
  | x :: r1, y :: r1' => (x =? y)%Z && same_result r1 r1'
  | [::], [::] => true
  | _, _ => false
  end.
Lemma same_resultP r r' : same_result r r' -> r = r'.
Proof. by elim: r r' => [|x r IH] [|y r'] //= /andP[/Z.eqb_eq-> /IH->]. Qed.

Definition table_of_many := tree (position g * result).
Definition add_result (t : table_of_many) (s : position g) (r : result) : table_of_many := insert (code s) (s, r) t.

(* the result that the table promises from s on *)
Definition promised_result (t : table_of_many) (s : position g) : option result :=
  if find (code s) t is Some (s', r) then if same s' s then Some r else None else None.

(* what is checked of one position: it is over and has its scores as the result, or no move leads to a better result for
   who moves, and one move leads to this one *)
Definition result_right (t : table_of_many) (s : position g) (r : result) : bool :=
  if is_over s then same_result (scores s) r
  else let after := [seq promised_result t (play s m) | m <- legal_moves s] in
    has (fun a => if a is Some r' then same_result r' r else false) after &&
    all (fun a => if a is Some r' then ~~ better s r' r else false) after.

Definition results_right (t : table_of_many) : bool := all_of (fun e => result_right t e.1 e.2) t.

Theorem table_leads t s r : inv s -> results_right t -> promised_result t s = Some r -> leads_to s r.
Proof.
move=> + right; have [k] := ubnP (left s); elim: k s r => // k IH s r less inv_s found.
have : result_right t s r.
  move: found; rewrite /promised_result; case found: (find _ _) => [[s' r']|] //.
  by case: ifP => // /sameP eq [<-]; rewrite -eq; apply: (all_found right found).
rewrite /result_right; case: ifP => [over /same_resultP <-|/negbT going]; first exact: LeadsEnd.
rewrite has_map all_map => /andP[/hasP[m legal /= best] /allP bound].
pose after m' := odflt [::] (promised_result t (play s m')).
have known m' : m' \in legal_moves s -> promised_result t (play s m') = Some (after m').
  by move/bound; rewrite /= /after; case: promised_result.
have <- : after m = r by move: best; rewrite known // => /same_resultP.
apply: LeadsMove => // m' legal'.
  by apply: IH (known _ legal'); [apply: leq_trans (left_less inv_s going legal') _; rewrite -ltnS|apply: inv_play].
have := bound _ legal'; rewrite /= known //.
by move: best; rewrite known // => /same_resultP ->.
Qed.
End TablesOfMany.
