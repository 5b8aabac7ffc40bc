(* Light chasing on any board: every press as an affine function of a few.  Theory 1.3, 1.4.

   The bulbs are gone through one by one.  If some equation holds no other bulb that has not been
   met, it tells the press of this one; if not, the press is an unknown.  Every equation is then a
   form that is 0, and the unknowns are eliminated as far as these forms allow: what is left are
   all press sets. *)
From Coq Require Import PArith NArith FMapPositive.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game board linear orientation numbering forms.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Chase.
Variable b : board number.

Definition table := PositiveMap.t form.
Definition known (t : table) (v : number) : option form := PositiveMap.find (N.succ_pos v) t.

(* the press of bulb v, by itself *)
Definition own (v : number) : form := unknown (N.to_nat v).+1.

(* the sum of the presses vs and of x; None if one is not known *)
Fixpoint sum_known (t : table) (vs : seq number) (x : form) : option form :=
  if vs is v :: r then (if known t v is Some y then sum_known t r (N.lxor y x) else None) else Some x.

(* the press of u by the equation of w *)
Definition by_equation (t : table) (u w : number) : option form :=
  if u \in toggled b w then sum_known t (rem u (toggled b w)) (constant (change b w)) else None.

Fixpoint first_known (t : table) (u : number) (ws : seq number) : form :=
  if ws is w :: r then (if by_equation t u w is Some x then x else first_known t u r) else own u.

Fixpoint chase (t : table) (us : seq number) : table :=
  if us is u :: r then chase (PositiveMap.add (N.succ_pos u) (first_known t u (toggled b u)) t) r
  else t.

(* the presses of all bulbs, and the forms that are 0 *)
Definition form_in (t : table) (v : number) : form := odflt (own v) (known t v).
Definition equation (t : table) (w : number) : form :=
  N.lxor (sum_forms [seq form_in t v | v <- toggled b w]) (constant (change b w)).

Definition chased (order : seq number) : option (nat * seq form) :=
  let t := chase (PositiveMap.empty form) order in
  solved [seq form_in t v | v <- bulbs b] [seq equation t w | w <- bulbs b].

Hypotheses (nb : normal_board b) (sym : symmetric_board b).

Section PressSet.
Variable s : number -> bool.
Hypothesis ok : press_set b s.

(* unknown v + 1 is the press of bulb v *)
Definition presses_of (i : nat) : bool := if i is j.+1 then s (N.of_nat j) else true.
Notation value := (value presses_of).

Definition right (t : table) := forall v x, known t v = Some x -> value x = s v.

Lemma value_own v : value (own v) = s v.
Proof. by rewrite value_unknown /= N2Nat.id. Qed.

Lemma sum_known_right t vs x y : right t -> sum_known t vs x = Some y ->
  value y = odd (count s vs) (+) value x.
Proof.
move=> rt; elim: vs x => [|v r IH] x /=; first by case=> ->.
case kv : known => [z|] // /IH->.
by rewrite value_lxor (rt _ _ kv) oddD oddb addbCA addbA.
Qed.

Lemma by_equation_right t u w x : right t -> w \in bulbs b -> by_equation t u w = Some x -> value x = s u.
Proof.
move=> rt wb; rewrite /by_equation; case: ifP => // uw /(sum_known_right rt)->.
rewrite value_constant // -(press_set_around nb sym ok wb) (seq.permP (perm_to_rem uw)) /=.
by rewrite oddD oddb addbCA addbb addbF.
Qed.

Lemma first_known_right t u ws : right t -> {subset ws <= bulbs b} -> value (first_known t u ws) = s u.
Proof.
move=> rt; elim: ws => [|w r IH] sub /=; first exact: value_own.
case byw : by_equation => [x|].
  by apply: by_equation_right byw; rewrite // sub ?mem_head.
by apply: IH => v vr; apply: sub; rewrite inE vr orbT.
Qed.

Lemma chase_right t us : right t -> right (chase t us).
Proof.
elim: us t => //= u r IH t rt; apply: IH => v x; rewrite /known.
case: (Pos.eq_dec (N.succ_pos v) (N.succ_pos u)) => [same|other].
  rewrite same PositiveMap.gss => -[<-]; rewrite first_known_right //; last exact: (normal_in nb).
  by congr s; apply: N.succ_inj; rewrite -!N.succ_pos_spec same.
by rewrite PositiveMap.gso //; apply: rt.
Qed.

Lemma form_in_right t v : right t -> value (form_in t v) = s v.
Proof.
by rewrite /form_in => rt; case kv : known => [x|] /=; [apply: rt | apply: value_own].
Qed.

Lemma equation_right t w : right t -> w \in bulbs b -> value (equation t w) = false.
Proof.
move=> rt wb; rewrite value_lxor value_sum value_constant // -(press_set_around nb sym ok wb).
by rewrite count_map (eq_count (a2 := s)) ?addbb // => v; apply: form_in_right.
Qed.
End PressSet.

(* Every press set is a value of the forms; without any there is none. *)
Theorem chased_sound order s : press_set b s ->
  exists d ys, chased order = Some (d, ys) /\ takes ys [seq s v | v <- bulbs b].
Proof.
move=> ok; set t := chase (PositiveMap.empty form) order.
have rt : right s t by apply: chase_right => // v x; rewrite /known PositiveMap.gempty.
have [|d [ys [def_ys fit]]] := @solved_sound (presses_of s) [seq form_in t v | v <- bulbs b]
    [seq equation t w | w <- bulbs b] isT.
  by rewrite /all_zero all_map; apply/allP => w wb /=; rewrite equation_right.
exists d, ys; split=> //; move: fit; rewrite -map_comp (eq_map (f2 := s)) // => v.
exact: form_in_right.
Qed.

(* where the equations contradict each other there is no press set at all: claim C4 *)
Corollary chased_unsolvable order : chased order = None -> unsolvable b.
Proof.
move=> none ps; apply/negP => sol.
have := chased_sound order (solution_press_set (normal_bulbs_uniq nb) sol).
by rewrite none => -[d [ys []]].
Qed.
End Chase.
