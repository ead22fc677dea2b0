(* A fast way to find the difference of the scores of a full row, and that it is right. *)
From mathcomp Require Import all_ssreflect zify.
Require Import ZArith Lia.
From Quet Require Import Game Palindromes.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Notation full d := (map Some d).

(* the lengths k, k + 2, ... of the patterns about one centre, added to acc *)
Fixpoint lengths (differ : bool) (l r : seq bool) (k acc : Z) : Z :=
  match l, r with
  | x :: l', y :: r' => if x (+) y == differ then lengths differ l' r' (k + 2)%Z (acc + k)%Z else acc
  | _, _ => acc
  end.

(* all centres from the one between l and r on; l is reversed *)
Fixpoint centres (l r : seq bool) (acc : Z) : Z :=
  match r with
  | [::] => acc
  | y :: r' => centres (y :: l) r'
      match l with
      | [::] => acc
      | x :: _ => if x (+) y then (acc - lengths true l r 2 0)%Z else lengths false l r 2 acc
      end
  end.
Definition fast_lead (d : seq bool) := centres [::] d 0.

Lemma lengths_eq differ l r k acc : let h := Z.of_nat (half_length differ (full l) (full r)) in
  lengths differ l r k acc = (acc + h * (k + h - 1))%Z.
Proof.
elim: l r k acc => [|x l IH] [|y r] k acc /=; [lia|lia|lia|].
case: ifP => _; last lia.
by rewrite IH Nat2Z.inj_succ; move: (Z.of_nat _) => h; nia.
Qed.

Definition at_middle differ (l r : seq bool) : Z :=
  let h := half_length differ (rev (full l)) (full r) in Z.of_nat (h * h.+1).

Lemma one_centre l r acc :
  match r with
  | [::] => acc
  | y :: _ => match rev l with
    | [::] => acc
    | x :: _ => if x (+) y then (acc - lengths true (rev l) r 2 0)%Z else lengths false (rev l) r 2 acc
    end
  end = (acc + at_middle false l r - at_middle true l r)%Z.
Proof.
rewrite /at_middle -map_rev; case: r => [|y r]; first by case: (full (rev l)) => [|[x|] l'] /=; lia.
case: (rev l) => [|x l'] /=; first lia.
rewrite -![lengths _ l' _ _ _]/(lengths _ l' _ _ _).
by case: x; case: y; rewrite /= ?lengths_eq; move: (half_length _ _ _) => h; nia.
Qed.

Lemma centres_eq l r acc (R := full (l ++ r)) :
  let part differ := Z.of_nat (sumn [seq at_centre differ R c * (at_centre differ R c).+1 | c <- iota (size l) (size r)]) in
  centres (rev l) r acc = (acc + part false - part true)%Z.
Proof.
rewrite /R {R}; elim: r l acc => [|y r IH] l acc; first by rewrite /=; lia.
have := one_centre l (y :: r) acc; rewrite [centres _ _ _]/= => ->.
rewrite -rev_rcons IH cat_rcons size_rcons -[iota _ (size (y :: r))]/(size l :: iota (size l).+1 (size r)) !map_cons.
have E differ : at_centre differ (full (l ++ y :: r)) (size l) = half_length differ (rev (full l)) (full (y :: r)).
  by rewrite /at_centre map_cat take_size_cat ?drop_size_cat ?size_map.
by rewrite !E /at_middle -![sumn (_ :: _)]/(_ + sumn _) !Nat2Z.inj_add; lia.
Qed.

Theorem fast_lead_eq d : fast_lead d = lead (g := pal) (full d).
Proof.
rewrite /fast_lead (centres_eq [::] d 0) /lead /= /pal_score /pattern_score /= size_map.
suff E differ : sumn [seq at_centre differ (full d) c * (at_centre differ (full d) c).+1 | c <- iota 0 (size d)] =
    sumn [seq at_centre differ (full d) c * (at_centre differ (full d) c).+1 | c <- iota 1 (size d).-1] by rewrite !E; lia.
by case: (size d) => //= k; rewrite {1 2}/at_centre take0.
Qed.
