(* All states of a wiring, breadth first: the goal is not among them, or not among the first.
   Theory 2.9.

   A set of states that holds the start and whatever one legal press leads to holds all that can be
   reached.  The kernel finds the set itself, layer by layer; after k layers it holds what k presses
   can reach. *)
From Coq Require Import PArith NArith FMapPositive.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game wirings numbering machines.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section States.
Variable m : machine.

(* ---- what is computed ---- *)

Definition states := PositiveMap.t unit.
Definition seen (v : states) (x : number) : bool :=
  if PositiveMap.find (N.succ_pos x) v is Some _ then true else false.

(* the states so far, and those of them that are new *)
Definition found := (states * seq number)%type.

Definition meet (y : number) (f : found) : found :=
  if seen f.1 y then f else (PositiveMap.add (N.succ_pos y) tt f.1, y :: f.2).

Fixpoint leave (x : number) (bs : seq button) (f : found) : found :=
  if bs is b :: r then leave x r (if may_key m x b then meet (N.lxor x (flips b)) f else f) else f.

Definition next_layer (f : found) : found :=
  foldl (fun f x => leave x (keys m) f) (f.1, [::]) f.2.

Fixpoint explore (steps : nat) (f : found) : found :=
  if steps is n.+1 then explore n (next_layer f) else f.


Definition begun_at (x : N) : found := meet x (PositiveMap.empty unit, [::]).
Definition begun : found := begun_at (from m).

Definition check_states (steps : nat) : bool :=
  let f := explore steps begun in nilp f.2 && ~~ seen f.1 (upto m).

Definition check_steps (k : nat) : bool :=
  if k is n.+1 then ~~ seen (explore n begun).1 (upto m) else true.

(* Any button may be pressed: from the start some layers, from the goal others, which do not meet. *)
Fixpoint apart (steps : nat) (f : found) (v : states) : bool :=
  if all (fun x => ~~ seen v x) f.2 then (if steps is n.+1 then apart n (next_layer f) v else true)
  else false.

Definition check_meeting (some others : nat) : bool :=
  if under m is Any then
    let v := (explore some (begun_at (from m))).1 in apart others (begun_at (upto m)) v
  else false.

(* ---- what it means ---- *)

Lemma seen_add x y v : seen (PositiveMap.add (N.succ_pos y) tt v) x = (x == y) || seen v x.
Proof.
rewrite /seen; case: eqP => [->|ne]; first by rewrite PositiveMap.gss.
rewrite PositiveMap.gso // => /(congr1 Npos); rewrite !N.succ_pos_spec => /N.succ_inj; exact: ne.
Qed.

(* what is found stays, and what is added is new *)
Definition grows (f g : found) :=
  [/\ forall x, seen f.1 x -> seen g.1 x, {subset f.2 <= g.2} &
      forall x, seen g.1 x -> seen f.1 x \/ x \in g.2].

Lemma grows_refl f : grows f f.
Proof. by split=> // x; left. Qed.

Lemma grows_trans g f h : grows f g -> grows g h -> grows f h.
Proof.
move=> [ma sa na] [mb sb nb]; split=> [x /ma/mb|x /sa/sb|x /nb[/na[]|]] //; first by left.
  by move/sb; right.
by right.
Qed.

Lemma meet_grows y f : grows f (meet y f) /\ seen (meet y f).1 y.
Proof.
rewrite /meet; case old : (seen f.1 y); first by split; first exact: grows_refl.
split; last by rewrite seen_add eqxx.
split=> [x|x|x] /=; rewrite ?seen_add ?inE; first by move=> ->; rewrite orbT.
  by move=> ->; rewrite orbT.
by case/orP=> [->|]; [right | left].
Qed.

Lemma leave_grows x bs f : grows f (leave x bs f) /\
  forall i, i < size bs -> may_key m x (nth (Button 0 None) bs i) ->
    seen (leave x bs f).1 (N.lxor x (flips (nth (Button 0 None) bs i))).
Proof.
elim: bs f => [|b r IH] f /=; first by split; first exact: grows_refl.
set g := if _ then _ else _; have [more all_in] := IH g; have step : grows f g.
  by rewrite /g; case: ifP => _; [case: (meet_grows (N.lxor x (flips b)) f) | exact: grows_refl].
split=> [|[|i] less may]; [exact: grows_trans step more | | exact: all_in].
have [mono _ _] := more; apply: mono; rewrite /g may.
by case: (meet_grows (N.lxor x (flips b)) f).
Qed.

