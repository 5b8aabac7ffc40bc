(* Small blocks: all orders at once, by the subsets that can be built.  Theory 3.5.

   A set of presses is reachable if it is empty, or some press in it may be the last one built and
   the others are reachable.  The reachable sets are found by size; sets are numbers, bit i telling
   of the i-th press.  (A dynamic program over subsets, Held and Karp 1962.) *)
From Coq Require Import PArith NArith FMapPositive.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game board orientation numbering.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* each number once *)
Fixpoint distinct_from (seen : PositiveMap.t unit) (xs : seq N) : seq number :=
  if xs is x :: r then
    let k := N.succ_pos x in
    if PositiveMap.find k seen is Some _ then distinct_from seen r
    else x :: distinct_from (PositiveMap.add k tt seen) r
  else [::].
Definition distinct := distinct_from (PositiveMap.empty unit).

Lemma mem_distinct (x : number) (xs : seq number) : x \in xs -> x \in distinct xs.
Proof.
rewrite /distinct => xin.
suff : PositiveMap.find (N.succ_pos x) (PositiveMap.empty unit) \/ x \in distinct_from (PositiveMap.empty unit) xs.
  by rewrite PositiveMap.gempty; case.
elim: xs (PositiveMap.empty unit) xin => //= y ys IH seen; rewrite inE.
case: (altP (x =P y)) => [-> _|xy /= xin].
  by case: PositiveMap.find => [[]|]; [left | right; apply: mem_head].
case found : (PositiveMap.find (N.succ_pos y) seen) => [[]|]; first exact: IH.
case: (IH (PositiveMap.add (N.succ_pos y) tt seen) xin) => [|xd]; last by right; rewrite inE xd orbT.
rewrite PositiveMap.gso; first by left.
by move/(congr1 Npos); rewrite !N.succ_pos_spec => /N.succ_inj e; rewrite e eqxx in xy.
Qed.

Section Subsets.
Variables (V : eqType) (e : rel V) (t : V -> bool) (qs : seq V).

(* the presses by their places in qs: place, places of the neighbours, parity *)
Definition bit_number (v : V) : number := N.of_nat (index v qs).
Definition item := (number * seq number * bool)%type.
Definition item_of (v : V) : item := (bit_number v, [seq bit_number w | w <- qs & e v w], t v).

(* the press may be built when U are *)
Definition may_build (U : N) (it : item) : bool :=
  let: (place, near, odd_later) := it in
  ~~ N.testbit U place && (odd (count (N.testbit U) near) == odd_later).

Definition with_one_more (its : seq item) (Us : seq number) : seq number :=
  distinct (flatten [seq [seq (N.setbit U it.1.1 : number) | it <- its & may_build U it] | U <- Us]).

(* the reachable sets of n presses *)
Definition reachable (n : nat) : seq number :=
  let its := map item_of qs in iter n (with_one_more its) [:: 0%num].

Definition set_of (r : seq V) : N := foldr (fun v U => N.setbit U (bit_number v)) 0%num r.

Lemma bit_number_inj : {in qs &, injective bit_number}.
Proof. by move=> v w vq wq /of_nat_inj same; rewrite -(nth_index v vq) same nth_index. Qed.

Lemma testbit_set_of r v : {subset r <= qs} -> v \in qs -> N.testbit (set_of r) (bit_number v) = (v \in r).
Proof.
elim: r => //= w r IH sub vq; rewrite N.setbit_eqb inE IH //; last first.
  by move=> u ur; apply: sub; rewrite inE ur orbT.
congr (_ || _); apply/N.eqb_spec/eqP => [|->] //.
by move/bit_number_inj => ->; rewrite // sub ?mem_head.
Qed.

Lemma order_reachable r : uniq r -> {subset r <= qs} -> uniq qs -> in_order e t r ->
  (set_of r : number) \in reachable (size r).
Proof.
move=> ur sub uq; elim: r ur sub => // v r IH /= /andP[vr ur] sub /andP[/eqP later ord].
have vq : v \in qs by apply: sub; apply: mem_head.
have rq : {subset r <= qs} by move=> w wr; apply: sub; rewrite inE wr orbT.
rewrite /reachable /= -/(reachable (size r)); apply: mem_distinct; apply/flattenP.
exists [seq (N.setbit (set_of r) it.1.1 : number) | it <- map item_of qs & may_build (set_of r) it].
  by apply/mapP; exists (set_of r : number); rewrite ?IH.
suff : item_of v \in [seq it <- map item_of qs | may_build (set_of r) it].
  exact: (map_f (fun it : item => N.setbit (set_of r) it.1.1 : number)).
rewrite mem_filter map_f // andbT /may_build /= testbit_set_of // vr /= -later.
apply/eqP; congr odd; rewrite count_map count_filter -!size_filter.
apply/perm_size/uniq_perm; rewrite ?filter_uniq // => w.
rewrite !mem_filter /=; case wq : (w \in qs); first by rewrite andbT testbit_set_of // andbC.
by rewrite andbF; apply/esym/negbTE; apply: contraFN wq => /andP[_ /rq].
Qed.

Definition check_exhausted : bool := nilp (reachable (size qs)).

(* 3.5 exhausted: no set of all presses is reachable *)
Theorem exhausted ps : uniq qs -> check_exhausted -> perm_eq ps qs -> ~~ in_order e t ps.
Proof.
move=> uq /nilP none pq; apply/negP => ord; have up : uniq ps by rewrite (perm_uniq pq).
have sub : {subset ps <= qs} by move=> v; rewrite (perm_mem pq).
by have := order_reachable up sub uq ord; rewrite (perm_size pq) none.
Qed.
End Subsets.
