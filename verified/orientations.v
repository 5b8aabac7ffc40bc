(* Orientations: a graph has no acyclic orientation with given parities and arcs.

   Whoever believes the definitions here, the first page, believes what a certificate of an
   orientation says.  An acyclic orientation makes an order of the vertices, in which every arc leads
   to the right; and orders are refuted as those of presses are (local.v).  Theory 2.2. *)
From Coq Require Import PArith NArith FMapPositive Lia.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq path.
From Ponder Require Import game board orientation numbering counting before local.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* ---- what is said ---- *)

(* the vertices 0, 1, ..., n - 1; the edge between u and v is (u, v) or (v, u) *)
Definition vertices (n : N) : seq number := numbers (N.to_nat n).
Definition edge (edges : seq (number * number)) : rel number :=
  fun u v => ((u, v) \in edges) || ((v, u) \in edges).

Section Orientations.
Variables (vs : seq number) (e : rel number) (T : seq number) (given : seq (number * number)).

(* d u v: the edge between u and v leads from u to v *)
Record orientation (d : rel number) : Prop := Orientation {
  one_way : {in vs &, forall u v, e u v -> d u v = ~~ d v u};
  acyclic : forall p, p != [::] -> {subset p <= vs} -> ~~ cycle (fun u v => e u v && d u v) p;
  out_degrees : {in vs, forall v, odd (count (fun w => e v w && d v w) vs) = (v \in T)};
  obeys : {in given, forall a, d a.1 a.2} }.
End Orientations.

(* odd out-degrees at T alone, and the arcs that are given *)
Definition no_orientation n edges T given := forall d, ~ orientation (vertices n) (edge edges) T given d.

(* ---- an orientation makes an order ---- *)

Section Sorted.
Variables (arc : rel number) (vs : seq number).
Hypothesis no_cycle : forall p, p != [::] -> {subset p <= vs} -> ~~ cycle arc p.

Lemma has_sink ws : ws != [::] -> {subset ws <= vs} -> has (fun v => all (fun w => ~~ arc v w) ws) ws.
Proof.
case: ws => // v0 r _; set ws := v0 :: r => sub; apply/negPn/negP => /hasPn none.
pose f v := nth v0 ws (find (arc v) ws).
have next v : v \in ws -> f v \in ws /\ arc v (f v).
  move=> vw; have some : has (arc v) ws.
    by have := none v vw; rewrite -has_predC; apply: sub_has => w /=; rewrite negbK.
  by split; [apply: mem_nth; rewrite -has_find | apply: nth_find].
have stay i v : v \in ws -> iter i f v \in ws.
  by move=> vw; elim: i => //= i /next[].
have v0w : v0 \in ws by apply: mem_head.
have : ~~ uniq (traject f v0 (size ws).+1).
  apply/negP => u; have := uniq_leq_size u (s2 := ws); rewrite size_traject ltnn => h.
  suff : false by []. apply: h => v /trajectP[i _ ->]; exact: stay.
rewrite looping_uniq negbK => /trajectP[i less back].
pose y := iter i f v0; pose k := (size ws - i).-1.
have yk : iter k.+1 f y = y.
  by rewrite /y -iterD prednK ?subn_gt0 // subnK // ltnW.
