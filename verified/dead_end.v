(* Dead ends: a piece that must change, in which no press can be the first, or none the last.
   Theory 2.5.

   Presses outside the piece do not touch it. *)
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game linear orientation numbering.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section DeadEnd.
Variables (V : eqType) (b : board V) (P : seq V).

Definition apart : bool := all (fun v => (v \in P) || all (fun w => w \notin P) (toggled b v)) (bulbs b).

Hypotheses (sub : {subset P <= bulbs b}) (alone : apart) (must : has (change b) P).

Lemma press_outside v s : v \in bulbs b -> v \notin P -> {in P, press b v s =1 s}.
Proof.
move=> vb vP w wP; have := allP alone v vb; rewrite (negbTE vP) /= => /allP none.
rewrite /press; case wt : (w \in _); last by rewrite addbF.
by have := none w wt; rewrite wP.
Qed.

Lemma ends_right s : plays b s [::] -> {in P, s =1 goal b}.
Proof. by move=> /allP ok v /sub/ok/eqP. Qed.

(* 2.5 no press can be the first *)
Theorem dead_start : all (fun v => ~~ may_press b (lit b) v) P -> unsolvable b.
Proof.
move=> /allP none ps; apply/negP => sol.
suff main s : {in P, s =1 lit b} -> plays b s ps -> {in P, lit b =1 goal b}.
  by case/hasP: must => v vP; rewrite /change (main (lit b)) // addbb.
elim: ps s {sol} => [|v r IH] s same.
  by move/ends_right => ok v vP; rewrite -ok // same.
case/and3P=> vb may; case vP : (v \in P).
  have := none v vP; move: may; rewrite /may_press same //.
  by case: (rule_of b) => // ->.
by apply: IH => w wP; rewrite press_outside ?vP ?same.
Qed.

(* 2.5 no press can be the last *)
Theorem dead_goal : ordered_rule b -> {in P, forall v, v \in toggled b v} -> all (odd_later b) P ->
  unsolvable b.
Proof.
move=> ordered self /allP last ps; apply/negP => sol.
suff same : {in P, lit b =1 goal b}.
  by case/hasP: must => v vP; rewrite /change same // addbb.
move: sol; rewrite /solution; elim: ps (lit b) => [|v r IH] s; first exact: ends_right.
case/and3P=> vb may /IH{}IH; case vP : (v \in P); last first.
  by move=> w wP; rewrite -IH // press_outside ?vP.
have := last v vP; have := IH v vP; move: may ordered.
rewrite /press self // /may_press /odd_later /ordered_rule.
by case: (rule_of b) => //; case: (s v); case: (goal b v).
Qed.
End DeadEnd.

Definition check_dead_end (b : board number) (P : seq number) : bool :=
  [&& all (fun v => v \in toggled b v) P, apart b P, has (change b) P &
      all (fun v => ~~ may_press b (lit b) v) P || ordered_rule b && all (odd_later b) P].

Theorem check_dead_end_sound b P : normal_board b -> check_dead_end b P -> unsolvable b.
Proof.
move=> nb /and4P[/allP self alone must ends].
have sub : {subset P <= bulbs b} by move=> v /self; apply: normal_in.
by case/orP: ends => [start|/andP[ordered last]]; [apply: dead_start start | apply: dead_goal last].
Qed.
