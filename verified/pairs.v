(* What repeats cost: presses m = s + 2e, and the parities of later presses.  Theory 2.3, 7.3, 7.5.

   Let l(v, u) be the parity of the number of pairs (press of v, later press of u).  An order of all
   presses makes these parities obey linear equations, in which e(v) occurs: the number of *pairs*,
   two presses more, of bulb v. *)
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import linear orientation counting.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Pairs.
Variables (V : eqType) (e : rel V) (t : V -> bool) (U : seq V).
Hypotheses (sym : symmetric e) (irr : irreflexive e) (uU : uniq U).

(* copies of a bulb are neighbours as well *)
Definition touching : rel V := fun v w => (v == w) || e v w.

Lemma touching_sym : symmetric touching.
Proof. by move=> v w; rewrite /touching eq_sym sym. Qed.

Implicit Types (ps r X : seq V) (v u w x : V).

(* the parity l(v, u) *)
Fixpoint later (ps : seq V) (v u : V) : bool :=
  if ps is x :: r then ((x == v) && odd_part r u) (+) later r v u else false.

(* the pairs of a bulb, e(v) *)
Definition half (ps : seq V) (v : V) : nat := (count_mem v ps)./2.

Lemma odd_part_cons x r u : odd_part (x :: r) u = (x == u) (+) odd_part r u.
Proof. by rewrite /odd_part /= oddD oddb. Qed.

Lemma half_cons x r v : odd (half (x :: r) v) = ((x == v) && odd_part r v) (+) odd (half r v).
Proof.
rewrite /half /odd_part /=; case: (x == v) => //.
by rewrite add1n -[_.+1./2]/(uphalf _) uphalf_half oddD oddb.
Qed.

Lemma half_here x r : half (x :: r) x = odd_part r x + half r x.
Proof. by rewrite /half /= eqxx add1n -[_.+1./2]/(uphalf _) uphalf_half. Qed.

Lemma later_unpressed ps v u : v \notin ps -> later ps v u = false.
Proof.
elim: ps => //= x r IH; rewrite inE negb_or eq_sym => /andP[/negbTE-> /IH->] //.
Qed.

(* 7.5 (l), second rule *)
Lemma later_swap ps v u : v != u -> later ps v u (+) later ps u v = odd_part ps v && odd_part ps u.
Proof.
move=> vu; elim: ps => //= x r IH; rewrite !odd_part_cons addbACA IH.
case: (altP (x =P v)) => [->|xv]; last case: (x == u) => //.
  by rewrite (negbTE vu); case: (odd_part r v); case: (odd_part r u).
by case: (odd_part r v); case: (odd_part r u).
Qed.

Lemma odd_count_cons_eq (v : V) r : odd (count (touching v) r) = odd_part r v (+) odd (count (e v) r).
Proof.
rewrite /odd_part -oddD; congr odd; elim: r => //= w r ->; rewrite addnACA; congr (_ + _).
by rewrite /touching eq_sym; case: eqP => //= ->; rewrite irr.
Qed.

(* 7.5 (l), first rule *)
Lemma later_sum ps v : {subset ps <= U} -> in_order touching t ps ->
  odd (count (fun u => e v u && later ps v u) U) = odd (half ps v) (+) (odd_part ps v && t v).
Proof.
elim: ps => [|x r IH] sub /=.
  by rewrite (eq_count (a2 := pred0)) ?count_pred0 // => u; rewrite /= andbF.
have subr : {subset r <= U} by move=> w wr; apply: sub; rewrite inE wr orbT.
case/andP=> /eqP now ord; have {}IH := IH subr ord.
rewrite half_cons odd_part_cons; case: (altP (x =P v)) => [xv|xv] /=; last first.
  by rewrite -IH; congr odd; apply: eq_count => u; rewrite addFb.
rewrite (eq_count (a2 := fun u => (e v u && odd_part r u) (+) (e v u && later r v u))) => [|u].
  rewrite -odd_count_add IH -(odd_count_bulbs (e v) uU subr).
  move: now; rewrite xv odd_count_cons_eq; case: (odd_part r v); case: (t v); case: (odd (count _ r));
    by case: (odd _).
by case: (e v u).
Qed.

