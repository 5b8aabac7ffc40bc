(* Orders of a wiring: who hears whom, and what no order can do.  Theory 1.1, 2.9.

   A button hears the others that toggle its light.  In a sequence that reaches the goal an even or
   an odd number of those that it hears comes after it, as the goal of its light tells.  So orders
   are refuted as on boards, though hearing need not go both ways. *)
From Coq Require Import PArith NArith Nnat.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game wirings linear orientation.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Orders.
Variables (L B : eqType) (w : wiring L B).

Definition at_light (b : B) : option L := if button_rule w is Any then None else seat w b.

Definition hears : rel B := fun b c => if at_light b is Some l then toggles w c l else false.

(* the parity of those heard later that every press must have *)
Definition heard_later (b : B) : bool :=
  if at_light b is Some l
  then last_lit w l (+) toggles w b l (+) (if button_rule w is Lit then true else false)
  else false.

Definition wired_change (l : L) : bool := first_lit w l (+) last_lit w l.

Lemma pushes_in w' s ps : @pushes L B w' s ps -> {subset ps <= buttons w'}.
Proof.
by elim: ps s => //= b r IH s /and3P[bb _ /IH sub] c; rewrite inE => /orP[/eqP->|/sub].
Qed.

Lemma pushes_reach s ps : pushes w s ps ->
  {in lights w, forall l, odd (count (fun b => toggles w b l) ps) = s l (+) last_lit w l}.
Proof.
elim: ps s => [|b r IH] s /=; first by move=> /allP ok l ll; rewrite (eqP (ok l ll)) addbb.
case/and3P=> _ _ /IH{}IH l ll; rewrite oddD oddb IH // /push.
by case: (toggles w b l); case: (s l); case: (last_lit w l).
Qed.

(* 1.1 odd witness: no button toggles an odd number of the lights y, but an odd number must change *)
Theorem wired_odd_witness (y : seq L) : {subset y <= lights w} ->
  {in buttons w, forall b, ~~ odd (count (toggles w b) y)} -> odd (count wired_change y) ->
  unsolvable_wired w.
Proof.
move=> yl even must ps; apply/negP => sol; have sub := pushes_in sol.
have : odd (count (fun l => odd (count (fun b => toggles w b l) ps)) y).
  by rewrite -(eq_in_count (a1 := wired_change)) // => l /yl ll; rewrite (pushes_reach sol).
rewrite (odd_count_swap (fun l b => toggles w b l)) => /negP; apply.
rewrite (eq_in_count (a2 := pred0)) ?count_pred0 // => b /sub bb.
by apply/negbTE; apply: even.
Qed.

Hypothesis seats : {in buttons w, forall b, oapp (mem (lights w)) true (seat w b)}.

(* 2.9 every press has the right parity of those heard later *)
Theorem wired_in_order s ps : pushes w s ps -> in_order hears heard_later ps.
Proof.
elim: ps s => //= b r IH s /and3P[bb may rest]; rewrite (IH _ rest) andbT.
have := seats bb; move: may; rewrite /may_push /hears /heard_later /at_light.
case: (button_rule w); case: (seat w b) => [l|] //=; rewrite ?count_pred0 // => lit ll.
all: rewrite (pushes_reach rest ll) /push; move: lit.
all: by case: (s l); case: (toggles w b l); case: (last_lit w l).
Qed.

(* 1.1 press sets *)
Definition wired_set (s : B -> bool) := {in lights w, forall l,
  odd (count (fun b => toggles w b l && s b) (buttons w)) = wired_change l}.

Hypothesis ub : uniq (buttons w).

Lemma solution_wired_set ps : solution_wired w ps -> wired_set (odd_part ps).
Proof.
move=> sol l ll; rewrite /wired_change -(pushes_reach sol ll).
by rewrite (odd_count_bulbs (fun b => toggles w b l) ub (pushes_in sol)).
Qed.

Definition pushed (s : B -> bool) : seq B := [seq b <- buttons w | s b].

Lemma order_of_pushed ps : uniq ps -> solution_wired w ps -> perm_eq ps (pushed (odd_part ps)).
Proof.
move=> up sol; apply: uniq_perm => //; first exact: filter_uniq.
move=> b; rewrite mem_filter odd_part_uniq //=; case bp : (b \in ps) => //=.
by rewrite (pushes_in sol).
Qed.

Lemma pushed_in ps : solution_wired w ps -> {subset pushed (odd_part ps) <= ps}.
Proof.
move=> sol b; rewrite mem_filter /odd_part => /andP[odd_b _].
by rewrite -has_pred1 has_count; case: (count_mem b ps) odd_b.
Qed.

Lemma size_pushed ps : solution_wired w ps -> size (pushed (odd_part ps)) <= size ps.
Proof. by move=> sol; apply: uniq_leq_size (pushed_in sol); apply: filter_uniq. Qed.

(* 2.4 a sequence that presses a button twice has two presses more than its press set *)
Lemma size_repeats ps : solution_wired w ps -> ~~ uniq ps -> size (pushed (odd_part ps)) + 2 <= size ps.
Proof.
move=> sol twice; have uS : uniq (pushed (odd_part ps)) by apply: filter_uniq.
have less : size (pushed (odd_part ps)) < size ps.
  rewrite ltnNge; apply: contra twice; exact: leq_size_uniq uS (pushed_in sol).
rewrite addn2 ltn_neqAle less andbT; apply/eqP => /(congr1 odd) /=.
have := odd_count_bulbs predT ub (pushes_in sol).
rewrite count_predT (eq_count (a2 := odd_part ps)) // -size_filter -/(pushed _) => ->.
by case: (odd _).
Qed.

(* 2.4 claim C2 *)
Theorem no_order_by_wired_sets :
  (forall s, wired_set s -> no_order_of_wired w (pushed s)) -> no_order_wired w.
Proof.
move=> fail ps up; apply/negP => sol.
by have /negP := fail _ (solution_wired_set sol) ps (order_of_pushed up sol).
Qed.
End Orders.
