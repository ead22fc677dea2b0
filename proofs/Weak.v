(* A verified checker of weak solutions: replies of one player that hold a value against every play of the other.

   It walks through all positions that can come up, stage by stage. A position isn't met where another of its stage covers it:
   what can be held from the other can be held from it. Positions that are alike cover each other. Each stage is a binary
   tree, in which the bits of a key lead to a position. Nothing is assumed of the keys. They only say where such positions
   are looked for, and in which order the positions of a stage are asked for their replies. *)
From mathcomp Require Import all_ssreflect.
Require Import ZArith Lia.
From Quet Require Import Game.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Stages.
(* Whoever can hold a value from x can hold it from y: `covers x y` is asked where y comes up and x is there, and
   `replaces x y` where x comes up and y is there. *)
Variables (A K : Type) (covers replaces : A -> A -> bool) (bit : K -> nat -> bool) (depth : nat).

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
  | Bucket es => if has (fun e' => covers e'.2 e.2) es then t
                 else let others := [seq e' <- es | ~~ replaces e.2 e'.2] in
                      if others is [:: e'] then apart (depth - d) d e e' else Bucket (rcons others e)
  | Fork l r => if bit e.1 d then Fork l (put d.+1 e r) else Fork (put d.+1 e l) r
  end.

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

Lemma in_others d e (others : seq (K * A)) y :
  List.In y (elements (if others is [:: e'] then apart (depth - d) d e e' else Bucket (rcons others e))) <->
  y = e.2 \/ List.In y [seq e'.2 | e' <- others].
Proof.
case: others => [|e' [|e'' es]]; [by rewrite /=; intuition|by rewrite in_apart /=; intuition|].
by rewrite /= map_rcons -cats1 List.in_app_iff /=; intuition.
Qed.

Lemma in_put d e t y : List.In y (elements (put d e t)) -> y = e.2 \/ List.In y (elements t).
Proof.
elim: t d => [|es|l IHl r IHr] d /=; first by intuition.
  case: has; first by right.
  case/in_others => [|y_in]; [by left|right]; elim: es y_in => //= e' es IH.
  by case: (replaces _ _) => /=; intuition.
by case: (bit _ _) => /=; rewrite !List.in_app_iff; [move=> [|/IHr]|move=> [/IHl|]]; intuition.
Qed.

(* what holds of all that is in a stage holds of what came up *)
Variables ok known : A -> Prop.
Hypothesis known_ok : forall x y, known x -> known y -> covers x y || replaces x y -> ok x -> ok y.
Notation all_in P t := (forall y, List.In y (elements t) -> P y).
Lemma put_all d e t : known e.2 -> all_in known t -> all_in ok (put d e t) -> ok e.2 /\ all_in ok t.
Proof.
move=> known_e; elim: t d => [|es|l IHl r IHr] d /= known_t.
- by move=> all_ok; split=> //; apply: all_ok; left.
- case found: (has _ _); [move=> all_ok|move=> all_ok].
    split=> //; elim: es found known_t all_ok => //= e' es IH /orP[cov|found] known_t all_ok.
      by apply: (@known_ok e'.2); rewrite ?cov //; [apply: known_t|apply: all_ok]; left.
    by apply: IH => // y y_in; [apply: known_t|apply: all_ok]; right.
  have ok_e : ok e.2 by apply: all_ok; apply/in_others; left.
  split=> // y; have {all_ok} : all_in ok (Bucket [seq e' <- es | ~~ replaces e.2 e'.2]).
    by move=> z z_in; apply: all_ok; apply/in_others; right.
  elim: es known_t {found} => //= e' es IH known_t all_ok [<-|y_in].
    move: all_ok; case rep: (replaces _ _) => /= all_ok; last by apply: all_ok; left.
    by apply: (known_ok known_e) ok_e; [apply: known_t; left|rewrite rep orbT].
  apply: IH y_in => [z z_in|z]; first by apply: known_t; right.
  by case: (replaces _ _) all_ok => /= all_ok z_in; apply: all_ok => //; right.
- have known_l : all_in known l by move=> y y_in; apply: known_t; rewrite List.in_app_iff; left.
  have known_r : all_in known r by move=> y y_in; apply: known_t; rewrite List.in_app_iff; right.
  case: (bit _ _) => /= all_ok.
    have [|ok_e ok_r] := IHr d.+1 known_r; first by move=> y y_in; apply: all_ok; rewrite List.in_app_iff; right.
    by split=> // y; rewrite List.in_app_iff => -[y_in|/ok_r //]; apply: all_ok; rewrite List.in_app_iff; left.
  have [|ok_e ok_l] := IHl d.+1 known_l; first by move=> y y_in; apply: all_ok; rewrite List.in_app_iff; left.
  by split=> // y; rewrite List.in_app_iff => -[/ok_l //|y_in]; apply: all_ok; rewrite List.in_app_iff; right.
Qed.
End Stages.
Arguments Empty {A K}.

Section Walk.
Variable g : game.
Implicit Types s : position g.

(* Who holds what, and from which positions it can be held if it can be held from others. `inv` holds in all positions
   that can come up. *)
Variables (p : player) (well : position g -> bool) (covers replaces : position g -> position g -> bool).
Variable inv : position g -> Prop.
Notation held := (holds p (fun s => well s)).
Hypothesis inv_play : forall s m, inv s -> ~~ is_over s -> m \in legal_moves s -> inv (play s m).
Hypothesis covers_held : forall s t, inv s -> inv t -> covers s t || replaces s t -> held s -> held t.

(* The walk. `reply i` is the number of the move that the strategy answers with when it is asked for the (i+1)st time,
   or None where there is no such reply. *)
Variables (K : Type) (key : position g -> K) (bit : K -> nat -> bool) (depth : nat) (reply : nat -> option nat).
Let stage := stage (position g) K.
Definition enter (t : stage) s : stage := put covers replaces bit depth 0 (key s, s) t.

Definition follow s (t : stage) (l : seq (move g)) : stage := foldl (fun t m => enter t (play s m)) t l.

(* the ends, and what the other player can do *)
Definition theirs (next : option stage) s : option stage :=
  if next is Some t then
    if is_over s then if well s then next else None
    else if is_player (mover s) p then next
    else let moves := legal_moves s in if moves is [::] then None else Some (follow s t moves)
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

Notation all_in P t := (forall s, List.In s (elements t) -> P s).

Lemma enter_all (t : stage) s : inv s -> all_in inv t ->
  all_in inv (enter t s) /\ (all_in held (enter t s) -> held s /\ all_in held t).
Proof.
move=> inv_s inv_t; split; first by move=> y y_in; case: (in_put y_in) => [->|/inv_t].
by apply: (put_all covers_held (e := (key s, s))).
Qed.

Lemma follow_all s (t : stage) l : inv s -> ~~ is_over s -> {subset l <= legal_moves s} -> all_in inv t ->
  all_in inv (follow s t l) /\ (all_in held (follow s t l) -> all_in held t /\ forall m, m \in l -> held (play s m)).
Proof.
move=> inv_s going; elim: l t => [|m l IH] t legal inv_t //.
have legal_m : m \in legal_moves s by apply: legal; rewrite mem_head.
have legal_l : {subset l <= legal_moves s} by move=> x in_l; apply: legal; rewrite inE in_l orbT.
have [inv_m held_m] := enter_all (inv_play inv_s going legal_m) inv_t.
have [inv' held'] := IH _ legal_l inv_m; split=> // /held'[/held_m[now before] later].
by split=> // m'; rewrite inE => /orP[/eqP->|/later].
Qed.

Lemma theirs_all l next next' : foldl theirs next l = Some next' ->
  (forall s, List.In s l -> inv s) -> (forall t, next = Some t -> all_in inv t) ->
  all_in inv next' /\ (all_in held next' ->
    (exists2 t, next = Some t & all_in held t) /\
    forall s, List.In s l -> if is_over s then is_true (well s)
      else is_player (mover s) p \/ legal_moves s != [::] /\ forall m, m \in legal_moves s -> held (play s m)).
Proof.
elim: l next => [|s l IH] next /=.
  by move=> -> _ inv_t; split=> [|all_held]; [apply: inv_t|split=> //; exists next'].
have stuck : foldl theirs None l <> Some next' by elim: (l).
move=> done inv_l inv_next.
have inv_s : inv s by apply: inv_l; left.
have inv_rest : forall s', List.In s' l -> inv s' by move=> s' in_l; apply: inv_l; right.
case E: next done inv_next => [t|] // done inv_t; rewrite /= in done *.
have {inv_t} inv_t : all_in inv t by apply: inv_t.
have same t' : Some t = Some t' -> all_in inv t' by case=> <-.
case over: (is_over s) done.
  case ok: (well s) => // done; have [inv' held'] := IH _ done inv_rest same.
  by split=> // /held'[before rest]; split=> // s' [<-|/rest //]; rewrite over.
case turn: (is_player _ _).
  move=> done; have [inv' held'] := IH _ done inv_rest same.
  by split=> // /held'[before rest]; split=> // s' [<-|/rest //]; rewrite over; left.
case some: (legal_moves s) => [//|m ms]; rewrite -some => done.
have [inv_t' held_t] := follow_all inv_s (negbT over) (fun m legal => legal) inv_t.
have [|inv' held'] := IH _ done inv_rest; first by move=> t' [<-].
split=> // /held'[[t' [<-]] /held_t[before now] rest]; split; first by exists t.
by move=> s' [<-|/rest //]; rewrite over; right; rewrite some; split=> //; rewrite -some.
Qed.

Lemma ours_all l next next' i' : foldl ours next l = Some (next', i') ->
  (forall s, List.In s l -> inv s) -> (forall t i, next = Some (t, i) -> all_in inv t) ->
  all_in inv next' /\ (all_in held next' ->
    (exists t i, next = Some (t, i) /\ all_in held t) /\
    forall s, List.In s l -> ~~ is_over s -> is_player (mover s) p -> exists2 m, m \in legal_moves s & held (play s m)).
Proof.
elim: l next => [|s l IH] next /=.
  by move=> -> _ inv_t; split=> [|all_held]; [apply: (inv_t _ i')|split=> //; exists next', i'].
have stuck : foldl ours None l <> Some (next', i') by elim: (l).
move=> done inv_l inv_next.
have inv_s : inv s by apply: inv_l; left.
have inv_rest : forall s', List.In s' l -> inv s' by move=> s' in_l; apply: inv_l; right.
case E: next done inv_next => [[t i]|] // done inv_t; rewrite /= in done *.
have {inv_t} inv_t : all_in inv t by apply: (inv_t _ i).
have same t' j : Some (t, i) = Some (t', j) -> all_in inv t' by case=> <- _.
case over: (is_over s) done.
  move=> done; have [inv' held'] := IH _ done inv_rest same.
  by split=> // /held'[before rest]; split=> // s' [<-|/rest //]; rewrite over.
case turn: (is_player _ _); last first.
  move=> done; have [inv' held'] := IH _ done inv_rest same.
  by split=> // /held'[before rest]; split=> // s' [<-|/rest //]; rewrite turn.
case: (reply i) => // number; case at_number: (ohead _) => [m|] // done.
have legal : m \in legal_moves s.
  by apply: (@mem_drop number); case: (drop _ _) at_number => //= x rest [->]; rewrite mem_head.
have [inv_t' held_t] := enter_all (inv_play inv_s (negbT over) legal) inv_t.
have [|inv' held'] := IH _ done inv_rest; first by move=> t' j [<- _].
split=> // /held'[[t' [j [[<- _] /held_t[now before]]]] rest]; split; first by exists t, i.
by move=> s' [<- _ _|/rest //]; exists m.
Qed.

Lemma walk_holds stages here i most found : walk stages here i most = Some found -> all_in inv here -> all_in held here.
Proof.
elim: stages here i most => [|k IH] here i most; first by case: here.
move=> done inv_here s s_in; have {done} : (let size := fold (fun size _ => size.+1) 0 here in
  if most < size then None
  else if fold theirs (Some Empty) here is Some next then
    if fold ours (Some (next, i)) here is Some (next', i') then walk k next' i' (most - size) else None
  else None) = Some found by case: here done s_in {inv_here}.
rewrite /=; case: ifP => // _; rewrite !fold_elements; case one: (foldl _ _ _) => [next|] //.
rewrite fold_elements; case two: (foldl _ _ _) => [[next' i']|] // rest.
have empty : forall t : stage, Some Empty = Some t -> all_in inv t by move=> t [<-].
have [inv_next ends] := theirs_all one inv_here empty.
have inv_next0 : forall t j, Some (next, i) = Some (t, j) -> all_in inv t by move=> t j [<- _].
have [inv_next' own] := ours_all two inv_here inv_next0.
have [[t [j [[<- _] /ends[_ {}ends]]]] {}own] := own (IH _ _ _ rest inv_next').
have := ends _ s_in; case: ifP => [over ok|/negbT going]; first exact: HoldsEnd.
have [turn|turn] := boolP (is_player (mover s) p).
  move=> _; have [m legal now] := own _ s_in going turn.
  by apply: HoldsMine going _ legal now; move: turn; case: (mover s) (p) => [] [].
case=> // -[moves all_held].
by apply: HoldsTheirs => //; move: turn; case: (mover s) (p) => [] [].
Qed.

Definition strategy_right (stages most : nat) s : option (nat * nat) := walk stages (enter Empty s) 0 most.

Theorem strategy_holds stages most found s : inv s -> strategy_right stages most s = Some found -> held s.
Proof.
move=> inv_s done; have [|inv_first held_first] := @enter_all Empty s inv_s; first by [].
by have [] := held_first (walk_holds done inv_first).
Qed.
End Walk.

(* Where scores are high or low, and positions that are alike have the same score *)
Section Weak.
Variable g : game.
Implicit Types s : position g.

(* Positions that are alike have the same end, mover and lead, and each move of the one has a move of the other that
   leads to alike positions again. *)
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

Variables (K : Type) (key : position g -> K) (bit : K -> nat -> bool) (depth : nat) (reply : nat -> option nat).
Definition weak_right (stages most : nat) s : option (nat * nat) :=
  strategy_right p well alike (fun _ _ => false) key bit depth reply stages most s.

Theorem weak_holds stages most found s : inv s -> weak_right stages most s = Some found ->
  if p is P1 then at_least v s else at_most v s.
Proof.
move=> inv_s done; have held : holds p (fun s => well s) s.
  by apply: (strategy_holds inv_play _ inv_s done) => x y inv_x inv_y; rewrite orbF; apply: alike_holds.
by rewrite /at_least /at_most; move: held; rewrite /well; case: (p) => held;
  apply: holds_weaker held => e; move/Z.leb_le.
Qed.
End Weak.
