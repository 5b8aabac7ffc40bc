(* All press sets of a wiring: each is refuted, or has too many presses.  Theory 1.1, 2.9, 3.6.

   A refutation names some buttons that are *heeded*: of these alone it asks what they hear.  With
   what they hear of the presses they are the component K.  Where hearing goes both ways within K it
   is refuted as on boards (local.v). *)
From Coq Require Import PArith NArith Nnat Lia.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game wirings linear orientation counting subsets numbering forms families piece_count before local cosets machines wired_orders.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Record wired_refutation := WiredRefutation { heeded : seq number; local_part : refutation }.

Section WiredCosets.
Variable m : machine.
Notation w := (wired m).
Notation n := (size (keys m)).

(* ---- what is computed ---- *)

Definition seats_there : bool :=
  all (fun b => if sits b is Some l then (l <? N.of_nat (width m))%num else true) (keys m).

Definition check_wired_witness (y : seq number) : bool :=
  [&& all (fun l => (l <? N.of_nat (width m))%num) y,
      all (fun b => ~~ odd (count (N.testbit (flips b)) y)) (keys m) &
      odd (count (fun l => N.testbit (from m) l (+) N.testbit (upto m) l) y)].

Definition near_heeded (H : seq number) : rel number :=
  fun v => let mine := v \in H in fun u => if mine then (v != u) && hears w v u else false.
Definition odd_heeded (H : seq number) (v : number) : bool := (v \in H) && heard_later w v.

Definition near_within (K H : seq number) : rel number :=
  fun v u => [&& v \in K, u \in K & near_heeded H v u].

Definition one_way (near : rel number) (t : number -> bool) (why : reason) (qs : seq number) : bool :=
  match why with
  | NoFirstPress | NoLastPress | Exhausted | Formula _ => check_reason near why t qs
  | _ => false
  end.

Definition wired_refutes (r : wired_refutation) : bool :=
  let K := component_of (local_part r) in
  let near := near_heeded (heeded r) in let t := odd_heeded (heeded r) in
  [&& uniq K, all (fun v => N.to_nat v < n) K &
      if all (fun v => all (fun u => near v u == near u v) K) K
      then refutes_within (near_within K (heeded r)) t (local_part r)
      else nilp (hanging (local_part r)) && one_way near t (because (local_part r)) K].

(* K, and what is heard outside *)
Definition wired_masks (r : wired_refutation) : N * N :=
  let K := component_of (local_part r) in
  (mask_of K, mask_of [seq u <- numbers n | (u \notin K) && has (fun v => near_heeded (heeded r) v u) K]).

Definition wired_family : option (nat * seq form) :=
  let b := N.lxor (from m) (upto m) in
  solved [seq forms.unknown i.+1 | i <- iota 0 n]
    [seq of_bits (N.testbit b l :: [seq N.testbit (flips k) l | k <- keys m]) | l <- numbers (width m)].

Definition check_no_wired_order_of (ks : seq number) (r : wired_refutation) : bool :=
  let ms := wired_masks r in let s := mask_of ks in
  [&& seats_there, wired_refutes r, within ms.1 s & N.eqb (N.land ms.2 s) 0].

Definition check_no_wired_order (rs : seq wired_refutation) : bool :=
  [&& seats_there, all wired_refutes rs &
      let ms := map wired_masks rs in go_through wired_family (cosets.refuted ms)].

Definition check_wired_order_at_least (k : nat) (rs : seq wired_refutation) : bool :=
  [&& seats_there, all wired_refutes rs &
      let ms := map wired_masks rs in
      go_through wired_family (fun ys => if k <= weight ys then true else cosets.refuted ms ys)].

Definition check_wired_at_least (k : nat) (rs : seq wired_refutation) : bool :=
  [&& seats_there, all wired_refutes rs &
      let ms := map wired_masks rs in
      go_through wired_family (fun ys => let x := weight ys in
        if k <= x then true else if k <= x + 2 then cosets.refuted ms ys else false)].

(* ---- what it means ---- *)

