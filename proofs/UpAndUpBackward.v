(* A game of Up And Up as the search of UpAndUpSearch.v sees it: squares of integers, the last one first, in a grid that may lie
   anywhere. Then what the parts of the search compute: lists of squares, limits of the grid, and tables of times. *)
From mathcomp Require Import all_ssreflect zify ssrZ.
Require Import ZArith Lia.
From Quet Require Import UpAndUpSearch.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* where the grid is *)
Record region := Region { x_min : Z; x_max : Z; y_min : Z; y_max : Z }.
(* it has at least so many lines, and at most so many if that is given *)
Definition has_lines least most lo hi := (least <= hi - lo + 1 /\ if most is Some m then hi - lo + 1 <= m else True)%Z.
Definition has_size least most r := has_lines least most (x_min r) (x_max r) /\ has_lines least most (y_min r) (y_max r).
Definition inside r (p : square) := (x_min r <= p.1 <= x_max r /\ y_min r <= p.2 <= y_max r)%Z.

(* the four squares k away from the first one of the path are filled or outside *)
Definition stuck r k (path : seq square) :=
  if path is p :: _ then forall d, inside r (shift d k p) -> shift d k p \in path else False.

(* the squares of a game, the last one first, and the length of the step to it; 0 is the first square *)
Inductive played r : seq square -> nat -> Prop :=
| PlayedFirst p : inside r p -> played r [:: p] 0
| PlayedOn p d q path k : played r (q :: path) k -> inside r p -> p \notin q :: path ->
    p = shift d (Z.of_nat k.+1) q -> played r (p :: q :: path) k.+1
| PlayedAgain p d q path k : played r (q :: path) k.+1 -> stuck r (Z.of_nat k.+2) (q :: path) ->
    inside r p -> p \notin q :: path -> p = shift d 1 q -> played r (p :: q :: path) 1.

(* a position that a step of s came from, where s may be 0 *)
Definition comes r path s := played r path s \/
  s = 0 /\ exists j, played r path j.+1 /\ stuck r (Z.of_nat j.+2) path.

Definition opposite d :=
  match d with Rightward => Leftward | Leftward => Rightward | Upward => Downward | Downward => Upward end.
Lemma shift_back d k p : shift (opposite d) k (shift d k p) = p.
Proof. by case: d p => [] [x y] /=; congr pair; lia. Qed.

Lemma played_back r p rest s : played r (p :: rest) s.+1 ->
  exists d q path, [/\ rest = q :: path, q = shift d (Z.of_nat s.+1) p, p \notin rest & comes r (q :: path) s].
Proof.
move=> H; inversion H; subst.
  by exists (opposite d), q, path; split=> //; [rewrite shift_back|left].
exists (opposite d), q, path; split=> //; first by rewrite shift_back.
by right; split=> //; exists k.
Qed.
Lemma played_zero r p rest : played r (p :: rest) 0 -> rest = [::].
Proof. by move=> H; inversion H. Qed.
Lemma played_inside r path s : played r path s -> forall p, p \in path -> inside r p.
Proof.
elim=> {path s} [p i q|p d q path k _ IH i _ _ x|p d q path k _ IH _ i _ _ x]; rewrite inE.
- by move/eqP->.
- by case/orP=> [/eqP->|] //; apply: IH.
- by case/orP=> [/eqP->|] //; apply: IH.
Qed.
Lemma played_uniq r path s : played r path s -> uniq path.
Proof. by elim=> {path s} // [p d q path k _ u _ n _|p d q path k _ u _ _ n _]; rewrite cons_uniq n. Qed.
Lemma comes_played r path s : comes r path s -> exists s', played r path s'.
Proof. by case=> [H|[_ [j [H _]]]]; eauto. Qed.
Lemma comes_inside r path s : comes r path s -> forall p, p \in path -> inside r p.
Proof. by case/comes_played=> s' /played_inside. Qed.
Lemma comes_uniq r path s : comes r path s -> uniq path.
Proof. by case/comes_played=> s' /played_uniq. Qed.
Lemma played_size r p rest s : played r (p :: rest) s -> s <= size rest.
Proof.
move E: (p :: rest) => path H; elim: H p rest E => {path s}
  [p _|p d q path k _ IH _ _ _|p d q path k _ IH _ _ _ _] p' rest [_ ->] //=.
