(* What a game of two players for scores is, and what it means that a player can hold a value.

   A game has the functions of a `rules.py`. The value of a game is player 1's score minus player 2's under perfect
   play, as everywhere in this project. *)
From mathcomp Require Import all_ssreflect.
Require Import ZArith Lia.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Inductive player := P1 | P2.
Definition opponent p := if p is P1 then P2 else P1.
Definition is_player p q := match p, q with P1, P1 | P2, P2 => true | _, _ => false end.

Record game := Game {
  position : Type;
  move : eqType;
  legal_moves : position -> seq move;
  play : position -> move -> position;
  mover : position -> player;
  is_over : position -> bool;
  score : position -> player -> nat
}.

Section Values.
Variable g : game.
Implicit Types (s : position g) (v w : Z) (p : player).

Definition lead s : Z := (Z.of_nat (score s P1) - Z.of_nat (score s P2))%Z.

(* From s on, p can play so that the game ends, and ends in a position with the property `good`, whatever the opponent
   does. Since it is inductive, no game that p plays in this way goes on for ever. An opponent who has no legal move in
   a game that isn't over would be stuck, and such a position isn't held. *)
Inductive holds p (good : position g -> Prop) : position g -> Prop :=
| HoldsEnd s : is_over s -> good s -> holds p good s
| HoldsMine s m : ~~ is_over s -> mover s = p -> m \in legal_moves s -> holds p good (play s m) -> holds p good s
| HoldsTheirs s : ~~ is_over s -> mover s = opponent p -> legal_moves s != [::] ->
    (forall m, m \in legal_moves s -> holds p good (play s m)) -> holds p good s.

Definition at_least v := holds P1 (fun s => v <= lead s)%Z.   (* player 1 can hold at least v *)
Definition at_most v := holds P2 (fun s => lead s <= v)%Z.    (* player 2 can hold at most v *)
Definition value v s := at_least v s /\ at_most v s.

(* Both players can't hold what contradicts each other: play the two strategies against each other. *)
Lemma holds_both (good1 good2 : position g -> Prop) s :
  holds P1 good1 s -> holds P2 good2 s -> exists e, good1 e /\ good2 e.
Proof.
elim=> {s} [s over ok|s m going turn legal _ IH|s going turn some _ IH] other; inversion other; subst;
  try by [exists s | rewrite H in going | rewrite over in H | rewrite turn in H0].
- by apply: IH; apply: H2.
- by apply: (IH _ H1).
Qed.

Lemma at_least_at_most v w s : at_least v s -> at_most w s -> (v <= w)%Z.
Proof. by move=> low high; have [e [le ge]] := holds_both low high; lia. Qed.

Lemma value_unique v w s : value v s -> value w s -> v = w.
Proof. by case=> a b [c d]; have := at_least_at_most a d; have := at_least_at_most c b; lia. Qed.

Lemma holds_weaker p (good good' : position g -> Prop) s :
  (forall e, good e -> good' e) -> holds p good s -> holds p good' s.
Proof.
move=> weaker; elim=> {s} [s over ok|s m going turn legal _ IH|s going turn some _ IH].
- by apply: HoldsEnd => //; apply: weaker.
- exact: (HoldsMine going turn legal).
- exact: HoldsTheirs.
Qed.

(* The usual way to prove that p holds something: an invariant that p can keep. `left` gets smaller with each move, so
   the game ends. *)
Section Invariant.
Variables (p : player) (good inv : position g -> Prop) (left : position g -> nat).
Hypothesis ends_well : forall s, inv s -> is_over s -> good s.
Hypothesis left_less : forall s m, inv s -> ~~ is_over s -> m \in legal_moves s -> left (play s m) < left s.
Hypothesis mine : forall s, inv s -> ~~ is_over s -> mover s = p -> exists2 m, m \in legal_moves s & inv (play s m).
Hypothesis theirs : forall s, inv s -> ~~ is_over s -> mover s = opponent p ->
  legal_moves s != [::] /\ forall m, m \in legal_moves s -> inv (play s m).

Lemma keep s : inv s -> holds p good s.
Proof.
have [k] := ubnP (left s); elim: k s => // k IH s less kept.
have [over|going] := boolP (is_over s); first by apply: HoldsEnd => //; apply: ends_well.
have go m : m \in legal_moves s -> inv (play s m) -> holds p good (play s m).
  by move=> legal kept'; apply: IH => //; apply: leq_trans (left_less kept going legal) _; rewrite -ltnS.
have [turn|turn] : mover s = p \/ mover s = opponent p by case: (mover s) (p) => [] []; auto.
- have [m legal kept'] := mine kept going turn.
  exact: HoldsMine going turn legal (go m legal kept').
- have [some all_kept] := theirs kept going turn.
  by apply: HoldsTheirs => // m legal; apply: go => //; apply: all_kept.
Qed.
End Invariant.
End Values.

(* Two games are the same game in other words if their positions and moves correspond. *)
Section Translation.
Variables (g h : game) (pos : position g -> position h) (mv : move g -> move h) (back : move h -> move g).
Hypothesis over_same : forall s, is_over (pos s) = is_over s.
Hypothesis mover_same : forall s, mover (pos s) = mover s.
Hypothesis legal_there : forall s m, m \in legal_moves s -> mv m \in legal_moves (pos s).
Hypothesis legal_back : forall s m, m \in legal_moves (pos s) -> back m \in legal_moves s /\ mv (back m) = m.
Hypothesis play_same : forall s m, m \in legal_moves s -> play (pos s) (mv m) = pos (play s m).

Lemma translate p (good : position g -> Prop) (good' : position h -> Prop) s :
  (forall e, is_over e -> good e -> good' (pos e)) -> holds p good s -> holds p good' (pos s).
Proof.
move=> ok; elim=> {s} [s over gd|s m going turn legal _ IH|s going turn some _ IH].
- by apply: HoldsEnd; rewrite ?over_same //; apply: ok.
- apply: (HoldsMine (m := mv m)); rewrite ?over_same ?mover_same ?legal_there //.
  by rewrite play_same.
- apply: HoldsTheirs; rewrite ?over_same ?mover_same //.
    by case: (legal_moves s) some (@legal_there s) => // m l _ /(_ m (mem_head _ _)); case: (legal_moves (pos s)).
  by move=> m /legal_back[legal <-]; rewrite play_same //; apply: IH.
Qed.
End Translation.
