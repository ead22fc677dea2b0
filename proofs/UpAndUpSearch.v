(* The search of Theorem 4 of docs/proofs.md: it goes back from the last square of a game, and says whether no grid of
   36 by 36 or more has such a game. It can be asked about grids of other sizes, or of one size, too. UpAndUpComplete.v
   proves that what it refutes doesn't exist.

   Squares are counted from the last one, which is (0, 0). Everything here runs inside Coq, where both sides of `&&` are
   computed. So conditions are written with `if`. *)
From mathcomp Require Import all_ssreflect.
Require Import ZArith.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Definition square := (Z * Z)%type.
Definition same (a b : square) := if (a.1 =? b.1)%Z then (a.2 =? b.2)%Z else false.
Fixpoint is_in (x : square) s := if s is y :: s' then if same x y then true else is_in x s' else false.
Fixpoint without (x : square) s := if s is y :: s' then if same x y then s' else y :: without x s' else [::].

Inductive direction := Rightward | Leftward | Upward | Downward.
Definition directions := [:: Leftward; Downward; Rightward; Upward].
Definition shift d k (p : square) : square :=
  match d with
  | Rightward => (p.1 + k, p.2)%Z
  | Leftward => (p.1 - k, p.2)%Z
  | Upward => (p.1, p.2 + k)%Z
  | Downward => (p.1, p.2 - k)%Z
  end.

(* What is known along one axis: the nearest line before the grid and after it, where one is known, and the first and last
   line known to be inside. *)
Record axis := Axis { before : option Z; from : Z; to : Z; after : option Z }.
Definition widen a z := Axis (before a) (Z.min (from a) z) (Z.max (to a) z) (after a).
Definition end_before a z := Axis (Some (if before a is Some b then Z.max b z else z)) (from a) (to a) (after a).
Definition end_after a z := Axis (before a) (from a) (to a) (Some (if after a is Some b then Z.min b z else z)).

(* a square that is inside the grid, and one that is outside where the direction d leads out *)
Definition limits := (axis * axis)%type.
Definition hold (l : limits) (p : square) : limits := (widen l.1 p.1, widen l.2 p.2).
Definition leave d (l : limits) (p : square) : limits :=
  match d with
  | Rightward => (end_after l.1 p.1, l.2)
  | Leftward => (end_before l.1 p.1, l.2)
  | Upward => (l.1, end_after l.2 p.2)
  | Downward => (l.1, end_before l.2 p.2)
  end.

(* Values by positive numbers, from 1 to 2 ^ depth - 1 *)
Inductive tree A := Leaf | Node of tree A & A & tree A.
Arguments Leaf {A}.
Fixpoint lookup A (default : A) t p :=
  if t is Node l v r then
    match p with xH => v | xO p' => lookup default l p' | xI p' => lookup default r p' end
  else default.
Fixpoint tabulate A depth (f : positive -> A) :=
  if depth is depth'.+1 then
    Node (tabulate depth' (fun p => f (xO p))) (f xH) (tabulate depth' (fun p => f (xI p)))
  else Leaf.

(* When a square can be visited: place t is whether it can be the square after t + 1 steps back. *)
Definition mask := seq bool.
Fixpoint either (a b : mask) :=
  match a, b with [::], _ => b | _, [::] => a | x :: a', y :: b' => (if x then true else y) :: either a' b' end.
Definition delay (now : bool) (m : mask) : mask := if now then true :: m else if m is [::] then [::] else false :: m.

(* masks of the squares around; columns and rows to both sides are alike *)
Definition times := tree (tree mask).
Definition key z := match z with Z0 => xH | Zpos p | Zneg p => Pos.succ p end.
Definition find (t : times) (d : square) : mask := lookup [::] (lookup Leaf t (key d.1)) (key d.2).
Definition DEPTH := 8.
Definition table_of bound (f : square -> mask) : times :=
  tabulate DEPTH (fun a => let x := Z.pred (Zpos a) in
    if (x <=? bound)%Z then
      tabulate DEPTH (fun b => let y := Z.pred (Zpos b) in if (x + y <=? bound)%Z then f (x, y) else [::])
    else Leaf).

