(* What certificates apply: computed answers about boards of text, and what they mean.

   A board is numbered, the computation runs on numbers, and the claim is about the board. *)
From Coq Require Import String ZArith NArith FMapPositive.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game board linear orientation numbering forms families row_column chase dead_end local cosets replay.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Certificates.
Variables (V : eqType) (key : V -> positive) (b : board V).
Hypotheses (key_inj : injective key) (ub : uniq (bulbs b)).

Notation n := (numbered key b).
Let ren := numbered_renaming key_inj ub.
Let nb := numbered_normal key_inj ub.

(* the numbers of bulbs; None if one is not on the board *)
Fixpoint numbers_in (m : PositiveMap.t N) (ps : seq V) : option (seq number) :=
  if ps is v :: r
  then if number_in key m v is Some k
       then (if numbers_in m r is Some ks then Some (k :: ks) else None) else None
  else Some [::].

Definition check_solution_of (ps : seq V) : bool :=
  if numbers_in (index_from key 0 (bulbs b)) ps is Some ks then check_solution n ks else false.

Lemma numbers_in_sound ps ks : numbers_in (index_from key 0 (bulbs b)) ps = Some ks ->
  {subset ps <= bulbs b} /\ map (number_of b) ps = ks.
Proof.
elim: ps ks => [|v r IH] ks /=; first by case=> <-.
rewrite (number_in_index key_inj ub); case vb : (v \in bulbs b) => //.
case: numbers_in IH => // ks' /(_ ks' erefl)[sub <-] [<-]; split=> // w.
by rewrite inE => /orP[/eqP->|/sub].
Qed.

(* verdict solved: the sequence is legal and reaches the goal *)
Theorem solved_by ps : check_solution_of ps -> solution b ps.
Proof.
rewrite /check_solution_of; case found : numbers_in => [ks|] //.
have [sub <-] := numbers_in_sound found => /(check_solution_sound nb).
by rewrite (solution_renamed ren).
Qed.

Theorem ordered_by ps : uniq ps && check_solution_of ps -> an_order b ps.
Proof. by case/andP=> up /solved_by sol; rewrite /an_order up. Qed.

(* claim C1 *)
Definition check_presses (ps : seq V) (r : refutation) : bool :=
  if numbers_in (index_from key 0 (bulbs b)) ps is Some ks then check_no_order_of n ks r else false.

Theorem no_order_of_by s r : check_presses (pressed b s) r -> no_order_of b (pressed b s).
Proof.
rewrite /check_presses; case found : numbers_in => [ks|] //.
have [sub eks] := numbers_in_sound found => ok; apply: (no_order_of_renamed ren).
rewrite eks; apply: (check_no_order_of_sound nb _ _ ok).
  by rewrite -eks (uniq_renamed ren) // pressed_uniq.
by move=> k; rewrite -eks => /mapP[v /sub vb ->]; rewrite (renaming_bulbs ren) map_f.
Qed.

(* claim C4 *)
Theorem unsolvable_by y : check_odd_witness n y -> unsolvable b.
Proof. by move/(check_odd_witness_sound nb)/(unsolvable_renamed ren). Qed.

Theorem dead_end_by P : check_dead_end n P -> unsolvable b.
Proof. by move/(check_dead_end_sound nb)/(unsolvable_renamed ren). Qed.

(* the press sets of the board, by their numbers *)
Lemma press_set_numbered s : press_set n s -> press_set b (fun v => s (number_of b v)).
Proof.
move=> ok w wb; have fw : number_of b w \in bulbs n by rewrite (renaming_bulbs ren) map_f.
have := ok _ fw; rewrite /change (renaming_lit ren) // (renaming_goal ren) // => <-.
rewrite numbered_bulbs -map_number_of //.
rewrite count_map; congr odd; apply: eq_in_count => v vb /=.
by rewrite (renaming_toggled ren).
Qed.

Section Family.
Variable family : option (nat * seq form).
Hypothesis all_in : symmetric_board n -> holds_press_sets n family.

(* claim C2 *)
Theorem no_order_by rs : check_no_order n family rs -> no_order b.
Proof. by move/(check_no_order_sound nb all_in)/(no_order_renamed ren). Qed.

