(* A verified checker of weak solutions: replies of one player that hold a value against every play of the other.

   It walks through all positions that can come up, stage by stage. Positions that are alike are met once: they need the
   same number of moves, and what can be held from the one can be held from the other. Each stage is a binary tree, in
   which the bits of a key lead to a position. Nothing is assumed of the keys. They only say where alike positions are
   looked for, and in which order the positions of a stage are asked for their replies. *)
From mathcomp Require Import all_ssreflect.
Require Import ZArith Lia.
From Quet Require Import Game.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Stages.
Variables (A K : Type) (alike : A -> A -> bool) (bit : K -> nat -> bool) (depth : nat).

Inductive stage := Empty | Bucket of seq (K * A) | Fork of stage & stage.

Fixpoint elements (t : stage) : seq A :=
  match t with
  | Empty => [::]
  | Bucket es => [seq e.2 | e <- es]
  | Fork l r => elements l ++ elements r
  end.
Fixpoint fold (B : Type) (f : B -> A -> B) (b : B) (t : stage) : B :=
  match t with
  | Empty => b
  | Bucket es => foldl (fun b e => f b e.2) b es
  | Fork l r => fold f (fold f b l) r
  end.

(* two elements from bit d on; without fuel in one bucket *)
Fixpoint apart (fuel d : nat) (e e' : K * A) : stage :=
  if fuel is f.+1 then
    if bit e.1 d then if bit e'.1 d then Fork Empty (apart f d.+1 e e') else Fork (Bucket [:: e']) (Bucket [:: e])
    else if bit e'.1 d then Fork (Bucket [:: e]) (Bucket [:: e']) else Fork (apart f d.+1 e e') Empty
  else Bucket [:: e'; e].
Fixpoint put (d : nat) (e : K * A) (t : stage) : stage :=
  match t with
  | Empty => Bucket [:: e]
  | Bucket es => if has (fun e' => alike e'.2 e.2) es then t
                 else if es is [:: e'] then apart (depth - d) d e e' else Bucket (rcons es e)
  | Fork l r => if bit e.1 d then Fork l (put d.+1 e r) else Fork (put d.+1 e l) r
  end.

(* what is in a stage, or is alike something in it *)
Definition met (t : stage) x := exists2 y, List.In y (elements t) & y = x \/ alike y x.

Lemma fold_elements B (f : B -> A -> B) b t : fold f b t = foldl f b (elements t).
Proof.
elim: t b => [|es|l IHl r IHr] b //=; last by rewrite foldl_cat IHl IHr.
by elim: es b => //= e es IH b; apply: IH.
Qed.

Lemma in_apart fuel d e e' y : List.In y (elements (apart fuel d e e')) <-> y = e.2 \/ y = e'.2.
Proof.
elim: fuel d => [|fuel IH] d /=; first by intuition.
by case: (bit e.1 d); case: (bit e'.1 d); rewrite /= ?List.in_app_iff ?IH /=; intuition.
Qed.

Lemma put_in d e t y : List.In y (elements t) -> List.In y (elements (put d e t)).
Proof.
elim: t d => [|es|l IHl r IHr] d //=; last first.
  by case: (bit _ _) => /=; rewrite !List.in_app_iff; intuition.
case: has => //; case: es => [|e' [|e'' es]] //=.
  by case=> // <-; apply/in_apart; right.
by rewrite map_rcons -cats1 List.in_app_iff; intuition.
Qed.

Lemma in_put d e t y : List.In y (elements (put d e t)) -> y = e.2 \/ List.In y (elements t).
Proof.
elim: t d => [|es|l IHl r IHr] d /=; first by intuition.
  case: has; first by right.
  case: es => [|e' [|e'' es]] /=; first by intuition.
    by case/in_apart; intuition.
  by rewrite map_rcons -cats1 List.in_app_iff /=; intuition.
by case: (bit _ _) => /=; rewrite !List.in_app_iff; [move=> [|/IHr]|move=> [/IHl|]]; intuition.
Qed.

Lemma put_met d e t : met (put d e t) e.2.
Proof.
elim: t d => [|es|l IHl r IHr] d /=; first by exists e.2; [left|left].
  case found: has.
    elim: es found => //= e' es IH; case alike_e: (alike e'.2 e.2) => /= found.
      by exists e'.2; [left|right].
    by have [y y_in same] := IH found; exists y => //; right.
  exists e.2; last by left.
  case: es {found} => [|e' [|e'' es]] /=; first by left.
    by apply/in_apart; left.
  by rewrite map_rcons -cats1 List.in_app_iff /=; intuition.
by case: (bit _ _); [have [y] := IHr d.+1|have [y] := IHl d.+1]; exists y => //=; rewrite List.in_app_iff; intuition.
Qed.
End Stages.
Arguments Empty {A K}.

Section Weak.
Variable g : game.
Implicit Types s : position g.

(* Positions that are alike have the same end, mover and lead, and each move of the one has a move of the other that
   leads to alike positions again. `inv` holds in all positions that can come up. *)
Variables (alike : position g -> position g -> bool) (inv : position g -> Prop).
Hypothesis inv_play : forall s m, inv s -> ~~ is_over s -> m \in legal_moves s -> inv (play s m).
Hypothesis alike_sym : forall s t, inv s -> inv t -> alike s t -> alike t s.
Hypothesis alike_same : forall s t, inv s -> inv t -> alike s t ->
  [/\ is_over t = is_over s, mover t = mover s & lead t = lead s].
Hypothesis alike_moves : forall s t m, inv s -> inv t -> alike s t -> ~~ is_over s -> m \in legal_moves s ->
  exists2 m', m' \in legal_moves t & alike (play s m) (play t m').

(* who holds which value *)
Variables (p : player) (v : Z).
Definition well s : bool := if p is P1 then (v <=? lead s)%Z else (lead s <=? v)%Z.

Lemma alike_holds s t : inv s -> inv t -> alike s t -> holds p (fun s => well s) s -> holds p (fun s => well s) t.
Proof.
move=> inv_s inv_t same held; elim: held t inv_s inv_t same => {s}
    [s over ok|s m going turn legal _ IH|s going turn some _ IH] t inv_s inv_t same;
  have [over_t mover_t lead_t] := alike_same inv_s inv_t same.
- by apply: HoldsEnd; rewrite ?over_t // /well lead_t.
- have [m' legal' same'] := alike_moves inv_s inv_t same going legal.
  apply: (HoldsMine (m := m')); rewrite ?over_t ?mover_t //.
  by apply: IH => //; apply: inv_play; rewrite ?over_t.
- apply: HoldsTheirs; rewrite ?over_t ?mover_t //.
    case E: (legal_moves s) some => [|m l] // _; have [|m'] := alike_moves (m := m) inv_s inv_t same going.
      by rewrite E mem_head.
    by case: (legal_moves t).
  move=> m' legal'; rewrite -over_t in going; have back := alike_sym inv_s inv_t same.
  have [m legal same'] := alike_moves inv_t inv_s back going legal'; rewrite over_t in going.
  have inv_m := inv_play inv_s going legal; have inv_m' : inv (play t m') by apply: inv_play; rewrite ?over_t.
  by apply: (IH m legal) => //; apply: alike_sym.
Qed.

(* The walk. `reply i` is the number of the move that the strategy answers with when it is asked for the (i+1)st time,
   or None where there is no such reply. *)
Variables (K : Type) (key : position g -> K) (bit : K -> nat -> bool) (depth : nat) (reply : nat -> option nat).
Let stage := stage (position g) K.
Definition enter (t : stage) s : stage := put alike bit depth 0 (key s, s) t.

Definition follow s (t : stage) (l : seq (move g)) : stage := foldl (fun t m => enter t (play s m)) t l.

(* the ends, and what the other player can do *)
Definition theirs (next : option stage) s : option stage :=
  if next is Some t then
    if is_over s then if well s then next else None
    else if is_player (mover s) p then next
    else if legal_moves s is [::] then None else Some (follow s t (legal_moves s))
  else None.
(* the replies *)
Definition ours (next : option (stage * nat)) s : option (stage * nat) :=
  if next is Some (t, i) then
    if is_over s then next
    else if is_player (mover s) p then
      if reply i is Some number then
        if ohead (drop number (legal_moves s)) is Some m then Some (enter t (play s m), i.+1) else None
      else None
    else next
  else None.

(* Returns how many replies were used and how many positions more may come up; None where the strategy fails. *)
Fixpoint walk (stages : nat) (here : stage) (i most : nat) : option (nat * nat) :=
  if here is Empty then Some (i, most)
  else if stages is k.+1 then
    let size := fold (fun size _ => size.+1) 0 here in
    if most < size then None
    else if fold theirs (Some Empty) here is Some next then
      if fold ours (Some (next, i)) here is Some (next', i') then walk k next' i' (most - size) else None
    else None
  else None.

Notation all_inv t := (forall s, List.In s (elements t) -> inv s).
Notation within t t' := (forall s, List.In s (elements t) -> List.In s (elements t')).
Lemma met_within (t t' : stage) s : within t t' -> met alike t s -> met alike t' s.
Proof. by move=> sub [y y_in same]; exists y => //; apply: sub. Qed.

Lemma enter_all s (t : stage) l : inv s -> ~~ is_over s -> {subset l <= legal_moves s} -> all_inv t ->
  [/\ within t (follow s t l), all_inv (follow s t l) & forall m, m \in l -> met alike (follow s t l) (play s m)].
Proof.
move=> inv_s going; elim: l t => [|m l IH] t legal inv_t //.
have legal_m : m \in legal_moves s by apply: legal; rewrite mem_head.
have legal_l : {subset l <= legal_moves s} by move=> x in_l; apply: legal; rewrite inE in_l orbT.
have inv_m : all_inv (enter t (play s m)) by move=> y y_in; case: (in_put y_in) => [->|/inv_t //]; apply: inv_play.
have [sub inv' all_met] := IH _ legal_l inv_m; rewrite /follow /= -/(follow s _ l).
split=> [y in_t||m'] //; first by apply: sub; apply: put_in.
by rewrite inE => /orP[/eqP->|/all_met //]; apply: met_within sub _; apply: put_met.
Qed.

Lemma theirs_all l next next' : foldl theirs next l = Some next' ->
  (forall s, List.In s l -> inv s) -> (forall t, next = Some t -> all_inv t) ->
  [/\ exists2 t, next = Some t & within t next', all_inv next' &
    forall s, List.In s l ->
      if is_over s then is_true (well s)
      else is_player (mover s) p \/ legal_moves s != [::] /\ forall m, m \in legal_moves s -> met alike next' (play s m)].
Proof.
elim: l next => [|s l IH] next /=.
  by move=> -> _ inv_t; split=> //; [exists next'|apply: inv_t].
have stuck : foldl theirs None l <> Some next' by elim: (l).
move=> done inv_l inv_next.
have inv_s : inv s by apply: inv_l; left.
have inv_rest : forall s', List.In s' l -> inv s' by move=> s' in_l; apply: inv_l; right.
case E: next done inv_next => [t|] // done inv_t; rewrite /= in done *.
have {inv_t} inv_t : all_inv t by apply: inv_t.
case over: (is_over s) done.
  case ok: (well s) => // done; have [||[t1 [->] sub] inv' rest] := IH _ done; first by [].
    by move=> t' [<-].
  by split=> //; [exists t1|move=> s' [<-|/rest //]; rewrite over].
case turn: (is_player _ _).
  move=> done; have [||[t1 [->] sub] inv' rest] := IH _ done; first by [].
    by move=> t' [<-].
  by split=> //; [exists t1|move=> s' [<-|/rest //]; rewrite over; left].
case some: (legal_moves s) => [//|m ms]; rewrite -some => done.
have [sub inv_t' all_met] := enter_all inv_s (negbT over) (fun m legal => legal) inv_t.
have [||[t1 [<-] sub'] inv' rest] := IH _ done; first by [].
  by move=> t' [<-].
split=> //; first by exists t => // y /sub /sub'.
move=> s' [<-|/rest //]; rewrite over; right; split; first by rewrite some.
by move=> m' /all_met; apply: met_within.
Qed.

Lemma ours_all l next next' i' : foldl ours next l = Some (next', i') ->
  (forall s, List.In s l -> inv s) -> (forall t i, next = Some (t, i) -> all_inv t) ->
  [/\ exists t i, next = Some (t, i) /\ within t next', all_inv next' &
    forall s, List.In s l -> ~~ is_over s -> is_player (mover s) p ->
      exists2 m, m \in legal_moves s & met alike next' (play s m)].
Proof.
elim: l next => [|s l IH] next /=.
  by move=> -> _ inv_t; split=> //; [exists next', i'|apply: (inv_t _ i')].
have stuck : foldl ours None l <> Some (next', i') by elim: (l).
move=> done inv_l inv_next.
have inv_s : inv s by apply: inv_l; left.
have inv_rest : forall s', List.In s' l -> inv s' by move=> s' in_l; apply: inv_l; right.
case E: next done inv_next => [[t i]|] // done inv_t; rewrite /= in done *.
have {inv_t} inv_t : all_inv t by apply: (inv_t _ i).
case over: (is_over s) done.
  move=> done; have [||[t1 [i1 [[-> _] sub]]] inv' rest] := IH _ done; first by [].
    by move=> t' i2 [<- _].
  by split=> //; [exists t1, i|move=> s' [<-|/rest //]; rewrite over].
case turn: (is_player _ _); last first.
  move=> done; have [||[t1 [i1 [[-> _] sub]]] inv' rest] := IH _ done; first by [].
    by move=> t' i2 [<- _].
  by split=> //; [exists t1, i|move=> s' [<-|/rest //]; rewrite turn].
case: (reply i) => // number; case at_number: (ohead _) => [m|] // done.
have legal : m \in legal_moves s.
  by apply: (@mem_drop number); case: (drop _ _) at_number => //= x rest [->]; rewrite mem_head.
have legal_1 : {subset [:: m] <= legal_moves s} by move=> x; rewrite inE => /eqP->.
have [sub inv_t' all_met] := enter_all inv_s (negbT over) legal_1 inv_t.
have [||[t1 [i1 [[<- _] sub']]] inv' rest] := IH _ done; first by [].
  by move=> t' i2 [<- _].
split=> //; first by exists t, i; split=> // y /sub /sub'.
move=> s' [<- _ _|/rest //]; exists m => //.
by apply: met_within (all_met m _) => //; rewrite mem_head.
Qed.

Lemma walk_holds stages here i most found : walk stages here i most = Some found -> all_inv here ->
  forall s, List.In s (elements here) -> holds p (fun s => well s) s.
Proof.
elim: stages here i most => [|k IH] here i most; first by case: here.
move=> done inv_here s s_in; have {done} : (let size := fold (fun size _ => size.+1) 0 here in
  if most < size then None
  else if fold theirs (Some Empty) here is Some next then
    if fold ours (Some (next, i)) here is Some (next', i') then walk k next' i' (most - size) else None
  else None) = Some found by case: here done s_in {inv_here}.
rewrite /=; case: ifP => // _; rewrite !fold_elements; case one: (foldl _ _ _) => [next|] //.
rewrite fold_elements; case two: (foldl _ _ _) => [[next' i']|] // rest.
have empty : forall t : stage, Some Empty = Some t -> all_inv t by move=> t [<-].
have [_ inv_next ends] := theirs_all one inv_here empty.
have inv_next0 : forall t j, Some (next, i) = Some (t, j) -> all_inv t by move=> t j [<- _].
have [[t [j [[<- _] sub]]] inv_next' own] := ours_all two inv_here inv_next0.
have all_held := IH _ _ _ rest inv_next'.
have inv_s := inv_here _ s_in.
have held m : ~~ is_over s -> m \in legal_moves s -> met alike next' (play s m) -> holds p (fun s => well s) (play s m).
  move=> going legal [y y_in [<-|same]]; first exact: all_held.
  by apply: alike_holds (same) (all_held _ y_in); [apply: inv_next'|apply: inv_play].
have := ends _ s_in; case: ifP => [over ok|/negbT going]; first exact: HoldsEnd.
have [turn|turn] := boolP (is_player (mover s) p).
  move=> _; have [m legal there] := own _ s_in going turn.
  by apply: HoldsMine going _ legal (held m going legal there); move: turn; case: (mover s) (p) => [] [].
case=> // -[moves all_met].
apply: HoldsTheirs => //; first by move: turn; case: (mover s) (p) => [] [].
by move=> m legal; apply: held => //; apply: met_within sub (all_met m legal).
Qed.

Definition weak_right (stages most : nat) s : option (nat * nat) := walk stages (enter Empty s) 0 most.

Theorem weak_holds stages most found s : inv s -> weak_right stages most s = Some found ->
  if p is P1 then at_least v s else at_most v s.
Proof.
move=> inv_s done; have held : holds p (fun s => well s) s.
  apply: (walk_holds done); last by left.
  by move=> y [<-|//].
by rewrite /at_least /at_most; move: held; rewrite /well; case: (p) => held;
  apply: holds_weaker held => e; move/Z.leb_le.
Qed.
End Weak.
