(* The linear stage: press sets, and why they are all that a sequence leaves.  Theory 1.1, 2.4.

   Forget the rule.  A sequence changes the board as the set of bulbs does that it presses an odd
   number of times; this set solves one equation for each bulb. *)
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* ---- counting ---- *)

Lemma count_split (T : Type) (a c : pred T) (ps : seq T) :
  count a ps = count (predI a c) ps + count (predI a (predC c)) ps.
Proof. by elim: ps => //= v ps ->; rewrite addnACA; case: (a v); case: (c v). Qed.

Section Parity.
Variable V : eqType.

(* the bulbs that ps presses an odd number of times *)
Definition odd_part (ps : seq V) : V -> bool := fun v => odd (count_mem v ps).

Lemma odd_part_uniq ps : uniq ps -> odd_part ps =1 mem ps.
Proof. by move=> up v; rewrite /odd_part count_uniq_mem // oddb. Qed.

Lemma odd_count_cons (a : pred V) v r : odd (count a (v :: r)) = a v (+) odd (count a r).
Proof. by rewrite /= oddD oddb. Qed.

(* a sum over presses, bulb by bulb *)
Lemma odd_count_bulbs (a : pred V) (U ps : seq V) : uniq U -> {subset ps <= U} ->
  odd (count a ps) = odd (count (predI a (odd_part ps)) U).
Proof.
move=> uU; elim: ps => [|v r IH] sub.
  by rewrite [count _ U](eq_count (a2 := pred0)) ?count_pred0 // => v; rewrite /= andbF.
rewrite odd_count_cons IH => [|w wr]; last by apply: sub; rewrite inE wr orbT.
have vU : v \in U by apply: sub; rewrite inE eqxx.
rewrite !(seq.permP (perm_to_rem vU)) !odd_count_cons addbA; congr (_ (+) odd _).
  by rewrite /odd_part /= eqxx add1n /=; case: (a v); case: (odd _).
apply: eq_in_count => w; rewrite mem_rem_uniq // inE => /andP[wv _].
by rewrite /odd_part /= eq_sym (negbTE wv).
Qed.

Lemma odd_count_add (a c : pred V) (U : seq V) :
  odd (count a U) (+) odd (count c U) = odd (count (fun v => a v (+) c v) U).
Proof.
elim: U => //= v r IH; rewrite !oddD !oddb -IH.
by case: (a v); case: (c v); case: (odd _); case: (odd _).
Qed.
End Parity.

(* double counting *)
Lemma odd_count_swap (U T : eqType) (a : U -> pred T) (us : seq U) (ws : seq T) :
  odd (count (fun u => odd (count (a u) ws)) us) = odd (count (fun w => odd (count (a^~ w) us)) ws).
Proof.
elim: us => [|u us IH] /=; first by elim: ws => //= w ws IH; rewrite -IH.
rewrite oddD oddb IH odd_count_add; congr odd; apply: eq_count => w.
by rewrite oddD oddb.
Qed.

(* ---- boards ---- *)

Section Linear.
Variables (V : eqType) (b : board V).

(* the bulbs that must change *)
Definition change (v : V) : bool := lit b v (+) goal b v.

(* what a sequence has done to the bulb w *)
Definition touched (ps : seq V) (w : V) : bool := odd (count (fun v => w \in toggled b v) ps).

Definition reaches (ps : seq V) := {in bulbs b, forall w, touched ps w = change w}.

Lemma plays_bulbs s ps : plays b s ps -> {subset ps <= bulbs b}.
Proof.
elim: ps s => //= v r IH s /and3P[vb _ /IH sub] w; rewrite inE => /orP[/eqP->|/sub] //.
Qed.

Lemma plays_reaches s ps : plays b s ps ->
  {in bulbs b, forall w, touched ps w = s w (+) goal b w}.
Proof.
elim: ps s => [|v r IH] s /=.
  by move=> /allP ok w wb; rewrite (eqP (ok w wb)) addbb.
case/and3P=> _ _ /IH{}IH w wb; rewrite /touched odd_count_cons -/(touched r w) IH //.
by rewrite /press; case: (_ \in _); case: (s w); case: (goal b w).
Qed.

Lemma solution_bulbs ps : solution b ps -> {subset ps <= bulbs b}.
Proof. exact: plays_bulbs. Qed.

Lemma solution_reaches ps : solution b ps -> reaches ps.
Proof. by move=> sol w wb; rewrite (plays_reaches sol). Qed.

(* 1.1 odd witness: no press changes an odd number of the bulbs y, but an odd number must change *)
Theorem odd_witness (y : seq V) : {subset y <= bulbs b} ->
  {in bulbs b, forall v, ~~ odd (count (mem (toggled b v)) y)} -> odd (count change y) ->
  unsolvable b.
