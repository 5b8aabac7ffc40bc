(* Piece counts: pieces of the presses need more edges than leave them.  Theory 3.9.

   A press is wrong in its piece if the parity of its later neighbours there is not that asked.  An
   edge must then lead from it to a later press outside.  So pieces whose orders all have wrong
   presses need edges, and each edge between pieces leads out of one of them alone.  The same of
   the edges that lead into pieces, as the other way around the order has other parities. *)
From Coq Require Import PArith NArith FMapPositive.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game board orientation counting subsets numbering.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Pieces.
Variables (V K : eqType) (e : rel V) (o : V -> K).  (* o: the piece of a press *)
Hypotheses (sym : symmetric e) (irr : irreflexive e).

Definition of_piece (k : K) : pred V := fun v => o v == k.
Definition leaves : rel V := fun v w => if e v w then o v != o w else false.

Lemma leaves_sym : symmetric leaves.
Proof. by move=> v w; rewrite /leaves sym eq_sym. Qed.

Lemma leaves_irr : irreflexive leaves.
Proof. by move=> v; rewrite /leaves irr. Qed.

Lemma count_leaves v r :
  count (e v) r = count (e v) (filter (of_piece (o v)) r) + count (leaves v) r.
Proof.
elim: r => //= w r ->; have -> : of_piece (o v) w = (o v == o w) by rewrite /of_piece eq_sym.
have -> : leaves v w = e v w && (o v != o w) by rewrite /leaves; case: (e v w).
by case: eqP => _; rewrite ?andbF ?andbT ?add0n -?addnA // addnCA.
Qed.

(* from a wrong press an edge leads out of its piece *)
Lemma wrong_leaves t v r : odd (count (e v) r) == t v ->
  wrong e t v (filter (of_piece (o v)) r) -> has (leaves v) r.
Proof.
rewrite /wrong has_count count_leaves oddD; case: (count (leaves v) r) => //.
by rewrite addbF => /eqP ->; rewrite eqxx.
Qed.

Lemma fits_piece t qs ps k : {subset ps <= qs} -> in_order e t ps ->
  fits e t (fun v => has (leaves v) qs) (filter (of_piece k) ps).
Proof.
elim: ps => //= v r IH sub /andP[later ord].
have rq : {subset r <= qs} by move=> w wr; apply: sub; rewrite inE wr orbT.
case: ifP => [/eqP ok|_] /=; last exact: IH.
rewrite IH // andbT; apply/implyP; rewrite -ok => /(wrong_leaves later).
by case/hasP=> w /rq wq vw; apply/hasP; exists w.
Qed.

Lemma wrongs_leave t ks ps : uniq ks -> in_order e t ps ->
  sumn [seq wrongs e t (filter (of_piece k) ps) | k <- ks] <= edges leaves ps.
Proof.
move=> uk; elim: ps => [_|v r IH /= /andP[later /IH rest]].
  by elim: (ks).
pose b k := of_piece k v && wrong e t v (filter (of_piece k) r).
have split_ ls : sumn [seq wrongs e t (filter (of_piece k) (v :: r)) | k <- ls] =
    count b ls + sumn [seq wrongs e t (filter (of_piece k) r) | k <- ls].
  elim: ls => //= k ls ->; rewrite /b; case: (of_piece k v) => /=; last by rewrite add0n addnCA.
  by rewrite addnACA.
rewrite split_; apply: leq_add rest.
have [|] := boolP (has b ks); last by rewrite has_count -leqNgt leqn0 => /eqP->.
case/hasP=> k _ /andP[/eqP <- /(wrong_leaves later)]; rewrite has_count => some.
apply: leq_trans some; apply: leq_trans (_ : count (pred1 (o v)) ks <= 1).
  by apply: sub_count => j /andP[/eqP <- _] /=; rewrite eqxx.
by rewrite (count_uniq_mem _ uk) leq_b1.
Qed.

(* needs: the numbers of pieces, and how many wrong presses each has at least *)
Theorem piece_count t (needs : seq (K * nat)) qs ps :
  uniq [seq p.1 | p <- needs] ->
  {in needs, forall p s, perm_eq s (filter (of_piece p.1) qs) ->
    fits e t (fun v => has (leaves v) qs) s -> p.2 <= wrongs e t s} ->
  edges leaves qs < sumn [seq p.2 | p <- needs] -> perm_eq ps qs -> ~~ in_order e t ps.
Proof.
move=> uk need more pq; apply/negP => ord.
have := wrongs_leave uk ord; rewrite (edges_perm leaves_sym pq) leqNgt => /negP; apply.
apply: leq_trans more _; elim: needs need {uk} => //= p ps' IH need.
apply: leq_add; last by apply: IH => q qp; apply: need; rewrite inE qp orbT.
apply: need; rewrite ?mem_head ?perm_filter // fits_piece // => v.
by rewrite (perm_mem pq).
Qed.
End Pieces.

(* ---- what a piece needs, by its parity and its ends ---- *)

Section Quick.
Variables (V : eqType) (e : rel V) (t : V -> bool) (qs : seq V).

