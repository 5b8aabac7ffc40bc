(* Wirings: at most L presses do not reach the goal, by a formula and a proof.  Theory 7.15.

   A variable says that a button is pressed at a step, that this or one before it in the list is, or
   that a light is lit before the step.  Presses that do not hear each other may change places, and
   one that follows itself goes with it; so of all sequences those will do in which a button comes
   before the next one in the list, or one of the two hears the other.  A clause about two steps
   holds in all of these where each press that it leaves open for the first step contradicts it. *)
From Coq Require Import PArith NArith Nnat Lia.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq path.
From Ponder Require Import game wirings numbering lrat before machines.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Variant fact :=
  | Pressed of number    (* the button is pressed *)
  | PressedTo of number  (* the button, or one before it, is pressed *)
  | Shines of number.    (* the light is lit before the step *)

Section WithinSteps.
Variable m : machine.
Notation n := (size (keys m)).

(* ---- what is computed ---- *)

Definition overhears (j i : number) : bool :=
  match under m, sits (key_at m j) with
  | Any, _ | _, None => false
  | _, Some l => N.testbit (flips (key_at m i)) l
  end.

(* whether i may be pressed, and j next *)
Definition may_follow (i j : number) : bool := 
  (i <? j)%num || (i != j) && (overhears i j || overhears j i).

