(* The checker of tables for Convoluted Coprimality. *)
From mathcomp Require Import all_ssreflect zify.
Require Import ZArith Lia.
From Quet Require Game TablesOfGames.
From Quet Require Import Tables Many TablesOfMany ConvolutedCoprimality.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* ---- there is one result at most *)
Lemma share_exact (r : result) p : (0 < total r <= 8)%Z -> (total r * share r p = 840 * nth 0 r p.-1)%Z.
Proof.
rewrite /share; move: (total r) (nth 0%Z r p.-1) => t x some.
have [d eq] : exists d, (840 = d * t)%Z.
  exists (840 / t)%Z; have : (t = 1 \/ t = 2 \/ t = 3 \/ t = 4 \/ t = 5 \/ t = 6 \/ t = 7 \/ t = 8)%Z by lia.
  by do 7![case=> [->//|]]; move=> ->.
have -> : (840 * x = (d * x) * t)%Z by rewrite eq; ring.
by rewrite Z.div_mul; [ring|lia].
Qed.

Section Checker.
Variables (n players grids : nat).
Local Notation cc := (cc n players grids).
Implicit Types (s : cc_state) (r : result).

Definition cc_sound r := size r = players /\ all (fun x => (x =? 0)%Z || (x =? 1)%Z) r.

Lemma in_turnP p q : 0 < q <= players -> q \in in_turn players p.
Proof. by rewrite mem_cat !mem_iota; lia. Qed.

Lemma total_sound r i : all (fun x => (x =? 0)%Z || (x =? 1)%Z) r -> nth 0%Z r i = 1%Z -> (0 < total r <= Z.of_nat (size r))%Z.
Proof.
move=> + one; have pos : i < size r by rewrite ltnNge; apply/negP => le; rewrite nth_default in one.
have low r' : all (fun x => (x =? 0)%Z || (x =? 1)%Z) r' -> (0 <= total r' <= Z.of_nat (size r'))%Z.
  by elim: r' => //= x r' IH /andP[x_ok /IH]; lia.
elim: r i one pos => //= x r IH [|i] one less /andP[x_ok r_ok]; first by have := low _ r_ok; move: one => /=; lia.
by have := IH i one less r_ok; lia.
Qed.

Lemma cc_key_inj s r r' : players <= 840 -> cc_sound r -> cc_sound r' ->
  cc_key players s r = cc_key players s r' -> r = r'.
Proof.
move=> few [sz ok] [sz' ok'] /rcons_inj[shares totals].
apply: (@eq_from_nth _ 0%Z) => [|i]; first by rewrite sz.
rewrite sz => less; have same : share r i.+1 = share r' i.+1.
  have at_i : i.+1 \in in_turn players (turn s).-1 by apply: in_turnP.
  by have /eq_in_map/(_ _ at_i) := shares.
have eq : total r = total r' by lia.
have larger q q' : cc_sound q -> total q = total q' -> nth 0%Z q i = 1%Z -> share q i.+1 = share q' i.+1 -> nth 0%Z q' i <> 0%Z.
  case=> q_sz q_ok q_eq one; rewrite /share -q_eq one => + zero; rewrite zero.
  have := total_sound q_ok one; rewrite q_sz => T; rewrite Z.div_0_l; last by lia.
  by have := Z.div_le_lower_bound (840 * 1) (total q) 1; lia.
have [zero|one] : nth 0%Z r i = 0%Z \/ nth 0%Z r i = 1%Z by have /(all_nthP 0%Z)/(_ i) := ok; rewrite sz less; lia.
  have [->//|one'] : nth 0%Z r' i = 0%Z \/ nth 0%Z r' i = 1%Z by have /(all_nthP 0%Z)/(_ i) := ok'; rewrite sz' less; lia.
  by case: (larger r' r (conj sz' ok') _ one') => //; lia.
have := larger r r' (conj sz ok) eq one same; rewrite one.
by have /(all_nthP 0%Z)/(_ i) := ok'; rewrite sz' less; lia.
Qed.

Theorem cc_leads_to_one s r r' : players <= 840 -> leads_to (g := cc) s r -> leads_to (g := cc) s r' -> r = r'.
Proof.
move=> few; apply: (@leads_to_one cc cc_sound) => [{}s _|{}s {}r {}r' _]; last exact: cc_key_inj.
by split; rewrite /= ?size_map ?size_iota // /cc_scores all_map; apply/allP => p _ /=; case: is_in.
Qed.

(* ---- each move fills a square or begins the next grid, and the path stays in the grid, where it begins (`cc_inv_start`) *)
Definition cc_squares : seq cc_move := [seq (c, r) | c <- iota 0 n, r <- iota 0 n].
Definition cc_inv s := all (mem cc_squares) (trail s).
Definition cc_left s := if ended s then 0 else (grids - num_grid s) * (n * n).+1 + (count (fun x => x \notin trail s) cc_squares).+1.

Lemma cc_squaresP (x : cc_move) : (x \in cc_squares) = (x.1 < n) && (x.2 < n).
Proof.
case: x => c r; apply/allpairsP/idP => [[[c' r'] [/= + + [-> ->]]]|/andP[c_n r_n]]; first by rewrite !mem_iota /= => -> ->.
by exists (c, r); rewrite !mem_iota.
Qed.
Lemma number_inP (l : seq cc_move) x : (number_in l x != 0) = (x \in l).
Proof. by elim: l => //= y l IH; rewrite inE [x == y]eq_sym (_ : (y == x) = (y.1 == x.1) && (y.2 == x.2)) //; case: ifP. Qed.
Lemma cc_legalP s m : cc_inv s -> m \in cc_legal_moves n s -> m \in cc_squares /\ m \notin trail s.
Proof.
rewrite /cc_legal_moves /cc_inv; case: (ended s) => //; case: (trail s) => //= x l /andP[].
rewrite cc_squaresP mem_filter -/(is_true _) => /andP[c_n r_n] _ /andP[/andP[empty _] near].
split; last by rewrite -number_inP negbK.
move: near; rewrite cc_squaresP; case: x c_n r_n {empty} => c r /= c_n r_n.
rewrite !mem_cat => /or4P[]; case: ifP => //= less; rewrite inE => /eqP-> /=; lia.
Qed.

Lemma cc_inv_play s m : cc_inv s -> ~~ ended s -> m \in cc_legal_moves n s -> cc_inv (cc_play n players grids s m).
Proof.
move=> inv_s _ legal; have [m_in _] := cc_legalP inv_s legal.
have inv_l : all (mem cc_squares) (m :: trail s) by rewrite /= m_in.
have inv_new l k : cc_inv (new_grid n players l k) by rewrite /cc_inv /= andbT cc_squaresP /=; move: m_in; rewrite cc_squaresP; lia.
by rewrite /cc_play; case: ifP => _ //; case: ifP => _ //; case: ifP.
Qed.
Lemma cc_inv_start : 0 < n -> cc_inv (cc_start n players).
Proof. by move=> pos; rewrite /cc_inv /= andbT cc_squaresP /=; lia. Qed.

Lemma cc_left_less s m : cc_inv s -> ~~ ended s -> m \in cc_legal_moves n s -> cc_left (cc_play n players grids s m) < cc_left s.
Proof.
move=> inv_s going /(cc_legalP inv_s)[m_in empty].
have fewer : count (fun x => x \notin m :: trail s) cc_squares < count (fun x => x \notin trail s) cc_squares.
  have := @TablesOfGames.count_without _ (fun x => x \notin trail s) m cc_squares m_in empty.
  by congr (_ < _); apply: eq_count => x; rewrite inE negb_or.
have few (l : seq cc_move) : count (fun x => x \notin l) cc_squares <= n * n.
  by apply: leq_trans (count_size _ _) _; rewrite size_allpairs !size_iota.
rewrite /cc_left (negbTE going) /cc_play; set out := eliminates _ _ _; set rest := set_nth _ _ _ _.
case: (out && (count id (if out then rest else still s) == 1)); first by rewrite /= addnS.
case: (is_blocked n (m :: trail s)) => /=; last by rewrite ltn_add2l ltnS.
case: (leqP grids (num_grid s)) => /= less; first by rewrite addnS.
have -> : grids - num_grid s = (grids - (num_grid s).+1).+1 by lia.
apply: (@leq_ltn_trans ((grids - (num_grid s).+1) * (n * n).+1 + (n * n).+1)); first by rewrite leq_add2l ltnS; apply: few.
by rewrite mulSn [X in X < _]addnC addnS ltnS leq_addr.
Qed.

(* ---- tables *)
Fixpoint same_path (l l' : seq cc_move) : bool :=
  match l, l' with
  | x :: l1, x' :: l1' => [&& x.1 == x'.1, x.2 == x'.2 & same_path l1 l1']
  | [::], [::] => true
  | _, _ => false
  end.
Lemma same_pathP l l' : same_path l l' -> l = l'.
Proof. by elim: l l' => [|[c r] l IH] [|[c' r'] l'] //= /and3P[/eqP-> /eqP-> /IH->]. Qed.
Definition cc_same s s' : bool :=
  [&& same_path (trail s) (trail s'), still s == still s', turn s == turn s', num_grid s == num_grid s' & ended s == ended s'].
Lemma cc_sameP s s' : cc_same s s' -> s = s'.
Proof. by case: s s' => [l b t k e] [l' b' t' k' e'] /= /and5P[/same_pathP /= -> /eqP /= -> /eqP /= -> /eqP /= -> /eqP /= ->]. Qed.

(* Two bits for each step of the path come last, from its first square on, so that paths share the beginnings of their codes. *)
Fixpoint path_bits (l : seq cc_move) (bits : seq bool) : seq bool :=
  if l is x :: (y :: _) as l' then path_bits l' [:: x.1 == y.1, (if x.1 == y.1 then y.2 < x.2 else y.1 < x.1) & bits] else bits.
Fixpoint unary_bits k (bits : seq bool) : seq bool := if k is k'.+1 then true :: unary_bits k' bits else false :: bits.
Definition cc_code s : seq bool := ended s :: still s ++ unary_bits (turn s) (unary_bits (num_grid s) (path_bits (trail s) [::])).

Definition cc_table := table_of_many cc.
Definition cc_add (t : cc_table) s r : cc_table := add_result (g := cc) cc_code t s r.
Definition cc_table_right (t : cc_table) : bool := results_right (g := cc) cc_same cc_code t.
Definition cc_promised (t : cc_table) s : option result := promised_result (g := cc) cc_same cc_code t s.
Definition cc_better s r r' : bool := better (g := cc) s r r'.   (* by which a table is made where none is given *)
Theorem cc_table_leads t s r : cc_inv s -> cc_table_right t -> cc_promised t s = Some r -> leads_to (g := cc) s r.
Proof. exact: (@table_leads cc cc_same cc_code cc_left cc_sameP cc_inv cc_inv_play cc_left_less). Qed.
End Checker.

(* ---- with two players it is the value of the game of two, as `Game.v` defines it *)
Section ForTwo.
Variables n grids : nat.
Local Notation cc := (cc n 2 grids).
Definition player_number p := if p is Game.P1 then 1 else 2.
Definition cc_for_two := @Game.Game cc_state cc_move (cc_legal_moves n) (cc_play n 2 grids)
  (fun s => if turn s == 1 then Game.P1 else Game.P2) ended (fun s p => is_in (still s) (player_number p)).
Definition lead_of (r : result) : Z := (nth 0 r 0 - nth 0 r 1)%Z.

Definition results_of_two : seq result := [:: [:: 1; 0]; [:: 0; 1]; [:: 1; 1]]%Z.
(* so it is at the start (`inv_start_of_two`), and each move keeps it (`inv_play_of_two`) *)
Definition inv_of_two (s : cc_state) :=
  if ended s then List.In (cc_scores 2 s) results_of_two
  else still s = [:: true; true] /\ (turn s = 1 \/ turn s = 2).

Lemma inv_start_of_two : inv_of_two (cc_start n 2).
Proof. by split=> //; left. Qed.
Lemma inv_play_of_two s m : inv_of_two s -> ~~ ended s -> inv_of_two (cc_play n 2 grids s m).
Proof.
case: s => l still t k [] // [/= -> turns] _; rewrite /cc_play /=; case: eliminates => /=.
  by case: turns => -> /=; [right; left|left].
have next_ok : next_left 2 [:: true; true] t = 1 \/ next_left 2 [:: true; true] t = 2 by case: turns => ->; [right|left].
case: is_blocked => /=; last by split=> //; case: prime.
by case: ifP => _; [right; right; left|split=> //; left].
Qed.

Theorem cc_value s r : inv_of_two s -> leads_to (g := cc) s r -> Game.value (g := cc_for_two) (lead_of r) s.
Proof.
move=> + leads; suff both : inv_of_two s -> List.In r results_of_two /\ Game.value (g := cc_for_two) (lead_of r) s by move/both=> [].
elim: leads => {s r} [s over|s m after going legal _ IH best] inv_s.
  split; first by move: inv_s; rewrite /inv_of_two (over : ended s).
  have eq : Game.lead (g := cc_for_two) s = lead_of (cc_scores 2 s) by rewrite /Game.lead /lead_of /cc_scores /=; case: (is_in (still s) 1); case: (is_in (still s) 2).
  by split; apply: Game.HoldsEnd => //; rewrite eq; apply: Z.le_refl.
have inv_m m' : inv_of_two (cc_play n 2 grids s m') by apply: inv_play_of_two.
have [r_in [low high]] := IH m legal (inv_m m); split=> //.
have [_ turns] : still s = [:: true; true] /\ (turn s = 1 \/ turn s = 2) by move: inv_s; rewrite /inv_of_two (negbTE (going : ~~ ended s)).
have no_better m' : m' \in cc_legal_moves n s ->
    if turn s == 1 then (lead_of (after m') <= lead_of (after m))%Z else (lead_of (after m) <= lead_of (after m'))%Z.
  move=> legal'; have [r_in' _] := IH m' legal' (inv_m m'); have := best m' legal'; rewrite /better /= /cc_key.
  by move: r_in r_in'; case: turns => ->; do 2![case=> [<-|[<-|[<-|[]]]]]; vm_compute.
have some : cc_legal_moves n s != [::] by move: legal => /=; case: cc_legal_moves.
split; case: turns => turn_s.
- by apply: (@Game.HoldsMine cc_for_two _ _ _ m) => //=; rewrite turn_s.
- apply: Game.HoldsTheirs => //=; rewrite ?turn_s // => m' legal'.
  apply: Game.holds_weaker (proj1 (proj2 (IH m' legal' (inv_m m')))) => e.
  by have := no_better m' legal'; rewrite turn_s /=; lia.
- apply: Game.HoldsTheirs => //=; rewrite ?turn_s // => m' legal'.
  apply: Game.holds_weaker (proj2 (proj2 (IH m' legal' (inv_m m')))) => e.
  by have := no_better m' legal'; rewrite turn_s /=; lia.
- by apply: (@Game.HoldsMine cc_for_two _ _ _ m) => //=; rewrite turn_s.
Qed.
End ForTwo.