(* ---- components of the odd part ---- *)

Section Component.
Variable ps : seq V.
Hypotheses (sub : {subset ps <= U}) (ord : in_order touching t ps).
Notation s := (odd_part ps).

(* X is a component of S, the bulbs pressed an odd number of times *)
Definition odd_component_of X :=
  [/\ uniq X, {subset X <= U}, {in X, forall v, s v} & {in X, forall v, {in U, forall w, e v w -> s w -> w \in X}}].

(* 3.1 charge *)
Definition charge X : bool := odd (edges e X) (+) odd (count t X).

(* whether the helper w serves X: the parity of l between w and X *)
Definition serves X (w : V) : bool := odd (count (fun v => e w v && later ps w v) X).

Lemma later_helper v w : v != w -> ~~ s w -> later ps v w = later ps w v.
Proof.
move=> vw /negbTE even; have := later_swap ps vw; rewrite even andbF.
by case: (later ps v w); case: (later ps w v).
Qed.

Lemma later_inside X : uniq X -> {in X, forall v, s v} ->
  odd (count (fun v => odd (count (fun u => e v u && later ps v u) X)) X) = odd (edges e X).
Proof.
elim: X => //= x X IH /andP[xX uX] odd_X.
have sx : s x by apply: odd_X; apply: mem_head.
have {}IH := IH uX (fun v vX => odd_X v (mem_behead (s := x :: X) vX)).
rewrite oddD oddb irr /= add0n [RHS]oddD -{}IH.
rewrite [X in _ (+) odd X = _](eq_in_count (a2 := fun v => (e x v && later ps v x) (+)
  odd (count (fun u => e v u && later ps v u) X))) => [|v vX]; last first.
  by rewrite /= oddD oddb sym.
rewrite -odd_count_add addbA odd_count_add; congr (odd _ (+) _).
apply: eq_in_count => v vX; case xv : (e x v) => //=; rewrite later_swap; last first.
  by apply: contraTneq vX => <-.
by rewrite sx odd_X // inE vX orbT.
Qed.

(* 7.5 (l) summed over a component: the helpers that serve it, and its own pairs *)
Theorem serves_component X : odd_component_of X ->
  odd (count (fun w => ~~ s w && serves X w) U) = charge X (+) odd (count (fun v => odd (half ps v)) X).
Proof.
case=> uX XU odd_X closed.
have all_later : odd (count (fun v => odd (count (fun u => e v u && later ps v u) U)) X) =
    odd (count t X) (+) odd (count (fun v => odd (half ps v)) X).
  rewrite odd_count_add; congr odd; apply: eq_in_count => v vX.
  by rewrite later_sum // odd_X // addbC.
have split v : v \in X -> odd (count (fun u => e v u && later ps v u) U) =
    odd (count (fun u => e v u && later ps v u) X) (+) odd (count (fun w => ~~ s w && (e w v && later ps w v)) U).
  move=> vX; rewrite (count_split _ s) oddD; congr (odd _ (+) odd _); last first.
    apply: eq_in_count => w wU; rewrite /= andbC sym; case sw : (s w) => //=.
    congr (_ && _); apply: later_helper; last by rewrite sw.
    by apply: contraFneq sw => <-; apply: odd_X.
  rewrite -!size_filter; apply/perm_size/uniq_perm; rewrite ?filter_uniq // => u.
  rewrite !mem_filter /=; case vu : (e v u) => //=; case: (later ps v u) => //=.
  case uX' : (u \in X); first by rewrite odd_X // XU.
  by apply: contraFF uX' => /andP[su uU']; apply: closed vu su.
