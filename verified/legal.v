(* Every board without a dead end has a legal sequence.  Theory 2.6.

   A press of v is free when a bulb that it toggles is unlit.  If none is, look at the bulbs U that v
   does not toggle: two neighbours in U of which one is lit travel towards v, by presses that are free
   on the way there and on the way back.  If there are no such neighbours, two bulbs beside v help.

   The proof is shorter than that of the theory, and its sequences are longer. *)
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game linear orientation.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Legal.
Variables (V : eqType) (b : board V).
Hypothesis sym : symmetric_board b.
Implicit Types (z : V -> bool) (v w x y : V) (ps qs : seq V).

Notation near := (touches b).

(* a way leads from v to the bulb *)
Inductive linked v : V -> Prop :=
  | LinkedSelf : linked v v
  | LinkedStep x y : linked v x -> near x y -> linked v y.

Lemma near_toggled v w : v \in bulbs b -> w \in bulbs b -> (w \in toggled b v) = near v w.
Proof. by move=> vb wb; rewrite /touches vb wb. Qed.

Lemma near_bulbs v w : near v w -> v \in bulbs b /\ w \in bulbs b.
Proof. by case/and3P. Qed.

Lemma near_self v : v \in bulbs b -> near v v.
Proof. by move=> vb; rewrite -near_toggled // (toggled_self sym). Qed.

Lemma near_sym : symmetric near. Proof. exact: touches_sym. Qed.

Lemma pressE v z w : v \in bulbs b -> w \in bulbs b -> press b v z w = z w (+) near v w.
Proof. by move=> vb wb; rewrite -near_toggled. Qed.

(* ---- legal presses of unlit bulbs, and presses that others stand for ---- *)

Definition after z ps : V -> bool := fun w => z w (+) touched b ps w.

Fixpoint legal z ps : bool :=
  if ps is v :: r then [&& v \in bulbs b, ~~ z v & legal (press b v z) r] else true.

Lemma touched_cons v r w : touched b (v :: r) w = (w \in toggled b v) (+) touched b r w.
Proof. exact: odd_count_cons. Qed.

Lemma touched_cat ps qs w : touched b (ps ++ qs) w = touched b ps w (+) touched b qs w.
Proof. by rewrite /touched count_cat oddD. Qed.

Lemma touched_perm ps qs : perm_eq ps qs -> touched b ps =1 touched b qs.
Proof. by move=> /seq.permP same w; rewrite /touched same. Qed.

Lemma after_cons z v r w : after z (v :: r) w = after (press b v z) r w.
Proof. by rewrite /after touched_cons /press addbA. Qed.

Lemma eq_legal z z' ps : {in bulbs b, z =1 z'} -> legal z ps = legal z' ps.
Proof.
elim: ps z z' => //= v r IH z z' same; case vb : (v \in _) => //=; rewrite same //.
by congr (_ && _); apply: IH => w wb; rewrite /press same.
Qed.

Lemma legal_cat z ps qs : legal z (ps ++ qs) = legal z ps && legal (after z ps) qs.
Proof.
elim: ps z => [|v r IH] z /=; first by apply: eq_legal => w _; rewrite /after addbF.
rewrite IH -!andbA; do 3!congr (_ && _); apply: eq_legal => w _.
by rewrite after_cons.
Qed.

(* from z on, legal presses do what ps does *)
Definition can z ps := exists2 qs, legal z qs & {in bulbs b, touched b qs =1 touched b ps}.

Lemma can_nil z : can z [::]. Proof. by exists [::]. Qed.

Lemma can_same z ps qs : {in bulbs b, touched b ps =1 touched b qs} -> can z ps -> can z qs.
Proof. by move=> same [rs ok eff]; exists rs => // w wb; rewrite eff // same. Qed.

Lemma can_cat z ps qs : can z ps -> can (after z ps) qs -> can z (ps ++ qs).
Proof.
move=> [rs ok eff] [ts ok' eff']; exists (rs ++ ts) => [|w wb].
  by rewrite legal_cat ok -(eq_legal (z := after z ps)) // => w wb; rewrite /after eff.
by rewrite !touched_cat eff // eff'.
Qed.

Lemma can_cons z v r : can z [:: v] -> can (press b v z) r -> can z (v :: r).
Proof.
move=> one [rs ok eff]; apply: (can_cat one); exists rs => //.
by rewrite -(eq_legal (z := press b v z)) // => w _; rewrite after_cons /after addbF.
Qed.

