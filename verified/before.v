(* Refutations by a formula about who comes first: every clause holds in every order.

   A variable says that u is pressed before v, or is a sum modulo 2 of such variables.  A clause
   holds because its literals, were all false, would be a cycle of presses, each before the next,
   perhaps with arcs that are given; or because they would add up to something wrong, with the
   equations of presses added: the presses near v and after v are t(v), modulo 2.  So an order is a
   model, and an LRAT proof shows that there is none.  Theory 2.1, 6.2. *)
From Coq Require Import PArith NArith FMapPositive.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game board orientation forms lrat numbering.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Variant meaning :=
  | Pair of number & number  (* the one is pressed before the other *)
  | Sum of form.             (* unknown x is variable x, a pair *)

Variant ground :=
  | Cycle of seq (number * number)  (* with these of the given arcs *)
  | Parity of seq number.           (* of these presses the equations are added *)

Variant item :=
  | Means of positive & meaning            (* what a variable says *)
  | Equation of number & seq literal       (* of a press: "before" each that is near it *)
  | Clause of clause & ground              (* of the formula; numbered from 1 *)
  | Step of step.                          (* of the proof *)

Section Before.
(* of the presses qs, for each arc (u, v) of given u is before v *)
Variables (near : rel number) (t : number -> bool) (given : seq (number * number)) (qs : seq number).

(* ---- what is computed ---- *)

Definition valid (d : meaning) : bool := if d is Pair u v then (u != v) && (u \in qs) else true.

Definition mean (m : M.t meaning) (it : item) : M.t meaning :=
  if it is Means x d then (if valid d then M.add x d m else m) else m.

Definition next (arcs : seq (number * number)) (c : number) : number :=
  if [seq e <- arcs | e.1 == c] is e :: _ then e.2 else c.

Fixpoint walk_to (a : number) (arcs : seq (number * number)) (steps : nat) (c : number) : bool :=
  (c == a) || (if steps is n.+1 then walk_to a arcs n (next arcs c) else false).

Definition closed_walk (arcs : seq (number * number)) : bool :=
  if arcs is e :: _ then walk_to e.1 arcs (size arcs) e.2 else false.

Section Means.
Variable means : M.t meaning.

Definition form_of (x : positive) : form :=
  match M.find x means with
  | Some (Pair _ _) => N.shiftl 1%num (Npos x)
  | Some (Sum f) => f
  | None => 0%num
  end.
Definition literal_form (l : literal) : form :=
  if l is Not x then N.lxor 1%num (form_of x) else form_of (variable l).
Definition sum_of (fs : seq form) : form := foldr N.lxor 0%num fs.

(* the literal says: v is before w *)
Definition says (v w : number) (l : literal) : bool :=
  match l, M.find (variable l) means with
  | Is _, Some (Pair u x) => (u == v) && (x == w)
  | Not _, Some (Pair u x) => (u == w) && (x == v)
  | _, _ => false
  end.

(* forms that are 0 in every order, by presses *)
Definition equate (m : M.t form) (it : item) : M.t form :=
  if it is Equation v ls then
    if (v \in qs) && all2 (says v) (filter (near v) qs) ls then
      M.add (N.succ_pos v) (N.lxor (if t v then 1 else 0)%num (sum_of (map literal_form ls))) m
    else m
  else m.

(* who is before whom, if the literal is false *)
Definition arc (l : literal) : seq (number * number) :=
  match l, M.find (variable l) means with
  | Is _, Some (Pair u v) => [:: (v, u)]
  | Not _, Some (Pair u v) => [:: (u, v)]
  | _, _ => [::]
  end.

Definition holds_by (equations : M.t form) (c : clause) (g : ground) : bool :=
  match g with
  | Cycle arcs => closed_walk ([seq a <- arcs | a \in given] ++ flatten (map arc c))
  | Parity vs =>
      let zero v := odflt 0%num (M.find (N.succ_pos v) equations) in
      N.eqb (N.lxor (sum_of (map literal_form c)) (sum_of (map zero vs))) 1%num
  end.
End Means.

Definition clauses_of (its : seq item) : seq clause :=
  flatten [seq if it is Clause c _ then [:: c] else [::] | it <- its].
Definition steps_of (its : seq item) : seq step :=
  flatten [seq if it is Step s then [:: s] else [::] | it <- its].