Definition no_ends : bool :=
  ~~ nilp qs && (all t qs || all (fun v => odd (count (e v) qs) != t v) qs).
Definition quick : nat :=
  let one := odd (edges e qs) (+) odd (count t qs) in if no_ends then 2 - one else one.

Lemma odd_wrongs ps : odd (wrongs e t ps) = odd (edges e ps) (+) odd (count t ps).
Proof.
elim: ps => //= v r IH; rewrite !oddD IH /wrong !oddb.
by case: (odd (count _ _)); case: (t v); case: (odd _); case: (odd _).
Qed.

Lemma quick_sound ps : symmetric e -> irreflexive e -> perm_eq ps qs -> quick <= wrongs e t ps.
Proof.
move=> sym irr pq; have parity := odd_wrongs ps.
rewrite (edges_perm sym pq) (seq.permP pq) in parity; rewrite /quick -parity.
have some : wrongs e t ps != 0 -> 2 - odd (wrongs e t ps) <= wrongs e t ps.
  by case: (wrongs e t ps) => [|[|k]] // _; case: (odd _).
case: ifP => [/andP[ne ends]|_]; last by case: (wrongs e t ps) => // k; case: (odd _).
apply: some; rewrite wrongs_none.
have all_of : component e predT qs by [].
have some_of : has predT qs by case: (qs) ne.
case/orP: ends => /allP ends.
  by apply: (no_last_press all_of some_of) pq => v vq _; apply: ends.
by apply: (no_first_press irr all_of some_of) pq => v vq _; apply: ends.
Qed.
End Quick.

(* ---- what is computed ---- *)

Module M := PositiveMap.

(* in a piece there are these presses, which need so many edges *)
Definition piece := (number * seq number)%type.

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

(* pieces by their numbers, from k up *)
Fixpoint owners (k : N) (pieces : seq piece) : M.t N :=
  if pieces is p :: r then table_of (fun _ => k) p.2 (owners (N.succ k) r) else M.empty N.
Fixpoint named (k : N) (pieces : seq piece) : seq (number * piece) :=
  if pieces is p :: r then ((k : number), p) :: named (N.succ k) r else [::].

Section Computed.
Variables (near : rel number) (t : number -> bool) (qs : seq number) (inward : bool) (pieces : seq piece).

Definition check_piece_count : bool :=
  let hears := table_of (fun v => filter (near v) qs) qs (M.empty _) in
  let beside v := odflt [::] (M.find (N.succ_pos v) hears) in
  let whose := owners 1 pieces in
  let o v := odflt 0%num (M.find (N.succ_pos v) whose) in
  let t' v := (if inward then odd (size (beside v)) else false) (+) t v in
  let free v := has (fun w => o v != o w) (beside v) in
  let ends := sumn [seq count (fun w => o v != o w) (beside v) | v <- qs] in
  [&& uniq qs,
      all (fun p => [&& uniq p.2.2, all (fun v => if v \in qs then o v == p.1 else false) p.2.2 &
        let least := nat_of_bin p.2.1 in
        if least <= quick near t' p.2.2 then true else check_wrongs near t' free p.2.2 least])
        (named 1 pieces) &
      ends < (sumn [seq nat_of_bin p.1 | p <- pieces]).*2].
End Computed.

Lemma named_above k pieces j p : (j, p) \in named k pieces -> (k <= j)%num.
Proof.
elim: pieces k => //= q r IH k; rewrite inE => /orP[/eqP[-> _]|/IH]; first exact: N.le_refl.
by apply: N.le_trans; apply: N.le_succ_diag_r.
Qed.

Lemma named_uniq k pieces : uniq [seq p.1 | p <- named k pieces].
Proof.
elim: pieces k => //= q r IH k; rewrite IH andbT; apply/mapP => -[[j p] /named_above] /= h e.
by move: h; rewrite -e; apply: N.nle_succ_diag_l.
Qed.

Lemma named_same k pieces j p q :
  (j, p) \in named k pieces -> (j, q) \in named k pieces -> p = q.
Proof.
elim: pieces k => //= r rs IH k; rewrite !inE => /orP[/eqP[jk ->]|jp] /orP[/eqP[jk' ->]|jq] //.
- by have := named_above jq; rewrite jk => /N.nle_succ_diag_l.
- by have := named_above jp; rewrite jk' => /N.nle_succ_diag_l.
exact: IH jp jq.
Qed.

Lemma owners_named k pieces v j : M.find (N.succ_pos v) (owners k pieces) = Some j ->
  exists2 p, ((j : number), p) \in named k pieces & v \in p.2.
Proof.
elim: pieces k => [|p r IH] k /=; first by rewrite M.gempty.
rewrite find_table_of; case: ifP => [vp [<-]|_ /IH[q qr vq]].
  by exists p; rewrite ?mem_head.
by exists q; rewrite // inE qr orbT.
Qed.

Lemma count_two_ends (V : eqType) (e : rel V) qs : symmetric e -> irreflexive e ->
  sumn [seq count (e v) qs | v <- qs] = (edges e qs).*2.
