(* Blocks: what hangs on a single bulb forces that bulb's parity, and is a problem of its own.
   Theory 3.3.

   Let the piece P hang on the bulb c: c is the only bulb outside P that touches P.  The side of P
   with c, and the rest with c, then have orders independently, once the parity of c on either
   side is known; and it is forced.  Cut after cut this takes a component apart, down to blocks. *)
From Coq Require Import Lia.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq path.
From Ponder Require Import orientation counting.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Parities.
Variable V : eqType.

(* t, but d at c *)
Definition set_parity (t : V -> bool) (c : V) (d : bool) : V -> bool :=
  fun v => if v == c then d else t v.

Lemma set_parity_same t c d : set_parity t c d c = d.
Proof. by rewrite /set_parity eqxx. Qed.

Lemma in_order_set_parity (e : rel V) t c d ps :
  c \notin ps -> in_order e (set_parity t c d) ps = in_order e t ps.
Proof.
move=> cp; apply: eq_in_order => // v vp; rewrite /set_parity.
by case: eqP vp cp => // -> ->.
Qed.

(* some sequence of the presses qs has the parities t *)
Definition has_order (e : rel V) (t : V -> bool) (qs : seq V) :=
  exists2 ps, perm_eq ps qs & in_order e t ps.
End Parities.

Section Cut.
Variables (V : eqType) (e : rel V).
Hypothesis sym : symmetric e.
Variables (c : V) (P : pred V).

(* P hangs on c *)
Definition hangs (qs : seq V) :=
  [/\ ~~ P c, c \in qs & {in qs &, forall v w, P v -> e v w -> P w || (w == c)}].

Definition inside : pred V := fun v => P v || (v == c).
Definition outside : pred V := fun v => ~~ P v.

Lemma inside_c : inside c.
Proof. by rewrite /inside eqxx orbT. Qed.

Lemma insideE v : v != c -> inside v = P v.
Proof. by rewrite /inside => /negbTE->; rewrite orbF. Qed.

