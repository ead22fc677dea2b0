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

Definition pairs_kept (r : row) := size r = m /\
  [\/ keeps r /\ pal_mover r = opponent replier,
      pal_mover r = replier /\ exists i x r0,
        [/\ i < m, ~~ is_first i, size r0 = m, nth None r0 i = None & keeps r0 /\ r = set_nth None r0 i (Some x)] |
      r = pal_start m /\ first P <> None].

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

Theorem pairing_holds (good : row -> Prop) :
  (forall r, size r = m -> all isSome r -> keeps r -> good r) -> holds (g := pal) replier good (pal_start m).
Proof.
move=> ends; apply: (@keep pal replier good pairs_kept (fun r : row => m - digits_written r)).
- move=> r [sz shape]; rewrite /= over_full => over; case: shape => [[kp _]|[_ [i [x [r0 [i_m usual sz0 none [kp rE]]]]]]|[rE some]].
  + exact: ends.
  + have [empty _] := reply_kept x i_m usual sz0 none kp; have [p_m _ _ _] := each i_m.
    have := allP over _ (mem_nth None (_ : partner_of i < size r)); rewrite sz => /(_ p_m).
    by rewrite rE empty.
  + case E: (first P) some => [[f d]|] // _; move: good_P; rewrite /good_pairing E => /andP[_ f_m].
    by move: over f_m; rewrite rE /pal_start all_nseq orbF => /eqP ->.
- move=> r mv [sz _] going /legalP[less none].
  have : (digits_written r).+1 <= m.
    by rewrite -(digits_set mv.2 less none) -sz -(size_set (Some mv.2) less) count_size.
  by rewrite /= /pal_play digits_set //; lia.
- move=> r [sz shape] going turn; case: shape => [[_ t]|[_ [i [x [r0 [i_m usual sz0 none [kp rE]]]]]]|[rE some]].
  + by move: turn; rewrite /= t /replier; case: (first P).
  + have [empty kp'] := reply_kept x i_m usual sz0 none kp; have [p_m _ _ _] := each i_m.
    exists (partner_of i, differ_of i (+) x); first by apply/legalP; rewrite /= sz rE.
    rewrite -rE in empty kp'; split; first by rewrite /= /pal_play size_set ?sz.
    by constructor 1; split=> //; rewrite /= /pal_play mover_set ?sz // (turn : pal_mover r = _).
  + case E: (first P) some => [[f d]|] // _; move: (good_P); rewrite /good_pairing E => /andP[_ f_m].
    exists (f, d); first by apply/legalP; rewrite rE size_nseq nth_nseq f_m.
    split; first by rewrite /= /pal_play size_set ?sz.
    constructor 1; split; last first.
      by rewrite /= /pal_play mover_set ?sz ?rE ?nth_nseq ?if_same // -rE (turn : pal_mover r = _).
    move=> j j_m; rewrite /= /pal_play /= rE !nth_set_nth /= !nth_nseq !if_same.
    have [p_m pp _ own] := each j_m; rewrite {1}/is_first E; case: eqP => // not_first.
    case: eqP => // eq; have [_ _ _] := each p_m; rewrite pp /is_first E eq eqxx => /eqP e.
    by case: not_first.
- move=> r [sz shape] going turn; split.
    move: going; rewrite /= over_full => /allPn[c /(nthP None)[i less <-] none].
    have : (i, true) \in pal_legal_moves r by apply/legalP; split=> //=; case: (nth _ _ _) none.
    by case: (pal_legal_moves r).
  case: shape => [[kp t]|[t _]|[rE some]]; last first.
  + by move: turn; rewrite /= rE /pal_mover /digits_written count_nseq /replier; case: (first P) some.
  + by move: turn; rewrite /= t; case: replier.
  move=> [i d] /legalP[/= less none]; split; first by rewrite /= /pal_play size_set.
  constructor 2; split; first by rewrite /= /pal_play mover_set // t; case: replier.
  exists i, d, r; rewrite -sz; split=> //; have := kp i; rewrite -sz => /(_ less).
  by case: ifP => // + eq; rewrite /is_first; move: eq; rewrite none; case: (first P) => [[]|].
- split; first by rewrite size_nseq.
  case E: (first P) => [fd|]; first by constructor 3.
  constructor 1; split; last by rewrite /pal_mover /digits_written count_nseq /replier E.
  by move=> i i_m; rewrite /is_first E !nth_nseq !if_same.
Qed.
End Pairing.
