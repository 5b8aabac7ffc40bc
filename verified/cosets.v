(* All press sets at once: each is refuted, or has too many presses.  Theory 1.6, 2.4, 3.6, 7.2, 7.3.

   A family of forms is gone through (`families`), until what is settled says enough: so many presses,
   or a local refutation whose bulbs and whose neighbours are all settled. *)
From Coq Require Import PArith NArith ZArith Lia.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game board linear orientation counting numbering forms families local pairs.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* ---- sets of bulbs as numbers: bit v tells of bulb v ---- *)

Definition mask_of (vs : seq number) : N := foldr (fun v m => N.setbit m v) 0%num vs.

Lemma testbit_mask_of vs v : N.testbit (mask_of vs) v = (v \in vs).
Proof.
elim: vs => [|w vs IH] //=; rewrite ?N.bits_0 // N.setbit_eqb IH inE.
by congr (_ || _); apply/N.eqb_spec/eqP => ->.
Qed.

Lemma testbit_of_bits bs v : N.testbit (of_bits bs) v = nth false bs (N.to_nat v).
Proof.
elim: bs v => [|c bs IH] v /=; first by rewrite nth_nil.
have cons d x : (if d then N.succ_double x else N.double x) = (2 * x + N.b2n d)%num.
  by case: d; rewrite ?N.succ_double_spec ?N.double_spec //= N.add_0_r.
rewrite cons; case: (N.eq_dec v 0) => [->|v0]; first by rewrite N.testbit_0_r.
have -> : v = N.succ (N.pred v) by lia.
by rewrite N.testbit_succ_r N2Nat.inj_succ [RHS]/= -IH.
Qed.

(* all bits of the first are in the second *)
Definition within (m n : N) : bool := N.eqb (N.land m n) m.

Lemma withinP m n v : within m n -> N.testbit m v -> N.testbit n v.
Proof. by move/N.eqb_spec => <-; rewrite N.land_spec => /andP[]. Qed.

(* ---- what is settled ---- *)

Definition ones (ys : seq form) : N := of_bits [seq N.eqb y 1 | y <- ys].
Definition zeros (ys : seq form) : N := of_bits [seq N.eqb y 0 | y <- ys].

Section Cosets.
Variables (b : board number) (family : option (nat * seq form)).

(* K, and what lies around K *)
Definition masks (r : refutation) : N * N :=
  let K := component_of r in
  (mask_of K, mask_of [seq w <- flatten [seq toggled b v | v <- K] | w \notin K]).

Definition refuted (ms : seq (N * N)) (ys : seq form) : bool :=
  let one := ones ys in let zero := zeros ys in
  has (fun m => within m.1 one && within m.2 zero) ms.

(* the presses ks *)
Definition check_no_order_of (ks : seq number) (r : refutation) : bool :=
  let K := component_of r in
  let s := mask_of ks in let inside := mask_of K in
  [&& ordered_rule b, check_symmetric b, refutes b r, all (N.testbit s) K &
      all (fun v => all (fun w => N.testbit s w ==> N.testbit inside w) (toggled b v)) K].

Definition check_no_order (rs : seq refutation) : bool :=
  [&& ordered_rule b, check_symmetric b, all (refutes b) rs &
      let ms := [seq masks r | r <- rs] in go_through family (refuted ms)].

(* `order`: k presses, or no order *)
Definition check_order_at_least (k : nat) (rs : seq refutation) : bool :=
  [&& ordered_rule b || nilp rs, check_symmetric b, all (refutes b) rs &
      let ms := [seq masks r | r <- rs] in go_through family (fun ys => if k <= weight ys then true else refuted ms ys)].

(* `solve`: k presses, with so many pairs: one where there is no order, rounded up to the parity of
   the charge of all presses *)
Definition with_parity (o : bool) (n : nat) : nat := if odd n == o then n else n.+1.

Definition pairs_at_least (refuted_here : bool) (ys : seq form) : nat :=
  let S := ones ys in let s := N.testbit S in
  with_parity (charge (near b) (odd_later b) [seq v <- bulbs b | s v]) refuted_here.

Definition check_at_least (k : nat) (rs : seq refutation) : bool :=
  [&& ordered_rule b || nilp rs, check_symmetric b, all (refutes b) rs &
      let ms := [seq masks r | r <- rs] in
      go_through family (fun ys => let w := weight ys in
        if k <= w then true else if ordered_rule b then
          let ref := refuted ms ys in
          if (if ref then k <= w.+2 else false) then true else
          if settled ys then k <= w + (pairs_at_least ref ys).*2 else false
        else false)].

(* ---- what it means ---- *)

Hypotheses (nb : normal_board b) (all_in : symmetric_board b -> holds_press_sets b family).

Section Settled.
Variables (ys : seq form) (s : number -> bool).
Hypothesis fit : takes ys [seq s v | v <- bulbs b].

