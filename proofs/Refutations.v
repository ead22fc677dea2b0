(* Clauses that can't all be true, by steps that say why they hold (the format LRAT, without its RAT steps).

   A literal is a variable and whether it is true. `refutes` takes numbered clauses and steps: each adds a clause with the
   numbers of those that it follows from, or deletes clauses. The theorem: if it says yes, no valuation makes all clauses true. *)
From mathcomp Require Import all_ssreflect.
Require Import PArith FMapPositive.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Definition literal := (bool * positive)%type.
Definition clause := seq literal.
Definition valuation := positive -> bool.
Definition is_true_of (v : valuation) (l : literal) : bool := v l.2 == l.1.
Definition holds (v : valuation) (c : clause) : bool := has (is_true_of v) c.

Inductive step := Add of positive & clause & seq positive | Delete of seq positive.

Definition clauses := PositiveMap.t clause.
Definition assumed := PositiveMap.t bool.  (* variables, and what they are if the new clause is false *)

Definition is_false (a : assumed) (l : literal) : bool :=
  if PositiveMap.find l.2 a is Some b then b != l.1 else false.
Definition assume_false (a : assumed) (l : literal) : assumed := PositiveMap.add l.2 (~~ l.1) a.
Definition assume_true (a : assumed) (l : literal) : assumed := PositiveMap.add l.2 l.1 a.

(* whether the clauses named, one after another, leave no way *)
Fixpoint leaves_none (known : clauses) (a : assumed) (named : seq positive) : bool :=
  if named is p :: rest then
    if PositiveMap.find p known is Some c then
      match filter (fun l => ~~ is_false a l) c with
      | [::] => true
      | [:: l] => leaves_none known (assume_true a l) rest
      | _ => false
      end
    else false
  else false.

Definition follows (known : clauses) (c : clause) (named : seq positive) : bool :=
  leaves_none known (foldl assume_false (PositiveMap.empty bool) c) named.

Definition delete (known : clauses) (gone : seq positive) : clauses :=
  foldl (fun k p => PositiveMap.remove p k) known gone.

Fixpoint refutes (known : clauses) (steps : seq step) : bool :=
  match steps with
  | [::] => false
  | Delete gone :: rest => refutes (delete known gone) rest
  | Add p c named :: rest =>
      if follows known c named then
        if c is [::] then true else refutes (PositiveMap.add p c known) rest
      else false
  end.

(* the same with the steps by their numbers, so that they need not all be there at once *)
Fixpoint refutes_from (step_of : nat -> step) (count i : nat) (known : clauses) : bool :=
  if count is rest.+1 then
    match step_of i with
    | Delete gone => refutes_from step_of rest i.+1 (delete known gone)
    | Add p c named =>
        if follows known c named then
          if c is [::] then true else refutes_from step_of rest i.+1 (PositiveMap.add p c known)
        else false
    end
  else false.
Lemma refutes_each step_of count i known : refutes_from step_of count i known = refutes known [seq step_of j | j <- iota i count].
Proof.
elim: count i known => //= count IH i known; case: (step_of i) => [p c named|gone]; last exact: IH.
by case: ifP => // _; case: c => // l c; exact: IH.
Qed.

Definition number_all (cs : seq (positive * clause)) : clauses :=
  foldl (fun k pc => PositiveMap.add pc.1 pc.2 k) (PositiveMap.empty clause) cs.

(* ---- what is assumed agrees with a valuation, and the valuation makes all known clauses true *)
Section Valuation.
Variable v : valuation.

Definition agrees (a : assumed) := forall x b, PositiveMap.find x a = Some b -> v x = b.
Definition models (known : clauses) := forall p c, PositiveMap.find p known = Some c -> holds v c.

Lemma agrees_add a x b : agrees a -> v x = b -> agrees (PositiveMap.add x b a).
Proof.
move=> ok vx y b'; case: (PositiveMap.E.eq_dec y x) => [->|ne].
  by rewrite PositiveMap.gss => -[<-].
