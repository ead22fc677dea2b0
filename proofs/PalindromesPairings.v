(* Lemma 2 of docs/proofs.md, for both players: what a pairing of squares holds. *)
From mathcomp Require Import all_ssreflect zify.
Require Import ZArith Lia.
From Quet Require Import Game Palindromes PalindromesFast.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Lemma digits_set r i d : i < size r -> nth None r i = None ->
  digits_written (set_nth None r i (Some d)) = (digits_written r).+1.
Proof.
elim: r i => // x r IH [|i] /= less; first by move=> ->.
by move=> none; rewrite /digits_written /= -!/(digits_written _) IH // addnS.
Qed.
Lemma over_full r : pal_is_over r = all isSome r. Proof. by rewrite /pal_is_over all_count. Qed.
Lemma legalP r m : m \in pal_legal_moves r <-> m.1 < size r /\ nth None r m.1 = None.
Proof.
split=> [/allpairsP[[i d]] /= [+ _ ->] /=|[less none]].
  by rewrite mem_filter mem_iota /= => /andP[/eqP none less].
apply/allpairsP; exists m; rewrite mem_filter mem_iota less none /=; split=> //; first by case: m.2.
by case: (m).
Qed.

(* The squares are in pairs, but for one square, if `first` is a move: player 1 begins with it and replies from then
   on. With no such move player 2 replies. *)