Fixpoint triangle k := if k is k'.+1 then (Z.of_nat k + triangle k')%Z else 0%Z.

(* A game is made of runs, steps of 1, 2, 3, ... each. A run ends where the next step has no square to go to. `can_end left j`
   is false only where no grid has a game that begins with `left` steps, of which the last run has j, and whose run ends
   there. UpAndUpGames.v proves this of the functions at the end.

   The grids are those with at least so many lines, and with at most so many if that is given. *)
Section Search.
Variables (least : Z) (most : option Z) (can_end : nat -> nat -> bool).

Definition axis_fits a :=
  if (if before a is Some b then b <? from a else true)%Z then
    if (if most is Some m then to a - from a <? m else true)%Z then
      if after a is Some c then
        if (to a <? c)%Z then if before a is Some b then (least <? c - b)%Z else true else false
      else true
    else false
  else false.
Definition fits (l : limits) := if axis_fits l.1 then axis_fits l.2 else false.

(* whether what comes before s steps back can be the end of a run, or the start of the game *)
Definition is_alive s left := if left == s then true else has (can_end (left - s)) (iota 1 (left - s)).

(* The squares visited in `left` steps, if the last of them is s, from those in one step fewer. Entry 0 of a level is for the
   square where a run ends: any j that `can_end` allows can be the length of the run. *)
Definition run_times (next : times) s left : times :=
  let step := Z.of_nat s in
  let come d p := let q := shift d step p in delay (same q (0, 0)%Z) (find next q) in
  table_of (triangle left)
    (fun p => either (come Leftward p) (either (come Rightward p) (either (come Downward p) (come Upward p)))).
Definition level (shorter : seq times) left : seq times :=
  let runs := [seq if is_alive s left then run_times (nth Leaf shorter s.-1) s left else Leaf | s <- iota 1 left] in
  let ends := [seq nth Leaf runs j.-1 | j <- iota 1 left & can_end left j] in
  table_of (triangle left) (fun p => foldr (fun t m => either (find t p) m) [::] ends) :: runs.
Fixpoint levels left : seq (seq times) :=
  if left is left'.+1 then let ls := levels left' in level (head [::] ls) left :: ls else [:: [:: Leaf]].

(* Whether the masks leave enough different times for all squares that must be visited, and enough after the present run
   for those that can't be visited in it *)
Fixpoint bits (m : mask) := if m is b :: m' then if b then (bits m').+1 else bits m' else 0.
Definition union ms := foldr either [::] ms.
Definition enough_times s (ms : seq mask) :=
  if all (has id) ms then
    if size ms <= bits (union ms) then
      let late := [seq m <- ms | ~~ has id (take s m)] in size late <= bits (union late)
    else false
  else false.
Definition can_reach (t : times) s (p : square) (wanted : seq square) :=
  enough_times s [seq find t (w.1 - p.1, w.2 - p.2)%Z | w <- wanted].

(* The rest of the search. True means that there is no such game. `filled` has the squares that were gone back through, `wanted`
   those that must be visited still, and `spare` says how many others can be. *)

