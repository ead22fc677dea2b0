(* Theorem 6 of docs/proofs.md, in integers: sums grids by waves.

   A wave is any function h from numbers to integers with a period. The sum f(d) of all h(x) h(x + d) over the period takes the
   place of a cosine: where squares are added up, the total is not negative. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect zify.
From Quet Require Import SumsGrid SumsGridCounting SumsGridValues SumsGridFewWasted.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

(* ---- sums of integers: over 0, 1, ..., k - 1, and over a list *)
Fixpoint total (u : nat -> Z) k : Z := if k is k'.+1 then total u k' + u k' else 0.
Fixpoint over (u : nat -> Z) (s : seq nat) : Z := if s is x :: s' then u x + over u s' else 0.

Lemma totalS u k : total u k.+1 = total u k + u k. Proof. by []. Qed.
Lemma total_ext u v k : (forall x, (x < k)%N -> u x = v x) -> total u k = total v k.
Proof. by elim: k => //= k IH e; rewrite IH ?e // => x x_k; apply: e; lia. Qed.
Lemma total_le u v k : (forall x, (x < k)%N -> u x <= v x) -> total u k <= total v k.
Proof.
elim: k => //= k IH le; apply: Z.add_le_mono; last exact: le.
by apply: IH => x x_k; apply: le; lia.
Qed.
Lemma total_add u v k : total (fun x => u x + v x) k = total u k + total v k.
Proof. by elim: k => //= k ->; lia. Qed.
Lemma total_scale c u k : total (fun x => c * u x) k = c * total u k.
Proof. by elim: k => [|k IH] /=; rewrite ?IH; lia. Qed.
Lemma total_const c k : total (fun=> c) k = Z.of_nat k * c.
Proof. by elim: k => // k IH; rewrite [LHS]/= IH; lia. Qed.
Lemma total_cat u j k : total u (j + k) = total u j + total (fun x => u (j + x)%N) k.
Proof. by elim: k => [|k IH]; rewrite ?addn0 /= ?addnS /= ?IH; lia. Qed.
Lemma total_blocks u k q : total u (k * q) = total (fun i => total (fun c => u (i * q + c)%N) q) k.
Proof. by elim: k => //= k IH; rewrite mulSn addnC total_cat IH. Qed.
Lemma total_exchange (u : nat -> nat -> Z) j k :
  total (fun x => total (u x) k) j = total (fun y => total (fun x => u x y) j) k.
Proof.
elim: j => /= [|j ->]; first by elim: k => //= k <-.
by rewrite -total_add.
Qed.
Lemma total_next u k : total (fun x => u x.+1) k = total u k + u k - u 0%N.
Proof. by elim: k => /= [|k ->]; lia. Qed.

Lemma over_cat u s t : over u (s ++ t) = over u s + over u t.
Proof. by elim: s => //= x s ->; lia. Qed.
Lemma over_perm u s t : perm_eq s t -> over u s = over u t.
Proof.
elim: s t => [|x s IH] t perm; first by move/perm_size/esym/size0nil: perm => ->.
have at_t : x \in t by rewrite -(perm_mem perm) mem_head.
case/splitPr: t / at_t perm => p1 p2; rewrite perm_sym perm_catC /= perm_cons perm_catC perm_sym => /IH e.
by rewrite /= e !over_cat /=; lia.
Qed.
Lemma over_iota u m : over u (iota 1 m) = total (fun x => u x.+1) m.
Proof. by elim: m => // m IH; rewrite -{1}[m.+1]addn1 iotaD over_cat IH /= add1n; lia. Qed.

(* ---- a wave *)
Section Wave.
Variables (h : nat -> Z) (period : nat).
Hypothesis has_period : forall x, h (x + period)%N = h x.
Definition f d := total (fun x => h x * h (x + d)%N) period.

Lemma total_shift u t : (forall x, u (x + period)%N = u x) -> total (fun x => u (x + t)%N) period = total u period.
Proof.
move=> periodic; elim: t => [|t IH]; first by apply: total_ext => x _; rewrite addn0.
rewrite -{}IH; have := total_next (fun x => u (x + t)%N) period.
rewrite add0n addnC periodic => e; rewrite -[RHS]Z.add_0_r; move: e.
rewrite (total_ext (v := fun x => u (x + t.+1)%N)) => [|x _]; last by rewrite addSnnS.
by lia.
Qed.
Lemma f_shift t d : total (fun x => h (x + t)%N * h (x + (t + d))%N) period = f d.
Proof.
rewrite -[RHS](@total_shift _ t) => [|x]; first by apply: total_ext => x _; rewrite addnA.
by rewrite has_period addnAC has_period.
Qed.
Lemma f_le d : f d <= f 0.
Proof.
have : 0 <= total (fun x => (h x - h (x + d)%N) * (h x - h (x + d)%N)) period.
  by rewrite -(Z.mul_0_r (Z.of_nat period)) -total_const; apply: total_le => x _; apply: Z.square_nonneg.
have e : total (fun x => h (x + d)%N * h (x + d)%N) period = f 0.
  by rewrite -(f_shift d 0); apply: total_ext => x _; rewrite addn0.
have z : total (fun x => h x * h x) period = f 0 by apply: total_ext => x _; rewrite addn0.
rewrite (total_ext (v := fun x => h x * h x + (h (x + d)%N * h (x + d)%N + -2 * (h x * h (x + d)%N)))) => [|x _]; last by lia.
by rewrite !total_add total_scale e z -/(f d); lia.
Qed.

(* The marks of a line are the sums of its first 0, 1, 2, ... squares: their differences are the sums of its runs. *)
Fixpoint at_marks t (line : seq nat) x : Z := h (x + t)%N + (if line is k :: rest then at_marks (t + k)%N rest x else 0).
Lemma cross t d line : total (fun x => h (x + t)%N * at_marks (t + d)%N line x) period = f d + over f (prefixes d line).
Proof.
elim: line d => [|k line IH] d /=.
  by rewrite -(f_shift t d) Z.add_0_r; apply: total_ext => x _; rewrite Z.add_0_r.
rewrite -IH -(f_shift t d) -total_add; apply: total_ext => x _; rewrite -addnA; lia.
Qed.
Lemma square_of_line t line :
  total (fun x => at_marks t line x * at_marks t line x) period = Z.of_nat (size line).+1 * f 0 + 2 * over f (runs line).
Proof.
elim: line t => [|k line IH] t.
  rewrite -(f_shift t 0) /= -[1 * _ + 0]Z.add_0_r; rewrite Z.mul_1_l !Z.add_0_r.
  by apply: total_ext => x _; rewrite addn0 !Z.add_0_r.
rewrite runs_cons over_cat; set M := at_marks (t + k)%N line.
rewrite (total_ext (v := fun x => h (x + t)%N * h (x + (t + 0))%N + (2 * (h (x + t)%N * M x) + M x * M x))) => [|x _]; last first.
  by rewrite addn0 (_ : at_marks t (k :: line) x = h (x + t)%N + M x) //; lia.
rewrite !total_add total_scale f_shift cross IH [prefixes 0 _]/= add0n [over _ (k :: _)]/= [size (k :: _)]/=; lia.
Qed.
Lemma line_at_least line : 0 <= Z.of_nat (size line).+1 * f 0 + 2 * over f (runs line).
Proof.
rewrite -(square_of_line 0) -(Z.mul_0_r (Z.of_nat period)) -total_const; apply: total_le => x _.
by apply: Z.square_nonneg.
Qed.

Lemma over_le s : over f s <= Z.of_nat (size s) * f 0.
Proof. by elim: s => // x s IH; have le := @f_le x; rewrite [over _ _]/= [size _]/=; lia. Qed.
Lemma over_subset (t z : seq nat) : uniq t -> {subset t <= z} -> over f z <= over f t + (Z.of_nat (size z) - Z.of_nat (size t)) * f 0.
Proof.
elim: t z => [|x t IH] z; first by move=> _ _; have := @over_le z; rewrite [over f [::]]/= [size [::]]/=; lia.
move=> /= /andP[x_out u] sub; have at_z : x \in z by apply: sub; rewrite mem_head.
have perm := perm_to_rem at_z; rewrite (over_perm f perm) (perm_size perm) [over f (x :: rem _ _)]/= [size (x :: rem _ _)]/=.
have {}/IH : {subset t <= rem x z}.
  move=> y at_t; have /perm_mem/(_ y) := perm; rewrite sub ?inE ?at_t ?orbT // => /esym/orP[/eqP e|//].
  by move: x_out; rewrite -e at_t.
by move=> /(_ u); rewrite !Nat2Z.inj_succ; lia.
Qed.

(* what the differences 1, ..., m cost, for every wave *)
Lemma wave_bound n a m : {subset iota 1 m <= grid_sums n a} ->
  Z.of_nat m * f 0 - over f (iota 1 m) <= Z.of_nat (n * n.+1 ^ 2) * f 0.
Proof.
move=> all_in; have f0 : 0 <= f 0.
  rewrite -(Z.mul_0_r (Z.of_nat period)) -total_const; apply: total_le => x _; rewrite addn0; exact: Z.square_nonneg.
have rows s : 0 <= Z.of_nat (size s) * (Z.of_nat n.+1 * f 0) + 2 * over f (flatten [seq runs (row_of n a i) | i <- s]).
  elim: s => // i s IH; rewrite [flatten _]/= over_cat.
  by have := @line_at_least (row_of n a i); rewrite size_row [size (i :: s)]/= Nat2Z.inj_succ; lia.
have columns s : 0 <= Z.of_nat (size s) * (Z.of_nat n.+1 * f 0) +
    2 * (over f (flatten [seq longer_runs (column_of n a j) | j <- s]) + Z.of_nat (size s) * (Z.of_nat n * f 0)).
  have split line : over f (runs line) = over f line + over f (longer_runs line).
    elim: line => // k line IH; rewrite runs_cons over_cat IH /= add0n over_cat; lia.
  elim: s => // j s IH; rewrite [flatten _]/= over_cat.
  have := @line_at_least (column_of n a j); rewrite size_column split; have := @over_le (column_of n a j).
  by rewrite size_column [size (j :: s)]/= Nat2Z.inj_succ; lia.
have := over_subset (iota_uniq 1 m) all_in; have := rows (iota 0 n); have := columns (iota 0 n).
rewrite !size_iota size_grid_sums over_cat expnS expn1.
move: f0; move: (over _ _) (over _ _) (over _ _) (f 0) => R C V f0; nia.
Qed.
End Wave.

(* ---- a wave of blocks: g(0), g(1), ..., each so many times *)
Section Blocks.
Variables (g : nat -> Z) (K q : nat).
Hypothesis g_period : forall i, g (i + K)%N = g i.
Hypothesis q_pos : (0 < q)%N.
Let h x := g (x %/ q).
Let F a := f g K a.
Let Q := Z.of_nat q.

Lemma h_period x : h (x + K * q)%N = h x.
Proof. by rewrite /h addnC divnMDl // addnC g_period. Qed.

Lemma f_block a b : (b <= q)%N -> f h (K * q) (a * q + b) = (Q - Z.of_nat b) * F a + Z.of_nat b * F a.+1.
Proof.
move=> b_q; rewrite {1}/f total_blocks /F /f -!total_scale -total_add; apply: total_ext => i _.
have at_c c : (c < q)%N -> h (i * q + c)%N = g i by move=> c_q; rewrite /h divnMDl // divn_small // addn0.
rewrite (total_ext (v := fun c => if (c < q - b)%N then g i * g (i + a)%N else g i * g (i + a.+1)%N)) => [|c c_q]; last first.
  rewrite at_c // /h (_ : i * q + c + (a * q + b) = (i + a) * q + (c + b))%N; last by rewrite mulnDl; lia.
  rewrite divnMDl //; case: ifP => small; first by rewrite divn_small ?addn0 //; lia.
  by rewrite (_ : c + b = 1 * q + (c + b - q))%N ?divnMDl ?divn_small //; first rewrite addnS !addn0 ?addn1; lia.
rewrite -[X in total _ X = _](subnK b_q) total_cat.
rewrite (total_ext (v := fun=> g i * g (i + a)%N)) => [|c ->] //; rewrite total_const.
rewrite (total_ext (v := fun=> g i * g (i + a.+1)%N)) => [|c _]; last by rewrite ltnNge leq_addr.
by rewrite total_const Nat2Z.inj_sub /Q //; lia.
Qed.

Lemma one_block (X Y : Z) r : 2 * total (fun c => (Q - Z.of_nat c.+1) * X + Z.of_nat c.+1 * Y) r =
  Z.of_nat r * ((2 * Q - Z.of_nat r - 1) * X + (Z.of_nat r + 1) * Y).
Proof. by elim: r => // r IH; rewrite totalS Z.mul_add_distr_l IH; lia. Qed.
Lemma sum_blocks A : 2 * over (f h (K * q)) (iota 1 (A * q)) =
  Q * ((Q - 1) * total F A + (Q + 1) * (total F A + F A - F 0%N)).
Proof.
rewrite over_iota total_blocks -total_scale.
rewrite (total_ext (v := fun a => Q * ((Q - 1) * F a + (Q + 1) * F a.+1))) => [|a _]; last first.
  rewrite (total_ext (v := fun c => (Q - Z.of_nat c.+1) * F a + Z.of_nat c.+1 * F a.+1)) => [|c c_q].
    by rewrite one_block /Q; lia.
  by rewrite -addnS f_block.
by rewrite total_scale total_add !total_scale total_next; lia.
Qed.

Lemma block_bound n a A r G : (r <= q)%N -> F A <= G -> F A.+1 <= G -> {subset iota 1 (A * q + r) <= grid_sums n a} ->
  2 * Z.of_nat (A * q + r) * F 0%N - 2 * Q * total F A - (Q + 1) * (F A - F 0%N) - 2 * Z.of_nat r * G <=
  2 * Z.of_nat (n * n.+1 ^ 2) * F 0%N.
Proof.
move=> r_q F_G F'_G all_in; have := wave_bound h_period all_in.
have -> : f h (K * q) 0 = Q * F 0%N by have := @f_block 0 0 (leq0n q); rewrite mul0n => ->; lia.
have rest : over (f h (K * q)) (iota 1 (A * q + r)) <= over (f h (K * q)) (iota 1 (A * q)) + Z.of_nat r * (Q * G).
  rewrite iotaD over_cat; apply: Z.add_le_mono; first exact: Z.le_refl.
  have -> : over (f h (K * q)) (iota (1 + A * q) r) = total (fun c => f h (K * q) (A * q + c.+1)) r.
    elim: r {r_q all_in} => // r IH; rewrite -{1}[r.+1]addn1 iotaD over_cat IH /= Z.add_0_r; congr (_ + f _ _ _); lia.
  rewrite -total_const; apply: total_le => c c_r; rewrite f_block; last by lia.
  have : 0 <= Q - Z.of_nat c.+1 by rewrite /Q; lia.
  move: (Z.of_nat c.+1) (Zle_0_nat c.+1) => b b0 b_q; nia.
move: (over _ _) (over _ _) (sum_blocks A) rest => B B' e rest bound.
have Q_pos : 0 < Q by rewrite /Q; lia.
apply: (Zmult_le_reg_r _ _ Q); first by lia.
by move: e rest bound; lia.
Qed.
End Blocks.

(* ---- The wave: two parabolas, bent to be almost a cosine. The theorem needs no more of it than Coq counts. *)
Definition bent (K j : Z) := let q := j * (K - j) in 100 * q * (31 * K * K + 36 * q) / K ^ 4.
Definition wave K := [seq let j := 2 * Z.of_nat i in if j <? Z.of_nat K then bent (Z.of_nat K) j else - bent (Z.of_nat K) (j - Z.of_nat K)
                      | i <- iota 0 K].
Fixpoint dot (s t : seq Z) : Z := if s is x :: s' then if t is y :: t' then x * y + dot s' t' else 0 else 0.

(* whether blocks of this wave, any number of times each, show that about A of them are too many *)
Definition is_good K A :=
  let once := wave K in let twice := once ++ once in let F a := dot once (drop a twice) in
  let F0 := F 0%N in let FA := F A in
  let all_F := dot once [seq foldr Z.add 0 (take A (drop i twice)) | i <- iota 0 K] in    (* F(0) + ... + F(A - 1) *)
  [&& (A.+1 < K)%N, 0 <? F0, 2 * Z.of_nat A * 3043 * F0 <=? 2500 * (2 * Z.of_nat A * F0 - 2 * all_F - FA + F0),
      3043 * F0 <=? 2500 * (F0 - FA) & 3043 * F0 <=? 2500 * (F0 - F A.+1)].

Lemma dot_total s t : dot s t = total (fun i => nth 0 s i * nth 0 t i) (size s).
Proof.
elim: s t => // x s IH t; rewrite [size _]/=.
have -> : total (fun i => nth 0 (x :: s) i * nth 0 t i) (size s).+1 =
    x * nth 0 t 0 + total (fun i => nth 0 s i * nth 0 t i.+1) (size s).
  by have := total_next (fun i => nth 0 (x :: s) i * nth 0 t i) (size s); rewrite totalS /= => ->; lia.
case: t => [|y t]; last by rewrite [LHS]/= IH.
by rewrite (total_ext (v := fun=> 0)) => [|i _]; rewrite ?total_const ?nth_nil /=; lia.
Qed.
Lemma foldr_total s : foldr Z.add 0 s = total (fun i => nth 0 s i) (size s).
Proof.
elim: s => // x s IH; have := total_next (fun i => nth 0 (x :: s) i) (size s).
by rewrite [size (x :: s)]/= totalS /= IH => ->; lia.
Qed.

Lemma good_bound K A n a q r : is_good K A -> (0 < q)%N -> (r <= q)%N -> {subset iota 1 (A * q + r) <= grid_sums n a} ->
  3043 * (2 * Z.of_nat (A * q + r) + 1) <= 5000 * Z.of_nat (n * n.+1 ^ 2).
Proof.
case/and5P=> A_K /Z.ltb_lt F0_pos /Z.leb_le mean /Z.leb_le last /Z.leb_le next q_pos r_q all_in.
pose g i := nth 0 (wave K) (i %% K).
have g_period i : g (i + K)%N = g i by rewrite /g modnDr.
have K_size : size (wave K) = K by rewrite size_map size_iota.
have twice_is k : (k < K + K)%N -> nth 0 (wave K ++ wave K) k = g k.
  move=> k_small; rewrite nth_cat K_size /g; case: ltnP => [small|large]; first by rewrite modn_small.
  by rewrite -[in RHS](subnK large) modnDr modn_small //; lia.
have once_is k : (k < K)%N -> nth 0 (wave K) k = g k by move=> small; rewrite /g modn_small.
have F_is k : (k <= K)%N -> dot (wave K) (drop k (wave K ++ wave K)) = f g K k.
  move=> k_K; rewrite dot_total K_size; apply: total_ext => i i_K.
  by rewrite nth_drop once_is // twice_is 1?addnC //; lia.
have S_is : dot (wave K) [seq foldr Z.add 0 (take A (drop i (wave K ++ wave K))) | i <- iota 0 K] = total (f g K) A.
  rewrite dot_total K_size /f total_exchange; apply: total_ext => i i_K; rewrite once_is // (nth_map 0%N) ?size_iota // nth_iota //.
  rewrite foldr_total size_take size_drop size_cat K_size -total_scale add0n.
  rewrite (_ : (if _ then _ else _) = A); last by case: ifP; lia.
  by apply: total_ext => k k_A; rewrite nth_take // nth_drop twice_is //; lia.
move: F0_pos mean last next; rewrite S_is !F_is; try lia.
set F := f g K => F0_pos mean last next; pose G := Z.max (F A) (F A.+1).
have [F_G F'_G] : F A <= G /\ F A.+1 <= G by rewrite /G; lia.
have next' : 3043 * F 0%N <= 2500 * (F 0%N - G) by rewrite /G; lia.
have := block_bound g_period q_pos r_q F_G F'_G all_in; rewrite -/F.
have -> : Z.of_nat (A * q + r) = Z.of_nat A * Z.of_nat q + Z.of_nat r by lia.
set N := Z.of_nat (n * _) => bound; apply: (Zmult_le_reg_r _ _ (F 0%N)); first by lia.
have q0 : 0 < Z.of_nat q by lia.
have r0 : 0 <= Z.of_nat r by lia.
move: q0 r0 F0_pos mean last next' bound; clear; clearbody G.
move: (total F A) (F A) (F 0%N) => S FA F0 q0 r0 F0_pos mean last next' bound.
have := Z.mul_le_mono_nonneg_l _ _ _ (Z.lt_le_incl _ _ q0) mean.
have := Z.mul_le_mono_nonneg_l _ _ _ r0 next'.
by move: last bound; lia.
Qed.

(* so many numbers of this wave's period, and so many blocks *)
Definition waves : seq (nat * nat) :=
  [:: (414, 295); (428, 305); (435, 310); (442, 315); (456, 325); (484, 345); (487, 347); (498, 355); (515, 367); (529, 377);
      (586, 418); (695, 496); (725, 517); (778, 555)]%N.
Lemma waves_good : all (fun w => is_good w.1 w.2) waves. Proof. vm_cast_no_check (erefl true). Qed.

(* the least score that breaks the bound *)
Definition too_high n : Z := (5000 * (Z.of_nat n * (Z.of_nat n + 1) ^ 2) / 3043 + 1) / 2.
Definition suits (m : Z) (w : nat * nat) := let A := Z.of_nat w.2 in (0 <? A) && (0 <? m / A) && (m mod A <=? m / A).
Lemma waves_suit : all (fun n => has (suits (too_high n)) waves) (iota 10 40). Proof. by vm_compute. Qed.

Lemma too_high_least n s : 5000 * Z.of_nat (n * n.+1 ^ 2) < 3043 * (2 * s + 1) -> too_high n <= s.
Proof.
rewrite /too_high => high; have -> : Z.of_nat n * (Z.of_nat n + 1) ^ 2 = Z.of_nat (n * n.+1 ^ 2).
  by rewrite expnS expn1 Z.pow_2_r; lia.
move: (5000 * _) high => X high.
have := Z.mul_div_le X 3043 erefl; move: (X / 3043) => Y le; have := Z.mul_div_le (Y + 1) 2 erefl; lia.
Qed.
Lemma too_high_is n : 5000 * Z.of_nat (n * n.+1 ^ 2) < 3043 * (2 * too_high n + 1).
Proof.
rewrite /too_high; have -> : Z.of_nat n * (Z.of_nat n + 1) ^ 2 = Z.of_nat (n * n.+1 ^ 2).
  by rewrite expnS expn1 Z.pow_2_r; lia.
move: (5000 * _) => X.
have := Z.mul_succ_div_gt X 3043 erefl; move: (X / 3043) => Y; have := Z.mul_succ_div_gt (Y + 1) 2 erefl; lia.
Qed.

Lemma some_suits n : (10 <= n)%N -> exists2 w, w \in waves & suits (too_high n) w.
Proof.
move=> n10; case: (ltnP n 50) => [n50|large].
  by apply/hasP; apply: (allP waves_suit); rewrite mem_iota; lia.
exists (414, 295)%N => //; have := too_high_is n; rewrite expnS expn1 /suits [_.2]/= => high.
have high2 : 295 * 295 <= too_high n by nia.
move: (too_high n) high2 => m {}high.
have := Z.div_le_lower_bound m 295 295 erefl high; have := Z.mod_pos_bound m 295 erefl => range le.
cbv zeta; rewrite -[Z.of_nat 295]/295.
by apply/andP; split; [apply/andP; split=> //; apply/Z.ltb_lt; lia|apply/Z.leb_le; lia].
Qed.

Lemma wave_refutes n a : (10 <= n)%N -> {subset iota 1 (Z.to_nat (too_high n)) <= grid_sums n a} -> False.
Proof.
move=> n10; have [[K A] at_waves] := some_suits n10; have good := allP waves_good _ at_waves.
case/andP=> /andP[/Z.ltb_lt A_pos /Z.ltb_lt q_pos] /Z.leb_le r_q all_in; rewrite [_.2]/= in A_pos q_pos r_q.
have high := too_high_is n; have e := Z.div_mod (too_high n) (Z.of_nat A) ltac:(lia).
have r_pos := Z.mod_pos_bound (too_high n) (Z.of_nat A) A_pos.
move: (_ / _) (_ mod _) q_pos r_q e r_pos => q r q_pos r_q e r_pos.
have sum : Z.to_nat (too_high n) = (A * Z.to_nat q + Z.to_nat r)%N by nia.
rewrite sum in all_in; have := good_bound good _ _ all_in; rewrite -sum Z2Nat.id; last by nia.
by move=> /(_ ltac:(lia) ltac:(lia)); lia.
Qed.

Lemma score_half n s : (0 < n)%N -> 3043 * (2 * Z.of_nat (sums_score n s) + 1) <= 5000 * Z.of_nat (n * n.+1 ^ 2).
Proof.
move=> n_pos; have all_in : {subset iota 1 (sums_score n s) <= grid_sums n (fun i j => number s (i * n + j)%N)}.
  move=> x; rewrite mem_iota => range; apply: all_sums_sub.
  by apply: (@count_up_all (size (all_sums n s)) 0); rewrite -/(sums_score n s); lia.
case: (leqP 10 n) => [n10|small].
  apply Z.le_ngt => high; apply: (@wave_refutes n (fun i j => number s (i * n + j)%N)) => // x at_iota.
  by apply: all_in; have := too_high_least high; move: at_iota; rewrite !mem_iota; lia.
have le : (sums_score n s <= n * n * n)%N.
  by have := uniq_leq_size (iota_uniq 1 _) all_in; rewrite size_iota size_grid_sums.
have nine : (n * n * n <= 9 * n * n)%N by rewrite !leq_mul2r; apply/orP; right; apply/orP; right; lia.
by rewrite expnS expn1; move: (sums_score n s) le {all_in} => m le; nia.
Qed.

(* Theorem 6, and a little more: the score and a half is at most the bound. 1 / 1.2172 is less than 0.8216 = 1027 / 1250. *)
Theorem Theorem_6_half n s : (0 < n -> 3043 * (2 * sums_score n s + 1) <= 5000 * (n * n.+1 ^ 2))%N.
Proof. by move/score_half => /(_ s); move: (n * _)%N (sums_score n s) => N m; lia. Qed.
Theorem Theorem_6 n s : (0 < n -> 1250 * sums_score n s < 1027 * (n * n.+1 ^ 2))%N.
Proof. by move/score_half => /(_ s); move: (n * _)%N (sums_score n s) => N m; lia. Qed.
Theorem wave_bounds s : [/\ sums_score 10 s <= 993, sums_score 11 s <= 1300 & sums_score 12 s <= 1665]%N.
Proof.
have := (@score_half 10 s isT, @score_half 11 s isT, @score_half 12 s isT).
have -> : Z.of_nat (10 * 11 ^ 2) = 1210 by [].
have -> : Z.of_nat (11 * 12 ^ 2) = 1584 by [].
have -> : Z.of_nat (12 * 13 ^ 2) = 2028 by [].
by case=> -[]; split; lia.
Qed.