(* all that one press leads to from x *)
Definition closed_at (v : states) (x : number) := forall i, i < size (keys m) ->
  let b := nth (Button 0 None) (keys m) i in may_key m x b -> seen v (N.lxor x (flips b)).

Lemma layer_grows f : let g := next_layer f in
  [/\ forall x, seen f.1 x -> seen g.1 x, {in f.2, forall x, closed_at g.1 x} &
      forall x, seen g.1 x -> seen f.1 x \/ x \in g.2].
Proof.
rewrite /next_layer; set start := (f.1, [::]); move: (f.2) => xs.
suff [[mono _ new] all_in] : grows start (foldl (fun f x => leave x (keys m) f) start xs) /\
    {in xs, forall x, closed_at (foldl (fun f x => leave x (keys m) f) start xs).1 x}.
  by split.
elim: xs start => [|x xs IH] s /=; first by split; first exact: grows_refl.
have [more here] := leave_grows x (keys m) s; have [rest all_in] := IH (leave x (keys m) s).
split=> [|y]; first exact: grows_trans more rest.
rewrite inE => /orP[/eqP->|]; last exact: all_in.
by move=> i less b may; case: rest => mono _ _; apply: mono; apply: here.
Qed.

(* what is not new has been left *)
Definition left_behind (f : found) := forall x, seen f.1 x -> x \in f.2 \/ closed_at f.1 x.

Lemma layer_left f : left_behind f -> left_behind (next_layer f).
Proof.
move=> left x; have [mono all_in new] := layer_grows f.
case/new=> [|->]; last by left.
case/left=> [xf|closed]; right; first exact: all_in.
by move=> i less b may; apply: mono; apply: closed.
Qed.

Lemma explore_left n f : left_behind f -> left_behind (explore n f).
Proof. by elim: n f => //= n IH f /layer_left/IH. Qed.

Lemma explore_seen n f x : seen f.1 x -> seen (explore n f).1 x.
Proof. by elim: n f => //= n IH f old; apply: IH; case: (layer_grows f) => mono _ _; apply: mono. Qed.

Lemma begun_left x : left_behind (begun_at x).
Proof.
rewrite /begun_at /meet /seen PositiveMap.gempty /= => y; rewrite -/(seen _ y) seen_add.
by rewrite /seen PositiveMap.gempty orbF => /eqP->; left; rewrite inE.
Qed.

Lemma begun_seen x : seen (begun_at x).1 x.
Proof. by case: (meet_grows x (PositiveMap.empty unit, [::])). Qed.

Lemma begun_only x y : seen (begun_at x).1 y -> y \in (begun_at x).2.
Proof.
rewrite /begun_at /meet /seen PositiveMap.gempty /= -/(seen _ y) seen_add.
by rewrite /seen PositiveMap.gempty orbF inE.
Qed.

(* legal presses, and where they lead *)
Fixpoint legal_keys (x : N) (ps : seq number) : bool :=
  if ps is j :: r then [&& N.to_nat j < size (keys m), may_key m x (key_at m j) &
    legal_keys (N.lxor x (flips (key_at m j))) r] else true.
Definition led_to (x : N) (ps : seq number) : N := foldl (fun y j => N.lxor y (flips (key_at m j))) x ps.

Lemma plays_legal x ps : plays_keys m x ps = legal_keys x ps && N.eqb (led_to x ps) (upto m).
Proof. by elim: ps x => //= j r IH x; rewrite IH !andbA. Qed.

Lemma legal_seen f n x ps : left_behind f -> seen f.1 x -> legal_keys x ps -> size ps <= n ->
  seen (explore n f).1 (led_to x ps).
Proof.
elim: n f x ps => [|n IH] f x [|j r] left old //=; first by move=> _ _; apply: (explore_seen n.+1).
case/and3P=> less may plays; rewrite ltnS; apply: IH plays; first exact: layer_left.
have [mono all_in _] := layer_grows f.
by case: (left x old) => [xf|closed]; [apply: all_in | apply: mono; apply: closed].
Qed.

Lemma plays_seen f n x ps : left_behind f -> seen f.1 x -> plays_keys m x ps -> size ps <= n ->
  seen (explore n f).1 (upto m).
Proof. by move=> left old; rewrite plays_legal => /andP[ok /N.eqb_spec <-]; apply: legal_seen. Qed.