(* the same press before and after *)
Lemma can_around z s v : can z [:: s; v; s] -> can z [:: v].
Proof. by apply: can_same => w wb; rewrite !touched_cons; case: (_ \in _); case: (_ \in _). Qed.

Definition free z v : bool := has (fun w => near v w && ~~ z w) (bulbs b).

Lemma free_by z v w : near v w -> ~~ z w -> free z v.
Proof. by move=> vw zw; apply/hasP; exists w; rewrite ?vw //; case: (near_bulbs vw). Qed.

Lemma can_free z v : free z v -> can z [:: v].
Proof.
case/hasP=> w wb /andP[vw zw]; have [vb _] := near_bulbs vw.
case zv : (z v); last by exists [:: v] => //=; rewrite vb zv.
exists [:: w; v; w] => [|x _].
  have wv : near w v by rewrite near_sym.
  by rewrite /= wb vb zw !pressE // near_self // wv vw zv; case: (z w) zw.
by rewrite !touched_cons; case: (_ \in _); case: (_ \in _).
Qed.

Fixpoint frees z ps : bool := if ps is v :: r then free z v && frees (press b v z) r else true.

Lemma can_frees z ps : frees z ps -> can z ps.
Proof.
elim: ps z => [|v r IH] z; first by move=> _; apply: can_nil.
by case/andP=> /can_free here /IH; apply: can_cons.
Qed.

(* ---- one press ---- *)

Section OnePress.
Variable v : V.
Hypothesis vb : v \in bulbs b.

(* s toggles a lit and an unlit bulb outside N[v] *)
Definition mixed z s := exists x y, [&& near s x, near s y, ~~ near v x, ~~ near v y, z x & ~~ z y].

Lemma mixed_pair z s x y : near s x -> near s y -> ~~ near v x -> ~~ near v y -> z x != z y -> mixed z s.
Proof.
move=> sx sy vx vy; case zx : (z x); case zy : (z y) => // _.
  by exists x, y; rewrite sx sy vx vy zx zy.
by exists y, x; rewrite sx sy vx vy zx zy.
Qed.

Fixpoint moves z ps : Prop := if ps is s :: r then mixed z s /\ moves (press b s z) r else True.

(* such presses can be made before v, and again after it *)
Lemma can_conjugated z ps : moves z ps -> free (foldl (fun z s => press b s z) z ps) v -> can z [:: v].
Proof.
elim: ps z => [|s r IH] z /=; first by move=> _; apply: can_free.
case=> [[x [y /and5P[sx sy vx vy /andP[zx zy]]]]] /IH{}IH /IH there.
have [sb xb] := near_bulbs sx.
apply: (@can_around _ s); apply: can_cons; first exact/can_free/(free_by sy).
apply: can_cons there _; apply/can_free/(free_by sx).
by rewrite !pressE // zx sx (negbTE vx).
Qed.

(* what is outside N[v], by ways outside *)
Inductive outer : V -> Prop :=
  | OuterBeside w x : near v w -> near w x -> ~~ near v x -> outer x
  | OuterStep x y : outer x -> near x y -> ~~ near v y -> outer y.

Lemma outer_outside x : outer x -> ~~ near v x. Proof. by case. Qed.

Lemma linked_outer x : linked v x -> near v x \/ outer x.
Proof.
elim=> [|{}x y _ IH xy]; first by left; apply: near_self.
case vy : (near v y); [by left | right; move/negbT: vy => vy].
by case: IH => [vx|out]; [apply: OuterBeside vx xy vy | apply: OuterStep out xy vy].
Qed.

(* neighbours that differ travel towards v *)
Lemma travel x : outer x -> forall z y, near x y -> ~~ near v y -> z x != z y -> can z [:: v].
Proof.
move=> out; suff main : forall z y, near x y -> ~~ near v y -> z x != z y ->
    exists2 ps, moves z ps & free (foldl (fun z s => press b s z) z ps) v.
  by move=> z y xy vy differ; have [ps] := main z y xy vy differ; apply: can_conjugated.
elim: out => [w {}x vw wx vx|p {}x out IH px vx] z y xy vy differ.
  case fv : (free z v); first by exists [::].
  have zw : z w by apply: contraFT fv; apply: free_by.
  have [xb yb] := near_bulbs xy; have [_ wb] := near_bulbs vw.
  exists [:: x] => /=; first by split=> //; apply: mixed_pair xy vx vy differ; apply: near_self.
  by apply: (free_by vw); rewrite pressE // zw near_sym wx.