Proof.
move=> sym irr; elim: qs => //= v r IH; rewrite irr add0n doubleD -IH -addnn -addnA; congr (_ + _).
have split_ s : sumn [seq e w v + count (e w) r | w <- s] =
    count (e v) s + sumn [seq count (e w) r | w <- s].
  elim: s => //= w s ->; rewrite sym -!addnA; congr (_ + _); exact: addnCA.
exact: split_.
Qed.

Lemma eq_wrongs (V : eqType) (e : rel V) t t' ps :
  {in ps, t =1 t'} -> wrongs e t ps = wrongs e t' ps.
Proof.
elim: ps => //= v r IH same; rewrite /wrong same ?mem_head // IH // => w wr.
by apply: same; rewrite inE wr orbT.
Qed.

Lemma eq_fits (V : eqType) (e : rel V) t t' free free' ps :
  {in ps, t =1 t'} -> {in ps, free =1 free'} -> fits e t free ps = fits e t' free' ps.
Proof.
elim: ps => //= v r IH same frees; rewrite /wrong same ?frees ?mem_head // IH // => w wr.
  by apply: same; rewrite inE wr orbT.
by apply: frees; rewrite inE wr orbT.
Qed.

Section Sound.
Variables (near : rel number).
Hypotheses (sym : symmetric near) (irr : irreflexive near).

Theorem check_piece_count_sound t qs inward pieces : check_piece_count near t qs inward pieces ->
  forall ps, perm_eq ps qs -> ~~ in_order near t ps.
Proof.
rewrite /check_piece_count; set hears := table_of _ _ _; set whose := owners _ _.
pose o v : number := odflt 0%num (M.find (N.succ_pos v) whose).
pose t1 := fun v => (if inward then odd (count (near v) qs) else false) (+) t v.
have hear v : v \in qs -> odflt [::] (M.find (N.succ_pos v) hears) = [seq w <- qs | near v w].
  by move=> vq; rewrite find_table_of vq.
set t' := fun v => _ (+) t v; set free := fun v => has _ _; cbv zeta.
move=> /and3P[uq /allP each more] ps pq.
have same : {in qs, t' =1 t1} by move=> v vq; rewrite /t' /t1 hear // size_filter.
have frees : {in qs, free =1 (fun v => has (leaves near o v) qs)}.
  move=> v vq; rewrite /free hear // has_count count_filter -has_count.
  by apply: eq_has => w; rewrite /leaves /= andbC; case: (near v w).
suff none rs : perm_eq rs qs -> ~~ in_order near t1 rs.
  case: inward @t1 none {t' free each same frees} => t1 none; last exact: none pq.
  apply/negP => /(in_order_rev irr pq); apply/negP.
  by apply: none; rewrite perm_rev.
pose needs := [seq (p.1 : number, nat_of_bin p.2.1) | p <- named 1 pieces].
apply: (@piece_count _ _ near o sym t1 needs qs rs).
- by rewrite -map_comp; apply: named_uniq.
- move=> _ /mapP[[j [least P]] jp ->] /= s sq fit.
  have /and3P[/= uP /allP inP ok] := each _ jp.
  have own v : v \in P -> v \in qs /\ o v = j.
    by move=> /inP; case: ifP => // vq /eqP.
  have sP : perm_eq s P.
    apply: perm_trans sq _; apply: uniq_perm; rewrite ?filter_uniq // => v; rewrite mem_filter.
    apply/andP/idP => [[/eqP ov vq]|/own[vq <-]]; last by rewrite /of_piece eqxx.
    move: ov; rewrite /o; case found : (M.find _ _) => [k|] /=; last first.
      by move=> j0; have := named_above jp; rewrite -j0.
    move=> kj; have [q qn vq'] := owners_named found; rewrite kj in qn.
    by rewrite -(named_same jp qn) in vq'.
  have sub : {subset s <= qs} by move=> v; rewrite (perm_mem sq) mem_filter => /andP[].
  have eq_t : wrongs near t' s = wrongs near t1 s by apply: eq_wrongs => v /sub/same.
  rewrite -eq_t; have fit' : fits near t' free s.
    by rewrite (@eq_fits _ near t' t1 free (fun v => has (leaves near o v) qs)) // => v /sub;
      [exact: same | exact: frees].
  case: ifP ok => [quick_enough _|_ table]; first exact: leq_trans quick_enough (quick_sound _ sym irr sP).
  exact: check_wrongs_sound uP table sP fit'.
rewrite -ltn_double -(count_two_ends qs (leaves_sym o sym) (leaves_irr o irr)).
apply: leq_trans (leq_trans _ more) _.
  rewrite ltnS; apply: eq_leq; congr (sumn _); apply/eq_in_map => v vq; rewrite hear // count_filter.
  by apply: eq_count => w; rewrite /leaves /= andbC; case: (near v w).
rewrite leq_double -map_comp; apply: eq_leq; congr (sumn _).
by elim: (pieces) 1%num => //= p r IH k; rewrite (IH (N.succ k)).
Qed.
End Sound.