Definition allowed (o o' : option number) : bool :=
  match o, o' with
  | None, Some _ => false
  | Some i, Some j => may_follow i j
  | _, _ => true
  end.

(* what a variable says, and of which step *)
Definition decoded (x : positive) : N * fact :=
  let b := N.of_nat n in
  let: (s, r) := N.div_eucl (Pos.pred_N x) (b + b + N.of_nat (width m)) in
  (s, if (r <? b)%num then Pressed r else if (r <? b + b)%num then PressedTo (r - b)%num
      else Shines (r - (b + b))%num).

Definition says_of (o : option number) (f : fact) : bool :=
  match o, f with
  | Some i, Pressed j => N.eqb i j
  | Some i, PressedTo j => N.leb i j
  | _, _ => false
  end.

(* literals that are false: of presses, with what they say, and of lights *)
Definition denial := (N * fact * bool)%type.
Definition denials (c : clause) : seq denial := [seq (decoded (variable l), ~~ sign l) | l <- c].
Definition of_presses (s : N) (ds : seq denial) : seq denial :=
  [seq d <- ds | if N.eqb d.1.1 s then (if d.1.2 is Shines _ then false else true) else false].
Definition of_lights (s : N) (ds : seq denial) : seq (number * bool) :=
  pmap (fun d : denial => if N.eqb d.1.1 s then (if d.1.2 is Shines l then Some (l : number, d.2) else None)
    else None) ds.

Definition options : seq (option number) := None :: map Some (numbers n).
Definition open (ds : seq denial) (os : seq (option number)) : seq (option number) :=
  foldl (fun os d => [seq o <- os | says_of o d.1.2 == d.2]) os ds.

(* the press contradicts what is said of the lights before and after it *)
Definition clashes (before after : seq (number * bool)) (o : option number) : bool :=
  let b := if o is Some j then key_at m j else Button 0 None in
  let: f := flips b in
  has (fun k => match under m, sits b with
    | Unlit, Some l => N.eqb l k.1 && k.2
    | Lit, Some l => N.eqb l k.1 && ~~ k.2
    | _, _ => false
    end) before ||
  has (fun k => has (fun k' => N.eqb k.1 k'.1 && (k.2 (+) N.testbit f k.1 (+) k'.2)) after) before.

Definition differs (x : N) (ks : seq (number * bool)) : bool := has (fun k => N.testbit x k.1 (+) k.2) ks.

Definition earliest (ds : seq denial) : N :=
  if ds is d :: ds then foldl (fun s d => N.min s d.1.1) d.1.1 ds else 0%num.

Definition holds_from (last : N) (os : seq (option number)) (ds : seq denial) (s : N) : bool :=
  let before := of_lights s ds in
  if N.eqb s 0 && differs (from m) before then true else
  if N.eqb s last && differs (upto m) before then true else
  let after := of_lights (N.succ s) ds in
  let next := of_presses (N.succ s) ds in
  all (fun o => if clashes before after o then true else
    if nilp next then false else all (fun o' => ~~ allowed o o') (open next os))
    (open (of_presses s ds) os).

(* at the earliest step that the clause is about, or because nothing may come before it *)
Definition holds_always (last : N) (os : seq (option number)) (c : clause) : bool :=
  let ds := denials c in
  let s := earliest ds in
  if holds_from last os ds s then true else
    if N.eqb s 0 then false else holds_from last os ds (N.pred s).

Definition check_within (steps : nat) (its : seq item) : bool :=
  let os := options in let last := N.of_nat steps in
  all (holds_always last os) (clauses_of its) && lrat.refuted (clauses_of its) (steps_of its).

(* ---- sequences in normal form ---- *)

Lemma may_key_lxor x f b : (if under m is Any then true else if sits b is Some l then ~~ N.testbit f l else true) ->
  may_key m (N.lxor x f) b = may_key m x b.
Proof.
rewrite /may_key; case: (under m); case: (sits b) => [l|] //; rewrite N.lxor_spec.
all: by case: (N.testbit f l); case: (N.testbit x l).
Qed.

Lemma may_deaf x i j : ~~ overhears j i ->
  may_key m (N.lxor x (flips (key_at m i))) (key_at m j) = may_key m x (key_at m j).
Proof.
by move=> deaf; apply: may_key_lxor; move: deaf; rewrite /overhears; case: (under m); case: (sits (key_at m j)).
Qed.

Lemma plays_cat x a s s' : (forall y, plays_keys m y s -> plays_keys m y s') ->
  plays_keys m x (a ++ s) -> plays_keys m x (a ++ s').
Proof. by move=> step; elim: a x => [|j a IH] x /=; [apply: step | case/and3P=> -> -> /IH]. Qed.

Lemma plays_swap y i j s : ~~ overhears i j -> ~~ overhears j i ->
  plays_keys m y [:: i, j & s] -> plays_keys m y [:: j, i & s].
Proof.
move=> ij ji /= /and3P[-> may_i /and3P[-> may_j]].
rewrite may_deaf // may_i; move: may_j; rewrite may_deaf // => ->.
by rewrite !N.lxor_assoc (N.lxor_comm (flips (key_at m j))).
Qed.

Lemma plays_twice y i s : plays_keys m y [:: i, i & s] -> plays_keys m y s.
Proof. by move=> /= /and3P[_ _ /and3P[_ _]]; rewrite N.lxor_assoc N.lxor_nilpotent N.lxor_0_r. Qed.

Fixpoint late (ps : seq number) : nat := if ps is i :: r then (size r).+1 * N.to_nat i + late r else 0.

Lemma late_swap i j s : (j < i)%num -> late [:: j, i & s] < late [:: i, j & s].
Proof.
move=> less; apply/ltP; have : (N.to_nat j < N.to_nat i)%coq_nat by lia.
rewrite /= -?plusE -?multE; nia.
Qed.

Lemma late_cat a s s' : size s = size s' -> late s < late s' -> late (a ++ s) < late (a ++ s').
Proof. by move=> same less; elim: a => //= i a IH; rewrite !size_cat same ltn_add2l. Qed.

Lemma unsorted s : ~~ sorted may_follow s -> exists a i j b, s = a ++ [:: i, j & b] /\ ~~ may_follow i j.
Proof.
elim: s => // i [|j s] IH //=; case ij : (may_follow i j) => /= wrong; last first.
  by exists [::], i, j, s; rewrite ij.
by have [a [k [l [b [-> kl]]]]] := IH wrong; exists (i :: a), k, l, b.
Qed.

Lemma normal_form x ps : plays_keys m x ps ->
  exists2 qs, size qs <= size ps & plays_keys m x qs && sorted may_follow qs.
Proof.
have [k] := ubnP (size ps); elim: k ps => // k IHk ps; rewrite ltnS => sz.
have [d] := ubnP (late ps); elim: d ps sz => // d IHd ps sz; rewrite ltnS => few plays.
case ok : (sorted may_follow ps); first by exists ps; rewrite ?plays.
have [a [i [j [b [e wrong]]]]] := unsorted (negbT ok); move: wrong.
rewrite /may_follow negb_or => /andP[/N.ltb_spec0 ge]; case: eqP => /= [same _|differ].
  have [||qs le_qs all_qs] := IHk (a ++ b).
  - by move: sz; rewrite e !size_cat /= !addnS => /ltnW.
  - by move: plays; rewrite e same; apply: plays_cat => y; apply: plays_twice.
  by exists qs => //; apply: leq_trans le_qs _; rewrite e !size_cat leq_add2l;
    apply: leqW; apply: leqnSn.
rewrite negb_or => /andP[ij ji]; have less : (j < i)%num by lia.
have [|||qs le_qs all_qs] := IHd (a ++ [:: j, i & b]).
- by move: sz; rewrite e !size_cat.
- by apply: leq_trans few; rewrite e; apply: late_cat => //; apply: late_swap.
- by move: plays; rewrite e; apply: plays_cat => y; apply: plays_swap.
by exists qs => //; move: le_qs; rewrite e !size_cat.
Qed.

(* ---- such a sequence is a model ---- *)

Section Trace.
Variables (qs : seq number) (steps : nat).
Hypotheses (plays : plays_keys m (from m) qs) (normal : sorted may_follow qs) (few : size qs <= steps).

Definition at_step (i : nat) : option number := nth None (map Some qs) i.
Definition pressing (x : N) (j : number) : N := N.lxor x (flips (key_at m j)).
Definition after (i : nat) : N := foldl pressing (from m) (take i qs).

Lemma plays_at x ps i : plays_keys m x ps -> i < size ps ->
  (N.to_nat (nth 0%num ps i) < n) && may_key m (foldl pressing x (take i ps)) (key_at m (nth 0%num ps i)).
Proof.
by elim: ps x i => // j r IH x [|i] /= /and3P[less may rest]; [rewrite less may | apply: IH].
Qed.

Lemma plays_end x ps : plays_keys m x ps -> foldl pressing x ps = upto m.
Proof. by elim: ps x => [|j r IH] x /= => [/N.eqb_spec|/and3P[_ _ /IH]]. Qed.

Lemma at_step_some i : i < size qs -> at_step i = Some (nth 0%num qs i).
Proof. by move=> less; rewrite /at_step (nth_map 0%num). Qed.

Lemma at_step_none i : size qs <= i -> at_step i = None.
Proof. by move=> more; rewrite /at_step nth_default // size_map. Qed.

Lemma at_step_option i : at_step i \in options.
Proof.
case: (ltnP i (size qs)) => [less|more]; last by rewrite at_step_none.
rewrite at_step_some // inE /= mem_map => [|? ? []//]; rewrite mem_numbers.
by case/andP: (plays_at plays less).
Qed.

Lemma after_step i : after i.+1 = if at_step i is Some j then pressing (after i) j else after i.
Proof.
rewrite /after; case: (ltnP i (size qs)) => [less|more].
  by rewrite at_step_some // (take_nth 0%num) // -cats1 foldl_cat.
by rewrite at_step_none // !take_oversize // ltnW.
Qed.

Lemma allowed_step i : allowed (at_step i) (at_step i.+1).
Proof.
case: (ltnP i.+1 (size qs)) => [less|more]; last first.
  by rewrite (at_step_none more); case: (at_step i).
by rewrite !at_step_some ?(ltnW less) //=; move/(sortedP 0%num): normal; apply.
Qed.

Lemma after_last : after steps = upto m.
Proof. by rewrite /after take_oversize // plays_end. Qed.

Definition value_of (s : N) (f : fact) : bool :=
  if f is Shines l then N.testbit (after (N.to_nat s)) l else says_of (at_step (N.to_nat s)) f.
Definition trace_model (x : positive) : bool := let: (s, f) := decoded x in value_of s f.

Definition right (d : denial) : bool := value_of d.1.1 d.1.2 == d.2.

Lemma right_denials c : ~~ holds trace_model c -> all right (denials c).
Proof.
elim: c => //= l c IH; rewrite negb_or => /andP[no /IH->]; rewrite andbT /right /=.
move: no; rewrite true_in_sign /trace_model; case: (decoded _) => s f /=.
by case: (value_of s f); case: (sign l).
Qed.

Lemma right_lights s ds : all right ds ->
  all (fun k => N.testbit (after (N.to_nat s)) k.1 == k.2) (of_lights s ds).
Proof.
elim: ds => //= -[[s' f] v] ds IH /andP[here /IH rest]; rewrite /of_lights /=.
case: N.eqb_spec => //= e; case: f here => //= l; rewrite /right /= e => ->; exact: rest.
Qed.

Lemma right_presses s ds : all right ds ->
  all (fun d => says_of (at_step (N.to_nat s)) d.1.2 == d.2) (of_presses s ds).
Proof.
elim: ds => //= -[[s' f] v] ds IH /andP[here /IH rest].
by case: N.eqb_spec => //= e; case: f here => //= j; rewrite /right /= e => ->; exact: rest.
Qed.

Lemma mem_open o ds os : all (fun d => says_of o d.1.2 == d.2) ds -> o \in os -> o \in open ds os.
Proof.
rewrite /open; elim: ds os => //= d ds IH os /andP[here /IH{}IH] oos; apply: IH.
by rewrite mem_filter here.
Qed.

Lemma never_differs x ks : all (fun k => N.testbit x k.1 == k.2) ks -> differs x ks = false.
Proof. by elim: ks => //= k ks IH /andP[/eqP-> /IH->]; rewrite addbb. Qed.

Lemma never_clashes i before after' :
  all (fun k => N.testbit (after i) k.1 == k.2) before ->
  all (fun k => N.testbit (after i.+1) k.1 == k.2) after' -> clashes before after' (at_step i) = false.
Proof.
move=> right_b right_a; rewrite /clashes; set b := if _ is Some j then _ else _.
have step l : N.testbit (after i.+1) l = N.testbit (after i) l (+) N.testbit (flips b) l.
  rewrite after_step /b; case: (at_step i) => [j|]; last by rewrite N.bits_0 addbF.
  by rewrite /pressing N.lxor_spec; case: (N.testbit _ l); case: (N.testbit _ l).
have may : may_key m (after i) b.
  rewrite /b; case: (ltnP i (size qs)) => [less|more]; last first.
    by rewrite at_step_none // /may_key; case: (under m).
  by rewrite at_step_some //; case/andP: (plays_at plays less).
apply/negbTE; rewrite negb_or; apply/andP; split.
  elim: before right_b => //= k ks IH /andP[/eqP here /IH no]; rewrite negb_or no andbT.
  move: may; rewrite /may_key; case: (under m); case: (sits b) => [l|] //= may.
    by apply/negP => /andP[/N.eqb_spec e]; rewrite -here -e (negbTE may).
  by apply/negP => /andP[/N.eqb_spec e]; rewrite -here -e may.
elim: before right_b => //= k ks IH /andP[/eqP here /IH no]; rewrite negb_or no andbT.
elim: after' right_a {IH no} => //= k' ks' IH /andP[/eqP here' /IH no]; rewrite negb_or no andbT.
apply/negP => /andP[/N.eqb_spec e]; rewrite -here -here' -e step.
by rewrite addbb.
Qed.

Lemma holds_from_sound ds s : all right ds -> holds_from (N.of_nat steps) options ds s = false.
Proof.
move=> all_right; apply/negP; rewrite /holds_from => ok.
have lights i := right_lights i all_right; have presses i := right_presses i all_right.
suff main : all (fun o => if clashes (of_lights s ds) (of_lights (N.succ s) ds) o then true else
    if nilp (of_presses (N.succ s) ds) then false else
    all (fun o' => ~~ allowed o o') (open (of_presses (N.succ s) ds) options))
    (open (of_presses s ds) options) = false.
  move: ok; rewrite main; case: N.eqb_spec => /= [s0|_].
    by rewrite never_differs ?if_same; [case: N.eqb_spec => //= last; rewrite never_differs //;
      move: (lights s); rewrite last Nat2N.id after_last | move: (lights s); rewrite s0 /after take0].
  case: N.eqb_spec => //= last; rewrite never_differs //.
  by move: (lights s); rewrite last Nat2N.id after_last.
apply/negbTE/negP => /allP/(_ (at_step (N.to_nat s)) (mem_open (presses s) (at_step_option _))).
rewrite never_clashes //; last by have := lights (N.succ s); rewrite N2Nat.inj_succ.
case: nilp => // /allP/(_ (at_step (N.to_nat s).+1)).
rewrite allowed_step; have := presses (N.succ s); rewrite N2Nat.inj_succ => p.
by move/(_ (mem_open p (at_step_option _))).
Qed.

Lemma holds_always_sound c : holds_always (N.of_nat steps) options c -> holds trace_model c.
Proof.
rewrite /holds_always => ok; apply/negPn/negP => /right_denials all_right.
by move: ok; rewrite !holds_from_sound // if_same.
Qed.
End Trace.

Hypothesis tm : tidy m.

(* claim C3 *)
Theorem check_within_sound steps its : check_within steps its -> at_least_wired (wired m) steps.+1.
Proof.
case/andP=> all_hold /refuted_sound none ps; rewrite solution_keys // => plays.
rewrite ltnNge; apply/negP => few; have [qs le_qs /andP[plays_q normal]] := normal_form plays.
have {le_qs}few : size qs <= steps by apply: leq_trans le_qs few.
apply/negP: (none (trace_model qs)); rewrite negbK.
elim: (clauses_of its) all_hold => //= c cs IH /andP[/(holds_always_sound plays_q normal few)-> /IH].
by [].
Qed.
End WithinSteps.
