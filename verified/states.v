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

Definition begun : found := meet (from m) (PositiveMap.empty unit, [::]).

Definition check_states (steps : nat) : bool :=
  let f := explore steps begun in nilp f.2 && ~~ seen f.1 (upto m).

Definition check_steps (k : nat) : bool :=
  if k is n.+1 then ~~ seen (explore n begun).1 (upto m) else true.

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

Lemma begun_left : left_behind begun.
Proof.
rewrite /begun /meet /seen PositiveMap.gempty /= => x; rewrite -/(seen _ x) seen_add.
by rewrite /seen PositiveMap.gempty orbF => /eqP->; left; rewrite inE.
Qed.

Lemma begun_seen : seen begun.1 (from m).
Proof. by case: (meet_grows (from m) (PositiveMap.empty unit, [::])). Qed.

Lemma plays_seen f n x ps : left_behind f -> seen f.1 x -> plays_keys m x ps -> size ps <= n ->
  seen (explore n f).1 (upto m).
Proof.
elim: n f x ps => [|n IH] f x [|j r] left old //=; try by move=> /N.eqb_spec <- _.
  by move=> /N.eqb_spec <- _; apply: (explore_seen n.+1).
case/and3P=> less may plays; rewrite ltnS; apply: IH plays; first exact: layer_left.
have [mono all_in _] := layer_grows f.
by case: (left x old) => [xf|closed]; [apply: all_in | apply: mono; apply: closed].
Qed.

Lemma plays_closed f x ps : left_behind f -> nilp f.2 -> seen f.1 x -> plays_keys m x ps ->
  seen f.1 (upto m).
Proof.
move=> left /nilP none; elim: ps x => [|j r IH] x old /=; first by move=> /N.eqb_spec <-.
case/and3P=> less may; apply: IH; case: (left x old); first by rewrite none.
by apply.
Qed.

Hypothesis tm : tidy m.

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
exact: plays_seen begun_left begun_seen plays few.
Qed.
End States.
