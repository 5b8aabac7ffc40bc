(* Local refutations: some presses K have no order, whatever is pressed away from them.
   Theory 3.1 to 3.6.

   K is a component of the presses as soon as all of K are pressed and nothing else in N[K] is.
   Pieces that hang on single bulbs are taken off, the parities follow, and what is left is refuted
   by a count, by its ends, by all its subsets, or by a formula with a proof (before.v). *)
From Coq Require Import PArith NArith FMapPositive.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game board linear orientation counting blocks subsets numbering before.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* ---- what is looked up by a number ---- *)

Module M := PositiveMap.

Definition table_of (A : Type) (f : number -> A) (vs : seq number) (m : M.t A) : M.t A :=
  foldr (fun v => M.add (N.succ_pos v) (f v)) m vs.

Lemma succ_pos_inj : injective N.succ_pos.
Proof. by move=> v w /(congr1 Npos); rewrite !N.succ_pos_spec => /N.succ_inj. Qed.

Lemma find_table_of (A : Type) (f : number -> A) vs m v :
  M.find (N.succ_pos v) (table_of f vs m) = if v \in vs then Some (f v) else M.find (N.succ_pos v) m.
Proof.
elim: vs => //= w vs IH; rewrite inE; case: (altP (v =P w)) => [->|vw]; first by rewrite M.gss.
by rewrite M.gso // => /succ_pos_inj/eqP; apply/negP.
Qed.

(* ---- refutations ---- *)

Variant reason :=
  | OddEdges | NoFirstPress | NoLastPress | Exhausted
  | Formula of seq item.

(* component K, pieces (c, P) to be taken off one after the other, reason for the rest *)
Record refutation := Refutation {
  component_of : seq number;
  hanging : seq (number * seq number);
  because : reason }.

Section Reasons.
Variable near : rel number.

(* ---- what is computed ---- *)

Definition check_reason (why : reason) (t : number -> bool) (qs : seq number) : bool :=
  match why with
  | OddEdges => odd (edges near qs) != odd (count t qs)
  | NoFirstPress => ~~ nilp qs && all (fun v => odd (count (near v) qs) != t v) qs
  | NoLastPress => ~~ nilp qs && all t qs
  | Exhausted => check_exhausted near t qs
  | Formula its => check_formula near t [::] qs its
  end.

Definition pieces_of (ps : seq (number * seq number)) : cuts number :=
  [seq (p.1, mem p.2 : pred number) | p <- ps].

Fixpoint check_pieces (ps : seq (number * seq number)) (qs : seq number) : bool :=
  if ps is (c, P) :: r
  then [&& c \notin P, c \in qs,
           all (fun v => (v \in P) ==> all (fun w => near v w ==> ((w \in P) || (w == c))) qs) qs &
           check_pieces r [seq v <- qs | v \notin P]]
  else true.

Definition refutes_within (t : number -> bool) (r : refutation) : bool :=
  let K := component_of r in
  [&& uniq K, check_pieces (hanging r) K &
      let left := rest near (pieces_of (hanging r)) t K in check_reason (because r) left.1 left.2].

(* ---- what it means ---- *)

Lemma valid_pieces ps qs : check_pieces ps qs -> valid_cuts near (pieces_of ps) qs.
Proof.
elim: ps qs => //= -[c P] r IH qs /and4P[cP cq /allP sep /IH valid]; split=> //.
split=> // v w vq wq /= vP vw; have := sep v vq.
by rewrite -topredE /= in vP *; rewrite vP /= => /allP/(_ w wq); rewrite vw.
Qed.

Hypotheses (near_sym : symmetric near) (near_irr : irreflexive near).

Lemma check_reason_sound why t qs : uniq qs -> check_reason why t qs ->
  forall ps, perm_eq ps qs -> ~~ in_order near t ps.
Proof.
have all_of : component near predT qs by [].
have some_of : ~~ nilp qs -> has predT qs by case: (qs).
move=> uq; case: why => [||||its] /=.
- by move=> odd_qs; apply: (odd_edges near_sym all_of); rewrite filter_predT.
- case/andP=> /some_of some /allP wrong; apply: (no_first_press near_irr all_of some).
  by move=> v vq _; apply: wrong.
