(* Wirings as binary numbers: what certificates compute with.

   Lights and buttons are numbered in their order.  A state is a number whose bits are the lights,
   and a press adds the number of the button, bit by bit.  The claims about a wiring are those about
   its machine. *)
From Coq Require Import PArith NArith Nnat Lia.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game board wirings numbering forms cosets.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Record button := Button { flips : N; sits : option number }.
Record machine := Machine {
  width : nat;            (* how many lights *)
  keys : seq button;
  from : N;               (* the start *)
  upto : N;               (* the goal *)
  under : rule }.

Definition key_at (m : machine) (j : number) : button := nth (Button 0 None) (keys m) (N.to_nat j).

Definition wired (m : machine) : wiring number number :=
  Wiring (numbers (width m)) (numbers (size (keys m)))
    (fun j => let f := flips (key_at m j) in fun l => N.testbit f l) (fun j => sits (key_at m j))
    (N.testbit (from m)) (N.testbit (upto m)) (under m).

Section Machine.
Variables (L B : eqType) (w : wiring L B).

Definition light_number (l : L) : number := N.of_nat (index l (lights w)).
Definition button_number (b : B) : number := N.of_nat (index b (buttons w)).
Definition bits (s : L -> bool) : N := of_bits (map s (lights w)).

Definition machine_of : machine :=
  Machine (size (lights w))
    [seq Button (bits (toggles w b)) (omap light_number (seat w b)) | b <- buttons w]
    (bits (first_lit w)) (bits (last_lit w)) (button_rule w).

(* buttons sit at lights *)
Definition seated : bool := all (fun b => oapp (mem (lights w)) true (seat w b)) (buttons w).

Hypotheses (ul : uniq (lights w)) (ub : uniq (buttons w)) (sb : seated).
Notation m := machine_of.

Lemma testbit_bits s l : l \in lights w -> N.testbit (bits s) (light_number l) = s l.
Proof.
move=> ll; rewrite testbit_of_bits /light_number Nat2N.id (nth_map l) ?index_mem //.
by rewrite nth_index.
Qed.

Lemma key_of b : b \in buttons w -> key_at m (button_number b) =
  Button (bits (toggles w b)) (omap light_number (seat w b)).
Proof.
move=> bb; rewrite /key_at /button_number Nat2N.id (nth_map b) ?index_mem //.
by rewrite nth_index.
Qed.

Lemma button_number_inj : {in buttons w &, injective button_number}.
Proof. by move=> v u vb ub' /of_nat_inj same; rewrite -(nth_index v vb) same nth_index. Qed.

Lemma button_number_in b : b \in buttons w -> button_number b \in numbers (size (keys m)).
Proof. by move=> bb; rewrite mem_numbers Nat2N.id size_map index_mem. Qed.

Lemma map_light_number : map light_number (lights w) = numbers (width m).
Proof.
rewrite numbers_map /light_number map_comp -[width m]/(size (lights w)); congr (map _ _); apply: (@eq_from_nth _ 0) => [|i].
  by rewrite size_map size_iota.
rewrite size_map => less; case: (lights w) ul less => // l0 ls uu less.
by rewrite (nth_map l0) // nth_iota // add0n index_uniq.
Qed.

Lemma map_button_number : map button_number (buttons w) = numbers (size (keys m)).
Proof.
rewrite size_map numbers_map /button_number map_comp; congr (map _ _); apply: (@eq_from_nth _ 0) => [|i].
  by rewrite size_map size_iota.
rewrite size_map => less; case: (buttons w) ub less => // b0 bs uu less.
by rewrite (nth_map b0) // nth_iota // add0n index_uniq.
Qed.

Lemma pushes_machine s s' ps : {in lights w, forall l, s' (light_number l) = s l} ->
  {subset ps <= buttons w} -> pushes (wired m) s' (map button_number ps) = pushes w s ps.
Proof.
elim: ps s s' => [|b r IH] s s' same sub /=.
  rewrite -map_light_number all_map; apply: eq_in_all => l ll /=.
  by rewrite same //= testbit_bits.
have bb : b \in buttons w by apply: sub; rewrite mem_head.
rewrite bb button_number_in //=; congr (_ && _).
  rewrite /may_push /= key_of //=; have := allP sb b bb.
  by case: (seat w b) => [l|] //= ll; rewrite same.
apply: IH => [l ll|c cr]; last by apply: sub; rewrite inE cr orbT.
by rewrite /push /= same // key_of //= testbit_bits.
Qed.

Lemma pushes_sub s ps : pushes w s ps -> {subset ps <= buttons w}.
Proof.
by elim: ps s => //= b r IH s /and3P[bb _ /IH sub] c; rewrite inE => /orP[/eqP->|/sub].
Qed.

Lemma solution_machine ps : {subset ps <= buttons w} ->
  solution_wired (wired m) (map button_number ps) = solution_wired w ps.
Proof. by move=> sub; apply: pushes_machine => // l ll; apply: testbit_bits. Qed.

Lemma solution_to_machine ps : solution_wired w ps -> solution_wired (wired m) (map button_number ps).
Proof. by move=> sol; rewrite solution_machine //; apply: pushes_sub sol. Qed.

Lemma uniq_machine ps : {subset ps <= buttons w} -> uniq (map button_number ps) = uniq ps.
Proof. by move=> sub; apply: map_inj_in_uniq => v u /sub vb /sub; apply: button_number_inj. Qed.