Lemma mem_numbers_N j k : (j <? N.of_nat k)%num = (j \in numbers k).
Proof. by rewrite mem_numbers; apply/N.ltb_spec0/ltP; lia. Qed.

Lemma all_keys (a : pred button) : all a (keys m) -> {in buttons w, forall j, a (key_at m j)}.
Proof. by move/(all_nthP (Button 0 None)) => ok j; rewrite mem_numbers; apply: ok. Qed.

Theorem check_wired_witness_sound y : check_wired_witness y -> unsolvable_wired w.
Proof.
case/and3P=> /allP yl even must; apply: (wired_odd_witness (y := y)) => //.
  by move=> l /yl; rewrite mem_numbers_N.
by move=> j /(all_keys even).
Qed.

Lemma seats_there_sound : seats_there -> {in buttons w, forall b, oapp (mem (lights w)) true (seat w b)}.
Proof. by move=> ok j /(all_keys ok) /=; case: (sits _) => [l|] //=; rewrite mem_numbers_N. Qed.

Section Heeded.
Variable H : seq number.
Notation near := (near_heeded H).
Notation t := (odd_heeded H).

Lemma near_heeded_irr : irreflexive near.
Proof. by move=> v; rewrite /near_heeded eqxx if_same. Qed.

(* less is asked of those that are not heeded *)
Lemma heeded_in_order ps : uniq ps -> in_order (hears w) (heard_later w) ps -> in_order near t ps.
Proof.
elim: ps => //= v r IH /andP[vr /IH{}IH] /andP[later /IH->]; rewrite andbT /near_heeded /odd_heeded.
case: (v \in H) => /=; last by rewrite count_pred0.
rewrite -(eqP later); apply/eqP; congr odd; apply: eq_in_count => u ur.
by case: eqP vr => // ->; rewrite ur.
Qed.
End Heeded.

Lemma wired_refutes_sound r : wired_refutes r -> forall ps, perm_eq ps (component_of (local_part r)) ->
  ~~ in_order (near_heeded (heeded r)) (odd_heeded (heeded r)) ps.