Theorem order_at_least_by k rs : check_order_at_least n family k rs -> order_at_least b k.
Proof. by move/(check_order_at_least_sound nb all_in)/(order_at_least_renamed ren). Qed.

(* claim C3 *)
Theorem at_least_by k rs : check_at_least n family k rs -> at_least b k.
Proof. by move/(check_at_least_sound nb all_in)/(at_least_renamed ren). Qed.
End Family.

Lemma chase_family : symmetric_board n -> holds_press_sets n (chased n (bulbs n)).
Proof. by move=> sym s; apply: chased_sound. Qed.

(* a family of the board itself serves as well *)
Lemma own_family family : holds_press_sets b family -> holds_press_sets n family.
Proof.
move=> all_in s /press_set_numbered/all_in[d [ys [found fit]]]; exists d, ys; split=> //.
by rewrite numbered_bulbs -map_number_of // -map_comp.
Qed.
End Certificates.

(* ---- for grids, and for graphs ---- *)

Section Grids.
Variables (p : pattern) (r : rule) (t : target) (text : string).
Notation b := (grid p r t text).
Let ub := grid_uniq p r t text.
Notation n := (numbered place_key b).

Definition grid_solved_by ps := @solved_by place place_key b place_key_inj ub ps.
Definition grid_ordered_by ps := @ordered_by place place_key b place_key_inj ub ps.
Definition grid_unsolvable_by y := @unsolvable_by place place_key b place_key_inj ub y.

(* row/column boards by their line parities, others by light chasing *)
Definition grid_family : option (nat * seq form) :=
  if p is Cross then let m := board.lines text in line_family b (rows_of m) (columns_of m) else let n' := n in chased n' (bulbs n').

Lemma grid_all_in : symmetric_board n -> holds_press_sets n grid_family.
Proof.
rewrite /grid_family; case: p => [|steps|steps].
- by move=> _; apply: own_family; [exact: place_key_inj | exact: grid_uniq | exact: line_family_sound].
- by apply: chase_family; [exact: place_key_inj | exact: grid_uniq].
by apply: chase_family; [exact: place_key_inj | exact: grid_uniq].
Qed.

Definition grid_dead_end_by P := @dead_end_by place place_key b place_key_inj ub P.
Definition grid_no_order_of_by picture why :
    check_presses place_key b (marked b picture) why -> no_order_of b (marked b picture) :=
  @no_order_of_by place place_key b place_key_inj ub (lit_in (board.lines picture)) why.
Definition grid_no_order_by rs := no_order_by place_key_inj ub grid_all_in (rs := rs).
Definition grid_order_at_least_by k rs := order_at_least_by place_key_inj ub grid_all_in (k := k) (rs := rs).
Definition grid_at_least_by k rs := at_least_by place_key_inj ub grid_all_in (k := k) (rs := rs).
End Grids.

Section Graphs.
Variables (edges : seq (node * node)) (r : rule) (t : target) (text : string).
Notation b := (graph edges r t text).
Let ub := graph_uniq edges r t text.
Let all_in := chase_family node_key_inj ub.

Definition graph_solved_by ps := @solved_by node node_key b node_key_inj ub ps.
Definition graph_ordered_by ps := @ordered_by node node_key b node_key_inj ub ps.
Definition graph_unsolvable_by y := @unsolvable_by node node_key b node_key_inj ub y.
Definition graph_dead_end_by P := @dead_end_by node node_key b node_key_inj ub P.
Definition graph_no_order_of_by picture why :
    check_presses node_key b (marked_nodes b picture) why -> no_order_of b (marked_nodes b picture) :=
  @no_order_of_by node node_key b node_key_inj ub (fun v => lit_in (board.lines picture) (0, v)) why.
Definition graph_no_order_by rs := no_order_by node_key_inj ub all_in (rs := rs).
Definition graph_order_at_least_by k rs := order_at_least_by node_key_inj ub all_in (k := k) (rs := rs).
Definition graph_at_least_by k rs := at_least_by node_key_inj ub all_in (k := k) (rs := rs).
End Graphs.