Record pairing := Pairing {
  partner : seq nat;        (* of each square *)
  differ : seq bool;        (* whether its digit and the partner's must differ *)
  first : option (nat * bool)
}.

Section Pairing.
Variables (m : nat) (P : pairing).
Definition partner_of i := nth 0 (partner P) i.
Definition differ_of i := nth false (differ P) i.
Definition is_first i := if first P is Some (f, _) then i == f else false.

Definition good_pairing :=
  all (fun i => [&& partner_of i < m, partner_of (partner_of i) == i, differ_of (partner_of i) == differ_of i
                  & (partner_of i == i) == is_first i]) (iota 0 m) &&
  if first P is Some (f, _) then f < m else true.

Hypothesis good_P : good_pairing.
Let each i : i < m -> [/\ partner_of i < m, partner_of (partner_of i) = i, differ_of (partner_of i) = differ_of i
   & (partner_of i == i) = is_first i].
Proof.
by move=> less; case/andP: good_P => /allP /(_ i) + _; rewrite mem_iota less => /(_ isT) /and4P[? /eqP ? /eqP ? /eqP ?].
Qed.

Definition replier := if first P is Some _ then P1 else P2.

(* the rules of all pairs *)
Definition keeps (r : row) := forall i, i < m ->
  if is_first i then nth None r i = omap snd (first P)
  else nth None r (partner_of i) = omap (addb (differ_of i)) (nth None r i).

Lemma mover_set r i d : i < size r -> nth None r i = None ->
  pal_mover (set_nth None r i (Some d)) = opponent (pal_mover r).
Proof. by move=> less none; rewrite /pal_mover digits_set //=; case: odd. Qed.

Lemma size_set (r : row) i d : i < size r -> size (set_nth None r i d) = size r.
Proof. by rewrite size_set_nth; lia. Qed.

(* the partner's square is empty after the opponent's move, and filling it by the rule keeps all rules *)
Lemma reply_kept r0 i x : i < m -> ~~ is_first i -> size r0 = m -> nth None r0 i = None -> keeps r0 ->
  let r := set_nth None r0 i (Some x) in
  nth None r (partner_of i) = None /\ keeps (set_nth None r (partner_of i) (Some (differ_of i (+) x))).
Proof.
move=> i_m usual sz none kp r; have [p_m pp dp own] := each i_m.
rewrite (negbTE usual) in own.
have empty : nth None r (partner_of i) = None.
  by rewrite nth_set_nth /= own; have := kp _ i_m; rewrite (negbTE usual) none.
split=> // j j_m; have := kp _ j_m; have [q_m qq dq own'] := each j_m.
rewrite /r !nth_set_nth /= !nth_set_nth /=.
case: ifP => [first_j|usual_j] kp_j.
  have -> : (j == partner_of i) = false.
    apply/eqP=> eq; have [_ _ _] := each p_m; rewrite pp -eq first_j => /eqP e.
    by move: own; rewrite -eq e eqxx.
  have -> // : (j == i) = false by apply/eqP => eq; rewrite -eq first_j in usual.
have -> : (partner_of j == partner_of i) = (j == i).
  by apply/eqP/eqP => [eq|-> //]; rewrite -qq eq pp.
have -> : (partner_of j == i) = (j == partner_of i).
  by apply/eqP/eqP => [<-|->].
have [->|not_i] := altP (j =P i); first by rewrite eq_sym own /= .
have [->|not_p] := altP (j =P partner_of i); first by rewrite /= dp addKb.
exact: kp_j.
Qed.

(* What is full when the opponent begins a pair: both squares of each pair, or none. *)
Definition whole (r : row) := size r = m /\ forall i, i < m -> nth None r i = None ->
  ~~ is_first i /\ nth None r (partner_of i) = None.

Definition begun : row := if first P is Some (f, x) then set_nth None (pal_start m) f (Some x) else pal_start m.

Lemma keeps_whole r : size r = m -> keeps r -> whole r.
Proof.
move=> sz kp; split=> // i i_m none; have := kp _ i_m; rewrite none; case: ifP => [|_ -> //].
by rewrite /is_first; case: (first P) => [[]|].
Qed.

Lemma keeps_begun : size begun = m /\ keeps begun.
Proof.
rewrite /begun /keeps /is_first; case E: (first P) => [[f d]|] /=; last first.
  by split=> [|i i_m]; rewrite ?size_nseq // !nth_nseq !if_same.
move: (good_P); rewrite /good_pairing E => /andP[_ f_m]; split.
  by rewrite size_set_nth size_nseq; apply/maxn_idPr.
move=> j j_m; rewrite !nth_set_nth /= !nth_nseq !if_same.
have [_ pp _ own] := each j_m; case: eqP => // not_first.
case: eqP => // eq; have [_ _ _] := each (i := f) f_m; rewrite /is_first E eqxx => /eqP own_f.
by case: not_first; rewrite -pp eq own_f.
Qed.

(* A player who answers each square of a pair with the other one, so that the row stays safe. *)
Section Replies.
Variables (good safe : row -> Prop).
Hypothesis safe_whole : forall r, safe r -> whole r.
Hypothesis safe_begun : safe begun.
Hypothesis safe_reply : forall r i x, safe r -> i < m -> nth None r i = None ->
  exists y, safe (set_nth None (set_nth None r i (Some x)) (partner_of i) (Some y)).
Hypothesis safe_end : forall r, safe r -> all isSome r -> good r.

Definition in_hand (r : row) := size r = m /\
  [\/ safe r /\ pal_mover r = opponent replier,
      pal_mover r = replier /\ exists i x r0,
        [/\ i < m, nth None r0 i = None, safe r0 & r = set_nth None r0 i (Some x)] |
      r = pal_start m /\ first P <> None].

Lemma partner_empty r i x : i < m -> whole r -> nth None r i = None ->
  nth None (set_nth None r i (Some x)) (partner_of i) = None.
Proof.
move=> i_m [_ wh] none; have [usual pn] := wh _ i_m none.
by rewrite nth_set_nth /=; have [_ _ _ ->] := each i_m; rewrite (negbTE usual).
Qed.

Theorem replies_hold : holds (g := pal) replier good (pal_start m).
Proof.
apply: (@keep pal replier good in_hand (fun r : row => m - digits_written r)).
- move=> r [sz shape]; rewrite /= over_full => over; case: shape => [[sf _]|[_ [i [x [r0 [i_m none sf rE]]]]]|[rE some]].
  + exact: safe_end.
  + have empty := partner_empty x i_m (safe_whole sf) none; have [p_m _ _ _] := each i_m.
    have := allP over _ (mem_nth None (_ : partner_of i < size r)); rewrite sz => /(_ p_m).
    by rewrite rE empty.
  + case E: (first P) some => [[f d]|] // _; move: good_P; rewrite /good_pairing E => /andP[_ f_m].
    by move: over f_m; rewrite rE /pal_start all_nseq orbF => /eqP ->.
- move=> r mv [sz _] going /legalP[less none].
  have : (digits_written r).+1 <= m.
    by rewrite -(digits_set mv.2 less none) -sz -(size_set (Some mv.2) less) count_size.
  by rewrite /= /pal_play digits_set //; lia.
- move=> r [sz shape] going turn; case: shape => [[_ t]|[_ [i [x [r0 [i_m none sf rE]]]]]|[rE some]].
  + by move: turn; rewrite /= t /replier; case: (first P).
  + have empty := partner_empty x i_m (safe_whole sf) none; have [p_m _ _ _] := each i_m.
    have [y sf'] := safe_reply x sf i_m none.
    exists (partner_of i, y); first by apply/legalP; rewrite /= sz rE.
    rewrite -rE in empty sf'; split; first by rewrite /= /pal_play size_set ?sz.
    by constructor 1; split=> //; rewrite /= /pal_play mover_set ?sz // (turn : pal_mover r = _).
  + case E: (first P) some => [[f d]|] // _; move: (good_P); rewrite /good_pairing E => /andP[_ f_m].
    exists (f, d); first by apply/legalP; rewrite rE size_nseq nth_nseq f_m.
    split; first by rewrite /= /pal_play size_set ?sz.
    constructor 1; split; first by move: safe_begun; rewrite /begun E rE.
    by rewrite /= /pal_play mover_set ?sz ?rE ?nth_nseq ?if_same // -rE (turn : pal_mover r = _).
- move=> r [sz shape] going turn; split.
    move: going; rewrite /= over_full => /allPn[c /(nthP None)[i less <-] none].
    have : (i, true) \in pal_legal_moves r by apply/legalP; split=> //=; case: (nth _ _ _) none.
    by case: (pal_legal_moves r).
  case: shape => [[sf t]|[t _]|[rE some]]; last first.
  + by move: turn; rewrite /= rE /pal_mover /digits_written count_nseq /replier; case: (first P) some.
  + by move: turn; rewrite /= t; case: replier.
  move=> [i d] /legalP[/= less none]; split; first by rewrite /= /pal_play size_set.
  constructor 2; split; first by rewrite /= /pal_play mover_set // t; case: replier.
  by exists i, d, r; rewrite -sz.
- split; first by rewrite size_nseq.
  case E: (first P) => [fd|]; first by constructor 3.
  constructor 1; split; first by move: safe_begun; rewrite /begun E.
  by rewrite /pal_mover /digits_written count_nseq /replier E.
Qed.
End Replies.

Theorem pairing_holds (good : row -> Prop) :
  (forall r, size r = m -> all isSome r -> keeps r -> good r) -> holds (g := pal) replier good (pal_start m).
Proof.
move=> ends; apply: (@replies_hold good (fun r => size r = m /\ keeps r)).
- by move=> r [sz kp]; apply: keeps_whole.
- exact: keeps_begun.
- move=> r i x [sz kp] i_m none; have [_ /(_ i i_m none) [usual _]] := keeps_whole sz kp.
  have [_ kp'] := reply_kept x i_m usual sz none kp; have [p_m _ _ _] := each i_m.
  by exists (differ_of i (+) x); rewrite !size_set ?sz // size_set ?sz.
- by move=> r [sz kp] full_r; apply: ends.
Qed.
End Pairing.