Lemma unsolvable_machine : unsolvable_wired (wired m) -> unsolvable_wired w.
Proof. by move=> none ps; apply: contra (none (map button_number ps)); apply: solution_to_machine. Qed.

Lemma no_order_machine : no_order_wired (wired m) -> no_order_wired w.
Proof.
move=> none ps up; apply/negP => sol; have := none (map button_number ps).
by rewrite (solution_to_machine sol) uniq_machine ?up => [/(_ isT)|]; last exact: pushes_sub sol.
Qed.

Lemma no_order_of_machine S : no_order_of_wired (wired m) (map button_number S) -> no_order_of_wired w S.
Proof.
move=> none ps pS; apply: contra (none (map button_number ps) (perm_map button_number pS)).
exact: solution_to_machine.
Qed.

Lemma at_least_machine k : at_least_wired (wired m) k -> at_least_wired w k.
Proof. by move=> bound ps /solution_to_machine/bound; rewrite size_map. Qed.

Lemma order_at_least_machine k : order_at_least_wired (wired m) k -> order_at_least_wired w k.
Proof.
move=> bound ps /andP[up sol]; rewrite -(size_map button_number); apply: bound.
by rewrite /an_order_wired (solution_to_machine sol) uniq_machine ?up //; apply: pushes_sub sol.
Qed.
End Machine.

(* ---- states as numbers ---- *)

Definition may_key (m : machine) (x : N) (b : button) : bool :=
  match under m, sits b with
  | Unlit, Some l => ~~ N.testbit x l
  | Lit, Some l => N.testbit x l
  | _, _ => true
  end.

(* no number has a bit that is no light, so a state is one number *)
Definition narrow (m : machine) (x : N) : bool := N.eqb (N.shiftr x (N.of_nat (width m))) 0.
Definition tidy (m : machine) : bool :=
  [&& narrow m (from m), narrow m (upto m) & all (fun b => narrow m (flips b)) (keys m)].

Fixpoint plays_keys (m : machine) (x : N) (ps : seq number) : bool :=
  if ps is j :: r then
    [&& N.to_nat j < size (keys m), may_key m x (key_at m j) &
        plays_keys m (N.lxor x (flips (key_at m j))) r]
  else N.eqb x (upto m).

Section States.
Variable m : machine.
Hypothesis tm : tidy m.

Lemma narrow_bit x l : narrow m x -> N.testbit x l -> l \in numbers (width m).
Proof.
move/N.eqb_spec => none bit; rewrite mem_numbers ltnNge; apply/negP => /leP less.
have : N.testbit (N.shiftr x (N.of_nat (width m))) (l - N.of_nat (width m)) = N.testbit x l.
  by rewrite N.shiftr_spec'; congr N.testbit; lia.
by rewrite none N.bits_0 bit.
Qed.

Lemma narrow_lxor x y : narrow m x -> narrow m y -> narrow m (N.lxor x y).
Proof. by rewrite /narrow N.shiftr_lxor => /N.eqb_spec-> /N.eqb_spec->. Qed.

Lemma narrow_key j : narrow m (flips (key_at m j)).
Proof.
have /and3P[_ _ /(all_nthP (Button 0 None)) ok] := tm; rewrite /key_at.
case: (ltnP (N.to_nat j) (size (keys m))) => less; first exact: ok.
by rewrite nth_default // /narrow N.shiftr_0_l.
Qed.

Lemma eq_pushes (L B : eqType) (w : wiring L B) s s' ps : s =1 s' -> pushes w s ps = pushes w s' ps.
Proof.
elim: ps s s' => [|j r IH] s s' same /=; first by apply: eq_all => l; rewrite same.
rewrite (IH _ (push w j s')) => [|l]; last by rewrite /push same.
congr [&& _, _ & _]; rewrite /may_push; case: (button_rule w); case: (seat w j) => [l|] //.
all: by rewrite ?same.
Qed.

Lemma pushes_keys x ps : narrow m x -> pushes (wired m) (N.testbit x) ps = plays_keys m x ps.
Proof.
have /and3P[_ ok_goal _] := tm.
elim: ps x => [|j r IH] x nx /=.
  apply/idP/N.eqb_spec => [/allP same|->]; last by apply/allP.
  apply: N.bits_inj => l.
  case in_l : (l \in numbers (width m)); first by apply/eqP; apply: same.
  by rewrite (contraFF (narrow_bit nx) in_l) (contraFF (narrow_bit ok_goal) in_l).
rewrite mem_numbers -(IH _ (narrow_lxor nx (narrow_key j))).
congr [&& _, _ & _]; apply: eq_pushes => l.
by rewrite /push N.lxor_spec /=; case: (N.testbit x l); case: (N.testbit _ l).
Qed.

Theorem solution_keys ps : solution_wired (wired m) ps = plays_keys m (from m) ps.
Proof. by apply: pushes_keys; case/and3P: tm. Qed.
End States.

Lemma narrow_bits (V : eqType) (f : V -> bool) (vs : seq V) :
  N.eqb (N.shiftr (of_bits (map f vs)) (N.of_nat (size vs))) 0.
Proof.
apply/N.eqb_spec; apply: N.bits_inj => l; rewrite N.shiftr_spec' testbit_of_bits N.bits_0.
by rewrite nth_default // size_map; apply/leP; lia.
Qed.

Lemma machine_tidy (L B : eqType) (w : wiring L B) : tidy (machine_of w).
Proof.
rewrite /tidy /narrow !narrow_bits all_map; apply/allP => b _ /=; exact: narrow_bits.
Qed.
