(* Theorem 1: a sequence is legal iff every press has the right parity of neighbours later.
   Theory 2.1 to 2.3.

   The start has dropped out: an order is an acyclic orientation with prescribed parities. *)
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game linear.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Orders.
Variable V : eqType.

(* Every press v in ps has t v, modulo 2, of the presses that e relates it to later in ps. *)
Fixpoint in_order (e : rel V) (t : V -> bool) (ps : seq V) : bool :=
  if ps is v :: r then (odd (count (e v) r) == t v) && in_order e t r else true.

Lemma eq_in_order (e e' : rel V) (t t' : V -> bool) ps :
  {in ps &, e =2 e'} -> {in ps, t =1 t'} -> in_order e t ps = in_order e' t' ps.
Proof.
elim: ps => //= v r IH same_e same_t; congr (_ && _); last first.
  apply: IH => [x y xr yr|x xr]; first by apply: same_e; rewrite inE ?xr ?yr orbT.
  by apply: same_t; rewrite inE xr orbT.
rewrite same_t ?mem_head //; congr (odd _ == _); apply: eq_in_count => w wr.
by apply: same_e; rewrite ?mem_head // inE wr orbT.
Qed.

Definition before (ps : seq V) : rel V := fun u v => index u ps < index v ps.

Lemma in_orderE e t ps : uniq ps ->
  in_order e t ps = all (fun v => odd (count (fun w => e v w && before ps v w) ps) == t v) ps.
Proof.
elim: ps => //= u r IH /andP[ur un]; rewrite {1}/before /= eqxx andbF add0n; congr (_ && _).
  congr (odd _ == _); apply: eq_in_count => w wr.
  by rewrite /before /= eqxx; case: eqP => [e'|_]; [rewrite e' wr in ur | rewrite andbT].
rewrite (IH un); apply: eq_in_all => v vr; have vu : (u == v) = false.
  by apply: contraNF ur => /eqP->.
rewrite {2}/before /= eqxx vu andbF add0n; congr (odd _ == _).
apply: eq_in_count => w wr; rewrite /before /= vu.
by case: eqP => [e'|_]; [rewrite e' wr in ur | rewrite ltnS].
Qed.

(* the other way around, the later ones become the earlier ones *)
Lemma in_order_rev e t qs ps : irreflexive e -> perm_eq ps qs -> in_order e t ps ->
  in_order e (fun v => odd (count (e v) qs) (+) t v) (rev ps).
Proof.
move=> irr; set t' := fun v => _; rewrite /rev -{1}[ps]cats0.
have: in_order e t' [::] by [].
elim: ps [::] => //= v r IH s ord perm /andP[/eqP later rest]; apply: IH => //=; last first.
  by apply: perm_trans perm; rewrite -cat1s perm_catCA.
rewrite ord andbT /t' -later -(seq.permP perm) /= irr add0n count_cat oddD.
by rewrite addbAC addbb.
Qed.
End Orders.

(* Boards on which a press toggles its own bulb, and u toggles v when v toggles u *)
Record symmetric_board (V : eqType) (b : board V) : Prop := SymmetricBoard {
  bulbs_uniq : uniq (bulbs b);
  toggled_self : {in bulbs b, forall v, v \in toggled b v};
  toggled_sym : {in bulbs b &, forall v w, (w \in toggled b v) = (v \in toggled b w)} }.

Section Theorem1.
Variables (V : eqType) (b : board V).
Hypothesis sym : symmetric_board b.

(* u touches v: both are bulbs, and a press of u toggles v *)
Definition touches : rel V := fun v w => [&& v \in bulbs b, w \in bulbs b & w \in toggled b v].
Definition neighbours : rel V := fun v w => (v != w) && touches v w.

(* 2.2 the parity t(v) that the later neighbours of every press of v must have *)
Definition odd_later (v : V) : bool := if rule_of b is Unlit then ~~ goal b v else goal b v.
Definition ordered_rule := if rule_of b is Any then false else true.

Lemma may_press_later s v r : ordered_rule -> v \in bulbs b -> {subset r <= bulbs b} ->
  touched b (v :: r) v = s v (+) goal b v ->
  may_press b s v = (odd (count (touches v) r) == odd_later v).
Proof.
move=> ordered vb rb; rewrite /touched odd_count_cons (toggled_self sym) //=.
have -> : count (fun u => v \in toggled b u) r = count (touches v) r.
  by apply: eq_in_count => u /rb ub; rewrite /touches vb ub /= (toggled_sym sym).