move: all_later; rewrite (eq_in_count (a2 := fun v => odd (count (fun u => e v u && later ps v u) X) (+)
  odd (count (fun w => ~~ s w && (e w v && later ps w v)) U))) => [|v /split //].
rewrite -odd_count_add later_inside // (odd_count_swap (fun v w => ~~ s w && (e w v && later ps w v))).
have -> : odd (count (fun w => odd (count (fun v => ~~ s w && (e w v && later ps w v)) X)) U) =
    odd (count (fun w => ~~ s w && serves X w) U).
  congr odd; apply: eq_count => w; case: (s w) => //=.
  by rewrite (eq_count (a2 := pred0)) ?count_pred0.
by move=> main; rewrite /charge -addbA -main addbA addbb addFb.
Qed.

(* 7.5 (l) at a helper: what it serves, modulo 2, are its pairs *)
Theorem serves_helper w : ~~ s w -> w \in U ->
  odd (count (fun u => e w u && later ps w u) U) = odd (half ps w).
Proof. by move=> /negbTE even wU; rewrite later_sum // even addbF. Qed.

(* ---- how many pairs there are ---- *)

Definition all_pairs : nat := sumn [seq half ps v | v <- U].

Lemma size_pairs : size ps = size (filter s U) + (all_pairs).*2.
Proof.
have -> : size ps = sumn [seq count_mem v ps | v <- U].
  elim: ps sub => [|x r IH] subr /=; first by elim: U.
  have xU : x \in U by apply: subr; apply: mem_head.
  have one : sumn [seq (x == v : nat) | v <- U] = 1.
    rewrite (eq_map (f2 := fun v => (v == x : nat))) => [|v]; last by rewrite eq_sym.
    by rewrite sumn_count count_uniq_mem ?xU.
  have -> : sumn [seq (x == v) + count_mem v r | v <- U] =
      sumn [seq (x == v : nat) | v <- U] + sumn [seq count_mem v r | v <- U].
    by elim: U => //= v W ->; rewrite addnACA.
  by rewrite one add1n -IH // => v vr; apply: subr; rewrite inE vr orbT.
rewrite /all_pairs size_filter; elim: U => //= v W ->.
rewrite doubleD addnACA; congr (_ + _).
by rewrite -[LHS]odd_double_half.
Qed.

Lemma half_unpressed w : ~~ s w -> half ps w = 0 -> w \notin ps.
Proof.
rewrite /odd_part => even none; rewrite -has_pred1 has_count -leqNgt leqn0.
by rewrite -[count_mem w ps]odd_double_half (negbTE even) -/(half ps w) none.
Qed.

Lemma serves_none X w : ~~ s w -> half ps w = 0 -> serves X w = false.
Proof.
move=> even none; rewrite /serves (eq_count (a2 := pred0)) ?count_pred0 // => v.
by rewrite later_unpressed ?andbF // half_unpressed.
Qed.

(* 7.3 every odd component X needs a pair in N[X] *)
Theorem odd_component_pair X : odd_component_of X -> charge X ->
  has (fun v => (0 < half ps v) && ((v \in X) || has (e v) X)) U.
Proof.
move=> comp; have [uX XU _ _] := comp; have := serves_component comp; case: hasP => // none sum odd_X.
have idle v : v \in U -> (v \in X) || has (e v) X -> half ps v = 0.
  by move=> vU near; case hv : (half ps v) => // [k]; case: none; exists v; rewrite // hv near.
move: sum; rewrite odd_X [in RHS](eq_in_count (a2 := pred0)) => [|v vX]; last by rewrite idle ?vX // XU.
rewrite count_pred0 addbF (eq_in_count (a2 := pred0)) ?count_pred0 // => w wU /=.
case sw : (s w) => //=; case near : (has (e w) X); last first.
  rewrite /serves (eq_in_count (a2 := pred0)) ?count_pred0 // => v vX.
  by apply/negP => /andP[wv _]; have /hasPn/(_ v vX) := negbT near; rewrite wv.
by rewrite serves_none ?sw // idle ?near ?orbT.
Qed.

(* 7.3 the pairs have the parity of the charge of all presses *)
Lemma cancel_sym (f : rel V) (W : seq V) : symmetric f -> irreflexive f ->
  odd (count (fun v => odd (count (f v) W)) W) = false.
Proof.
move=> f_sym f_irr; elim: W => //= w W IH; rewrite oddD oddb f_irr add0n.
rewrite [X in _ (+) odd X = _](eq_count (a2 := fun v => f w v (+) odd (count (f v) W))) => [|v].
  by rewrite -odd_count_add IH addbF addbb.
by rewrite oddD oddb f_sym.
Qed.

Theorem charge_pairs : odd all_pairs = charge (filter s U).
Proof.
set S := filter s U.
have comp : odd_component_of S.
  split=> [|v|v|v vS w wU _ sw]; rewrite ?filter_uniq // ?mem_filter ?sw //.
    by move=> /andP[].
  by move=> /andP[].
have pairs : odd all_pairs = odd (count (fun v => odd (half ps v)) U).
  by rewrite /all_pairs; elim: U => //= v W IH; rewrite !oddD oddb IH.
rewrite pairs (count_split _ s) oddD; have := serves_component comp.
have -> : count (predI (fun v => odd (half ps v)) s) U = count (fun v => odd (half ps v)) S.
  by rewrite count_filter.
suff -> : odd (count (fun w => ~~ s w && serves S w) U) =
    odd (count (predI (fun v => odd (half ps v)) (predC s)) U).
  by move=> ->; rewrite addbC -addbA addbb addbF.
set W := filter (predC s) U; pose f u v := [&& u != v, e u v & later ps u v && later ps v u].
have both : {in W &, forall u w, e u w && later ps u w = f u w}.
  move=> u w; rewrite !mem_filter /= => /andP[su _] /andP[sw _]; rewrite /f.
  case: (altP (u =P w)) => [->|uw] /=; first by rewrite irr.
  by rewrite (later_helper uw sw) andbb.
have := @cancel_sym f W _ _; rewrite (eq_in_count (a2 := fun w => odd (count (fun u => e w u && later ps w u) W))); last first.
  by move=> w wW; congr odd; apply: eq_in_count => u uW; rewrite both.
move=> zero; apply/esym; rewrite -[RHS]addbF -[X in _ (+) X]zero; last 2 first.
- by move=> u w; rewrite /f eq_sym sym andbC [later ps u w && _]andbC andbC.
- by move=> u; rewrite /f eqxx.
rewrite [in RHS]count_filter odd_count_add; congr odd; apply: eq_in_count => w wU.
rewrite /= andbC; case sw : (s w); rewrite ?andbF // !andbT /= -serves_helper ?sw //.
rewrite (count_split _ s) oddD /serves !count_filter.
by congr (odd _ (+) odd _); apply: eq_count => u; rewrite /= andbC.
Qed.

(* without pairs every bulb is pressed at most once *)
Lemma no_pairs_uniq : all_pairs = 0 -> uniq ps /\ perm_eq ps (filter s U).
Proof.
move=> none; have idle : {in U, forall v, half ps v = 0}.
  move=> v vU; apply/eqP; move: none; rewrite /all_pairs; elim: U vU => //= w W IH.
  rewrite inE => /orP[/eqP->|/IH{}IH] /eqP; rewrite addn_eq0 => /andP[// _ /eqP]; exact: IH.
have counts v : count_mem v ps = (v \in ps).
  case vp : (v \in ps); last by apply/count_memPn; rewrite vp.
  have := half_unpressed; have := odd_double_half (count_mem v ps).
  rewrite -/(half ps v) idle ?sub // addn0 => <-; case sv : (odd _) => // /(_ v).
  by rewrite /odd_part sv idle ?sub // vp => /(_ isT erefl).
split; first exact: count_mem_uniq.
apply: uniq_perm; rewrite ?filter_uniq //; first exact: count_mem_uniq.
move=> v; rewrite mem_filter /odd_part counts oddb.
by case vp : (v \in ps) => //=; rewrite sub.
Qed.

Lemma in_order_touching qs : uniq qs -> in_order touching t qs = in_order e t qs.
Proof.
elim: qs => //= v r IH /andP[vr /IH ->]; congr (_ && _); congr (odd _ == _).
by apply: eq_in_count => w wr; rewrite /touching; case: eqP => // vw; rewrite vw wr in vr.
Qed.

(* 7.3 where the odd part has no order there is a pair *)
Theorem refuted_pair : (forall qs, perm_eq qs (filter s U) -> ~~ in_order e t qs) -> 0 < all_pairs.
Proof.
move=> refuted; rewrite lt0n; apply/eqP => /no_pairs_uniq[up pS].
by have := refuted ps pS; rewrite -in_order_touching // ord.
Qed.
End Component.
End Pairs.
