(* The dark board: no bulb is lit, no odd cycle, all are to be lit.  Theory 2.7.

   Every press set has an order: the presses of one colour class, then those of the other. *)
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game linear orientation.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Dark.
Variables (V : eqType) (b : board V) (colour : V -> bool).
Hypothesis sym : symmetric_board b.
Hypothesis unlit : rule_of b = Unlit.
Hypothesis start : {in bulbs b, forall v, ~~ lit b v}.
Hypothesis all_lit : {in bulbs b, forall v, goal b v}.
Hypothesis bipartite : {in bulbs b &, forall v w, neighbours b v w -> colour v != colour w}.

(* a press that has no neighbours later, or all of them *)
Lemma in_order_cat (e : rel V) (ps qs : seq V) : {in ps &, forall v w, ~~ e v w} ->
  {in ps, forall v, ~~ odd (count (e v) qs)} -> in_order e xpred0 qs -> in_order e xpred0 (ps ++ qs).
Proof.
elim: ps => //= v r IH none even ord; rewrite IH // => [|x y xr yr|x xr]; last 2 first.
- by apply: none; rewrite inE ?xr ?yr orbT.
- by apply: even; rewrite inE xr orbT.
rewrite andbT count_cat (eq_in_count (a2 := pred0) (s := r)) ?count_pred0 => [|w wr].
  by rewrite add0n (negbTE (even v (mem_head _ _))).
by apply/negbTE/none; rewrite ?mem_head // inE wr orbT.
Qed.

Section PressSet.
Variable s : V -> bool.
Hypothesis ok : press_set b s.

Definition one_class (c : bool) : seq V := [seq v <- pressed b s | colour v == c].

Lemma apart_in_class c : {in one_class c &, forall v w, ~~ neighbours b v w}.
Proof.
move=> v w; rewrite !mem_filter => /andP[/eqP cv /andP[_ vb]] /andP[/eqP cw /andP[_ wb]].
by apply: contraL (eqxx c) => /(bipartite vb wb); rewrite cv cw.
Qed.

Lemma both_classes : perm_eq (one_class true ++ one_class false) (pressed b s).
Proof.
rewrite {2}/one_class (eq_filter (a2 := predC (fun v => colour v == true))) => [|v]; last first.
  by rewrite /=; case: (colour v).
exact/permPl/perm_filterC.
Qed.

(* every press has evenly many neighbours among the presses *)
Lemma even_degree v : v \in pressed b s -> ~~ odd (count (neighbours b v) (pressed b s)).
Proof.
rewrite mem_pressed => /andP[sv vb]; have := ok vb; rewrite /change (negbTE (start vb)) (all_lit vb) => eq_v.
have ub := bulbs_uniq sym; have vp : v \in pressed b s by rewrite mem_pressed sv.
move: eq_v; have -> : count (fun u => (v \in toggled b u) && s u) (bulbs b) =
    count (fun u => v \in toggled b u) (pressed b s) by rewrite [RHS]count_filter.
rewrite !(seq.permP (perm_to_rem vp)) /= (toggled_self sym) // neighbours_irr add0n oddD /= => eq_v.
rewrite (eq_in_count (a2 := fun u => v \in toggled b u)) => [|u]; first by move: eq_v; case: (odd _).
rewrite mem_rem_uniq ?(pressed_uniq ub) // inE => /andP[uv]; rewrite [mem _ _]mem_pressed => /andP[_ wb].
by rewrite /neighbours /touches vb wb eq_sym uv /= (toggled_sym sym).
Qed.

(* 2.7 the dark board *)
Theorem dark_board : an_order b (one_class true ++ one_class false).
Proof.
have ub := bulbs_uniq sym; have uo : uniq (one_class true ++ one_class false).
  by rewrite (perm_uniq both_classes) pressed_uniq.
have sub : {subset one_class true ++ one_class false <= bulbs b}.
  by move=> v; rewrite (perm_mem both_classes) mem_pressed => /andP[].
rewrite /an_order uo; apply/(theorem1 sym unlit all_lit uo sub); split=> [w wb|].
  by rewrite /touched (seq.permP both_classes) count_filter -ok.
apply: in_order_cat => [|v vin|]; first exact: apart_in_class.
  have vp : v \in pressed b s by move: vin; rewrite mem_filter => /andP[].
  have := even_degree vp; rewrite -(seq.permP both_classes) count_cat oddD.
  rewrite (eq_in_count (a2 := pred0) (s := one_class true)) ?count_pred0 // => w win.
  exact/negbTE/(apart_in_class vin win).
rewrite -[one_class false]cats0; apply: in_order_cat => //; exact: apart_in_class.
Qed.
End PressSet.

(* 2.7 the fewest legal presses are the fewest presses in any order *)
Corollary dark_fewest s : press_set b s -> (forall s', press_set b s' -> size (pressed b s) <= size (pressed b s')) ->
  (exists2 ps, an_order b ps & size ps = size (pressed b s)) /\ at_least b (size (pressed b s)).
Proof.
move=> ok least; split; last exact: at_least_by_press_sets (bulbs_uniq sym) _ least.
by exists (one_class s true ++ one_class s false); [apply: dark_board | apply/perm_size/both_classes].
Qed.
End Dark.