by have := IH _ _ erefl; lia.
Qed.

(* how far away *)
Definition away (a b : square) := (Z.abs (a.1 - b.1) + Z.abs (a.2 - b.2))%Z.
Lemma away_shift d k p : (0 <= k)%Z -> away p (shift d k p) = k.
Proof. by case: d p => [] [x y] pos; rewrite /away /shift /=; lia. Qed.
Lemma away_far a b c : (away a c <= away a b + away b c)%Z.
Proof. by rewrite /away; lia. Qed.
Lemma triangleS k : triangle k.+1 = (Z.of_nat k.+1 + triangle k)%Z.
Proof. by []. Qed.
Lemma triangle_pos k : (0 <= triangle k)%Z.
Proof. by elim: k => [|k IH]; [exact: Z.le_refl|rewrite triangleS; lia]. Qed.
Lemma near_step p q path x : (away q p <= Z.of_nat (size path).+1)%Z -> x \in q :: path ->
  (forall y, y \in path -> (away y q <= triangle (size path))%Z) -> (away x p <= triangle (size path).+1)%Z.
Proof.
move=> one at_x near; rewrite triangleS; have := @triangle_pos (size path); move: at_x; rewrite inE => /orP[/eqP->|/near].
  by lia.
by have := @away_far x q p; lia.
Qed.
Lemma played_near r p rest s : played r (p :: rest) s -> forall q, q \in rest -> (away q p <= triangle (size rest))%Z.
Proof.
move E: (p :: rest) => path H; elim: H p rest E => {path s}
  [p _|p d q path k H IH _ _ e|p d q path k H IH _ _ _ e] p' rest [-> ->] //= x at_x.
  apply: near_step at_x (IH _ _ erefl); rewrite e away_shift; first by have := played_size H; lia.
  by lia.
by apply: near_step at_x (IH _ _ erefl); rewrite e away_shift //; lia.
Qed.

(* the lists of squares *)
Lemma sameP a b : same a b = (a == b).
Proof. by case: a b => [a1 a2] [b1 b2]; rewrite /same /= xpair_eqE /eq_op /=; case: Z.eqb. Qed.
Lemma is_inE x s : is_in x s = (x \in s).
Proof. by elim: s => //= y s IH; rewrite sameP inE IH; case: (x == y). Qed.
Lemma withoutE x s : without x s = rem x s.
Proof. by elim: s => //= y s IH; rewrite sameP IH eq_sym. Qed.

(* limits *)
Definition axis_holds lo hi a := [/\ (lo <= from a)%Z, (to a <= hi)%Z,
  forall b, before a = Some b -> (b < lo)%Z & forall c, after a = Some c -> (hi < c)%Z].
Definition holds r (l : limits) := axis_holds (x_min r) (x_max r) l.1 /\ axis_holds (y_min r) (y_max r) l.2.

Lemma axis_holds_fits least most lo hi a : has_lines least most lo hi -> axis_holds lo hi a -> axis_fits least most a.
Proof.
case=> wide small [le ge low high]; rewrite /axis_fits.
have -> : (if before a is Some b then b <? from a else true)%Z = true.
  by case: (before a) low => // b /(_ _ erefl) b_lo; apply/Z.ltb_spec0; lia.
have -> : (if most is Some m then to a - from a <? m else true)%Z = true.
  by case: most small => // m small; apply/Z.ltb_spec0; lia.