Lemma nth_bulbs v : v \in bulbs b -> nth 0%num (bulbs b) (N.to_nat v) = v.
Proof.
rewrite (normal_bulbs nb) mem_numbers => less.
by rewrite numbers_map (nth_map 0) ?size_iota // nth_iota // add0n N2Nat.id.
Qed.

Lemma size_ys : size ys = size (bulbs b).
Proof. by have [p p0 vals] := fit; have := congr1 size vals; rewrite !size_map. Qed.

Lemma bulb_index v : v \in bulbs b -> N.to_nat v < size (bulbs b).
Proof. by rewrite {1}(normal_bulbs nb) mem_numbers. Qed.

Lemma settled_value c v : v \in bulbs b -> nth 0%num ys (N.to_nat v) = constant c -> s v = c.
Proof.
move=> vb nth_c; have [p p0 vals] := fit; have less := bulb_index vb.
have := congr1 (fun ss => nth false ss (N.to_nat v)) vals.
rewrite (nth_map 0%num) ?size_ys // (nth_map 0%num) // nth_bulbs // nth_c value_constant //.
Qed.

Lemma testbit_ones v : N.testbit (ones ys) v -> v \in bulbs b /\ nth 0%num ys (N.to_nat v) = 1%num.
Proof.
rewrite testbit_of_bits; case: (ltnP (N.to_nat v) (size ys)) => [less|more]; last first.
  by rewrite nth_default // size_map.
rewrite (nth_map 0%num) // => /N.eqb_spec->; split=> //.
by rewrite (normal_bulbs nb) mem_numbers -size_ys.
Qed.

Lemma ones_sound v : N.testbit (ones ys) v -> s v.
Proof. by case/testbit_ones => vb /(settled_value (c := true) vb). Qed.

Lemma zeros_sound v : N.testbit (zeros ys) v -> ~~ s v.
Proof.
rewrite testbit_of_bits; case: (ltnP (N.to_nat v) (size ys)) => [less|more]; last first.
  by rewrite nth_default // size_map.
rewrite (nth_map 0%num) // => /N.eqb_spec zero.
have vb : v \in bulbs b by rewrite (normal_bulbs nb) mem_numbers -size_ys.
by rewrite (settled_value (c := false) vb).
Qed.

Lemma settled_ones : settled ys -> {in bulbs b, N.testbit (ones ys) =1 s}.
Proof.
move=> /allP all_set v vb; have less := bulb_index vb.
rewrite testbit_of_bits (nth_map 0%num) ?size_ys //.
have := all_set (nth 0%num ys (N.to_nat v)); rewrite mem_nth ?size_ys // => /(_ isT)/N.leb_spec0 le1.
have [zero|one] : nth 0%num ys (N.to_nat v) = 0%num \/ nth 0%num ys (N.to_nat v) = 1%num by lia.
  by rewrite zero (settled_value (c := false) vb).
by rewrite one (settled_value (c := true) vb).
Qed.

Lemma refuted_applies rs : all (refutes b) rs -> refuted [seq masks r | r <- rs] ys ->
  exists r, refutes b r /\ applies b s (component_of r).
Proof.
elim: rs => //= r rs IH /andP[ref all_ref] /orP[/andP[in_one in_zero]|]; last exact: IH.
exists r; split=> //; split=> [v vK|v vK w wt sw].
  by apply: ones_sound; apply: withinP in_one _; rewrite testbit_mask_of.
case wK : (w \in component_of r) => //; suff : ~~ s w by rewrite sw.
apply: zeros_sound; apply: withinP in_zero _; rewrite testbit_mask_of mem_filter wK /=.
by apply/flattenP; exists (toggled b v); rewrite ?map_f.
Qed.
End Settled.

(* C1 *)
Theorem check_no_order_of_sound ks r : uniq ks -> {subset ks <= bulbs b} -> check_no_order_of ks r -> no_order_of b ks.
Proof.
move=> uks sub /and5P[ordered sym_ok ref /allP pressed_K /allP alone].
have sym := check_symmetric_sound nb sym_ok; have ub := normal_bulbs_uniq nb.
have same : perm_eq ks (pressed b (N.testbit (mask_of ks))).
  apply: uniq_perm => //; first exact: pressed_uniq.
  by move=> v; rewrite mem_pressed testbit_mask_of; case vk : (v \in ks) => //=; rewrite sub.
move=> ps pk; apply: (no_order_of_scope nb sym ordered ref _ (perm_trans pk same)).
split=> [v vK|v vK w wt sw]; first exact: pressed_K.
by move: (alone v vK) => /allP/(_ w wt)/implyP/(_ sw); rewrite testbit_mask_of.
Qed.