move: ordered; rewrite /may_press /odd_later /ordered_rule.
by case: (rule_of b) => // _; case: (odd _); case: (s v); case: (goal b v).
Qed.

Lemma plays_iff s ps : ordered_rule -> {subset ps <= bulbs b} ->
  plays b s ps <->
  {in bulbs b, forall w, touched b ps w = s w (+) goal b w} /\ in_order touches odd_later ps.
Proof.
move=> ordered; elim: ps s => [|v r IH] s sub /=.
  split=> [/allP lit|[eqs _]]; first by split=> // w /lit/eqP->; rewrite addbb.
  by apply/allP=> w /eqs; rewrite /touched /=; case: (s w); case: (goal b w).
have vb : v \in bulbs b by apply: sub; rewrite mem_head.
have rb : {subset r <= bulbs b} by move=> w wr; apply: sub; rewrite inE wr orbT.
have pressed : {in bulbs b, forall w, touched b (v :: r) w = s w (+) goal b w} <->
    {in bulbs b, forall w, touched b r w = press b v s w (+) goal b w}.
  split=> eqs w wb; move: (eqs w wb); rewrite /touched odd_count_cons /press;
    by case: (w \in _); case: (s w); case: (goal b w); case: (odd _).
rewrite vb /=; split=> [/andP[may /(IH _ rb)[eqs ord]]|[eqs /andP[later ord]]].
  by have eqs' := pressed.2 eqs; rewrite -(may_press_later ordered vb rb (eqs' v vb)) may.
rewrite (may_press_later ordered vb rb (eqs v vb)) later /=.
by apply/(IH _ rb); split=> //; apply/pressed.
Qed.

(* 2.3 theorem 1 for repeats: a press counts the later presses of its own bulb as well *)
Theorem theorem1_repeats ps : ordered_rule -> {subset ps <= bulbs b} ->
  solution b ps <-> reaches b ps /\ in_order touches odd_later ps.
Proof. exact: plays_iff. Qed.

Lemma in_order_neighbours t ps : uniq ps -> in_order touches t ps = in_order neighbours t ps.
Proof.
elim: ps => //= v r IH /andP[nvr /IH ->]; congr (_ && _); congr (odd _ == _).
by apply: eq_in_count => w wr; rewrite /neighbours; case: eqP => // vw; rewrite vw wr in nvr.
Qed.

(* 2.2 theorem 1, for every goal, under the rules unlit and lit *)
Theorem theorem1_goals ps : ordered_rule -> uniq ps -> {subset ps <= bulbs b} ->
  solution b ps <-> reaches b ps /\ in_order neighbours odd_later ps.
Proof. by move=> ordered up; rewrite -in_order_neighbours //; apply: theorem1_repeats. Qed.

(* 2.1 theorem 1: an even number of neighbours is pressed after every press *)
Theorem theorem1 ps : rule_of b = Unlit -> {in bulbs b, forall v, goal b v} ->
  uniq ps -> {subset ps <= bulbs b} ->
  solution b ps <-> reaches b ps /\ in_order neighbours xpred0 ps.
Proof.
move=> unlit all_lit up sub.
rewrite -(@eq_in_order _ neighbours neighbours odd_later xpred0) => // [|v vp].
  by apply: theorem1_goals; rewrite // /ordered_rule unlit.
by rewrite /odd_later unlit all_lit // sub.
Qed.

Lemma touches_sym : symmetric touches.
Proof.
move=> v w; rewrite /touches andbCA; case wb : (w \in _) => //=; case vb : (v \in _) => //=.
exact: (toggled_sym sym).
Qed.

Lemma neighbours_sym : symmetric neighbours.
Proof. by move=> v w; rewrite /neighbours eq_sym touches_sym. Qed.

Lemma neighbours_irr : irreflexive neighbours.
Proof. by move=> v; rewrite /neighbours eqxx. Qed.

(* A refutation of all orders of S is claim C1. *)
Lemma no_order_of_in_order S : ordered_rule -> {subset S <= bulbs b} -> uniq S ->
  (forall ps, perm_eq ps S -> ~~ in_order neighbours odd_later ps) -> no_order_of b S.
Proof.
move=> ordered sub uS none ps pS; apply/negP.
have up : uniq ps by rewrite (perm_uniq pS).
have pb : {subset ps <= bulbs b} by move=> v; rewrite (perm_mem pS); apply: sub.
by move/(theorem1_goals ordered up pb) => [_ ord]; have := none ps pS; rewrite ord.
Qed.
End Theorem1.
