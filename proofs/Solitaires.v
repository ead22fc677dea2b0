(* What a claim about the score of a solitaire means, and that a game played shows what can be reached. *)
From mathcomp Require Import all_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Record solitaire := Solitaire {
  position : Type;
  move : Type;
  start : position;
  is_legal : position -> move -> bool;
  play : position -> move -> position;
  is_over : position -> bool;
  score : position -> nat
}.

Section Scores.
Variable g : solitaire.
Implicit Types (s : position g) (v : nat).

(* the positions that games come to *)
Inductive comes_to : position g -> Prop :=
| ComesStart : comes_to (start g)
| ComesMove s m : comes_to s -> ~~ is_over s -> is_legal s m -> comes_to (play s m).

Definition can_score v := exists s, [/\ comes_to s, is_over s & score s = v].
Definition none_above v := forall s, comes_to s -> is_over s -> score s <= v.
Definition none_below v := forall s, comes_to s -> is_over s -> v <= score s.

(* the score of the game with these moves, if they are legal and it is over after them *)
Fixpoint score_from s (moves : seq (move g)) : option nat :=
  if moves is m :: rest then if ~~ is_over s && is_legal s m then score_from (play s m) rest else None
  else if is_over s then Some (score s) else None.
Definition score_of := score_from (start g).

Theorem score_of_reached moves v : score_of moves = Some v -> can_score v.
Proof.
rewrite /score_of; move: (start g) ComesStart => s; elim: moves s => [|m moves IH] s at_s /=.
  by case: ifP => // over [<-]; exists s.
by case: ifP => // /andP[going legal]; apply: IH; apply: ComesMove.
Qed.
End Scores.