(* the parity of c's later presses inside *)
Fixpoint later_inside (ps : seq V) : bool :=
  if ps is v :: r then if v == c then odd (count (e c) (filter inside r)) else later_inside r
  else false.

Lemma later_inside_cat a z : c \notin a ->
  later_inside (a ++ c :: z) = odd (count (e c) (filter inside z)).
Proof.
elim: a => [|v a IH] /=; first by rewrite eqxx.
by rewrite inE negb_or eq_sym => /andP[/negbTE-> /IH].
Qed.

Hypothesis Pc : ~~ P c.

Definition separated (ps : seq V) := {in ps &, forall v w, P v -> e v w -> P w || (w == c)}.

Lemma separated_tail v r : separated (v :: r) -> separated r.
Proof. by move=> sep x y xr yr; apply: sep; rewrite inE ?xr ?yr orbT. Qed.

Lemma later_within v r : separated (v :: r) -> P v -> count (e v) (filter inside r) = count (e v) r.
Proof.
move=> sep Pv; rewrite count_filter; apply: eq_in_count => w wr /=.
case evw : (e v w) => //=; apply: sep Pv evw; first exact: mem_head.
by rewrite inE wr orbT.
Qed.

Lemma later_without v r : separated (v :: r) -> ~~ P v -> v != c ->
  count (e v) (filter outside r) = count (e v) r.
Proof.
move=> sep Pv vc; rewrite count_filter; apply: eq_in_count => w wr /=.
case evw : (e v w) => //=; apply/negP => Pw.
have /= := sep w v; rewrite (negbTE Pv) (negbTE vc) inE wr orbT mem_head sym evw Pw.
by move=> /(_ isT isT isT isT).
Qed.

(* the presses after c fall apart *)
Lemma count_sides v r : c \notin r ->
  count (e v) r = count (e v) (filter inside r) + count (e v) (filter outside r).
Proof.
move=> cr; rewrite -size_filter -(count_predC outside) addnC !count_filter; congr (_ + _).
  apply: eq_in_count => w wr; rewrite /= /outside /inside negbK andbC.
  by case: (w =P c) wr cr => [-> ->|_]; rewrite ?orbF.
by apply: eq_count => w; rewrite /= andbC.
Qed.

Lemma sides_apart t r : c \notin r -> separated r ->
  in_order e t r = in_order e t (filter inside r) && in_order e t (filter outside r).
Proof.
elim: r => //= v r IH; rewrite inE negb_or eq_sym => /andP[vc cr] sep.
rewrite (IH cr (separated_tail sep)) insideE // [outside v]/(~~ P v).
case Pv : (P v) => /=; first by rewrite later_within // andbA.
by rewrite later_without ?Pv // andbCA.
Qed.

(* an order is an order of either side *)
Lemma in_order_cut t ps : uniq ps -> separated ps ->
  in_order e t ps =
  in_order e (set_parity t c (later_inside ps)) (filter inside ps) &&
  in_order e (set_parity t c (t c (+) later_inside ps)) (filter outside ps).
Proof.
elim: ps => //= v r IH /andP[vr ur] sep; have sepr := separated_tail sep.
case: (altP (v =P c)) => [vc|vc]; last first.
  rewrite (IH ur sepr) insideE // [outside v]/(~~ P v).
  case Pv : (P v) => /=; rewrite /set_parity (negbTE vc) -/(set_parity _ _ _).
    by rewrite later_within // andbA.
  by rewrite later_without ?Pv // andbCA.
subst v; have -> : outside c by []; rewrite inside_c /= !set_parity_same eqxx /=.
rewrite !in_order_set_parity ?mem_filter ?(negbTE vr) ?andbF // (sides_apart _ vr sepr).
rewrite (count_sides _ vr) oddD andbCA; congr (_ && (_ && _)).
by case: (odd _); case: (odd _); case: (t c).
Qed.

(* 3.3 forced parity: what c needs inside *)
Definition forced (t : V -> bool) (qs : seq V) : bool :=
  odd (edges e (filter inside qs)) (+) odd (count t (filter P qs)).

Lemma count_inside t d qs : uniq qs -> c \in qs ->
  odd (count (set_parity t c d) (filter inside qs)) = d (+) odd (count t (filter P qs)).
Proof.
move=> uq cq; have qc := perm_to_rem cq.
have other : {in rem c qs, forall v, v != c} by move=> v; rewrite mem_rem_uniq // inE => /andP[].
rewrite (seq.permP (perm_filter inside qc)) (seq.permP (perm_filter P qc)) /=.
rewrite /inside eqxx orbT (negbTE Pc) /= set_parity_same oddD oddb; congr (_ (+) odd _).
rewrite !count_filter; apply: eq_in_count => v /other vc /=.
by rewrite /set_parity (negbTE vc) orbF.
Qed.

Lemma forced_later t qs ps : perm_eq ps qs -> uniq qs -> c \in qs ->
  in_order e (set_parity t c (later_inside ps)) (filter inside ps) ->
  later_inside ps = forced t qs.
Proof.
move=> pq uq cq /in_order_edges; rewrite count_inside ?(perm_uniq pq) ?(perm_mem pq) //.
rewrite /forced -(edges_perm sym (perm_filter inside pq)) -(seq.permP (perm_filter P pq)) => ->.
by rewrite -addbA addbb addbF.
Qed.

(* necessity *)
Theorem cut_necessary t qs : uniq qs -> c \in qs -> separated qs -> has_order e t qs ->
  has_order e (set_parity t c (forced t qs)) (filter inside qs) /\
  has_order e (set_parity t c (t c (+) forced t qs)) (filter outside qs).
Proof.
move=> uq cq sep [ps pq]; have up : uniq ps by rewrite (perm_uniq pq).
have sepp : separated ps by move=> x y; rewrite !(perm_mem pq); apply: sep.
rewrite (in_order_cut t up sepp) => /andP[ord1 ord2].
rewrite -(forced_later pq uq cq ord1).
by split; [exists (filter inside ps) | exists (filter outside ps)] => //; apply: perm_filter.
Qed.

(* sufficiency: two orders are glued together at c *)
Theorem cut_sufficient t d qs : uniq qs -> c \in qs -> separated qs ->
  has_order e (set_parity t c d) (filter inside qs) ->
  has_order e (set_parity t c (t c (+) d)) (filter outside qs) -> has_order e t qs.
Proof.
move=> uq cq sep [p1 q1 ord1] [p2 q2 ord2].
have mem1 v : v \in p1 = inside v && (v \in qs) by rewrite (perm_mem q1) mem_filter.
have mem2 v : v \in p2 = outside v && (v \in qs) by rewrite (perm_mem q2) mem_filter.
have u1 : uniq p1 by rewrite (perm_uniq q1) filter_uniq.
have u2 : uniq p2 by rewrite (perm_uniq q2) filter_uniq.
have : c \in p1 by rewrite mem1 cq /inside eqxx orbT.
have : c \in p2 by rewrite mem2 cq /outside Pc.
case/splitPr def2 : p2 / => [a2 z2]; case/splitPr def1 : p1 / => [a1 z1].
pose ps := (a1 ++ a2) ++ c :: (z1 ++ z2).
have glued : perm_eq ps (p1 ++ (a2 ++ z2)).
  by apply/seq.permP => a; rewrite def1 /ps !count_cat /= !count_cat -!plusE; lia.
have other : perm_eq p2 (c :: a2 ++ z2).
  by apply/seq.permP => a; rewrite def2 !count_cat /= !count_cat -!plusE; lia.
have mem_ps : ps =i qs.
  move=> v; rewrite (perm_mem glued) mem_cat mem1.
  have := mem2 v; rewrite (perm_mem other) inE; move: cq; rewrite /inside /outside.
  case: (v =P c) => [-> ->|_ _ /= ->]; first by rewrite orbT.
  by rewrite orbF; case: (P v); case: (v \in qs).
have ups : uniq ps.
  rewrite (perm_uniq glued) cat_uniq u1; move: u2; rewrite (perm_uniq other) /= => /andP[cz ->].
  rewrite andbT; apply/hasPn => v vz /=; rewrite mem1 negb_and /inside.
  have : v \in p2 by rewrite (perm_mem other) inE vz orbT.
  by rewrite mem2 /outside => /andP[/negbTE-> _]; rewrite orFb; case: eqP vz cz => // -> ->.
have pq : perm_eq ps qs by apply: uniq_perm.
have sepp : separated ps by move=> x y; rewrite !(perm_mem pq); apply: sep.
have in2 : {in a2 ++ z2, forall v, ~~ inside v}.
  move=> v vz; have /andP[_] := etrans (esym (cat_uniq _ _)) (etrans (esym (perm_uniq glued)) ups).
  by move=> /andP[/hasPn/(_ v vz) /=]; rewrite mem1; have := mem2 v; rewrite (perm_mem other) inE vz orbT;
    move=> /esym/andP[_ ->]; rewrite andbT.
have out1 : {in a1 ++ z1, forall v, ~~ outside v}.
  move=> v vz; move: u1; rewrite def1 -cat1s uniq_catCA /= => /andP[cz _].
  have : v \in p1 by rewrite def1 -cat1s mem_cat (mem_cat v [:: c]) orbCA -mem_cat vz orbT.
  by rewrite mem1 /outside negbK => /andP[/orP[//|/eqP vc] _]; rewrite -vc vz in cz.
have keep (a : pred V) (us : seq V) : {in us, forall v, a v} -> filter a us = us.
  by move=> au; apply/all_filterP/allP.
have drop (a : pred V) (us ws : seq V) : {subset us <= ws} -> {in ws, forall v, ~~ a v} -> filter a us = [::].
  by move=> sub au; rewrite (eq_in_filter (a2 := pred0)) ?filter_pred0 // => v /sub/au/negbTE.
have in_ps : filter inside ps = p1.
  have all1 : filter inside p1 = p1 by apply: keep => v; rewrite mem1 => /andP[].
  move: all1; rewrite def1 /ps !filter_cat /= !filter_cat.
  by rewrite (drop _ a2 _ _ in2) ?(drop _ z2 _ _ in2) ?cats0 // => v vz; rewrite mem_cat vz ?orbT.
have out_ps : filter outside ps = p2.
  have all2 : filter outside p2 = p2 by apply: keep => v; rewrite mem2 => /andP[].
  move: all2; rewrite def2 /ps !filter_cat /= !filter_cat.
  by rewrite (drop _ a1 _ _ out1) ?(drop _ z1 _ _ out1) // => v vz; rewrite mem_cat vz ?orbT.
have later : later_inside ps = d.
  have ca : c \notin a1 ++ a2 by move: ups; rewrite cat_uniq => /and3P[_ /hasPn/(_ c (mem_head _ _))].
  have cz1 : filter inside z1 = z1.
    apply: keep => v vz; have : v \in p1 by rewrite def1 mem_cat inE vz !orbT.
    by rewrite mem1 => /andP[].
  have cz2 : filter inside z2 = [::] by apply: drop in2 => v vz; rewrite mem_cat vz orbT.
  rewrite later_inside_cat // filter_cat cz1 cz2 cats0; move: ord1; rewrite def1.
  by elim: (a1) => [|v a IH] /= /andP[] // /eqP->; rewrite set_parity_same.
by exists ps => //; rewrite in_order_cut // in_ps out_ps later ord1.
Qed.
End Cut.

(* ---- cut after cut ---- *)

Section Tree.
Variables (V : eqType) (e : rel V).
Hypothesis sym : symmetric e.

(* A cut takes off the piece P that hangs on the bulb c. *)
Definition cuts := seq (V * pred V).

Fixpoint valid_cuts (cs : cuts) (qs : seq V) : Prop :=
  if cs is (c, P) :: r
  then [/\ ~~ P c, c \in qs & separated e c P qs] /\ valid_cuts r (filter (outside P) qs)
  else True.

(* what is left after the cuts, with its parities *)
Fixpoint rest (cs : cuts) (t : V -> bool) (qs : seq V) : (V -> bool) * seq V :=
  if cs is (c, P) :: r
  then rest r (set_parity t c (t c (+) forced e c P t qs)) (filter (outside P) qs)
  else (t, qs).

(* what was cut off *)
Fixpoint pieces (cs : cuts) (t : V -> bool) (qs : seq V) : seq ((V -> bool) * seq V) :=
  if cs is (c, P) :: r
  then let d := forced e c P t qs in
    (set_parity t c d, filter (inside c P) qs) ::
    pieces r (set_parity t c (t c (+) d)) (filter (outside P) qs)
  else [::].

Definition ordered (problem : (V -> bool) * seq V) := has_order e problem.1 problem.2.

(* 3.3 blocks: the presses have an order iff every piece has one, and what is left *)
Theorem blocks cs t qs : uniq qs -> valid_cuts cs qs ->
  has_order e t qs <-> foldr (fun piece => and (ordered piece)) (ordered (rest cs t qs)) (pieces cs t qs).
Proof.
elim: cs t qs => [|[c P] cs IH] t qs uq //= [[Pc cq sep] valid].
set d := forced _ _ _ _ _; rewrite -IH ?filter_uniq //; split.
  exact: cut_necessary.
by case; apply: cut_sufficient.
Qed.

Corollary rest_necessary cs t qs : uniq qs -> valid_cuts cs qs ->
  has_order e t qs -> ordered (rest cs t qs).
Proof.
by move=> uq valid /(blocks _ uq valid); elim: (pieces _ _ _) => //= p ps IH [_ /IH].
Qed.
End Tree.
