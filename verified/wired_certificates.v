(* What certificates of wirings apply: computed answers about a machine, and what they mean of the
   wiring that the text describes. *)
From Coq Require Import String ZArith NArith.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game board wirings numbering before local machines states wired_orders wired_cosets within_steps.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Certificates.
Variables (L B : eqType) (w : wiring L B).
Hypotheses (ul : uniq (lights w)) (ub : uniq (buttons w)).
Notation m := (machine_of w).
Let tm := machine_tidy w.

(* verdict solved *)
Definition check_wired_solution (ps : seq B) : bool :=
  [&& seated w, all (mem (buttons w)) ps & let m' := m in plays_keys m' (from m') (map (button_number w) ps)].

Theorem wired_solved_by ps : check_wired_solution ps -> solution_wired w ps.
Proof.
by case/and3P=> sw /allP sub plays; rewrite -(solution_machine ul sw sub) (solution_keys tm).
Qed.

Theorem wired_ordered_by ps : uniq ps && check_wired_solution ps -> an_order_wired w ps.
Proof. by case/andP=> up /wired_solved_by sol; rewrite /an_order_wired up. Qed.

(* claim C4 *)
Theorem wired_unsolvable_by y : seated w && check_wired_witness m y -> unsolvable_wired w.
Proof. by case/andP=> sw /check_wired_witness_sound; apply: unsolvable_machine. Qed.

Theorem wired_states_by n : seated w && check_states m n -> unsolvable_wired w.
Proof. by case/andP=> sw /(check_states_sound tm); apply: unsolvable_machine. Qed.

(* claim C1 *)
Definition check_wired_presses (ps : seq B) (r : wired_refutation) : bool :=
  seated w && check_no_wired_order_of m (map (button_number w) ps) r.

Theorem wired_no_order_of_by s r : check_wired_presses [seq b <- buttons w | s b] r ->
  no_order_of_wired w [seq b <- buttons w | s b].
Proof.
set ps := [seq b <- _ | _]; case/andP=> sw ok; apply: (no_order_of_machine ul sw).
have sub : {subset ps <= buttons w} by move=> b; rewrite mem_filter => /andP[].
apply: check_no_wired_order_of_sound ok.
  by rewrite uniq_machine // filter_uniq.
by move=> j /mapP[b /sub bb ->]; apply: button_number_in.
Qed.

(* claims C2, C3 *)
Theorem wired_no_order_by rs : seated w && check_no_wired_order m rs -> no_order_wired w.
Proof. by case/andP=> sw /check_no_wired_order_sound; apply: no_order_machine. Qed.

Theorem wired_order_at_least_by k rs : seated w && check_wired_order_at_least m k rs ->
  order_at_least_wired w k.
Proof. by case/andP=> sw /check_wired_order_at_least_sound; apply: order_at_least_machine. Qed.

Theorem wired_at_least_by k rs : seated w && check_wired_at_least m k rs -> at_least_wired w k.
Proof. by case/andP=> sw /check_wired_at_least_sound; apply: at_least_machine. Qed.

Theorem wired_steps_by k : seated w && check_steps m k -> at_least_wired w k.
Proof. by case/andP=> sw /(check_steps_sound tm); apply: at_least_machine. Qed.

Corollary wired_order_steps_by k : seated w && check_steps m k -> order_at_least_wired w k.
Proof. by move/wired_steps_by => bound ps /andP[_ /bound]. Qed.

Theorem wired_within_by k its : seated w && check_within m k its -> at_least_wired w k.+1.
Proof. by case/andP=> sw /(check_within_sound tm); apply: at_least_machine. Qed.

Theorem wired_meeting_by some others : seated w && check_meeting m some others ->
  at_least_wired w (some + others).+1.
Proof. by case/andP=> sw /(check_meeting_sound tm); apply: at_least_machine. Qed.

Corollary wired_order_meeting_by some others : seated w && check_meeting m some others ->
  order_at_least_wired w (some + others).+1.
Proof. by move/wired_meeting_by => bound ps /andP[_ /bound]. Qed.
End Certificates.

(* ---- a board is a wiring ---- *)

Definition as_wiring (V : eqType) (b : board V) : wiring V V :=
  Wiring (bulbs b) (bulbs b) (fun v => let near := toggled b v in fun u => u \in near) Some
    (lit b) (goal b) (rule_of b).

Lemma solution_as_wiring (V : eqType) (b : board V) ps : solution_wired (as_wiring b) ps = solution b ps.
Proof.
rewrite /solution_wired /solution /=; elim: ps (lit b) => //= v r IH s; by rewrite IH.
Qed.

Section Boards.
Variables (V : eqType) (b : board V).
Hypothesis ub : uniq (bulbs b).

Lemma at_least_as_wiring k : at_least_wired (as_wiring b) k -> at_least b k.
Proof. by move=> bound ps; rewrite -solution_as_wiring; apply: bound. Qed.

Definition board_machine : machine := machine_of (as_wiring b).

Lemma board_seated : seated (as_wiring b).
Proof. by apply/allP. Qed.

Theorem board_steps_by k : check_steps board_machine k -> at_least b k.
Proof. by move=> ok; apply: at_least_as_wiring; apply: (@wired_steps_by _ _ (as_wiring b) ub); rewrite board_seated. Qed.

Theorem board_meeting_by some others : check_meeting board_machine some others ->
  at_least b (some + others).+1.
Proof. by move=> ok; apply: at_least_as_wiring; apply: (@wired_meeting_by _ _ (as_wiring b) ub); rewrite board_seated. Qed.

Corollary board_order_steps_by k : check_steps board_machine k -> order_at_least b k.
Proof. by move/board_steps_by => bound ps /andP[_ /bound]. Qed.

Corollary board_order_meeting_by some others : check_meeting board_machine some others ->
  order_at_least b (some + others).+1.
Proof. by move/board_meeting_by => bound ps /andP[_ /bound]. Qed.
End Boards.

Section Texts.
Variables (p : pattern) (edges : seq (node * node)) (r : rule) (t : target) (text : string).
Let gu := grid_uniq p r t text.
Let eu := graph_uniq edges r t text.

Definition grid_at_least_steps_by k := @board_steps_by _ _ gu k.
Definition grid_at_least_meeting_by some others := @board_meeting_by _ _ gu some others.
Definition grid_order_at_least_steps_by k := @board_order_steps_by _ _ gu k.
Definition grid_order_at_least_meeting_by some others := @board_order_meeting_by _ _ gu some others.
Definition graph_at_least_steps_by k := @board_steps_by _ _ eu k.
Definition graph_at_least_meeting_by some others := @board_meeting_by _ _ eu some others.
Definition graph_order_at_least_steps_by k := @board_order_steps_by _ _ eu k.
Definition graph_order_at_least_meeting_by some others := @board_order_meeting_by _ _ eu some others.
End Texts.

(* ---- for grids, and for lists ---- *)

Lemma toggle_grid_uniq torus steps r t text : uniq (lights (toggle_grid torus steps r t text)).
Proof. by rewrite filter_uniq // allpairs_uniq ?iota_uniq // => -[i j] [k l]. Qed.

Lemma wired_by_uniq lists seats r t text :
  uniq (lights (wired_by lists seats r t text)) /\ uniq (buttons (wired_by lists seats r t text)).
Proof. by rewrite !iota_uniq. Qed.

Section Grids.
Variables (torus : bool) (steps : seq step) (r : rule) (t : target) (text : string).
Notation w := (toggle_grid torus steps r t text).
Let ul := toggle_grid_uniq torus steps r t text.

Definition toggles_solved_by ps := @wired_solved_by _ _ w ul ps.
Definition toggles_ordered_by ps := @wired_ordered_by _ _ w ul ps.
Definition toggles_unsolvable_by y := @wired_unsolvable_by _ _ w ul y.
Definition toggles_states_by n := @wired_states_by _ _ w ul n.
Definition toggles_no_order_of_by picture why :
    check_wired_presses w (marked_places w picture) why -> no_order_of_wired w (marked_places w picture) :=
  @wired_no_order_of_by _ _ w ul ul (lit_in (board.lines picture)) why.
Definition toggles_no_order_by rs := @wired_no_order_by _ _ w ul rs.
Definition toggles_order_at_least_by k rs := @wired_order_at_least_by _ _ w ul k rs.
Definition toggles_at_least_by k rs := @wired_at_least_by _ _ w ul k rs.
Definition toggles_at_least_steps_by k := @wired_steps_by _ _ w ul k.
Definition toggles_order_at_least_steps_by k := @wired_order_steps_by _ _ w ul k.
Definition toggles_at_least_meeting_by some others := @wired_meeting_by _ _ w ul some others.
Definition toggles_order_at_least_meeting_by some others := @wired_order_meeting_by _ _ w ul some others.
Definition toggles_within_by k its := @wired_within_by _ _ w ul k its.
End Grids.

Section Lists.
Variables (lists : seq (seq node)) (seats : seq (option node)) (r : rule) (t : target) (text : string).
Notation w := (wired_by lists seats r t text).
Let ul := (wired_by_uniq lists seats r t text).1.
Let ub := (wired_by_uniq lists seats r t text).2.

Definition wiring_solved_by ps := @wired_solved_by _ _ w ul ps.
Definition wiring_ordered_by ps := @wired_ordered_by _ _ w ul ps.
Definition wiring_unsolvable_by y := @wired_unsolvable_by _ _ w ul y.
Definition wiring_states_by n := @wired_states_by _ _ w ul n.
Definition wiring_no_order_of_by picture why :
    check_wired_presses w (marked_buttons w picture) why -> no_order_of_wired w (marked_buttons w picture) :=
  @wired_no_order_of_by _ _ w ul ub (fun v => lit_in (board.lines picture) (0, v)) why.
Definition wiring_no_order_by rs := @wired_no_order_by _ _ w ul rs.
Definition wiring_order_at_least_by k rs := @wired_order_at_least_by _ _ w ul k rs.
Definition wiring_at_least_by k rs := @wired_at_least_by _ _ w ul k rs.
Definition wiring_at_least_steps_by k := @wired_steps_by _ _ w ul k.
Definition wiring_order_at_least_steps_by k := @wired_order_steps_by _ _ w ul k.
Definition wiring_at_least_meeting_by some others := @wired_meeting_by _ _ w ul some others.
Definition wiring_order_at_least_meeting_by some others := @wired_order_meeting_by _ _ w ul some others.
Definition wiring_within_by k its := @wired_within_by _ _ w ul k its.
End Lists.
