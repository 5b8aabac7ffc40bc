(* Refutations by counting: odd edges, no first press, no last press.  Theory 3.1, 3.2, 3.6.

   They look at a component K of the presses qs: a part that no edge leaves. *)
From Coq Require Import Lia.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import orientation.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Counting.
Variables (V : eqType) (e : rel V) (t : V -> bool).

(* |E|: the pairs of a list that e relates *)
Fixpoint edges (ps : seq V) : nat := if ps is v :: r then count (e v) r + edges r else 0.

(* no edge leads from a press of K to one that is not *)
Definition component (K : pred V) (qs : seq V) := {in qs &, forall v w, K v -> e v w -> K w}.

Lemma in_order_edges ps : in_order e t ps -> odd (edges ps) = odd (count t ps).
Proof. by elim: ps => //= v r IH /andP[/eqP later /IH]; rewrite !oddD later oddb => ->. Qed.

Lemma in_order_last v r : in_order e t (v :: r) -> has (predC t) (v :: r).
Proof.
elim: r v => [|w r IH] v; first by rewrite /= andbT eq_sym => /eqP->.
by case/andP=> _ /IH some; apply/orP; right.
Qed.

Hypothesis sym : symmetric e.

Lemma component_filter K v r : component K (v :: r) -> K v -> count (e v) (filter K r) = count (e v) r.
Proof.
move=> apart Kv; rewrite count_filter; apply: eq_in_count => w wr /=.
case evw : (e v w) => //=; apply: apart Kv evw; first exact: mem_head.
by rewrite inE wr orbT.
Qed.

Lemma component_tail K v r : component K (v :: r) -> component K r.
Proof. by move=> apart x y xr yr; apply: apart; rewrite inE ?xr ?yr orbT. Qed.

(* an order of everything contains an order of K *)
Lemma in_order_component K ps : component K ps -> in_order e t ps -> in_order e t (filter K ps).
Proof.
elim: ps => //= v r IH apart /andP[later ord].
have {}IH := IH (component_tail apart) ord.
by case: ifP => //= Kv; rewrite component_filter // later.
Qed.

Lemma component_sub K (ps qs : seq V) : {subset ps <= qs} -> component K qs -> component K ps.
Proof. by move=> sub apart v w /sub vq /sub wq; apply: apart. Qed.

(* the number of edges does not depend on the sequence *)
Definition between (ps qs : seq V) : nat := sumn [seq count (e v) qs | v <- ps].

Lemma betweenC ps qs : between ps qs = between qs ps.
Proof.
rewrite /between; elim: ps => [|v ps IH] /=; first by elim: qs.
rewrite IH; elim: qs {IH} => //= w qs <-; rewrite addnACA; congr (_ + _).
by rewrite sym.
Qed.

Lemma between_cat ps qs rs : between ps (qs ++ rs) = between ps qs + between ps rs.
Proof. by rewrite !(betweenC ps) /between map_cat sumn_cat. Qed.

Lemma edges_cat ps qs : edges (ps ++ qs) = edges ps + edges qs + between ps qs.
Proof.
rewrite /between; elim: ps => [|v ps IH] /=; first by rewrite addn0.
by rewrite IH count_cat -!addnA; congr (_ + _); rewrite addnCA; congr (_ + _); rewrite addnCA.
Qed.

Lemma edges_perm ps qs : perm_eq ps qs -> edges ps = edges qs.
Proof.
move=> pq; apply: (catCA_perm_ind (P := fun us => edges ps = edges us)) pq _ => // a c d ->.
by rewrite !edges_cat !between_cat (betweenC c a) -!plusE; lia.
Qed.

(* 3.1 odd edges: in a component with an order, edges and odd parities are alike in number *)
Theorem odd_edges K qs : component K qs ->
  odd (edges (filter K qs)) != odd (count t (filter K qs)) ->
  forall ps, perm_eq ps qs -> ~~ in_order e t ps.
Proof.
move=> apart differ ps pq; apply: contraNN differ => ord.
have apart' : component K ps by apply: component_sub apart => v; rewrite (perm_mem pq).
have := in_order_edges (in_order_component apart' ord).
by rewrite (edges_perm (perm_filter K pq)) (seq.permP (perm_filter K pq)) => ->.
Qed.

(* 3.2 no last press: every press of K needs an odd number of later neighbours *)
Theorem no_last_press K qs : component K qs -> has K qs -> {in qs, forall v, K v -> t v} ->
  forall ps, perm_eq ps qs -> ~~ in_order e t ps.
Proof.
move=> apart some all_t ps pq; apply/negP => ord.
have apart' : component K ps by apply: component_sub apart => v; rewrite (perm_mem pq).
have := in_order_component apart' ord; move: some; rewrite -(perm_has _ pq) has_filter.
have : {subset filter K ps <= filter K qs} by move=> v; rewrite !mem_filter (perm_mem pq).
case: (filter K ps) => // v r sub _ /in_order_last/hasP[w /sub].
by rewrite mem_filter => /andP[Kw wq] /negP; apply; apply: all_t.
Qed.

(* 3.2 no first press: no press of K has, modulo 2, as many neighbours as must come later *)
Theorem no_first_press K qs : irreflexive e -> component K qs -> has K qs ->
  {in qs, forall v, K v -> odd (count (e v) qs) != t v} ->
  forall ps, perm_eq ps qs -> ~~ in_order e t ps.
Proof.
move=> irr apart some wrong ps pq; apply/negP => ord.
have apart' : component K ps by apply: component_sub apart => v; rewrite (perm_mem pq).
have := in_order_component apart' ord; move: some; rewrite -(perm_has _ pq) has_filter.
case part : (filter K ps) => [|v r] //= _ /andP[later _].
have : v \in filter K ps by rewrite part mem_head.
rewrite mem_filter => /andP[Kv vp]; have vq : v \in qs by rewrite -(perm_mem pq).
have /negP := wrong v vq Kv; apply; rewrite -(eqP later) -(seq.permP pq).
have -> : count (e v) r = count (e v) (filter K ps) by rewrite part /= irr.
rewrite count_filter; apply/eqP; congr odd; apply: eq_in_count => w wp /=.
by case evw : (e v w) => //=; rewrite (apart' v w).
Qed.
End Counting.