Lemma plays_closed f x ps : left_behind f -> nilp f.2 -> seen f.1 x -> plays_keys m x ps ->
  seen f.1 (upto m).
Proof.
move=> left /nilP none; elim: ps x => [|j r IH] x old /=; first by move=> /N.eqb_spec <-.
case/and3P=> less may; apply: IH; case: (left x old); first by rewrite none.
by apply.
Qed.

Lemma apart_sound n f v : apart n f v -> {in f.2, forall x, ~~ seen v x} ->
  (forall x, seen f.1 x -> ~~ seen v x) -> forall x, seen (explore n f).1 x -> ~~ seen v x.
Proof.
elim: n f => [|n IH] f /=; case: ifP => // _ ok here all_f.
have new : {in (next_layer f).2, forall x, ~~ seen v x}.
  by move=> x; case: n ok {IH} => [|n] /=; case: ifP => // /allP h _; apply: h.
apply: IH => // x; have [_ _ only] := layer_grows f.
by case/only; [apply: all_f | apply: new].
Qed.

Lemma led_to_lxor x y ps : led_to (N.lxor x y) ps = N.lxor (led_to x ps) y.
Proof.
elim: ps x y => //= j r IH x y; rewrite N.lxor_assoc (N.lxor_comm y) -N.lxor_assoc; exact: IH.
Qed.

Lemma led_back x ps : led_to (led_to x ps) (rev ps) = x.
Proof.
elim: ps x => //= j r IH x; rewrite rev_cons -cats1 /led_to foldl_cat /= -/(led_to _ r).
rewrite -!/(led_to _ _) IH N.lxor_assoc N.lxor_nilpotent N.lxor_0_r //.
Qed.

Lemma legal_any x ps : under m = Any ->
  legal_keys x ps = all (fun j : number => N.to_nat j < size (keys m)) ps.
Proof. by move=> any; elim: ps x => //= j r IH x; rewrite IH /may_key any. Qed.

Lemma led_to_cat x ps qs : led_to x (ps ++ qs) = led_to (led_to x ps) qs.
Proof. exact: foldl_cat. Qed.

Hypothesis tm : tidy m.

(* claim C3, where order does not matter *)
Theorem check_meeting_sound some others : check_meeting some others ->
  at_least_wired (wired m) (some + others).+1.
Proof.
rewrite /check_meeting; case any : (under m) => // ok ps; rewrite solution_keys // plays_legal.
case/andP=> legal /N.eqb_spec ends; rewrite ltnNge; apply/negP => few.
move: legal; rewrite (legal_any _ _ any) -(cat_take_drop some ps) all_cat => /andP[legal_1 legal_2].
set middle := led_to (from m) (take some ps).
have first : seen (explore some (begun_at (from m))).1 middle.
  rewrite /middle; apply: legal_seen; first exact: begun_left; first exact: begun_seen.
    by rewrite legal_any.
  by rewrite size_take; case: ltnP => // /ltnW.
have last : seen (explore others (begun_at (upto m))).1 middle.
  have -> : middle = led_to (upto m) (rev (drop some ps)).
    by rewrite -ends -{1}(cat_take_drop some ps) led_to_cat led_back.
  apply: legal_seen; first exact: begun_left; first exact: begun_seen.
    by rewrite legal_any // all_rev.
  by rewrite size_rev size_drop leq_subLR.
have head : {in (begun_at (upto m)).2, forall x, ~~ seen (explore some (begun_at (from m))).1 x}.
  by move=> x; move: ok; case: (others) => [|k] /=; case: ifP => // /allP h _; apply: h.
by have := apart_sound ok head (fun x xs => head x (begun_only xs)) last; rewrite first.
Qed.

(* claim C4: the states are closed under legal presses, and miss the goal *)
Theorem check_states_sound n : check_states n -> unsolvable_wired (wired m).
Proof.
case/andP=> none miss ps; rewrite solution_keys //; apply: contra miss.
apply: plays_closed none _; first by apply: explore_left; apply: begun_left.
by apply: explore_seen; apply: begun_seen.
Qed.

(* claim C3: fewer than k presses miss the goal *)
Theorem check_steps_sound k : check_steps k -> at_least_wired (wired m) k.
Proof.
case: k => // n miss ps; rewrite solution_keys // => plays; rewrite ltnNge; apply: contra miss => few.
by apply: (@plays_seen begun n (from m) ps _ _ plays few); [apply: begun_left | apply: begun_seen].
Qed.
End States.