- case/andP=> /some_of some /allP all_t; apply: (no_last_press all_of some).
  by move=> v vq _; apply: all_t.
- by move=> none ps; apply: exhausted.
by move=> ok ps pq; exact: (check_formula_sound ok pq).
Qed.

Lemma uniq_rest (e : rel number) cs t qs : uniq qs -> uniq (rest e cs t qs).2.
Proof. by elim: cs t qs => //= -[c P] r IH t qs uq; apply: IH; apply: filter_uniq. Qed.

Lemma refutes_within_sound t r : refutes_within t r ->
  forall ps, perm_eq ps (component_of r) -> ~~ in_order near t ps.
Proof.
case/and3P=> uK /valid_pieces valid why ps pK; apply/negP => ord.
have [|qs pq ord'] := rest_necessary near_sym uK valid (t := t); first by exists ps.
have := check_reason_sound (uniq_rest _ _ _ uK) why pq.
by rewrite ord'.
Qed.
End Reasons.

Section Local.
Variable b : board number.

Definition near : rel number :=
  fun v => let beside := toggled b v in fun w => if w \in beside then v != w else false.

Lemma near_toggled v w : near v w = (v != w) && (w \in toggled b v).
Proof. by rewrite /near; case: (w \in _); rewrite ?andbT ?andbF. Qed.

Definition refutes (r : refutation) : bool :=
  all (fun v => v \in bulbs b) (component_of r) && refutes_within near (odd_later b) r.

Hypotheses (nb : normal_board b) (sym : symmetric_board b).

Lemma nearE : near =2 neighbours b.
Proof.
move=> v w; rewrite near_toggled /neighbours /touches; congr (_ && _).
case vb : (v \in bulbs b); last by rewrite (normal_out nb) // vb.
by case wt : (w \in toggled b v); rewrite ?andbF // (normal_in nb wt).
Qed.

Lemma near_sym : symmetric near.
Proof. by move=> v w; rewrite !nearE neighbours_sym. Qed.

Lemma near_irr : irreflexive near.
Proof. by move=> v; rewrite /near eqxx if_same. Qed.

Lemma refutes_sound r : refutes r ->
  forall ps, perm_eq ps (component_of r) -> ~~ in_order near (odd_later b) ps.
Proof. by case/andP=> _; apply: refutes_within_sound near_sym near_irr _ _. Qed.

(* the presses s contain K, and nothing else around K *)
Definition applies (s : number -> bool) (K : seq number) : Prop :=
  {in K, forall v, s v} /\ {in K, forall v, {in toggled b v, forall w, s w -> w \in K}}.

(* 3.6 scope: a refutation of K refutes all presses to which it applies *)
Theorem scope r s : refutes r -> applies s (component_of r) ->
  forall ps, perm_eq ps (pressed b s) -> ~~ in_order near (odd_later b) ps.
Proof.
move=> ref [pressed_K alone] ps pS; have none := refutes_sound ref.
have [/= /allP Kb /and3P[uK _ _]] := andP ref; set K := component_of r in none pressed_K alone uK Kb.
have comp : component near (mem K) ps.
  move=> v w _ wp /= vK; rewrite /near; case: ifP => // wv _; apply: alone vK _ wv _.
  by move: wp; rewrite (perm_mem pS) mem_pressed => /andP[].
apply: contra (none (filter (mem K) ps) _); first exact: in_order_component.
apply: uniq_perm => //; first by rewrite filter_uniq // (perm_uniq pS) pressed_uniq // normal_bulbs_uniq.
move=> v; rewrite mem_filter /= (perm_mem pS) mem_pressed.
by case vK : (v \in K) => //=; rewrite pressed_K // Kb.
Qed.

Hypothesis ordered : ordered_rule b.

Corollary no_order_of_scope r s : refutes r -> applies s (component_of r) -> no_order_of b (pressed b s).
Proof.
move=> ref app; apply: (no_order_of_in_order sym ordered).
- by move=> v; rewrite mem_pressed => /andP[].
- exact: (pressed_uniq (normal_bulbs_uniq nb)).
move=> ps pS; rewrite -(@eq_in_order _ near _ (odd_later b)) => // [|v w _ _]; last exact: nearE.
exact: scope ref app _ pS.
Qed.
End Local.
