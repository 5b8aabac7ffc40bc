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

(* ---- presses with a wrong number of later neighbours ---- *)

Section Wrong.
Variables (V : eqType) (e : rel V) (t free : V -> bool).

Definition wrong (v : V) (r : seq V) : bool := odd (count (e v) r) != t v.
Fixpoint wrongs (ps : seq V) : nat := if ps is v :: r then wrong v r + wrongs r else 0.

(* only those that are free are wrong *)
Fixpoint fits (ps : seq V) : bool := if ps is v :: r then (wrong v r ==> free v) && fits r else true.

Lemma wrongs_none ps : (wrongs ps == 0) = in_order e t ps.
Proof. by elim: ps => //= v r <-; rewrite addn_eq0 eqb0 negbK. Qed.
End Wrong.

Lemma in_order_fits (V : eqType) (e : rel V) t ps : in_order e t ps -> fits e t xpred0 ps.
Proof. by elim: ps => //= v r IH /andP[right /IH ->]; rewrite /wrong right. Qed.

(* ---- all orders at once ---- *)

Section Subsets.
Variables (V : eqType) (e : rel V) (t free : V -> bool) (qs : seq V).

(* the presses by their places in qs: place, places of the neighbours, parity, whether free *)
Definition bit_number (v : V) : number := N.of_nat (index v qs).
Definition item := (number * seq number * bool * bool)%type.
Definition items : seq item :=
  [seq (bit_number v, [seq bit_number w | w <- qs & e v w], t v, free v) | v <- qs].

(* the press may be built when U are, wrong or not *)
Definition may_build (amiss : bool) (U : N) (it : item) : bool :=
  let: (place, near, odd_later, free) := it in
  ~~ N.testbit U place &&
  ((odd (count (N.testbit U) near) == odd_later (+) amiss) && (amiss ==> free)).

Definition with_one_more (amiss : bool) (its : seq item) (Us : seq number) : seq number :=
  flatten [seq [seq (N.setbit U it.1.1.1 : number) | it <- its & may_build amiss U it] | U <- Us].

(* levels: the sets of which none are wrong, one is, two are, ... *)
Definition larger (its : seq item) (levels : seq (seq number)) : seq (seq number) :=
  [seq distinct (with_one_more false its p.1 ++ with_one_more true its p.2)
  | p <- zip levels ([::] :: levels)].

(* the reachable sets of n presses, with up to `most` wrong *)
Definition reachable (most n : nat) : seq (seq number) :=
  let its := items in iter n (larger its) ([:: 0%num] :: nseq most [::]).

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

Lemma size_reachable most n : size (reachable most n) = most.+1.
Proof.
rewrite /reachable; elim: n => [|n IH] /=; first by rewrite size_nseq.
by rewrite size_map size_zip /= IH; apply/minn_idPl.
Qed.

Lemma built v r U Us : uniq (v :: r) -> {subset v :: r <= qs} -> uniq qs ->
  U = set_of r -> (U : number) \in Us -> (wrong e t v r ==> free v) ->
  (set_of (v :: r) : number) \in with_one_more (wrong e t v r) items Us.
Proof.
move=> /andP[vr ur] sub uq -> Ureach ok.
have vq : v \in qs by apply: sub; apply: mem_head.
have rq : {subset r <= qs} by move=> w wr; apply: sub; rewrite inE wr orbT.
apply/flattenP; pose it : item := (bit_number v, [seq bit_number w | w <- qs & e v w], t v, free v).
exists [seq (N.setbit (set_of r) it.1.1.1 : number) | it <- items & may_build (wrong e t v r) (set_of r) it].
  exact: map_f.
suff : it \in [seq it <- items | may_build (wrong e t v r) (set_of r) it].
  exact: (map_f (fun it : item => N.setbit (set_of r) it.1.1.1 : number)).
rewrite mem_filter; apply/andP; split; last first.
  exact: (map_f (fun v => (bit_number v, [seq bit_number w | w <- qs & e v w], t v, free v) : item)).
rewrite /may_build /= testbit_set_of // vr /= ok andbT.
have -> : odd (count (N.testbit (set_of r)) [seq bit_number w | w <- qs & e v w]) = odd (count (e v) r).
  congr odd; rewrite count_map count_filter -!size_filter.
  apply/perm_size/uniq_perm; rewrite ?filter_uniq // => w.
  rewrite !mem_filter /=; case wq : (w \in qs); first by rewrite andbT testbit_set_of // andbC.
  by rewrite andbF; apply/esym/negbTE; apply: contraFN wq => /andP[_ /rq].
by rewrite /wrong; case: (odd _); case: (t v).
Qed.

Lemma fits_reachable most r : uniq r -> {subset r <= qs} -> uniq qs -> fits e t free r ->
  wrongs e t r <= most ->
  (set_of r : number) \in nth [::] (reachable most (size r)) (wrongs e t r).
Proof.
move=> ur sub uq; elim: r ur sub => // v r IH /= /andP[vr ur] sub /andP[ok fit] few.
have rq : {subset r <= qs} by move=> w wr; apply: sub; rewrite inE wr orbT.
have fewer : wrongs e t r <= most by apply: leq_trans few; apply: leq_addl.
have Ureach := IH ur rq fit fewer.
rewrite /reachable /= -/(reachable most (size r)) /larger.
set levels := reachable most (size r) in Ureach *; set k := (_ + _) in few *.
have less : k < size (zip levels ([::] :: levels)).
  by rewrite size_zip /= (minn_idPl (leqnSn _)) size_reachable.
rewrite (nth_map ([::], [::])) //; apply: mem_distinct; rewrite nth_zip_cond less mem_cat /=.
have uvr : uniq (v :: r) by rewrite /= vr.
rewrite /k; have := @built v r (set_of r) _ uvr sub uq erefl Ureach ok.
by case: (wrong e t v r) => /= ->; rewrite ?orbT.
Qed.

Definition check_wrongs (least : nat) : bool :=
  if least is most.+1 then all (@nilp _) (reachable most (size qs)) else true.

Lemma check_wrongs_sound least ps : uniq qs -> check_wrongs least -> perm_eq ps qs ->
  fits e t free ps -> least <= wrongs e t ps.
Proof.
case: least => // most uq none pq fit; rewrite ltnNge; apply/negP => few.
have up : uniq ps by rewrite (perm_uniq pq).
have sub : {subset ps <= qs} by move=> v; rewrite (perm_mem pq).
have := fits_reachable up sub uq fit few; rewrite (perm_size pq).
by rewrite (nilP (allP none _ (mem_nth _ _))) // size_reachable.
Qed.
End Subsets.

Definition check_exhausted (V : eqType) (e : rel V) t qs : bool := check_wrongs e t xpred0 qs 1.

(* 3.5 exhausted: no set of all presses is reachable *)
Theorem exhausted (V : eqType) (e : rel V) t qs ps :
  uniq qs -> check_exhausted e t qs -> perm_eq ps qs -> ~~ in_order e t ps.
Proof.
move=> uq none pq; apply/negP => ord.
have := check_wrongs_sound uq none pq (in_order_fits ord).
by rewrite lt0n wrongs_none ord.
Qed.