Proof.
move=> yb even must ps; apply/negP => sol.
have pb := solution_bulbs sol; have : odd (count (touched ps) y).
  by rewrite -(eq_in_count (a1 := change)) // => w /yb wb; rewrite solution_reaches.
rewrite -[touched ps]/(fun w => odd (count (fun v => w \in toggled b v) ps)).
rewrite (odd_count_swap (fun w v => w \in toggled b v)) => /negP; apply.
rewrite (eq_in_count (a2 := pred0)) ?count_pred0 // => v /pb vb.
by apply/negbTE; apply: even.
Qed.

(* the equations A s = b: around every bulb the presses have the parity of its change *)
Definition press_set (s : V -> bool) :=
  {in bulbs b, forall w, odd (count (fun v => (w \in toggled b v) && s v) (bulbs b)) = change w}.

Hypothesis ub : uniq (bulbs b).

(* 1.1 press sets: what a sequence presses an odd number of times is a press set *)
Theorem solution_press_set ps : solution b ps -> press_set (odd_part ps).
Proof.
move=> sol w wb; rewrite -(solution_reaches sol wb) /touched.
by rewrite [RHS](odd_count_bulbs _ ub (solution_bulbs sol)).
Qed.

Lemma eq_press_set s s' : {in bulbs b, s =1 s'} -> press_set s -> press_set s'.
Proof.
move=> same ok w wb; rewrite -ok //; congr odd; apply: eq_in_count => v vb.
by rewrite same.
Qed.

(* 1.1 press sets: two of them differ by a quiet pattern *)
Theorem quiet_difference s s' : press_set s -> press_set s' ->
  {in bulbs b, forall w, ~~ odd (count (fun v => (w \in toggled b v) && (s v (+) s' v)) (bulbs b))}.
Proof.
move=> ok ok' w wb; rewrite (eq_count (a2 := fun v =>
  (w \in toggled b v) && s v (+) (w \in toggled b v) && s' v)) => [|v].
  by rewrite -odd_count_add ok // ok' // addbb.
by case: (_ \in _).
Qed.

(* the bulbs of a set, in the board's order *)
Definition pressed (s : V -> bool) : seq V := [seq v <- bulbs b | s v].

Lemma pressed_uniq s : uniq (pressed s).
Proof. exact: filter_uniq. Qed.

Lemma mem_pressed s v : (v \in pressed s) = s v && (v \in bulbs b).
Proof. exact: mem_filter. Qed.

Lemma eq_pressed s s' : {in bulbs b, s =1 s'} -> pressed s = pressed s'.
Proof. exact: eq_in_filter. Qed.

Lemma order_of_pressed ps : uniq ps -> solution b ps -> perm_eq ps (pressed (odd_part ps)).
Proof.
move=> up sol; apply: uniq_perm => //; first exact: pressed_uniq.
move=> v; rewrite mem_pressed odd_part_uniq //=.
by case vp : (v \in ps) => //; rewrite (solution_bulbs sol).
Qed.

Lemma size_odd_part ps : {subset ps <= bulbs b} -> size (pressed (odd_part ps)) <= size ps.
Proof.
move=> pb; have up := pressed_uniq (odd_part ps); apply: uniq_leq_size up _ => v.
rewrite mem_pressed => /andP[]; rewrite /odd_part => odd_v _.
by rewrite -has_pred1 has_count; case: (count_mem v ps) odd_v.
Qed.

(* 2.4 claim C2: every press set fails *)
Theorem no_order_by_press_sets :
  (forall s, press_set s -> no_order_of b (pressed s)) -> no_order b.
Proof.
move=> all_fail ps up; apply/negP => sol.
by have /negP := all_fail _ (solution_press_set sol) ps (order_of_pressed up sol).
Qed.

(* 2.4 C1 of the only press set is C2 *)
Corollary no_order_of_only S : (forall s, press_set s -> {in bulbs b, s =1 S}) ->
  no_order_of b (pressed S) -> no_order b.
Proof.
move=> only fail; apply: no_order_by_press_sets => s ok.
by rewrite (eq_pressed (only s ok)).
Qed.

(* 1.6 what bounds all press sets bounds all sequences *)
Theorem at_least_by_press_sets k :
  (forall s, press_set s -> k <= size (pressed s)) -> at_least b k.
Proof.
move=> all_k ps sol; apply: leq_trans (all_k _ (solution_press_set sol)) _.
exact: size_odd_part (solution_bulbs sol).
Qed.
End Linear.
