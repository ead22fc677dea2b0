(* The checker for Blob: tables, bounds, and weak solutions, for which a grid and its images in two mirrors are alike. *)
From mathcomp Require Import all_ssreflect zify.
Require Import ZArith Lia.
From Quet Require Import Game Blob Tables TablesOfGames Weak.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* ---- a line is good from both ends *)
Fixpoint last_longer (q : seq nat) : seq nat := match q with [::] => [::] | [:: k] => [:: k.+1] | k :: q' => k :: last_longer q' end.
Definition first_longer (q : seq nat) : seq nat := if q is k :: q' then k.+1 :: q' else [::].
Lemma runs_some x k l : exists a q, runs_from x k l = a :: q.
Proof. by elim: l x k => [|y l IH] x k /=; [exists k, [::]|case: eqP => _; [apply: IH|exists k, (runs_from y 1 l)]]. Qed.
Lemma runs_rcons x k l y : runs_from x k (rcons l y) =
  if last x l == y then last_longer (runs_from x k l) else rcons (runs_from x k l) 1.
Proof.
elim: l x k => [|z l IH] x k //=; case: eqP => [->|_]; rewrite IH //.
by have [a [q ->]] := runs_some z 1 l; case: ifP.
Qed.
Lemma runs_longer x k l : runs_from x k.+1 l = first_longer (runs_from x k l).
Proof. by elim: l x k => [|y l IH] x k //=; case: eqP. Qed.
Lemma last_longer_rcons q k : last_longer (rcons q k) = rcons q k.+1.
Proof. by elim: q => //= a q ->; case: q. Qed.
Lemma rev_longer q : rev (first_longer q) = last_longer (rev q).
Proof. by case: q => // a q; rewrite /= !rev_cons last_longer_rcons. Qed.
Lemma runs_rev l : runs (rev l) = rev (runs l).
Proof.
elim: l => // x [|y l] // IH; rewrite rev_cons.
case E: (rev (y :: l)) => [|z l']; first by move: (congr1 size E); rewrite size_rev.
have last_y : last z l' = y by rewrite -[last z l']/(last z (z :: l')) -E rev_cons last_rcons.
have -> : runs (rcons (z :: l') x) = if y == x then last_longer (runs (rev (y :: l))) else rcons (runs (rev (y :: l))) 1.
  by rewrite E /= runs_rcons last_y.
rewrite IH [runs (x :: _)]/= eq_sym; case: eqP => [->|_]; last by rewrite rev_cons.
by rewrite runs_longer rev_longer.
Qed.
Lemma good_rev l : is_good (rev l) = is_good l.
Proof. by rewrite /is_good runs_rev all_rev; apply: eq_all => a; rewrite all_rev. Qed.

(* ---- a grid in two mirrors *)
Definition mirrored (upside_down backwards : bool) (s : grid) : grid :=
  let s' := if upside_down then rev s else s in if backwards then map rev s' else s'.
Fixpoint same_line (l l' : seq bool) : bool :=
  match l, l' with
  | [::], [::] => true
  | x :: k, y :: k' => ~~ (x (+) y) && same_line k k'
  | _, _ => false
  end.
Fixpoint same_grid (s t : grid) : bool :=
  match s, t with
  | [::], [::] => true
  | l :: s', l' :: t' => same_line l l' && same_grid s' t'
  | _, _ => false
  end.
Definition blob_alike (s t : grid) : bool :=
  same_grid s t || same_grid (rev s) t || (let s' := map rev s in same_grid s' t || same_grid (rev s') t).

Lemma same_lineP l l' : same_line l l' = (l == l').
Proof. by elim: l l' => [|x l IH] [|y l'] //=; rewrite eqseq_cons IH; case: x; case: y. Qed.
Lemma same_gridP s t : same_grid s t = (s == t).
Proof. by elim: s t => [|l s IH] [|l' t] //=; rewrite eqseq_cons IH same_lineP. Qed.
Lemma blob_alikeP s t : blob_alike s t <-> exists u b, t = mirrored u b s.
Proof.
rewrite /blob_alike !same_gridP; split.
  case/orP=> [/orP[]|/orP[]] /eqP <-; [exists false, false|exists true, false|exists false, true|exists true, true] => //.
  by rewrite /mirrored map_rev.
by case=> [[] [[] ->]]; rewrite /mirrored ?map_rev eqxx ?orbT.
Qed.
Lemma mirroredK u b : involutive (mirrored u b).
Proof.
move=> s; have twice (t : grid) : map rev (map rev t) = t by rewrite -map_comp map_id_in // => l _; apply: revK.
by case: u; case: b; rewrite /mirrored -?map_rev ?twice ?revK.
Qed.
Lemma num_mirrored u b s : num_filled (mirrored u b s) = num_filled s.
Proof.
have by_row t : num_filled (map rev t) = num_filled t.
  by rewrite /num_filled -map_comp; congr sumn; apply: eq_map => l /=; rewrite count_rev.
have by_column t : num_filled (rev t) = num_filled t by rewrite /num_filled map_rev sumn_rev.
by case: u; case: b; rewrite /mirrored ?by_row ?by_column.
Qed.

Section Blob.
Variable n : nat.
Definition blob_inv (s : grid) := size s = n /\ forall r, r < n -> size (nth [::] s r) = n.
Definition over (flip : bool) i := if flip then n - i.+1 else i.

Lemma over_less flip i : i < n -> over flip i < n. Proof. by case: flip => /=; lia. Qed.
Lemma overK flip i : i < n -> over flip (over flip i) = i. Proof. by case: flip => /=; lia. Qed.

Lemma filled_in s c r : blob_inv s -> is_filled s c r -> c < n /\ r < n.
Proof.
case=> sz each; rewrite /is_filled; have [r_n|r_n] := ltnP r n; last by rewrite [nth [::] s r]nth_default ?sz ?nth_nil.
by have [//|c_n] := ltnP c n; rewrite nth_default ?each.
Qed.
Lemma inv_mirrored u b s : blob_inv s -> blob_inv (mirrored u b s).
Proof.
case=> sz each; have inv_rev : blob_inv (if u then rev s else s).
  case: u; split; rewrite ?size_rev // => r r_n; rewrite nth_rev ?sz //; apply: each; lia.
case: inv_rev; rewrite /mirrored; case: b => //; move: (if u then _ else _) => t sz_t each_t.
by split=> [|r r_n]; rewrite ?size_map // (nth_map [::]) ?sz_t // size_rev; apply: each_t.
Qed.
Lemma filled_mirrored u b s c r : blob_inv s -> c < n -> r < n ->
  is_filled (mirrored u b s) c r = is_filled s (over b c) (over u r).
Proof.
move=> inv_s c_n r_n; have [sz each] := inv_s.
have rows : nth [::] (if u then rev s else s) r = nth [::] s (over u r).
  by case: u => //=; rewrite nth_rev sz.
rewrite /is_filled /mirrored; case: b => /=; last by rewrite rows.
rewrite (nth_map [::]); last by case: u {rows}; rewrite ?size_rev sz.
by rewrite rows nth_rev each ?over_less.
Qed.
Lemma grid_ext s t : blob_inv s -> blob_inv t -> (forall c r, c < n -> r < n -> is_filled s c r = is_filled t c r) -> s = t.
Proof.
case=> sz each [sz' each'] eq; apply: (@eq_from_nth _ [::]); rewrite ?sz ?sz' // => r r_n.
apply: (@eq_from_nth _ false); rewrite ?each ?each' // => c c_n; exact: eq.
Qed.

Definition near (c r c' r' : nat) := c = c' /\ (r = r'.+1 \/ r' = r.+1) \/ r = r' /\ (c = c'.+1 \/ c' = c.+1).
Lemma besideP s c r : beside s c r <-> exists c' r', near c r c' r' /\ is_filled s c' r'.
Proof.
rewrite /beside /near; split.
  case/or4P=> [f|f|/andP[pos f]|/andP[pos f]].
  - by exists c.+1, r; auto.
  - by exists c, r.+1; auto.
  - by exists c.-1, r; split=> //; right; split=> //; left; rewrite prednK.
  - by exists c, r.-1; split=> //; left; split=> //; left; rewrite prednK.
case=> c' [r' [+ f]] => -[[-> [->|E]]|[-> [->|E]]]; rewrite /= ?E in f *; rewrite ?f ?orbT //.
Qed.
Lemma beside_mirrored u b s c r : blob_inv s -> c < n -> r < n ->
  beside s c r -> beside (mirrored u b s) (over b c) (over u r).
Proof.
move=> inv_s c_n r_n /besideP[c' [r' [close f]]]; have [c'_n r'_n] := filled_in inv_s f.
apply/besideP; exists (over b c'), (over u r').
rewrite filled_mirrored ?over_less // !overK //; split=> //.
by move: close; rewrite /near /over; case: u; case: b; lia.
Qed.

Lemma squaresP x : (x \in squares n) = (x.1 < n) && (x.2 < n).
Proof.
apply/allpairsP/andP => [[[r c]] /= []|[c_n r_n]]; first by rewrite !mem_iota => /andP[_ ?] /andP[_ ?] ->.
by exists (x.2, x.1); rewrite !mem_iota /= c_n r_n; split=> //; case: (x).
Qed.
Definition mirrored_move (u b : bool) (x : nat * nat) := (over b x.1, over u x.2).
Lemma legal_in s x : x \in blob_legal_moves n s -> x.1 < n /\ x.2 < n.
Proof.
rewrite /blob_legal_moves; case: ifP => _; first by rewrite squaresP => /andP.
by case: ifP => // _; rewrite mem_filter squaresP => /andP[_ /andP].
Qed.
Lemma legal_mirrored u b s x : blob_inv s -> x \in blob_legal_moves n s ->
  mirrored_move u b x \in blob_legal_moves n (mirrored u b s).
Proof.
move=> inv_s; rewrite /blob_legal_moves /blob_is_over num_mirrored; case: ifP => _.
  by rewrite !squaresP => /andP[c_n r_n]; rewrite !over_less.
case: ifP => // _; rewrite !mem_filter !squaresP => /andP[/andP[empty at_edge] /andP[c_n r_n]].
by rewrite /= !over_less // filled_mirrored ?over_less // !overK // empty beside_mirrored.
Qed.

Lemma inv_play (s : grid) x : blob_inv s -> x.1 < n -> x.2 < n -> blob_inv (blob_play s x).
Proof.
case=> sz each c_n r_n; split=> [|r lt]; rewrite /blob_play; first by rewrite size_set_nth sz; apply/maxn_idPr.
by rewrite nth_set_nth /=; case: eqP => _; rewrite ?size_set_nth ?each //; apply/maxn_idPr.
Qed.
Lemma filled_play s x c r : is_filled (blob_play s x) c r = (x == (c, r)) || is_filled s c r.
Proof.
case: x => c0 r0; rewrite /is_filled /blob_play nth_set_nth /= xpair_eqE (eq_sym r0).
case: (r =P r0) => [->|_]; last by rewrite andbF.
by rewrite nth_set_nth /= (eq_sym c0) andbT; case: eqP.
Qed.
Lemma play_mirrored u b s x : blob_inv s -> x.1 < n -> x.2 < n ->
  mirrored u b (blob_play s x) = blob_play (mirrored u b s) (mirrored_move u b x).
Proof.
move=> inv_s c_n r_n; have inv_p := inv_play inv_s c_n r_n; have inv_m := inv_mirrored u b inv_s.
apply: grid_ext; [exact: inv_mirrored|by apply: inv_play => //; apply: over_less|] => c r lt lt'.
rewrite filled_mirrored // !filled_play filled_mirrored //; congr orb.
clear inv_p inv_m; case: x c_n r_n => c0 r0 /= c_n r_n; rewrite /mirrored_move !xpair_eqE /over.
by case: u; case: b => /=; lia.
Qed.

Lemma score_mirrored u b s p : blob_inv s -> blob_score n (mirrored u b s) p = blob_score n s p.
Proof.
have rows (t : grid) : count is_good (map rev t) = count is_good t.
  by rewrite count_map; apply: eq_count => l /=; apply: good_rev.
case=> sz each; rewrite /blob_score; case: p.
  by rewrite /mirrored; case: u; case: b; rewrite ?rows ?count_rev.
have -> : count is_good [seq column_of (mirrored u b s) c | c <- iota 0 n] =
    count is_good [seq column_of (mirrored false b s) c | c <- iota 0 n].
  case: u => //; rewrite !count_map; apply: eq_count => c /=.
  have -> : mirrored true b s = rev (mirrored false b s) by rewrite /mirrored; case: b; rewrite ?map_rev.
  by rewrite /column_of map_rev good_rev.
case: b => //; have -> : [seq column_of (mirrored false true s) c | c <- iota 0 n] =
    rev [seq column_of s c | c <- iota 0 n]; last by rewrite count_rev.
apply: (@eq_from_nth _ [::]); rewrite ?size_rev ?size_map // size_iota => c c_n.
rewrite nth_rev ?size_map ?size_iota // !(nth_map 0) ?size_iota ?nth_iota //; try lia.
rewrite !add0n /column_of -map_comp; apply/eq_in_map => l /(nthP [::])[r r_s <-] /=.
by rewrite nth_rev each -?sz // sz.
Qed.

Theorem blob_weak_holds p v K key bit depth reply stages most found :
  @weak_right (blob n) blob_alike p v K key bit depth reply stages most (blob_start n) = Some found ->
  if p is P1 then at_least (g := blob n) v (blob_start n) else at_most (g := blob n) v (blob_start n).
Proof.
apply: (@weak_holds (blob n) blob_alike blob_inv).
- by move=> s m inv_s _ /legal_in[c_n r_n]; apply: inv_play.
- by move=> s t _ _ /blob_alikeP[u [b ->]]; apply/blob_alikeP; exists u, b; rewrite mirroredK.
- move=> s t inv_s _ /blob_alikeP[u [b ->]].
  by split; rewrite /= /blob_is_over /blob_mover ?num_mirrored // /lead /= !score_mirrored.
- move=> s t m inv_s _ /blob_alikeP[u [b ->]] _ legal; have [c_n r_n] := legal_in legal.
  exists (mirrored_move u b m); first exact: legal_mirrored.
  by apply/blob_alikeP; exists u, b; rewrite [RHS]play_mirrored.
- by rewrite /blob_start; split=> [|r r_n]; rewrite ?size_nseq // nth_nseq r_n size_nseq.
Qed.

(* ---- tables *)
Definition blob_left (s : grid) := count (fun x => ~~ is_filled s x.1 x.2) (squares n).
Lemma none_filled s : (forall c r, ~~ is_filled s c r) -> num_filled s = 0.
Proof.
elim: s => // l s IH none; rewrite /num_filled /= -/(num_filled s) IH; last by move=> c r; apply: (none c r.+1).
rewrite addn0; apply/eqP; rewrite -leqn0 leqNgt -has_count; apply/hasPn => x /(nthP false)[i _ <-]; exact: (none i 0).
Qed.
Lemma some_filled s : num_filled s != 0 -> exists c r, is_filled s c r.
Proof.
elim: s => // l s IH; rewrite /num_filled /= -/(num_filled s) addn_eq0 negb_and => /orP[|/IH[c [r f]]]; last by exists c, r.+1.
by rewrite -lt0n -has_count => /hasP[x /(nthP false)[i _ <-] f]; exists i, 0.
Qed.
Lemma legal_empty s x : x \in blob_legal_moves n s -> x \in squares n /\ ~~ is_filled s x.1 x.2.
Proof.
rewrite /blob_legal_moves; case: ifP => [/eqP zero|_]; last first.
  by case: ifP => // _; rewrite mem_filter => /andP[/andP[-> _] ->].
move=> ->; split=> //; apply: contraT => /negPn f; suff : num_filled s != 0 by rewrite zero.
move: f {zero}; elim: s x.2 => [|l s IH] r; first by rewrite /is_filled nth_nil nth_nil.
rewrite /num_filled /= -/(num_filled s) addn_eq0 negb_and; case: r => [|r] f; last by rewrite (IH r) // orbT.
rewrite -lt0n -has_count; apply/orP; left; apply/hasP; exists true => //.
have less : x.1 < size l by rewrite ltnNge; apply/negP => le; rewrite /is_filled /= nth_default in f.
by rewrite -[true]f; apply: mem_nth.
Qed.
Lemma blob_left_less (s : position (blob n)) m : ~~ is_over s -> m \in legal_moves s -> blob_left (play s m) < blob_left s.
Proof.
move=> _ /legal_empty[m_in empty]; have := @count_without _ (fun x => ~~ is_filled s x.1 x.2) m (squares n) m_in empty.
by congr (_ < _); apply: eq_count => x /=; rewrite filled_play negb_or -surjective_pairing eq_sym.
Qed.

Definition blob_code (s : grid) : seq bool := flatten [seq rcons (flatten [seq [:: true; x] | x <- l]) false | l <- s].
Definition blob_table_right (t : table (blob n)) : bool := table_right (g := blob n) same_grid blob_code t.
Definition blob_promised (t : table (blob n)) (s : grid) : option Z := promised (g := blob n) same_grid blob_code t s.
Theorem blob_table_value t s v : blob_table_right t -> blob_promised t s = Some v -> value (g := blob n) v s.
Proof.
apply: (@table_value (blob n) same_grid blob_code blob_left _ blob_left_less).
by move=> s' t'; rewrite same_gridP => /eqP.
Qed.

(* ---- nobody scores more lines than there are, and no game gets stuck: some empty square is beside a filled one *)
Lemma num_set s r y : r < size s -> num_filled (set_nth [::] s r y) + count id (nth [::] s r) = num_filled s + count id y.
Proof.
by elim: s r => // l s IH [|r] /= less; rewrite /num_filled /= -!/(num_filled _); [lia|have := IH r less; lia].
Qed.
Lemma num_play s x : blob_inv s -> x.1 < n -> x.2 < n -> ~~ is_filled s x.1 x.2 -> num_filled (blob_play s x) = (num_filled s).+1.
Proof.
case=> sz each c_n r_n empty; have less : x.2 < size s by rewrite sz.
have := num_set (set_nth false (nth [::] s x.2) x.1 true) less.
rewrite count_set_nth_ltn ?each // (negbTE empty : nth false (nth [::] s x.2) x.1 = false) /blob_play /=; lia.
Qed.
Lemma num_full s : blob_inv s -> (forall c r, c < n -> r < n -> is_filled s c r) -> num_filled s = n * n.
Proof.
case=> sz each full; suff E : [seq count id l | l <- s] = nseq n n by rewrite /num_filled E sumn_nseq.
apply: (@eq_from_nth _ 0); rewrite size_map ?size_nseq // sz => r r_n.
rewrite (nth_map [::]) ?sz // nth_nseq r_n -[RHS](each r r_n); apply/eqP; rewrite -all_count.
by apply/(all_nthP false) => c; rewrite each // => c_n; apply: full.
Qed.
Lemma some_edge s : blob_inv s -> num_filled s != 0 -> num_filled s < n * n ->
  exists2 x, x \in squares n & ~~ is_filled s x.1 x.2 && beside s x.1 x.2.
Proof.
move=> inv_s some less; have [/hasP //|/hasPn none] := boolP (has (fun x => ~~ is_filled s x.1 x.2 && beside s x.1 x.2) (squares n)).
have spread c r c' r' : c' < n -> r' < n -> near c' r' c r -> is_filled s c r -> is_filled s c' r'.
  move=> c_n r_n close f; have := none (c', r'); rewrite squaresP c_n r_n => /(_ isT).
  have -> : beside s c' r' by apply/besideP; exists c, r.
  by rewrite andbT negbK.
have [c0 [r0 f0]] := some_filled some; have [c0_n r0_n] := filled_in inv_s f0.
have line c : c < n -> is_filled s c r0.
  have up k : c0 + k < n -> is_filled s (c0 + k) r0.
    elim: k => [|k IH]; first by rewrite addn0.
    rewrite addnS => lt; apply: spread (IH _) => //; last by apply: ltnW.
    by right; split=> //; left.
  have down k : k <= c0 -> is_filled s (c0 - k) r0.
    elim: k => [|k IH] le; first by rewrite subn0.
    apply: spread (IH _); [by lia|by []|right; split=> //; right; lia|exact: ltnW].
  by move=> c_n; have [le|/ltnW le] := leqP c0 c; [rewrite -(subnKC le); apply: up; lia|rewrite -(subKn le); apply: down; lia].
suff full : forall c r, c < n -> r < n -> is_filled s c r by rewrite (num_full inv_s full) ltnn in less.
move=> c r c_n r_n; have {line} f0 := line c c_n.
have up k : r0 + k < n -> is_filled s c (r0 + k).
  elim: k => [|k IH]; first by rewrite addn0.
  rewrite addnS => lt; apply: spread (IH _) => //; last by apply: ltnW.
  by left; split=> //; left.
have down k : k <= r0 -> is_filled s c (r0 - k).
  elim: k => [|k IH] le; first by rewrite subn0.
  apply: spread (IH _); [by []|by lia|left; split=> //; right; lia|exact: ltnW].
by have [le|/ltnW le] := leqP r0 r; [rewrite -(subnKC le); apply: up; lia|rewrite -(subKn le); apply: down; lia].
Qed.

Lemma blob_ends p (good : grid -> Prop) : (forall s, blob_inv s -> good s) -> holds (g := blob n) p good (blob_start n).
Proof.
move=> all_good; pose kept s := blob_inv s /\ num_filled s <= most_filled n.
have can_go s : kept s -> ~~ blob_is_over n s -> exists x, x \in blob_legal_moves n s.
  case=> inv_s le going; have less : num_filled s < n * n.
    have : num_filled s < most_filled n by rewrite ltn_neqAle le andbT.
    by move/leq_trans; apply; rewrite /most_filled; lia.
  rewrite /blob_legal_moves; case: eqP => [zero|/eqP some].
    by exists (0, 0); rewrite squaresP /=; move: less; rewrite zero; case: (n).
  by rewrite (negbTE going); have [x x_in ok] := some_edge inv_s some less; exists x; rewrite mem_filter ok.
have stays s x : kept s -> ~~ blob_is_over n s -> x \in blob_legal_moves n s -> kept (blob_play s x).
  case=> inv_s le going legal; have [_ empty] := legal_empty legal; have [c_n r_n] := legal_in legal.
  by split; [apply: inv_play|rewrite num_play // ltn_neqAle le andbT].
apply: (@keep (blob n) p good kept blob_left).
- by move=> s [inv_s _] _; apply: all_good.
- by move=> s m _; apply: blob_left_less.
- by move=> s ok going _; have [x legal] := can_go s ok going; exists x => //; apply: stays.
- move=> s ok going _; split; last by move=> m; apply: stays.
  by have [x] := can_go s ok going; rewrite /=; case: (blob_legal_moves n s).
split; last by rewrite none_filled // => c r; rewrite /is_filled nth_nseq; case: ifP; rewrite ?nth_nil // nth_nseq if_same.
by split=> [|r r_n]; rewrite ?size_nseq // nth_nseq r_n size_nseq.
Qed.
Theorem blob_bounds : at_least (g := blob n) (- Z.of_nat n) (blob_start n) /\ at_most (g := blob n) (Z.of_nat n) (blob_start n).
Proof.
have below s p : blob_inv s -> blob_score n s p <= n.
  case=> sz _; rewrite /blob_score; apply: leq_trans (count_size _ _) _.
  by case: p; rewrite ?sz // size_map size_iota.
split; apply: blob_ends => s inv_s; have := below s P1 inv_s; have := below s P2 inv_s; rewrite /lead /=;
  move: (blob_score n s P1) (blob_score n s P2) => a b; clear; lia.
Qed.
End Blob.