Definition check_formula (its : seq item) : bool :=
  let means := foldl mean (M.empty meaning) its in
  let equations := foldl (equate means) (M.empty form) its in
  uniq qs && all (fun it => if it is Clause c g then holds_by means equations c g else true) its &&
  refuted (clauses_of its) (steps_of its).

(* ---- what it means ---- *)

Lemma in_order_later ps v : uniq ps -> in_order near t ps -> v \in ps ->
  odd (count (fun w => near v w && before ps v w) ps) = t v.
Proof. by move=> up; rewrite in_orderE // => /allP/(_ v) h /h /eqP. Qed.

Section Model.
Variable ps : seq number.
Hypotheses (uq : uniq qs) (pq : perm_eq ps qs) (ord : in_order near t ps).
Hypothesis obeys : {in given, forall a, before ps a.1 a.2}.
Variable means : M.t meaning.
Hypothesis all_valid : forall x d, M.find x means = Some d -> valid d.

Lemma before_other u v : u != v -> u \in qs -> before ps v u = ~~ before ps u v.
Proof.
move=> uv uin; have ne : index u ps != index v ps.
  apply: contra uv => /eqP e; have up : u \in ps by rewrite (perm_mem pq).
  have vp : v \in ps by rewrite -index_mem -e index_mem.
  by rewrite -(nth_index u up) e nth_index.
by rewrite /before ltn_neqAle eq_sym ne /= leqNgt.
Qed.

Definition unknown (i : nat) : bool :=
  if i is 0 then true else
  if M.find (Pos.of_nat i) means is Some (Pair u v) then before ps u v else false.

Definition model_of (x : positive) : bool :=
  match M.find x means with
  | Some (Pair u v) => before ps u v
  | Some (Sum f) => value unknown f
  | None => false
  end.

Lemma value_bit p x : value p (N.shiftl 1%num (Npos x)) = p (Pos.to_nat x).
Proof.
rewrite /= Pos2Nat.inj_iter; elim: (Pos.to_nat x) p => //= n IH p.
by rewrite IH.
Qed.

Lemma form_model x : value unknown (form_of means x) = model_of x.
Proof.
rewrite /form_of /model_of; case found : (M.find x means) => [[u v|f]|] //.
rewrite value_bit /unknown; case e : (Pos.to_nat x) => [|n].
  by have := Pos2Nat.is_pos x; rewrite e => /PeanoNat.Nat.nlt_0_r.
by rewrite -e Pos2Nat.id found.
Qed.

Lemma literal_form_true l : value unknown (literal_form means l) = true_in model_of l.
Proof.
case: l => x; rewrite /literal_form ?value_lxor.
  by rewrite -[true_in _ _]/(model_of x) -form_model.
by rewrite -[true_in _ _]/(~~ model_of x) -form_model.
Qed.

Lemma sum_false (A : Type) (f : A -> form) (xs : seq A) :
  (forall x, List.In x xs -> value unknown (f x) = false) -> value unknown (sum_of (map f xs)) = false.
Proof.
elim: xs => //= x xs IH none; rewrite value_lxor none ?IH //; last by left.
by move=> y yx; apply: none; right.
Qed.

Lemma says_before v w l : says means v w l -> true_in model_of l = before ps v w.
Proof.
case: l => x; rewrite /says /= /model_of; case found : (M.find x means) => [[u y|f]|] //.
  by case/andP=> /eqP-> /eqP->.
case/andP=> /eqP eu /eqP ey; move: (all_valid found) => /= /andP[uy uin].
by rewrite -(before_other uy uin) eu ey.
Qed.

Lemma sum_before v ws ls : all2 (says means v) ws ls ->
  value unknown (sum_of (map (literal_form means) ls)) = odd (count (before ps v) ws).
Proof.
elim: ws ls => [|w ws IH] [|l ls] //= /andP[/says_before sl /IH rest].
by rewrite value_lxor literal_form_true sl rest oddD; case: (before _ _ _).
Qed.

Lemma equations_zero its x f :
  M.find x (foldl (equate means) (M.empty form) its) = Some f -> value unknown f = false.
Proof.
have : forall y g, M.find y (M.empty form) = Some g -> value unknown g = false.
  by move=> y g; rewrite M.gempty.