have [xb yb] := near_bulbs xy; have [pb _] := near_bulbs px.
case: (altP (z p =P z x)) => [same|other]; last exact: IH px vx other.
case py : (near p y); first by apply: IH py vy _; rewrite same.
have [|ps ok fr] := IH (press b y (press b x z)) x px vx.
  by rewrite !pressE // near_self // (near_sym x p) (near_sym y p) px py (near_sym y x) xy same; case: (z x).
exists [:: x, y & ps] => //=; split; first by apply: mixed_pair xy vx vy differ; apply: near_self.
split=> //; apply: (@mixed_pair _ y x y); rewrite ?near_self // 1?near_sym //.
by rewrite !pressE // near_self // xy; apply: contra differ => /eqP/addIb->.
Qed.

(* on the way to v: neighbours that differ, or a bulb beside v with a neighbour like x outside *)
Lemma outer_end z x : outer x ->
  can z [:: v] \/ exists w a, [&& near v w, near w a, ~~ near v a & z a == z x].
Proof.
elim=> [w {}x vw wx vx|p {}x out IH px vx].
  by right; exists w, x; rewrite vw wx vx eqxx.
case: (altP (z p =P z x)) => [<- //|other]; left; exact: travel out _ _ px vx other.
Qed.

(* 2.6 the lemma: if z is not all lit, and z + N[v] not all unlit *)
Theorem can_press z u c : linked v u -> ~~ z u -> linked v c -> press b v z c -> can z [:: v].
Proof.
move=> /linked_outer lu zu /linked_outer lc zc; case fv : (free z v); first exact: can_free.
have lit w : near v w -> z w by move=> vw; apply: contraFT fv; apply: free_by.
case: lu => [/lit|out_u]; first by rewrite (negbTE zu).
case: lc => [vc|out_c]; first by case/near_bulbs: (vc) => _ cb; move: zc; rewrite pressE // (lit c) // vc.
have cb : c \in bulbs b by case: out_c => [w x _ /near_bulbs[]|x y _ /near_bulbs[]].
rewrite pressE // (negbTE (outer_outside out_c)) addbF in zc.
case: (outer_end z out_u) => [done_u|[w [a /and4P[vw wa va /eqP za]]]]; first exact: done_u.
case: (outer_end z out_c) => [done_c|[w' [a' /and4P[vw' wa' va' /eqP za']]]]; first exact: done_c.
rewrite (negbTE zu) in za; rewrite zc in za'; have zv : z v by apply/lit/near_self.
have [[[_ wb] [_ ab]] [[_ wb'] [_ ab']]] := ((near_bulbs vw, near_bulbs wa), (near_bulbs vw', near_bulbs wa')).
have beside s : near v s -> mixed z s -> can z [:: v].
  move=> vs mix; have [_ sb] := near_bulbs vs; apply: (@can_conjugated _ [:: s]) => //=.
  by apply: (free_by (near_self vb)); rewrite pressE // zv near_sym vs.