case: (after a) high => // c /(_ _ erefl) c_hi; rewrite (introT (Z.ltb_spec0 _ _)); last by lia.
by case: (before a) low => // b /(_ _ erefl) b_lo; apply/Z.ltb_spec0; lia.
Qed.
Lemma holds_fits least most r l : has_size least most r -> holds r l -> fits least most l.
Proof. by case=> wx wy [hx hy]; rewrite /fits (axis_holds_fits wx hx) (axis_holds_fits wy hy). Qed.
Lemma axis_widen lo hi a z : (lo <= z <= hi)%Z -> axis_holds lo hi a -> axis_holds lo hi (widen a z).
Proof. by move=> iz [? ? ? ?]; split=> //=; lia. Qed.
Lemma holds_hold r l p : inside r p -> holds r l -> holds r (hold l p).
Proof. by case=> ix iy [hx hy]; split; apply: axis_widen. Qed.
Lemma axis_before lo hi a z : (z < lo)%Z -> axis_holds lo hi a -> axis_holds lo hi (end_before a z).
Proof.
move=> iz [? ? low ?]; split=> //= b [<-]; case E: (before a) low => [c|] low //.
by have := low _ erefl; lia.
Qed.
Lemma axis_after lo hi a z : (hi < z)%Z -> axis_holds lo hi a -> axis_holds lo hi (end_after a z).
Proof.
move=> iz [? ? ? high]; split=> //= b [<-]; case E: (after a) high => [c|] high //.
by have := high _ erefl; lia.
Qed.
Lemma holds_leave r l d k p : inside r p -> (0 < k)%Z -> ~ inside r (shift d k p) -> holds r l ->
  holds r (leave d l (shift d k p)).
Proof.
rewrite /inside; case: p => x y /= [ix iy] kpos out [hx hy].
case: d out => /= out; split=> //=.
- by apply: axis_after => //; lia.
- by apply: axis_before => //; lia.
- by apply: axis_after => //; lia.
- by apply: axis_before => //; lia.
Qed.
Lemma inside_dec r p : inside r p \/ ~ inside r p.
Proof. rewrite /inside; lia. Qed.

(* times *)
Lemma nth_either a b t : nth false (either a b) t = nth false a t || nth false b t.
Proof.
by elim: a b t => [|x a IH] [|y b] [|t] //=; rewrite ?nth_nil ?orbF.
Qed.
Lemma nth_delay b m t : nth false (delay b m) t = (if t is t'.+1 then nth false m t' else b).
Proof. by case: b t => [] [|t] //; case: m => [|x m] //=; rewrite nth_nil. Qed.
Lemma nth_union ms t : nth false (union ms) t = has (fun m => nth false m t) ms.
Proof. by elim: ms => [|m ms IH] /=; rewrite ?nth_nil // nth_either IH. Qed.

Lemma lookup_tabulate A (default : A) depth f p : (Zpos p < 2 ^ Z.of_nat depth)%Z ->
  lookup default (tabulate depth f) p = f p.
Proof.
elim: depth p f => [|depth IH] [p|p|] f // less; rewrite /=; try by lia.
  by rewrite IH //; rewrite Nat2Z.inj_succ Z.pow_succ_r in less; lia.
by rewrite IH //; rewrite Nat2Z.inj_succ Z.pow_succ_r in less; lia.
Qed.
Lemma keyE z : Zpos (key z) = (Z.abs z + 1)%Z.
Proof. by case: z => //= p; lia. Qed.
Lemma key_abs a b : Z.abs a = Z.abs b -> key a = key b.
Proof. by move=> e; apply: Pos2Z.inj; rewrite !keyE e. Qed.
Lemma find_abs t (a b : square) : Z.abs a.1 = Z.abs b.1 -> Z.abs a.2 = Z.abs b.2 -> find t a = find t b.
Proof. by move=> /key_abs e1 /key_abs e2; rewrite /find e1 e2. Qed.
Lemma find_table bound f d : (bound < 255)%Z -> (Z.abs d.1 + Z.abs d.2 <= bound)%Z ->
  find (table_of bound f) d = f (Z.abs d.1, Z.abs d.2).
Proof.
move=> small near; rewrite /find /table_of lookup_tabulate; last by rewrite keyE (_ : 2 ^ Z.of_nat DEPTH = 256)%Z //; lia.
rewrite keyE; have -> : Z.pred (Z.abs d.1 + 1) = Z.abs d.1 by lia.
rewrite (introT (Z.leb_spec0 _ _)); last by lia.
rewrite lookup_tabulate; last by rewrite keyE (_ : 2 ^ Z.of_nat DEPTH = 256)%Z //; lia.
rewrite keyE; have -> : Z.pred (Z.abs d.2 + 1) = Z.abs d.2 by lia.
by rewrite (introT (Z.leb_spec0 _ _)); last by lia.
Qed.
