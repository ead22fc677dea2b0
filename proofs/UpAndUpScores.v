(* Up And Up as a solitaire, and the bounds of its score: a square has one number. *)
From mathcomp Require Import all_ssreflect.
From Quet Require Import Solitaires UpAndUp UpAndUpNineteen.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Scores.
Variable n : nat.
Definition up := @Solitaire up_state (nat * nat) up_start (fun s x => x \in up_legal_moves n s) up_play (up_is_over n) up_score.

Lemma comes_reached (s : position up) : comes_to s -> reached n s.
Proof. by elim=> {s} [|s x _ at_s _ legal]; [constructor|apply: ReachedMove legal]. Qed.

Lemma at_distance_new s k x : x \in at_distance n s k -> (x \in squares n) && (x \notin path s).
Proof. by rewrite /at_distance; case E: (path s) => [|last rest] //; rewrite mem_filter -E => /andP[/andP[_ ->] ->]. Qed.
Lemma legal_new s x : x \in up_legal_moves n s -> (x \in squares n) && (x \notin path s).
Proof.
rewrite /up_legal_moves; case E: (path s) => [|last rest]; first by rewrite andbT.
rewrite -E; case F: (at_distance n s (next_step s)) => [|y l]; last rewrite -F; exact: at_distance_new.
Qed.
Lemma play_path s x : path (up_play s x) = x :: path s.
Proof. by rewrite /up_play; case: (path s). Qed.
Lemma reached_squares s : reached n s -> {subset path s <= squares n}.
Proof. by elim=> // {}s x _ IH /legal_new/andP[x_n _] q; rewrite play_path inE => /orP[/eqP->|/IH]. Qed.
Lemma reached_uniq s : reached n s -> uniq (path s).
Proof. by elim=> // {}s x _ IH /legal_new/andP[_ new]; rewrite play_path /= new. Qed.

Theorem up_bounds : none_above up (n * n) /\ none_below up 1.
Proof.
split=> s /comes_reached at_s; last by case/andP=> /andP[some _] _; rewrite lt0n size_eq0.
move=> _; have := uniq_leq_size (reached_uniq at_s) (reached_squares at_s).
by rewrite size_allpairs !size_iota.
Qed.
End Scores.