(* each of the squares k away is outside, or must be visited *)
Fixpoint block ds k (p : square) filled (next : nat -> seq square -> limits -> bool) spare wanted l : bool :=
  if ds is d :: ds' then
    let z := shift d k p in
    let out := leave d l z in
    if (if fits out then block ds' k p filled next spare wanted out else true) then
      if is_in z filled then true else
      let l' := hold l z in
      if fits l' then
        if is_in z wanted then block ds' k p filled next spare wanted l'
        else if spare is spare'.+1 then block ds' k p filled next spare' (z :: wanted) l' else true
      else true
    else false
  else next spare wanted l.

(* one step back to square p *)
Definition enter (next : nat -> square -> seq square -> nat -> seq square -> limits -> bool)
    s (p : square) filled spare wanted l : bool :=
  if is_in p filled then true else
  let l' := hold l p in
  if fits l' then
    if is_in p wanted then next s p (p :: filled) spare (without p wanted) l'
    else if spare is spare'.+1 then next s p (p :: filled) spare' wanted l' else true
  else true.

(* a step back of s, in each direction *)
Definition run next (t : seq times) s (p : square) filled spare wanted l : bool :=
  if can_reach (nth Leaf t s) s p wanted then
    let k := Z.of_nat s in
    let go d := enter next s.-1 (shift d k p) filled spare wanted l in
    if go Leftward then if go Rightward then if go Downward then go Upward else false else false else false
  else true.

(* at square p, with `left` squares before it, after a step of s; 0 is where a run ends or the game begins *)
Fixpoint search left (ts : seq (seq times)) s (p : square) filled spare wanted l : bool :=
  if left is left'.+1 then
    let go := run (search left' (behead ts)) (head [::] ts) in
    if s is 0 then
      all (fun j => if can_end left j then
          if is_alive j left then block directions (Z.of_nat j.+1) p filled (go j p filled) spare wanted l else true
        else true) (iota 1 left)
    else go s p filled spare wanted l
  else if wanted is [::] then false else true.

(* The grid is reflected so that it reaches at least as far to the right as to the left, as far up as down, and as far down as to
   the left. So of 36 lines 18 to the right and 18 up are inside. *)
Definition order (l : limits) : limits := if before l.2 is Some b then (end_before l.1 b, l.2) else l.
Definition start_limits : limits := let half := (least / 2)%Z in (Axis None 0 half None, Axis None 0 half None).
Definition origin : square := (0, 0)%Z.
(* the last square of `left` steps, the last k of them a run that ends here; and `final`, whether the game ends *)
Definition root (ls : seq (seq times)) left k (final : bool) : bool :=
  if is_alive k left then
    if ls is t :: ts then
      let go spare wanted l := let l' := order l in
        if fits l' then run (search left.-1 ts) t k origin [:: origin] spare wanted l' else true in
      let far := block directions (Z.of_nat k.+1) origin [:: origin] go in
      if final then block directions 1 origin [:: origin] far left [::] start_limits
      else far left [::] start_limits
    else false
  else true.

(* that `can_end` is right about `left` steps, and that no game of so many steps gets stuck *)
Definition prefixes left :=
  let ls := levels left in all (fun j => if can_end left j then true else root ls left j false) (iota 1 left).
Definition finals left := let ls := levels left in all (fun j => root ls left j true) (iota 1 left).
End Search.

(* What `can_end` is for grids of 36 lines and more. The first run has at least 9 steps. A second one ends after 13 steps only if
   it has 4 of them, and not after 14. What can be after 15 or more isn't asked. *)
Definition can_end left j :=
  if left < 9 then false else if j == left then true else
  if left - j < 9 then false else if left < 15 then (left == 13) && (j == 4) else true.

(* For other grids the same search finds up to so many steps what `can_end` is: item j of item `left` of a list. *)
Definition listed (ends : seq (seq bool)) left j := nth true (nth [::] ends left) j.
Fixpoint ends_to least most left : seq (seq bool) :=
  if left is left'.+1 then
    let ends := ends_to least most left' in
    let ls := levels (listed ends) left in
    rcons ends (false :: [seq ~~ root least most (listed ends) ls left j false | j <- iota 1 left])
  else [:: [::]].

(* Whether no game has fewer than `length` numbers. The more steps `known`, the less is left to search. *)
Definition none_shorter least most known length :=
  let ends := ends_to least most known in all (finals least most (listed ends)) (iota 1 length.-2).
