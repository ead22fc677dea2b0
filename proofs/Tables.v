(* A verified checker of tables: a value for each position, equal to that of its best move.

   Positions are kept in a binary tree by a code, which is a list of bits. The code need not tell positions apart: the
   position itself is kept beside its value, and is compared. *)
From mathcomp Require Import all_ssreflect.
Require Import ZArith Lia.
From Quet Require Import Game.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Trees.
Variable A : Type.
Inductive tree := Leaf | Node of option A & tree & tree.
Fixpoint find (key : seq bool) (t : tree) : option A :=
  match t, key with
  | Leaf, _ => None
  | Node x _ _, [::] => x
  | Node _ l r, b :: key' => find key' (if b then r else l)
  end.
Fixpoint insert (key : seq bool) (x : A) (t : tree) : tree :=
  match key, t with
  | [::], Leaf => Node (Some x) Leaf Leaf
  | [::], Node _ l r => Node (Some x) l r
  | b :: key', Leaf => if b then Node None Leaf (insert key' x Leaf) else Node None (insert key' x Leaf) Leaf
  | b :: key', Node y l r => if b then Node y l (insert key' x r) else Node y (insert key' x l) r
  end.
Fixpoint all_of (ok : A -> bool) (t : tree) : bool :=
  if t is Node x l r then (if x is Some y then ok y else true) && all_of ok l && all_of ok r else true.

(* all that the checker needs of a tree: what is found was looked at *)
Lemma all_found ok t key x : all_of ok t -> find key t = Some x -> ok x.
Proof.
elim: t key => [|y l IHl r IHr] [|b key] //= /andP[/andP[y_ok l_ok] r_ok].
  by move=> eq; rewrite eq in y_ok.
by case: b; [apply: IHr|apply: IHl].
Qed.
End Trees.
Arguments Leaf {A}.

Section Tables.
Variable g : game.
Variables (same : position g -> position g -> bool) (code : position g -> seq bool) (left : position g -> nat).
Hypothesis sameP : forall s t, same s t -> s = t.
(* each move makes the game shorter *)
Hypothesis left_less : forall s m, ~~ is_over s -> m \in legal_moves s -> left (play s m) < left s.

Definition table := tree (position g * Z).
Definition add (t : table) (s : position g) (v : Z) : table := insert (code s) (s, v) t.

(* the final lead that the table promises from s on *)
Definition promised (t : table) (s : position g) : option Z :=
  if find (code s) t is Some (s', v) then if same s' s then Some v else None else None.

Definition better (p : player) (v w : Z) : bool := if p is P1 then (v <=? w)%Z else (w <=? v)%Z.

(* what is checked of one position: it is over and worth its lead, or no move is better for the mover than v, and one
   move is worth v *)
Definition position_right (t : table) (s : position g) (v : Z) : bool :=
  if is_over s then (lead s =? v)%Z
  else has (fun m => if promised t (play s m) is Some w then (w =? v)%Z else false) (legal_moves s) &&
       all (fun m => if promised t (play s m) is Some w then better (mover s) w v else false) (legal_moves s).

Definition table_right (t : table) : bool :=
  all_of (fun e => position_right t e.1 e.2) t.

Lemma promised_right t s v : table_right t -> promised t s = Some v -> position_right t s v.
Proof.
move=> right; rewrite /promised; case found: (find _ _) => [[s' v']|] //.
by case: ifP => // /sameP eq [<-]; rewrite -eq; apply: (all_found right found).
Qed.

Lemma promised_held t p s v : table_right t -> promised t s = Some v ->
  holds p (fun e => if p is P1 then (v <= lead e)%Z else (lead e <= v)%Z) s.
Proof.
move=> right; have [k] := ubnP (left s); elim: k s v => // k IH s v less found.
have := promised_right right found; rewrite /position_right; case: ifP => [over|/negbT going].
  by move=> /Z.eqb_eq <-; apply: HoldsEnd => //; case: (p); apply: Z.le_refl.
case/andP=> /hasP[m legal best] /allP bound.
have shorter m' : m' \in legal_moves s -> left (play s m') < k.
  by move=> legal'; apply: leq_trans (left_less going legal') _; rewrite -ltnS.
have [turn|turn] : mover s = p \/ mover s = opponent p by case: (mover s) (p) => [] []; auto.
  have shorter_m := shorter _ legal; apply: HoldsMine going turn legal _; move: best; case found': (promised _ _) => [w|] // /Z.eqb_eq eq.
  by rewrite eq in found'; apply: IH found'.
apply: HoldsTheirs => //; first by case: (legal_moves s) legal.
move=> m' legal'; have := bound m' legal'; case found': (promised _ _) => [w|] //.
rewrite turn => no_better; have := IH _ _ (shorter _ legal') found'; apply: holds_weaker => e.
by move: no_better; rewrite /better; case: (p) => /= /Z.leb_le; lia.
Qed.

Theorem table_value t s v : table_right t -> promised t s = Some v -> value v s.
Proof. by move=> right found; split; [apply: (@promised_held t P1)|apply: (@promised_held t P2)]. Qed.
End Tables.
