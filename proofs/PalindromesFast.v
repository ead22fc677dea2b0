(* A fast way to find the difference of the scores of a full row, square by square, and that it is right. *)
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

(* A row as it is written from left to right: its squares from right to left, the patterns that reach its last square,
   and the difference of the scores. Of each such pattern it has the squares before it, from right to left, and the
   length of the next longer one. *)
Record written := Written {
  squares : seq bool;
  same : seq (seq bool * Z);            (* palindromes *)
  opposite : seq (seq bool * Z);        (* antipalindromes *)
  so_far : Z
}.
Definition blank := Written [::] [::] [::] 0.

(* the patterns that go on if the next digit is d, added to kept, and their lengths, added to acc *)
Fixpoint longer (differ d : bool) (patterns kept : seq (seq bool * Z)) (acc : Z) : seq (seq bool * Z) * Z :=
  match patterns with
  | [::] => (kept, acc)
  | ([::], _) :: rest => longer differ d rest kept acc
  | (x :: l, k) :: rest =>
      if x (+) d (+) differ then longer differ d rest kept acc else longer differ d rest ((l, k + 2)%Z :: kept) (acc + k)%Z
  end.

Definition write (w : written) (d : bool) : written :=
  let (same', gain) := longer false d (same w) [::] (so_far w) in
  let (opposite', loss) := longer true d (opposite w) [::] 0 in
  match squares w with
  | [::] => Written [:: d] same' opposite' (gain - loss)
  | x :: l => if x (+) d then Written (d :: x :: l) same' ((l, 4%Z) :: opposite') (gain - loss - 2)
              else Written (d :: x :: l) ((l, 4%Z) :: same') opposite' (gain - loss + 2)
  end.

Definition with_more differ patterns r := foldr (fun p acc => lengths differ p.1 r p.2 acc) 0%Z patterns.

Lemma lengths_add differ l r k acc : lengths differ l r k acc = (acc + lengths differ l r k 0)%Z.
Proof. by rewrite !lengths_eq /=; lia. Qed.

Lemma centres_add l r acc : centres l r acc = (acc + centres l r 0)%Z.
Proof.
elim: r l acc => [|y r IH] l acc /=; first lia.
rewrite IH [RHS]/= (IH _ (match l with [::] => 0 | _ => _ end)%Z); case: l => [|x l]; first lia.
by case: ifP => _; rewrite ?(lengths_add false _ _ _ acc); lia.
Qed.

Lemma longer_right differ d r patterns kept acc : let (kept', acc') := longer differ d patterns kept acc in
  (acc' + with_more differ kept' r = acc + with_more differ kept r + with_more differ patterns (d :: r))%Z.
Proof.
elim: patterns kept acc => [|[[|x l] k] rest IH] kept acc /=; first lia.
  by move: (IH kept acc); case: longer => kept' acc' ->.
have -> : (x (+) d == differ) = ~~ (x (+) d (+) differ) by move: (x (+) d) (differ) => [] [].
case: ifP => _ /=; last first.
  move: (IH ((l, k + 2)%Z :: kept) (acc + k)%Z); case: longer => kept' acc' -> /=.
  by rewrite [lengths differ _ _ _ (with_more differ kept r)]lengths_add [lengths differ _ _ _ (_ + k)%Z]lengths_add; lia.
by move: (IH kept acc); case: longer => kept' acc' ->.
Qed.

Lemma writes_right w r : so_far (foldl write w r) =
  (so_far w + with_more false (same w) r - with_more true (opposite w) r + centres (squares w) r 0)%Z.
Proof.
have none differ patterns : with_more differ patterns [::] = 0%Z.
  by elim: patterns => //= [[l k] rest IH]; rewrite IH; case: l.
elim: r w => [|d r IH] w; first by rewrite !none /=; lia.
rewrite /= IH {IH} /write; have := longer_right false d r (same w) [::] (so_far w).
have := longer_right true d r (opposite w) [::] 0; case: longer => opposite' loss; case: longer => same' gain /=.
case: (squares w) => [|x l] /=; first by rewrite (centres_add _ _ 0); lia.
case: (x (+) d) => /= B A; rewrite [in RHS]centres_add.
  by rewrite [lengths _ l r 4 (with_more _ _ _)]lengths_add [lengths _ l r 4 2]lengths_add; lia.
by rewrite [lengths _ l r 4 (with_more _ _ _)]lengths_add [lengths _ l r 4 2]lengths_add; lia.
Qed.

Theorem written_right d : so_far (foldl write blank d) = lead (g := pal) (full d).
Proof. by rewrite writes_right -fast_lead_eq /fast_lead /=; lia. Qed.

Lemma squares_written w d : squares (foldl write w d) = rev d ++ squares w.
Proof.
elim: d w => //= x d IH w; rewrite IH rev_cons cat_rcons; congr (_ ++ _).
by rewrite /write; case: longer => ? ?; case: longer => ? ?; case: (squares w) => //= y l; case: ifP.
Qed.

(* ---- how much t more squares can bring *)
Definition more (t : Z) (patterns : seq (seq bool * Z)) := foldr (fun p acc => acc + t * (p.2 + t - 1))%Z 0%Z patterns.
Definition liked (differ : bool) w := if differ then opposite w else same w.
(* the lead of the player who likes palindromes, or antipalindromes if `differ` *)
Definition lead_of (differ : bool) (v : Z) : Z := if differ then (- v)%Z else v.
(* whether this lead stays below v, however t more squares are filled *)
Definition stays_below differ (v : Z) (t : nat) (w : written) : bool := let t := Z.of_nat t in
  (3 * (lead_of differ (so_far w) + more t (liked differ w)) + t * (t + 1) * (t + 2) <? 3 * v)%Z.

Lemma half_length_size differ l r : half_length differ l r <= size r.
Proof.
elim: l r => [|x l IH] [|y r] //=; first by case: x.
by move: x y => [x|] [y|] //; case: ifP => // _; apply: IH.
Qed.

Lemma lengths_range differ l r k : (0 < k)%Z -> let t := Z.of_nat (size r) in
  (0 <= lengths differ l r k 0 <= t * (k + t - 1))%Z.
Proof.
move=> k_pos t; rewrite lengths_eq; have := half_length_size differ (full l) (full r); rewrite size_map.
by rewrite /t => /leP /Nat2Z.inj_le; nia.
Qed.

Lemma with_more_range differ patterns r : all (fun p => 0 <? p.2)%Z patterns ->
  (0 <= with_more differ patterns r <= more (Z.of_nat (size r)) patterns)%Z.
Proof.
elim: patterns => [|[l k] rest IH] /=; first lia.
move=> /andP[/Z.ltb_lt /= k_pos /IH]; rewrite lengths_add; have := lengths_range differ l r k_pos; lia.
Qed.

Lemma centres_cons l y r : centres l (y :: r) 0 = (centres (y :: l) r 0 +
  if l is x :: _ then if x (+) y then - lengths true l (y :: r) 2 0 else lengths false l (y :: r) 2 0 else 0)%Z.
Proof. by rewrite {1}/centres -/centres centres_add Z.add_comm; case: l. Qed.

Lemma centres_range l r (t := Z.of_nat (size r)) :
  (- (t * (t + 1) * (t + 2)) <= 3 * centres l r 0 <= t * (t + 1) * (t + 2))%Z.
Proof.
rewrite {}/t; elim: r l => [|y r IH] l; first by [].
rewrite centres_cons; move: (centres (y :: l) r 0) (IH (y :: l)) => c {IH} in_range.
have two differ : (0 <= lengths differ l (y :: r) 2 0 <= Z.of_nat (size r).+1 * (2 + Z.of_nat (size r).+1 - 1))%Z.
  exact: lengths_range.
have := two true; have := two false; rewrite -[size (y :: r)]/(size r).+1 {two}.
case: l => [|x l]; cbv beta iota; last move: (lengths true _ _ _ _) (lengths false _ _ _ _) => a b.
  by move=> _ _; move: (size r) in_range => k; rewrite Nat2Z.inj_succ; nia.
rewrite Nat2Z.inj_succ; move: (Z.of_nat (size r)) (Nat2Z.is_nonneg (size r)) in_range => t.
by case: (x (+) y); nia.
Qed.

Definition has_lengths w := all (fun p => 0 <? p.2)%Z (same w) && all (fun p => 0 <? p.2)%Z (opposite w).

Lemma longer_lengths differ d patterns kept acc : all (fun p => 0 <? p.2)%Z patterns -> all (fun p => 0 <? p.2)%Z kept ->
  all (fun p => 0 <? p.2)%Z (longer differ d patterns kept acc).1.
Proof.
elim: patterns kept acc => //= [[[|x l] k] rest IH] kept acc /andP[k_pos /IH rest_pos] kept_pos; first exact: rest_pos.
case: ifP => _; first exact: rest_pos.
apply: rest_pos; apply/andP; split=> //; apply/Z.ltb_lt; move/Z.ltb_lt: k_pos => /=; lia.
Qed.

Lemma has_lengths_written w d : has_lengths w -> has_lengths (foldl write w d).
Proof.
elim: d w => //= x d IH w /andP[pos pos']; apply: IH; rewrite /write.
have := longer_lengths false x (so_far w) pos (isT : all (fun p => 0 <? p.2)%Z [::]).
have := longer_lengths true x 0 pos' (isT : all (fun p => 0 <? p.2)%Z [::]).
case: longer => s' gain /=; case: longer => o' loss /= A B; rewrite /has_lengths.
by case: (squares w) => [|y l] /=; [|case: ifP => _ /=]; rewrite ?A ?B.
Qed.

Theorem stays_below_right differ v w r : has_lengths w -> stays_below differ v (size r) w ->
  (lead_of differ (so_far (foldl write w r)) < v)%Z.
Proof.
move=> /andP[pos pos'] /Z.ltb_lt; rewrite writes_right.
have := with_more_range false r pos; have := with_more_range true r pos'; have := centres_range (squares w) r.
by rewrite /liked /lead_of; case: differ; nia.
Qed.