by rewrite PositiveMap.gso //; apply: ok.
Qed.

Lemma false_is_false a l : agrees a -> is_false a l -> ~~ is_true_of v l.
Proof.
rewrite /is_false /is_true_of => ok; case E: (PositiveMap.find l.2 a) => [b|] //.
by rewrite (ok _ _ E).
Qed.

Lemma some_are_left a c : agrees a -> holds v c -> holds v [seq l <- c | ~~ is_false a l].
Proof.
move=> ok; elim: c => [|l c IH] //=; case E: (is_false a l) => /=; last first.
  by rewrite /holds /= => /orP [-> //|/IH h]; apply/orP; right.
by case/orP => [t|//]; move: (false_is_false ok E); rewrite t.
Qed.

Lemma leaves_none_sound known named a : models known -> agrees a -> ~~ leaves_none known a named.
Proof.
move=> all_hold; elim: named a => [|p rest IH] a ok //=.
case E: (PositiveMap.find p known) => [c|] //.
move: (some_are_left ok (all_hold _ _ E)).
case: [seq l <- c | ~~ is_false a l] => [|l [|k ks]] //.
rewrite /holds /= orbF => t; apply: IH; apply: agrees_add ok _.
by apply/eqP.
Qed.

Lemma agrees_assume_false c a : agrees a -> ~~ holds v c -> agrees (foldl assume_false a c).
Proof.
elim: c a => [|l c IH] a ok //=; rewrite negb_or => /andP [nl nc].
apply: IH nc; apply: agrees_add ok _.
by move: nl; rewrite /is_true_of; case: (v l.2); case: l.1.
Qed.

Lemma follows_sound known c named : models known -> follows known c named -> holds v c.
Proof.
move=> all_hold yes; apply/negPn/negP => no.
have ok: agrees (foldl assume_false (PositiveMap.empty bool) c).
  by apply: agrees_assume_false no => x b; rewrite PositiveMap.gempty.
by move: (leaves_none_sound named all_hold ok); rewrite -/(follows _ _ _) yes.
Qed.

Lemma models_add known p c : models known -> holds v c -> models (PositiveMap.add p c known).
Proof.
move=> all_hold hc q d; case: (PositiveMap.E.eq_dec q p) => [->|ne].
  by rewrite PositiveMap.gss => -[<-].
by rewrite PositiveMap.gso //; apply: all_hold.
Qed.

Lemma models_delete known gone : models known -> models (delete known gone).
Proof.
elim: gone known => [|p gone IH] known all_hold //=; apply: IH => q c.
case: (PositiveMap.E.eq_dec q p) => [->|ne]; first by rewrite PositiveMap.grs.
by rewrite PositiveMap.gro //; apply: all_hold.
Qed.

Lemma refutes_sound steps known : models known -> ~~ refutes known steps.
Proof.
elim: steps known => [|[p c named|gone] rest IH] known all_hold //=; last first.
  by apply: IH; apply: models_delete.
case E: (follows known c named) => //.
have hc := follows_sound all_hold E.
by case: c hc {E} => // l c hc; apply: IH; apply: models_add.
Qed.

Lemma models_number_all cs : all (fun pc => holds v pc.2) cs -> models (number_all cs).
Proof.
rewrite /number_all; have: models (PositiveMap.empty clause) by move=> p c; rewrite PositiveMap.gempty.
elim: cs (PositiveMap.empty clause) => [|[p c] cs IH] known ok //= /andP [hc hcs].
by apply: IH hcs; apply: models_add.
Qed.
End Valuation.

Theorem refuted (cs : seq (positive * clause)) steps :
  refutes (number_all cs) steps -> forall v, ~~ all (fun pc => holds v pc.2) cs.
Proof.
move=> yes v; apply/negP => /models_number_all ok.
by move: (refutes_sound steps ok); rewrite yes.
Qed.