Proof.
case: r => H r /and3P[/=]; set K := component_of r => uK _; case: ifP => [/allP same ref ps pK|_].
  rewrite (@eq_in_order _ _ (near_within K H) _ (odd_heeded H)) // => [|v u]; last first.
    by rewrite !(perm_mem pK) /near_within => -> ->.
  apply: refutes_within_sound ref _ pK.
    move=> v u; rewrite /near_within; case vK : (v \in K); case uK' : (u \in K) => //=.
    by have /allP/(_ u uK')/eqP := same v vK.
  by move=> v; rewrite /near_within near_heeded_irr !andbF.
case/andP=> _; set near := near_heeded H; set t := odd_heeded H.
have irr : irreflexive near by apply: near_heeded_irr.
have all_of : component near predT K by [].
have some_of : ~~ nilp K -> has predT K by case: (K).
case: (because r) => [||||way pieces|its] //=.
- case/andP=> /some_of some /allP wrong; apply: (no_first_press irr all_of some).
  by move=> v vq _; apply: wrong.
- case/andP=> /some_of some /allP all_t; apply: (no_last_press all_of some).
  by move=> v vq _; apply: all_t.
- by move=> none ps; apply: exhausted.
by move=> ok ps pq; exact: (check_formula_sound ok pq).
Qed.

Hypothesis ok_seats : seats_there.
Let seats := seats_there_sound ok_seats.

Definition wired_applies (s : number -> bool) (r : wired_refutation) : Prop :=
  let K := component_of (local_part r) in
  {in K, forall v, s v} /\
  {in K, forall v, {in buttons w, forall u, near_heeded (heeded r) v u -> s u -> u \in K}}.

Lemma buttons_uniq : uniq (buttons w).
Proof. exact: numbers_uniq. Qed.

(* 3.6 scope *)
Theorem wired_scope r s : wired_refutes r -> wired_applies s r -> no_order_of_wired w (pushed w s).
Proof.
move=> ref [pressed_K alone] ps pS; apply/negP => sol; have none := wired_refutes_sound ref.
have /and3P[uK /allP Kb _] := ref; set K := component_of (local_part r) in none pressed_K alone uK Kb.
have up : uniq ps by rewrite (perm_uniq pS) filter_uniq // buttons_uniq.
have ord := heeded_in_order (heeded r) up (wired_in_order seats sol).
have comp : component (near_heeded (heeded r)) (mem K) ps.
  move=> v u _; rewrite (perm_mem pS) mem_filter => /andP[su ub] /= vK vu.
  exact: alone vK u ub vu su.
apply/negP: (in_order_component comp ord); apply: none.
apply: uniq_perm => //; first by rewrite filter_uniq.
move=> v; rewrite mem_filter /= (perm_mem pS) mem_filter.
by case vK : (v \in K) => //=; rewrite pressed_K // mem_numbers Kb.
Qed.

(* ---- families ---- *)

Definition of_presses (s : number -> bool) (i : nat) : bool := if i is j.+1 then s (N.of_nat j) else true.

Lemma wired_family_sound s : wired_set w s ->
  exists d ys, wired_family = Some (d, ys) /\ takes ys [seq s j | j <- buttons w].
Proof.
move=> ok; have -> : [seq s j | j <- buttons w] = [seq value (of_presses s) x | x <- [seq forms.unknown i.+1 | i <- iota 0 n]].
  by rewrite -[buttons w]/(numbers n) numbers_map -!map_comp; apply: eq_map => i;
    rewrite -[RHS]/(value (of_presses s) (forms.unknown i.+1)) value_unknown.
apply: solved_sound => //; rewrite /all_zero all_map; apply/allP => l ll.
change (is_true (~~ value (of_presses s) (of_bits (N.testbit (N.lxor (from m) (upto m)) l ::
  [seq N.testbit (flips k) l | k <- keys m])))).
rewrite value_of_bits /= -[1]addn0 iotaDl count_map size_map oddD oddb andbT.
have := ok l ll; rewrite /wired_change /= numbers_map count_map N.lxor_spec.
set a := count _ _; set c := count _ _; suff -> : c = a.
  by move=> ->; case: (N.testbit (from m) l); case: (N.testbit (upto m) l).
rewrite /a /c; apply: eq_in_count => i; rewrite mem_iota add0n /= => less.
by rewrite (nth_map (Button 0 None)) // /key_at Nat2N.id.
Qed.

Section Settled.
Variables (ys : seq form) (s : number -> bool).
Hypothesis fit : takes ys [seq s j | j <- buttons w].

Lemma settled_at c j : N.testbit (of_bits [seq N.eqb y (constant c) | y <- ys]) j ->
  s j = c /\ j \in buttons w.
Proof.
have [p p0 vals] := fit; have sz : size ys = n by have := congr1 size vals; rewrite !size_map size_numbers.
rewrite testbit_of_bits; case: (ltnP (N.to_nat j) (size ys)) => [less|more]; last first.
  by rewrite nth_default // size_map.
rewrite (nth_map 0%num) // => /N.eqb_spec eq_c.
have := congr1 (fun ss => nth false ss (N.to_nat j)) vals.
rewrite (nth_map 0%num) // eq_c value_constant // (nth_map 0%num) ?size_numbers -?sz //.
rewrite -[buttons w]/(numbers n) numbers_map (nth_map 0) ?size_iota -?sz // nth_iota -?sz // add0n N2Nat.id => ->.
by split=> //; rewrite -numbers_map mem_numbers.
Qed.

Lemma wired_weight : weight ys <= size (pushed w s).
Proof.
have [p p0 vals] := fit; rewrite size_filter -(count_map s id) -vals count_map.
by apply: sub_count => y /N.eqb_spec->.
Qed.

Lemma wired_refuted rs : all wired_refutes rs -> cosets.refuted (map wired_masks rs) ys ->
  no_order_of_wired w (pushed w s).
Proof.
elim: rs => //= r rs IH /andP[ref all_ref] /orP[/andP[in_one in_zero]|]; last exact: IH.
apply: (wired_scope ref); split=> [v vK|v vK u ub vu su].
  have inside : N.testbit (wired_masks r).1 v by rewrite testbit_mask_of.
  by have [] := settled_at (c := true) (withinP in_one inside).
case uK : (u \in _) => //; have out : N.testbit (wired_masks r).2 u.
  by rewrite testbit_mask_of mem_filter ub andbT uK /=; apply/hasP; exists v.
by have [no _] := settled_at (c := false) (withinP in_zero out); rewrite no in su.
Qed.
End Settled.

Lemma wired_go_through closes s : go_through wired_family closes -> wired_set w s ->
  exists2 ys, closes ys & takes ys [seq s j | j <- buttons w].
Proof.
move=> all_close /wired_family_sound[d [ys [found fit]]]; move: all_close.
by rewrite /go_through found => /search_sound; apply.
Qed.
End WiredCosets.

Section Checks.
Variable m : machine.
Notation w := (wired m).

(* C1 *)
Theorem check_no_wired_order_of_sound ks r : uniq ks -> {subset ks <= buttons w} ->
  check_no_wired_order_of m ks r -> no_order_of_wired w ks.
Proof.
move=> uks sub /and4P[seats ref in_one /N.eqb_spec out].
have same : perm_eq ks (pushed w (fun v => v \in ks)).
  apply: uniq_perm => //; first by rewrite filter_uniq // buttons_uniq.
  by move=> v; rewrite mem_filter; case vk : (v \in ks) => //=; rewrite sub.
move=> ps pk; apply: (wired_scope seats ref _ (perm_trans pk same)).
split=> [v vK|v vK u ub vu uks'].
  by rewrite -testbit_mask_of; apply: withinP in_one _; rewrite testbit_mask_of.
case uK : (u \in _) => //; have := congr1 (N.testbit^~ u) out; rewrite N.land_spec N.bits_0.
rewrite !testbit_mask_of uks' mem_filter ub uK /= andbT => /negbT/negP[]; rewrite ?andbT; apply/hasP; by exists v.
Qed.

(* C2 *)
Theorem check_no_wired_order_sound rs : check_no_wired_order m rs -> no_order_wired w.
Proof.
case/and3P=> seats all_ref all_close; apply: (no_order_by_wired_sets (@buttons_uniq m)) => s ok.
have [ys closed fit] := wired_go_through all_close ok.
exact: wired_refuted seats _ _ fit _ all_ref closed.
Qed.

Theorem check_wired_order_at_least_sound k rs : check_wired_order_at_least m k rs -> order_at_least_wired w k.
Proof.
case/and3P=> seats all_ref all_close ps /andP[up sol].
have ub := @buttons_uniq m; have [ys closed fit] := wired_go_through all_close (solution_wired_set ub sol).
move: closed; cbv beta zeta; case: ifP => [enough _|_ closed].
  exact: leq_trans enough (leq_trans (wired_weight fit) (size_pushed ub sol)).
by have := wired_refuted seats fit all_ref closed (order_of_pushed ub up sol); rewrite sol.
Qed.

(* C3: press sets without an order need two presses more *)
Theorem check_wired_at_least_sound k rs : check_wired_at_least m k rs -> at_least_wired w k.
Proof.
case/and3P=> seats all_ref all_close ps sol.
have ub := @buttons_uniq m; have [ys closed fit] := wired_go_through all_close (solution_wired_set ub sol).
have heavy := wired_weight fit.
move: closed; cbv beta zeta; case: ifP => [enough _|_].
  exact: leq_trans enough (leq_trans heavy (size_pushed ub sol)).
case: ifP => // enough closed; case up : (uniq ps).
  by have := wired_refuted seats fit all_ref closed (order_of_pushed ub up sol); rewrite sol.
by apply: leq_trans enough _; apply: leq_trans (size_repeats ub sol _); rewrite ?up // leq_add2r.
Qed.
End Checks.