(* C2 *)
Theorem check_no_order_sound rs : check_no_order rs -> no_order b.
Proof.
case/and4P=> ordered sym_ok all_ref all_close; have sym := check_symmetric_sound nb sym_ok.
apply: (no_order_by_press_sets (normal_bulbs_uniq nb)) => s ok.
have [ys closed fit] := go_through_sound (all_in sym) all_close ok.
have [r [ref app]] := refuted_applies fit all_ref closed.
exact: no_order_of_scope ref app.
Qed.

Lemma order_size ps : uniq ps -> solution b ps -> size ps = size (pressed b (odd_part ps)).
Proof. by move=> up sol; apply: perm_size; apply: order_of_pressed (normal_bulbs_uniq nb) _ up sol. Qed.

Theorem check_order_at_least_sound k rs : check_order_at_least k rs -> order_at_least b k.
Proof.
case/and4P=> ordered sym_ok all_ref all_close ps /andP[up sol].
have sym := check_symmetric_sound nb sym_ok; have ub := normal_bulbs_uniq nb.
have [ys closed fit] := go_through_sound (all_in sym) all_close (solution_press_set ub sol).
rewrite (order_size up sol); move: closed; cbv beta zeta; case: ifP => [enough _|_ closed].
  exact: leq_trans enough (weight_sound fit).
have [r [ref app]] := refuted_applies fit all_ref closed.
have order_b : ordered_rule b by case/orP: ordered closed => // /nilP->.
by have := no_order_of_scope nb sym order_b ref app (order_of_pressed ub up sol); rewrite sol.
Qed.

Lemma leq_with_parity o n m : n <= m -> odd m = o -> with_parity o n <= m.
Proof.
rewrite /with_parity => le par; case: eqP => // differ; rewrite ltn_neqAle le andbT.
by apply: contra_notN differ => /eqP->.
Qed.

(* the pairs of a legal sequence whose odd part is settled *)
Lemma pairs_at_least_sound (refuted_here : bool) ys ps : symmetric_board b -> ordered_rule b ->
  solution b ps -> settled ys -> takes ys [seq odd_part ps v | v <- bulbs b] ->
  (refuted_here -> 0 < all_pairs (bulbs b) ps) ->
  pairs_at_least refuted_here ys <= all_pairs (bulbs b) ps.
Proof.
move=> sym ordered sol set_ys fit ref; have sub := solution_bulbs sol; have ub := normal_bulbs_uniq nb.
have same : {in bulbs b, N.testbit (ones ys) =1 odd_part ps} by apply: settled_ones.
have [_ ord'] := (theorem1_repeats sym ordered sub).1 sol.
have near_s := near_sym nb sym; have near_i := @near_irr b.
have ord : in_order (touching (near b)) (odd_later b) ps.
  rewrite (@eq_in_order _ _ (touches b) _ (odd_later b)) // => v w vp wp.
  rewrite /touching near_toggled /touches !sub //=; case: eqP => //= <-.
  by rewrite toggled_self // sub.
have parity := charge_pairs near_s near_i ub sub ord.
rewrite /pairs_at_least (eq_in_filter (a2 := odd_part ps) (s := bulbs b)) //.
by apply: leq_with_parity => //; case: refuted_here ref => // ->.
Qed.

(* C3 *)
Theorem check_at_least_sound k rs : check_at_least k rs -> at_least b k.
Proof.
case/and4P=> _ sym_ok all_ref all_close ps sol; have sym := check_symmetric_sound nb sym_ok.
have ub := normal_bulbs_uniq nb; have sub := solution_bulbs sol.
have [ys closed fit] := go_through_sound (all_in sym) all_close (solution_press_set ub sol).
rewrite (size_pairs ub sub); have heavy := weight_sound fit; rewrite -/(pressed b _).
have ref_pair : ordered_rule b -> refuted [seq masks r | r <- rs] ys -> 0 < all_pairs (bulbs b) ps.
  move=> ordered /(refuted_applies fit all_ref)[r [ref app]].
  have [_ ord] := (theorem1_repeats sym ordered sub).1 sol.
  apply: (@refuted_pair _ (near b) (odd_later b) _ ub _ sub) => [|qs pq].
    rewrite -(@eq_in_order _ (touches b) _ (odd_later b)) // => v w vp wp.
    rewrite /touching near_toggled /touches !sub //=; case: eqP => //= <-.
    by rewrite toggled_self // sub.
  exact: scope ref app _ pq.
move: closed; cbv beta zeta; case: ifP => [enough _|_].
  by apply: leq_trans enough (leq_trans heavy (leq_addr _ _)).
case: ifP => // ordered; case: ifP => [|_].
  case: ifP => // ref_ys enough _; apply: leq_trans enough _; rewrite -addn2; apply: leq_add => //; rewrite -[2]/(1.*2) leq_double.
  exact: ref_pair.
case: ifP => // set_ys enough; apply: leq_trans enough _; apply: leq_add => //; rewrite leq_double.
by apply: pairs_at_least_sound => // ref; apply: ref_pair.
Qed.
End Cosets.