have yw : y \in ws by apply: stay.
have := no_cycle (p := traject f y k.+1); rewrite /= => /(_ isT).
have inw : {subset traject f y k.+1 <= ws} by move=> v /trajectP[j _ ->]; apply: stay.
case/(_ (fun v vp => sub v (inw v vp)))/negP.
have := fpath_traject f y k.+1; rewrite trajectSr -iterSr yk.
apply: (sub_in_path (P := mem ws)) => [v w vw _ /eqP <-|]; first by have [] := next v vw.
apply/allP => v; rewrite inE mem_rcons inE orbA orbb => /orP[/eqP -> //|vt]; apply: inw.
by rewrite inE vt orbT.
Qed.

Lemma sorted_order ws : uniq ws -> {subset ws <= vs} ->
  exists2 ps, perm_eq ps ws & {in ps &, forall u v, arc u v -> before ps u v}.
Proof.
elim: {ws}(size ws) {-2}ws (erefl (size ws)) => [|n IH] ws sz uw sub.
  by exists [::]; [rewrite (size0nil sz) | move=> u v].
have ne : ws != [::] by case: (ws) sz.
have /hasP[v vw /allP sink] := has_sink ne sub.
have [|||ps pr ok] := IH (rem v ws).
- by rewrite size_rem // sz.
- exact: rem_uniq.
- by move=> w /mem_rem/sub.
have vps : v \notin ps by rewrite (perm_mem pr) mem_rem_uniq // inE eqxx.
exists (rcons ps v).
  by rewrite perm_rcons; apply: perm_trans (_ : perm_eq (v :: rem v ws) ws);
    [rewrite perm_cons | rewrite perm_sym; apply: perm_to_rem].
have wsE w : w \in rcons ps v -> w \in ws.
  rewrite mem_rcons inE => /orP[/eqP -> //|]; rewrite (perm_mem pr); exact: mem_rem.
move=> u w up wp uw'; have := wsE w wp => ww.
have ups : u \in ps.
  move: up; rewrite mem_rcons inE => /orP[/eqP uv|//].
  by have := sink w ww; rewrite -uv uw'.
rewrite /before -!cats1 !index_cat ups; move: wp; rewrite mem_rcons inE.
case: (altP (w =P v)) => [-> _|_ /= wps]; last by rewrite wps; apply: ok.
by rewrite (negbTE vps) /= eqxx addn0 index_mem.
Qed.
End Sorted.

Lemma orientation_order vs e T given d : uniq vs -> symmetric e -> irreflexive e ->
  orientation vs e T given d -> {in given, forall a, e a.1 a.2 && (a.1 \in vs) && (a.2 \in vs)} ->
  exists2 ps, perm_eq ps vs &
    in_order e (fun v => v \in T) ps /\ {in given, forall a, before ps a.1 a.2}.
Proof.
move=> uv sym irr [one no_cycle degrees obey] known.
have [ps pv sorted] := sorted_order no_cycle uv (fun v vv => vv).
have up : uniq ps by rewrite (perm_uniq pv).
exists ps => //; split; last first.
  by move=> a ag; have /andP[/andP[ea a1] a2] := known a ag; apply: sorted; rewrite ?(perm_mem pv) // ea obey.
rewrite in_orderE //; apply/allP => v vp; have vv : v \in vs by rewrite -(perm_mem pv).
rewrite -(degrees v vv) (seq.permP pv); apply/eqP; congr odd; apply: eq_in_count => w wv /=.
case vw : (e v w) => //=; have wp : w \in ps by rewrite (perm_mem pv).
have ne : v != w by apply: contraTneq vw => ->; rewrite irr.
case dvw : (d v w); first by apply: sorted; rewrite ?vw.
have dwv : d w v by have := one v w vv wv vw; rewrite dvw => /esym/negbFE.
have : before ps w v by apply: sorted; rewrite // sym vw.
by rewrite /before => less; apply/negbTE; rewrite -leqNgt ltnW.
Qed.

(* ---- what is computed ---- *)

Section Computed.
Variables (n : N) (edges : seq (number * number)) (T : seq number) (given : seq (number * number)).

Definition add_end (m : M.t (seq number)) (v w : number) : M.t (seq number) :=
  M.add (N.succ_pos v) (w :: odflt [::] (M.find (N.succ_pos v) m)) m.
Definition ends : M.t (seq number) :=
  foldl (fun m a => add_end (add_end m a.1 a.2) a.2 a.1) (M.empty _) edges.

(* a graph without loops: every vertex with the list of those beside it *)
Definition beside (m : M.t (seq number)) : rel number :=
  fun v => let near := odflt [::] (M.find (N.succ_pos v) m) in fun w => w \in near.

Definition simple : bool :=
  all (fun a => [&& a.1 != a.2, (a.1 <? n)%num & (a.2 <? n)%num]) edges.

Definition check_orientation (r : refutation) : bool :=
  let m := ends in
  let K := component_of r in
  let odd_at := table_of (fun _ => tt) T (M.empty unit) in
  let t (v : number) := if M.find (N.succ_pos v) odd_at is Some _ then true else false in
  let whole := table_of (fun _ => tt) K (M.empty unit) in
  let within (v : number) := if M.find (N.succ_pos v) whole is Some _ then true else false in
  simple &&
  match r with
  | Refutation _ [::] (Formula its) =>
      all (fun a => beside m a.1 a.2) given && check_formula (beside m) t given (vertices n) its
  | _ => [&& all (fun v => (v <? n)%num && all within (odflt [::] (M.find (N.succ_pos v) m))) K &
             refutes_within (beside m) t r]
  end.

Lemma besideE : beside ends =2 edge edges.
Proof.
have : forall m, forall v w, beside (foldl (fun m a => add_end (add_end m a.1 a.2) a.2 a.1) m edges) v w =
    beside m v w || edge edges v w; last first.
  by move=> h v w; rewrite /ends h /beside M.gempty.
have add m v w x y : beside (add_end m v w) x y = beside m x y || ((x, y) == (v, w)).
  rewrite /beside /add_end xpair_eqE; case: (altP (x =P v)) => [->|xv].
    by rewrite M.gss /= inE orbC.
  by rewrite M.gso ?orbF // => /succ_pos_inj/eqP; apply/negP.
rewrite /edge; elim: edges => [|[a b] es IH] m v w; first by rewrite orbF.
rewrite [foldl _ _ _]/= IH !add !in_cons.
have -> : ((w, v) == (a, b)) = ((v, w) == (b, a)) by rewrite !xpair_eqE andbC.
case: (beside m v w) => //=; case: ((v, w) == (a, b)) => //=.
by case: ((v, w) == (b, a)); rewrite ?orbT.
Qed.

Theorem no_orientation_by r : check_orientation r -> no_orientation n edges T given.
Proof.
rewrite /check_orientation; set odd_at := table_of _ T _; set whole := table_of _ _ _; cbv zeta.
pose t (v : number) := if M.find (N.succ_pos v) odd_at is Some _ then true else false.
case/andP=> /allP sim ok d ori.
have uv : uniq (vertices n) by apply: numbers_uniq.
have esym : symmetric (edge edges) by move=> v w; rewrite /edge orbC.
have eirr : irreflexive (edge edges).
  by move=> v; rewrite /edge orbb; apply/negbTE/negP => /sim /=; rewrite eqxx.
have bsym : symmetric (beside ends) by move=> v w; rewrite !besideE.
have birr : irreflexive (beside ends) by move=> v; rewrite besideE.
have tE v : t v = (v \in T).
  by rewrite /t /odd_at find_table_of M.gempty; case: ifP.
have inn v w : edge edges v w -> (v \in vertices n) && (w \in vertices n).
  have lt x : (x <? n)%num -> x \in vertices n.
    by move/N.ltb_spec0 => less; rewrite mem_numbers; apply/ltP; lia.
  by case/orP=> /sim /= /and3P[_ vn wn]; rewrite !lt.
have order gs : {subset gs <= given} -> all (fun a => beside ends a.1 a.2) gs ->
    exists2 ps, perm_eq ps (vertices n) &
      in_order (beside ends) t ps /\ {in gs, forall a, before ps a.1 a.2}.
  move=> sub /allP along; have ori' : orientation (vertices n) (edge edges) T gs d.
    by case: ori => ? ? ? ob; split=> // a /sub; apply: ob.
  have [a ag|ps pv [ord bef]] := orientation_order uv esym eirr ori'.
    by have := along a ag; rewrite besideE => ea; rewrite ea -andbA inn.
  exists ps => //; split=> //; rewrite -(@eq_in_order _ (edge edges) _ (fun v => v \in T)) //.
  by move=> v w _ _; rewrite besideE.
have local : all (fun v => (v <? n)%num && all (fun w => if M.find (N.succ_pos w) whole is Some _ then true else false)
    (odflt [::] (M.find (N.succ_pos v) ends))) (component_of r) && refutes_within (beside ends) t r -> False.
  case/andP=> /allP apart ref; have [//|//|ps pv [ord _]] := order [::].
  have uK : uniq (component_of r) by case/and3P: ref.
  have comp : component (beside ends) (mem (component_of r)) ps.
    move=> v w _ _ /= /apart/andP[_ /allP all_in] /all_in.
    by rewrite /whole find_table_of M.gempty; case: ifP => // ->.
  apply/negP: (in_order_component comp ord); apply: (refutes_within_sound bsym birr ref).
  apply: uniq_perm; rewrite ?filter_uniq ?(perm_uniq pv) // => v; rewrite mem_filter (perm_mem pv).
  apply/andP/idP => [[]//|vK]; split=> //; have /andP[/N.ltb_spec0 less _] := apart v vK.
  by rewrite mem_numbers; apply/ltP; lia.
have formula its : all (fun a => beside ends a.1 a.2) given &&
    check_formula (beside ends) t given (vertices n) its -> False.
  case/andP=> along check; have [//|//|ps pv [ord bef]] := order given.
  by apply/negP: ord; apply: (check_formula_sound check pv bef).
move: local ok; rewrite /whole; clear whole; case: r => K [|h hs] [||||its] local ok.
all: first [exact: (local ok) | exact: (formula _ ok)].
Qed.
End Computed.