elim: its (M.empty form) => [|it its IH] m zero /=; first exact: zero.
apply: IH => y g; case: it => [y' d|v ls|c g'|s] /=; try exact: zero.
case: ifP => [/andP[vq fit]|_]; last exact: zero.
case: (Pos.eq_dec (N.succ_pos v) y) => [<-|ne]; last by rewrite M.gso => [/zero//|/esym//].
rewrite M.gss => -[<-]; rewrite value_lxor (sum_before fit) count_filter.
have -> : value unknown (if t v then 1%num else 0%num) = t v by case: (t v).
rewrite -(in_order_later _ ord) ?(perm_uniq pq) ?(perm_mem pq) //.
rewrite -(seq.permP pq) -[RHS](addbb (odd (count (fun w => near v w && before ps v w) ps))).
by congr (_ (+) odd _); apply: eq_count => w /=; rewrite andbC.
Qed.

Lemma arcs_before c u v : ~~ holds model_of c -> (u, v) \in flatten (map (arc means) c) -> before ps u v.
Proof.
elim: c => //= l c IH; rewrite negb_or => /andP[fl /IH h]; rewrite mem_cat => /orP[|/h//].
case: l fl => x; rewrite /arc /= /model_of; case found : (M.find x means) => [[a b|f]|] //=.
  move=> nab; rewrite inE => /eqP[-> ->]; move: (all_valid found) => /= /andP[ab ain].
  by rewrite (before_other ab ain).
by rewrite negbK => ab; rewrite inE => /eqP[-> ->].
Qed.

Lemma walk_to_false arcs a n c : (forall u v, (u, v) \in arcs -> before ps u v) ->
  before ps a c -> ~~ walk_to a arcs n c.
Proof.
move=> all_before; elim: n c => [|n IH] c ac /=; rewrite negb_or; apply/andP; split=> //;
  try by apply/negP => /eqP e; move: ac; rewrite e /before ltnn.
apply: IH; rewrite /next; case found : [seq _ <- _ | _] => [|[u v] rest] //=.
have : (u, v) \in [seq e <- arcs | e.1 == c] by rewrite found mem_head.
rewrite mem_filter /= => /andP[/eqP-> /all_before]; exact: ltn_trans ac.
Qed.

Lemma closed_walk_false arcs : (forall u v, (u, v) \in arcs -> before ps u v) -> ~~ closed_walk arcs.
Proof.
case: arcs => [//|[a b] arcs] all_before; apply: walk_to_false => //.
by apply: all_before; rewrite mem_head.
Qed.

Lemma holds_by_sound its c g :
  holds_by means (foldl (equate means) (M.empty form) its) c g -> holds model_of c.
Proof.
move=> ok; apply/negPn/negP => none; case: g ok => [arcs|vs] /=.
  apply/negP/closed_walk_false => u v; rewrite mem_cat mem_filter.
  by case/orP=> [/andP[/obeys]|]; last exact: arcs_before none.
move=> /N.eqb_eq /(congr1 (value unknown)); rewrite value_lxor /=.
rewrite sum_false; last first.
  by move=> l lc; rewrite literal_form_true; apply/negbTE; apply: contra none; exact: has_In.
rewrite sum_false // => v _; case found : (M.find _ _) => [f|//] /=.
exact: equations_zero found.
Qed.
End Model.

Lemma means_valid its x d : M.find x (foldl mean (M.empty meaning) its) = Some d -> valid d.
Proof.
have : forall y e, M.find y (M.empty meaning) = Some e -> valid e by move=> y e; rewrite M.gempty.
elim: its (M.empty meaning) => [|it its IH] m ok /=; first exact: ok.
apply: IH => y e; case: it => [z d'|v ls|c g|s] /=; try exact: ok.
case: ifP => [vd|_]; last exact: ok.
by case: (Pos.eq_dec z y) => [<-|ne]; [rewrite M.gss => -[<-] | rewrite M.gso => [/ok//|/esym//]].
Qed.

Theorem check_formula_sound its : check_formula its -> forall ps, perm_eq ps qs ->
  {in given, forall a, before ps a.1 a.2} -> ~~ in_order near t ps.
Proof.
case/andP=> /andP[uq each] /refuted_sound none ps pq obeys; apply/negP => ord.
set means := foldl mean (M.empty meaning) its in each.
have ok := @means_valid its; apply/negP: (none (model_of ps means)); rewrite negbK.
set eqs := foldl _ _ its in each.
have all_sound c g : holds_by means eqs c g -> holds (model_of ps means) c by exact: holds_by_sound.
elim: {1 2}its each => //= it rest IH /andP[here /IH]; case: it here => //= c g hc ->.
by rewrite andbT; exact: all_sound hc.
Qed.
End Before.