case wa1 : (near w a'); first by apply: (beside w) => //; apply: (mixed_pair wa1 wa); rewrite // za za'.
have [wv wv' aw'] : [/\ near w v, near w' v & near a' w'] by split; rewrite near_sym.
have a1v : near a' v = false by rewrite near_sym (negbTE va').
case ww : (near w w').
  apply: (@can_same _ [:: w; a'; v; w; a']) => [x _|].
    by rewrite !touched_cons; do 3!case: (_ \in _).
  apply: can_frees; rewrite /= andbT; apply/and5P; split.
  - by apply: (free_by wa); rewrite za.
  - by apply: (free_by aw'); rewrite pressE // lit // ww.
  - by apply: (free_by (near_self vb)); rewrite !pressE // zv wv a1v.
  - by apply: (free_by ww); rewrite !pressE // lit // ww aw' vw'.
  by apply: (free_by (near_self ab')); rewrite !pressE // za' wa1 near_self // (negbTE va').
apply: (@can_same _ [:: w; w'; v; w; w']) => [x _|].
  by rewrite !touched_cons; do 3!case: (_ \in _).
apply: can_frees; rewrite /= andbT; apply/and5P; split.
- by apply: (free_by wa); rewrite za.
- by apply: (free_by wv'); rewrite pressE // zv wv.
- by apply: (free_by vw); rewrite !pressE // lit // near_self // near_sym ww.
- by apply: (free_by wv); rewrite !pressE // zv wv wv' near_self.
by apply: (free_by wa'); rewrite !pressE // za' wa1 wa' (negbTE va').
Qed.
End OnePress.

(* ---- one piece: nothing outside is toggled, and a way leads from every bulb to every other ---- *)

Section Piece.
Variable P : seq V.
Hypotheses (sub : {subset P <= bulbs b}) (closed : {in P, forall v w, near v w -> w \in P}).
Hypothesis connected : {in P &, forall v w, linked v w}.
Implicit Types a c d : V.

Lemma press_in z v w : v \in P -> w \in P -> press b v z w = z w (+) near v w.
Proof. by move=> vP wP; rewrite pressE ?sub. Qed.

Lemma near_in v : v \in P -> near v v.
Proof. by move=> /sub; apply: near_self. Qed.

Lemma can_press_piece z v : v \in P -> ~~ all z P -> has (press b v z) P -> can z [:: v].
Proof.
move=> vP /allPn[u uP zu] /hasP[c cP zc].
exact: (can_press (sub vP) (connected vP uP) zu (connected vP cP) zc).
Qed.

(* what presses in P do to bulbs in P decides what they do *)
Lemma same_in ps qs : {subset ps <= P} -> {subset qs <= P} -> {in P, touched b ps =1 touched b qs} ->
  {in bulbs b, touched b ps =1 touched b qs}.
Proof.
move=> psP qsP same w wb; case wP : (w \in P); first exact: same.
have none rs : {subset rs <= P} -> touched b rs w = false.
  move=> rsP; rewrite /touched (eq_in_count (a2 := pred0)) ?count_pred0 // => v /rsP vP.
  by rewrite (near_toggled (sub vP) wb); apply/negbTE; apply: contraFN wP; apply: closed.
by rewrite !none.
Qed.

Definition middle z : bool := ~~ all z P && has z P.

(* two presses that lead from z to its opposite, each of them past all lit or all unlit *)
Lemma can_opposite z a d : a \in P -> d \in P -> ~~ all z P ->
  {in P, near a =1 z} -> {in P, near d =1 predC z} -> can z [:: a; d].
Proof.
move=> aP dP dim col_a col_d.
have [c cP mid] : exists2 c, c \in P & middle (press b c z).
  apply/hasP; apply: contraT => /hasPn none.
  suff along x : linked a x -> x \in P /\ {in P, near x =1 z}.
    have [_ col] := along d (connected aP dP).
    by have := near_in dP; rewrite col // => zd; have := near_in dP; rewrite col_d //= zd.
  elim=> // {}x y _ [xP col_x] xy; have yP : y \in P by apply: closed xy.
  split=> // w wP; have zy : z y by rewrite -col_x.
  have := none y yP; rewrite negb_and negbK => /orP[/allP all_lit|/hasPn none_lit].
    by have := all_lit y yP; rewrite press_in // zy near_in.
  by have := none_lit w wP; rewrite press_in //; case: (z w); case: (near y w).
case/andP: (mid) => dim_c lit_c; have [x xP zx] := allPn dim; have [y yP ly] := hasP lit_c.
have [u uP lu] := allPn dim_c; have cc := near_in cP.
have opposite w : w \in P -> touched b [:: a; d] w.
  by move=> wP; rewrite !touched_cons !near_toggled ?sub // col_a // col_d //=; case: (z w).
case everything : (all (near c) P).
  apply: can_same (can_press_piece cP dim lit_c); apply: same_in => [w|w|w wP].
  - by rewrite inE => /eqP->.
  - by rewrite !inE => /orP[] /eqP->.
  by rewrite opposite // touched_cons near_toggled ?sub // (allP everything).
have [e eP ce] := allPn (negbT everything).
apply: (@can_same _ [:: c; a; d; c]) => [w _|].
  by rewrite !touched_cons; do 3!case: (_ \in _).
apply: can_cons; [|apply: can_cons; [|apply: can_cons]]; apply: can_press_piece => //.
- by apply/hasP; exists c; rewrite // !press_in // cc col_a //; case: (z c).
- by apply/allPn; exists e; rewrite // !press_in // (negbTE ce) col_a //; case: (z e).
- apply/hasP; exists u; rewrite // !press_in // col_a // col_d //=.
  by move: lu; rewrite press_in //; case: (z u); case: (near c u).
- apply/allPn; exists y; rewrite // !press_in // col_a // col_d //=.
  by move: ly; rewrite press_in //; case: (z y); case: (near c y).
by apply/hasP; exists x; rewrite // !press_in // col_a // col_d //= (negbTE zx); case: (near c x).
Qed.

Lemma lit_same z z' : {in P, z =1 z'} -> has z P -> has z' P.
Proof. by move=> same /hasP[w wP zw]; apply/hasP; exists w; rewrite -?same. Qed.

(* 2.6 on one piece: what presses do, legal presses do *)
Theorem can_piece ps z : {subset ps <= P} -> ~~ all z P -> has (after z ps) P -> can z ps.
Proof.
have [n] := ubnP (size ps); elim: n ps z => // n IH ps z; rewrite ltnS => small psP dim lit.
case some : (has (fun c => middle (press b c z)) ps).
  have [c cps /andP[dim_c lit_c]] := hasP some; have pc := perm_to_rem cps.
  apply: (@can_same _ (c :: rem c ps)) => [w _|]; first by rewrite (touched_perm pc).
  apply: can_cons; first by apply: can_press_piece => //; apply: psP.
  apply: IH => // [|v /mem_rem/psP //|]; first by move: small; rewrite (perm_size pc).
  by apply: lit_same lit => w _; rewrite -after_cons /after (touched_perm pc).
have column c : c \in ps -> {in P, forall w, near c w = z w (+) has (press b c z) P}.
  move=> cps w wP; have cP := psP c cps; have := hasPn (negbT some) c cps.
  rewrite negb_and negbK => /orP[/allP lit_c|none].
    have -> : has (press b c z) P by apply/hasP; exists w; rewrite ?lit_c.
    by have := lit_c w wP; rewrite press_in //; case: (z w); case: (near c w).
  by rewrite (negbTE none) addbF; have := hasPn none w wP; rewrite press_in //; case: (z w); case: (near c w).
have twice c c' r : perm_eq ps [:: c, c' & r] -> has (press b c z) P = has (press b c' z) P -> can z ps.
  move=> pr same; have rP : {subset r <= P} by move=> w wr; apply: psP; rewrite (perm_mem pr) !inE wr !orbT.
  have [cps c'ps] : c \in ps /\ c' \in ps by rewrite !(perm_mem pr) !inE !eqxx orbT.
  have eff : {in bulbs b, touched b ps =1 touched b r}.
    apply: same_in => // w wP; rewrite (touched_perm pr) !touched_cons.
    rewrite !near_toggled ?sub //; [|exact: psP|exact: psP].
    by rewrite !column // same addKb.
  apply: (@can_same _ r) => [w wb|]; first by rewrite eff.
  apply: IH => //; first by apply: leq_trans small; rewrite (perm_size pr) /= ltnS leqW.
  by apply: lit_same lit => w wP; rewrite /after eff ?sub.
case: ps {IH small some} psP lit column twice => [|a [|d r]] psP lit column twice; first exact: can_nil.
  apply: can_press_piece => //; first by apply: psP; apply: mem_head.
  by apply: lit_same lit => w _; rewrite after_cons /after addbF.
case: (altP (has (press b a z) P =P has (press b d z) P)) => [|differ]; first exact: twice (perm_refl _).
case: r psP lit column twice => [|e r] psP lit column twice.
  have [aP dP] : a \in P /\ d \in P by rewrite !psP // !inE !eqxx ?orbT.
  have col_a := column a (mem_head _ _); have col_d := column d (mem_last a [:: d]).
  move: differ col_a col_d; case: (has (press b a z) P); case: (has (press b d z) P) => // _ col_a col_d.
    apply: (@can_same _ [:: d; a]) => [w _|]; first by rewrite !touched_cons addbCA.
    by apply: can_opposite => // w wP; rewrite ?col_a ?col_d //= ?addbT ?addbF.
  by apply: can_opposite => // w wP; rewrite ?col_a ?col_d //= ?addbT ?addbF.
case: (altP (has (press b a z) P =P has (press b e z) P)) => [|differ'].
  by apply: (twice a e (d :: r)); rewrite perm_cons (perm_catCA [:: d] [:: e]).
apply: (twice d e (a :: r)); first by rewrite (perm_catCA [:: a] [:: d; e]).
by move: differ differ'; case: (has (press b a z) P); case: (has _ _); case: (has _ _).
Qed.
End Piece.

(* ---- all pieces ---- *)

Lemma linked_bulb v w : v \in bulbs b -> linked v w -> w \in bulbs b.
Proof. by move=> vb; case=> // x y _ /near_bulbs[]. Qed.

Lemma linked_trans v w x : linked v w -> linked w x -> linked v x.
Proof. by move=> vw; elim=> // y u _ vy; apply: LinkedStep. Qed.

Lemma linked_sym v w : linked v w -> linked w v.
Proof.
elim=> [|x y _ xv xy]; first exact: LinkedSelf.
by apply: linked_trans xv; apply: LinkedStep (LinkedSelf y) _; rewrite near_sym.
Qed.

(* the piece of a bulb, as a list *)
Lemma piece_of v : v \in bulbs b -> exists P : seq V,
  [/\ v \in P, {subset P <= bulbs b}, {in P, forall w, linked v w} & {in P, forall w x, near w x -> x \in P}].
Proof.
move=> vb; suff grow n : forall Q : seq V, uniq Q -> v \in Q -> {subset Q <= bulbs b} ->
    {in Q, forall w, linked v w} -> size (bulbs b) < size Q + n -> exists P : seq V,
    [/\ v \in P, {subset P <= bulbs b}, {in P, forall w, linked v w} & {in P, forall w x, near w x -> x \in P}].
  apply: (grow (size (bulbs b)).+1 [:: v]); rewrite ?mem_head ?addSn ?addnS ?leqnSn // => w; rewrite inE => /eqP-> //.
  exact: LinkedSelf.
elim: n => [|n IH] Q uQ vQ sub ways.
  by rewrite addn0 ltnNge uniq_leq_size.
case out : (all (fun w => all (fun x => near w x ==> (x \in Q)) (bulbs b)) Q) => small.
  exists Q; split=> // w wQ x wx; have [_ xb] := near_bulbs wx.
  by have := allP (allP out w wQ) x xb; rewrite wx.
have [w wQ /allPn[x xb]] := allPn (negbT out); rewrite negb_imply => /andP[wx xQ].
apply: (IH (x :: Q)); rewrite /= ?xQ ?inE ?vQ ?orbT ?addSnnS // => y; rewrite inE => /orP[/eqP-> //|].
- exact: sub.
- by apply: LinkedStep wx; apply: ways.
exact: ways.
Qed.

Lemma can_pieces ps z : {subset ps <= bulbs b} ->
  {in bulbs b, forall v, touched b ps v ->
    (exists2 w, linked v w & ~~ z w) /\ (exists2 w, linked v w & after z ps w)} ->
  can z ps.
Proof.
have [n] := ubnP (size ps); elim: n ps z => // n IH [|v r] z; first by move=> *; apply: can_nil.
set ps := v :: r; rewrite ltnS => small psb ends; have vb : v \in bulbs b by apply: psb; apply: mem_head.
have [P [vP sub ways closed]] := piece_of vb.
have connected : {in P &, forall x y, linked x y}.
  by move=> x y xP yP; apply: linked_trans (linked_sym (ways x xP)) (ways y yP).
have stays x y : linked x y -> x \in bulbs b -> (x \in P) = (y \in P).
  move=> xy xb; apply/idP/idP; first by elim: xy => // u u' _ IHu uu' /IHu; move/closed; apply.
  by elim: (linked_sym xy) => // u u' _ IHu uu' /IHu; move/closed; apply.
set inside := filter (mem P) ps; set outside := filter (predC (mem P)) ps.
have perm_ps : perm_eq (inside ++ outside) ps by apply/permPl/perm_filterC.
have split_ps w : touched b ps w = touched b inside w (+) touched b outside w.
  by rewrite -touched_cat (touched_perm perm_ps).
have insideP : {subset inside <= P} by move=> w; rewrite mem_filter => /andP[].
have in_b : {subset inside <= bulbs b} by move=> w; rewrite mem_filter => /andP[_ /psb].
have out_b : {subset outside <= bulbs b} by move=> w; rewrite mem_filter => /andP[_ /psb].
have none_in w : w \in bulbs b -> w \notin P -> touched b inside w = false.
  move=> wb wP; rewrite /touched (eq_in_count (a2 := pred0)) ?count_pred0 // => x xin.
  rewrite (near_toggled (in_b x xin) wb); apply/negbTE; apply: contra wP; exact/closed/insideP.
have none_out w : w \in P -> touched b outside w = false.
  move=> wP; rewrite /touched (eq_in_count (a2 := pred0)) ?count_pred0 // => x xout.
  rewrite (near_toggled (out_b x xout) (sub w wP)); apply/negbTE.
  move: xout; rewrite mem_filter => /andP[/= xP _]; apply: contra xP; rewrite near_sym; exact: closed.
apply: (@can_same _ (inside ++ outside)) => [w _|]; first by rewrite (touched_perm perm_ps).
apply: can_cat.
  case some : (has (touched b inside) P); last first.
    apply: can_same (can_nil z) => w wb; case wP : (w \in P); last by rewrite none_in // wP.
    by rewrite (negbTE (hasPn (negbT some) w wP)).
  have [x xP tx] := hasP some; have [|[u xu zu] [c xc lc]] := ends x (sub x xP).
    by rewrite split_ps none_out // addbF.
  have uP : u \in P by rewrite -(stays _ _ xu) // sub.
  have cP : c \in P by rewrite -(stays _ _ xc) // sub.
  apply: (can_piece sub closed connected insideP); first by apply/allPn; exists u.
  by apply/hasP; exists c; rewrite // /after -(addbF (touched b inside c)) -(none_out c cP) -split_ps.
apply: IH => // [|w wb tw].
  apply: leq_trans small; rewrite -(perm_size perm_ps) size_cat -[X in X < _]add0n ltn_add2r.
  by rewrite /inside /= vP.
have wP : w \notin P by apply: contraTN tw => /none_out->.
have [|[u wu zu] [c wc lc]] := ends w wb; first by rewrite split_ps none_in.
split; [exists u | exists c] => //.
  by rewrite /after none_in ?addbF ?(linked_bulb wb wu) // -(stays _ _ wu).
by rewrite /after -addbA -split_ps.
Qed.

(* ---- both rules: under `lit` an unlit bulb is what a lit one is under `unlit` ---- *)

Hypothesis ordered : ordered_rule b.

Definition barred (z : V -> bool) : V -> bool := fun v => ~~ may_press b z v.

Lemma barredE z v : barred z v = (if rule_of b is Lit then ~~ z v else z v).
Proof. by move: ordered; rewrite /barred /may_press /ordered_rule; case: (rule_of b); rewrite ?negbK. Qed.

Lemma barred_press z v w : barred (press b v z) w = press b v (barred z) w.
Proof. by rewrite /press !barredE; case: (rule_of b); rewrite ?addNb. Qed.

Lemma plays_legal ps z : legal (barred z) ps -> {in bulbs b, forall w, touched b ps w = z w (+) goal b w} ->
  plays b z ps.
Proof.
elim: ps z => [|v r IH] z /=.
  by move=> _ eqs; apply/allP => w /eqs; rewrite /touched /=; case: (z w); case: (goal b w).
case/and3P=> -> ; rewrite negbK => -> ok eqs /=; apply: IH => [|w wb].
  by rewrite (eq_legal (z' := press b v (barred z))) // => w _; apply: barred_press.
by have := eqs w wb; rewrite touched_cons /press; case: (_ \in _); case: (z w); case: (goal b w); case: (touched b r w).
Qed.

(* 2.6 legal sequences: a press set, and in every piece that must change a bulb that may be pressed
   first and one that may be pressed last *)
Theorem legal_sequence s : press_set b s ->
  {in bulbs b, forall v, change b v ->
    (exists2 w, linked v w & may_press b (lit b) w) /\ (exists2 w, linked v w & ~~ odd_later b w)} ->
  exists ps, solution b ps.
Proof.
move=> ok ends; set ps := pressed b s.
have eff : {in bulbs b, touched b ps =1 change b}.
  by move=> w wb; rewrite -ok // /touched count_filter.
have [||qs legal_qs same] := @can_pieces ps (barred (lit b)) _ _.
- by move=> v; rewrite mem_pressed => /andP[].
- move=> v vb; rewrite eff // => /(ends v vb)[[w vw may] [x vx last]].
  split; [exists w | exists x] => //; first by rewrite negbK.
  have xb := linked_bulb vb vx; move: last; rewrite /after eff // barredE /odd_later /change.
  by move: ordered; rewrite /ordered_rule; case: (rule_of b) => // _; case: (lit b x); case: (goal b x).
exists qs; apply: plays_legal legal_qs _ => w wb; rewrite same // eff //.
Qed.
End Legal.
