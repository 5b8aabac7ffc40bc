(* LRAT proofs: a formula in clauses has no model, as a proof with hints shows.

   A lemma follows by unit propagation, its hints being the clauses that become unit, in order, and
   last the one that is falsified.  A lemma that defines a new variable need not follow: any model
   without it can be changed at that variable alone (a resolution asymmetric tautology, RAT).  Such
   a step names, for each clause that has the negation of its first literal, the hints with which
   the resolvent follows.  Every number here is a hint to the computation: a wrong one refutes
   nothing.

   Reference.  L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann, P. Schneider-Kamp, "Efficient
   certified RAT verification", CADE 2017. *)
From Coq Require Import PArith FMapPositive Lia.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Module M := PositiveMap.

(* ---- formulas ---- *)

Variant literal := Is of positive | Not of positive.  (* a variable, or its negation *)
Definition clause := seq literal.
Definition model := positive -> bool.

Definition variable (l : literal) : positive := match l with Is x | Not x => x end.
Definition sign (l : literal) : bool := if l is Is _ then true else false.
Definition true_in (m : model) (l : literal) : bool := if l is Is x then m x else ~~ m (variable l).
Definition holds (m : model) (c : clause) : bool := has (true_in m) c.
Definition unsatisfiable (f : seq clause) := forall m, ~~ all (holds m) f.

Lemma true_in_sign m l : true_in m l = (m (variable l) == sign l).
Proof. by case: l => x /=; case: (m x). Qed.

(* ---- unit propagation: what a model must say, if it falsifies some literals ---- *)

Variant found := Conflict | Unit of literal | Stuck.

Fixpoint scan (a : M.t bool) (c : clause) (one : option literal) : found :=
  if c is l :: c then
    match M.find (variable l) a, one with
    | Some b, _ => if b == sign l then Stuck else scan a c one
    | None, None => scan a c (Some l)
    | None, Some _ => Stuck
    end
  else if one is Some l then Unit l else Conflict.

Notation assume l a := (M.add (variable l) (sign l) a).
Notation deny l a := (M.add (variable l) (~~ sign l) a).
Definition denied (a : M.t bool) (c : clause) : M.t bool := foldl (fun a l => deny l a) a c.

(* None: the clauses contradict what was assumed *)
Fixpoint propagated (d : M.t clause) (a : M.t bool) (hints : seq positive) : option (M.t bool) :=
  if hints is h :: hints then
    match (if M.find h d is Some c then scan a c None else Stuck) with
    | Conflict => None
    | Unit l => propagated d (assume l a) hints
    | Stuck => propagated d a hints
    end
  else Some a.

Definition satisfied (a : M.t bool) (c : clause) : bool :=
  has (fun l => if M.find (variable l) a is Some b then b == sign l else false) c.

Definition agrees (a : M.t bool) (m : model) := forall x b, M.find x a = Some b -> m x = b.
Definition all_hold (d : M.t clause) (m : model) := forall i c, M.find i d = Some c -> holds m c.

Lemma agrees_add a m x b : agrees a m -> m x = b -> agrees (M.add x b a) m.
Proof.
move=> ok e y v; case: (Pos.eq_dec x y) => [<-|ne].
  by rewrite M.gss => -[<-].
by rewrite M.gso; [exact: ok | move/esym].
Qed.

Lemma scan_sound m a c one : agrees a m -> holds m c || oapp (true_in m) false one ->
  match scan a c one with Conflict => False | Unit l => true_in m l | Stuck => True end.
Proof.
move=> ok; elim: c one => [|l c IH] one /=; first by case: one.
case fl : (M.find _ a) => [b|].
  case: eqP => // nb.
  by rewrite true_in_sign (ok _ _ fl) (introF eqP nb) /=; exact: IH.
by case: one => // h; apply: IH => /=; rewrite orbF orbC in h.
Qed.

Lemma propagated_sound m d a hints : all_hold d m -> agrees a m ->
  exists2 a', propagated d a hints = Some a' & agrees a' m.
Proof.
move=> D; elim: hints a => [|h hints IH] a ok /=; first by exists a.
case fh : (M.find h d) => [c|]; last exact: IH.
have := @scan_sound m a c None ok; rewrite (D _ _ fh) => /(_ isT).
case: scan => // [l tl|_]; last exact: IH.
by apply/IH/agrees_add => //; apply/eqP; rewrite -true_in_sign.
Qed.

Lemma denied_agrees m a c : agrees a m -> ~~ holds m c -> agrees (denied a c) m.
Proof.
elim: c a => [|l c IH] a ok //=; rewrite negb_or => /andP[fl]; apply: IH.
by apply: agrees_add ok _; move: fl; rewrite true_in_sign; case: (m _); case: (sign l).
Qed.

Lemma satisfied_holds m a c : agrees a m -> satisfied a c -> holds m c.
Proof.
move=> ok; elim: c => //= l c IH /orP[|/IH->]; last by rewrite orbT.
by case fl : (M.find _ a) => [b|] // /eqP e; rewrite true_in_sign (ok _ _ fl) e eqxx.
Qed.

Lemma empty_agrees m : agrees (M.empty bool) m.
Proof. by move=> x b; rewrite M.gempty. Qed.

(* ---- proofs ---- *)

Variant step :=
  | Lemma_ of positive & clause & seq positive & seq (positive * seq positive)
  | Forget of seq positive.

(* The clauses that are there, by their numbers; and for each variable above those of the formula
   the numbers of clauses that have it (and perhaps of some that are gone). *)
Record state := State { clauses : M.t clause; having : M.t (seq positive) }.

Definition same (l k : literal) : bool :=
  match l, k with Is x, Is y | Not x, Not y => Pos.eqb x y | _, _ => false end.
Definition opposite (l : literal) : literal := match l with Is x => Not x | Not x => Is x end.

Definition listed (h : M.t (seq positive)) (x : positive) : seq positive := odflt [::] (M.find x h).

Fixpoint hints_for (i : positive) (groups : seq (positive * seq positive)) : seq positive :=
  if groups is g :: groups then if Pos.eqb g.1 i then g.2 else hints_for i groups else [::].

(* the resolvent of a lemma that a denies, and clause i, follows; or i has not the literal k *)
Definition resolves d (a : M.t bool) (k : literal) groups (i : positive) : bool :=
  if M.find i d is Some c then
    if has (same k) c then
      let rest := filter (fun l => ~~ same k l) c in
      if satisfied a rest then true else
      if propagated d (denied a rest) (hints_for i groups) is Some _ then false else true
    else true
  else true.

Section Proofs.
Variable top : positive.  (* no variable of the formula is above *)

Definition new (x : positive) : bool := Pos.ltb top x.

Definition follows (s : state) (c : clause) hints groups : bool :=
  if propagated (clauses s) (denied (M.empty bool) c) hints is Some a then
    (if c is l :: _ then
       new (variable l) &&
       all (resolves (clauses s) a (opposite l) groups) (listed (having s) (variable l))
     else false)
  else true.

Definition note (i : positive) (h : M.t (seq positive)) (l : literal) : M.t (seq positive) :=
  if new (variable l) then M.add (variable l) (i :: listed h (variable l)) h else h.

Definition added (i : positive) (c : clause) (s : state) : state :=
  State (M.add i c (clauses s)) (foldl (note i) (having s) c).

Definition without (s : state) (ids : seq positive) : state :=
  State (foldl (fun d i => M.remove i d) (clauses s) ids) (having s).

(* if, not &&, of which Coq's machine computes both sides, the later steps first *)
Fixpoint refutes (s : state) (p : seq step) : bool :=
  match p with
  | [::] => false
  | Forget ids :: p => refutes (without s ids) p
  | Lemma_ i c hints groups :: p =>
      if follows s c hints groups then if c is [::] then true else refutes (added i c s) p
      else false
  end.

Definition noted (s : state) :=
  forall i c l, M.find i (clauses s) = Some c -> List.In l c -> new (variable l) ->
  List.In i (listed (having s) (variable l)).

(* ---- why: a model of what is there makes one of what is there with the lemma ---- *)

Definition flipped (m : model) (l : literal) : model :=
  fun x => if Pos.eqb x (variable l) then sign l else m x.

Lemma sameP l k : reflect (l = k) (same l k).
Proof.
by case: l k => x [] y /=; try (by constructor); apply: (iffP idP) => [/Pos.eqb_eq->|[->]] //;
  exact: Pos.eqb_refl.
Qed.

Lemma hasP_In (p : literal -> bool) c : has p c -> exists2 l, List.In l c & p l.
Proof.
elim: c => //= l c IH /orP[pl|/IH[k]]; first by exists l; [left|].
by exists k; [right|].
Qed.

Lemma has_In (p : literal -> bool) c l : List.In l c -> p l -> has p c.
Proof. by elim: c => //= k c IH [->->//|/IH h /h->]; rewrite orbT. Qed.

(* other literals are as true as before, or more so *)
Lemma flipped_true m l k : ~~ same (opposite l) k -> true_in m k -> true_in (flipped m l) k.
Proof.
rewrite !true_in_sign /flipped; case: (Pos.eqb_spec (variable k) (variable l)) => [|//] e.
by case: l k e => x [] y /= ->; rewrite ?Pos.eqb_refl.
Qed.

Lemma flipped_self m l : true_in (flipped m l) l.
Proof. by rewrite true_in_sign /flipped Pos.eqb_refl eqxx. Qed.

Lemma listed_all (A : positive -> bool) ids i : all A ids -> List.In i ids -> A i.
Proof. by elim: ids => //= j ids IH /andP[aj /IH h] [<-|/h]. Qed.

Lemma same_opposite l k : same (opposite l) k -> variable k = variable l.
Proof. by case: l k => x [] y //= /Pos.eqb_eq. Qed.

Lemma holds_without (k : literal) m c :
  ~~ holds m (filter (fun l => ~~ same k l) c) -> holds m c -> List.In k c.
Proof.
elim: c => //= l c IH; case: sameP => [<-|ne] /=; first by left.
by rewrite negb_or => /andP[/negPf-> /IH h] /h; right.
Qed.

Lemma resolves_sound d m a l groups i c : all_hold d m -> agrees a m ->
  resolves d a (opposite l) groups i -> M.find i d = Some c -> holds (flipped m l) c.
Proof.
move=> D ok; rewrite /resolves => r fi; move: r; rewrite fi.
have hc := D _ _ fi.
have [/hasP_In[k kc tk]|] := boolP (holds m (filter (fun k => ~~ same (opposite l) k) c)).
  move=> _; have [kc' nk] : List.In k c /\ ~~ same (opposite l) k.
    by elim: c {fi hc} kc => //= h c IH; case: ifP => [nh [<-|/IH[]]|_ /IH[]]; split=> //; [left|right|right].
  exact: has_In kc' (flipped_true nk tk).
move=> nh; have kc := holds_without nh hc.
rewrite (has_In kc); last by case: (sameP (opposite l) (opposite l)).
have [a' -> _] := propagated_sound (hints_for i groups) D (denied_agrees ok nh).
by case: ifP => // /(satisfied_holds ok); rewrite (negPf nh).
Qed.

Lemma follows_sound s m c hints groups : noted s -> all_hold (clauses s) m ->
  follows s c hints groups -> exists2 m', all_hold (clauses s) m' & holds m' c.
Proof.
move=> N D; rewrite /follows; have [hc _|nc] := boolP (holds m c); first by exists m.
have [a -> ok] := propagated_sound hints D (denied_agrees (@empty_agrees m) nc).
case: c nc => // l c _ /andP[newl /listed_all rs]; exists (flipped m l); last first.
  by rewrite /= flipped_self.
move=> i e fi; have [/hasP_In[k ke /same_opposite vk]|no] := boolP (has (same (opposite l)) e).
  by apply: (resolves_sound D ok (rs i _) fi); rewrite -vk; apply: (N _ _ _ fi ke); rewrite vk.
have [k ke tk] := hasP_In (D _ _ fi); apply: (has_In ke); apply: flipped_true tk.
by apply: contra no => sk; exact: has_In ke sk.
Qed.

Lemma note_listed i (h : M.t (seq positive)) l x j : List.In j (listed h x) -> List.In j (listed (note i h l) x).
Proof.
rewrite /note; case: ifP => // _; rewrite {2}/listed.
case: (Pos.eq_dec (variable l) x) => [<-|ne]; first by rewrite M.gss /=; right.
by rewrite M.gso // => /esym.
Qed.

Lemma notes_listed i c h x j : List.In j (listed h x) -> List.In j (listed (foldl (note i) h c) x).
Proof. by elim: c h => //= l c IH h jh; apply/IH/note_listed. Qed.

Lemma notes_new i c h l : List.In l c -> new (variable l) ->
  List.In i (listed (foldl (note i) h c) (variable l)).
Proof.
elim: c h => //= k c IH h [<-|lc] nl; last exact: IH.
by apply: notes_listed; rewrite /note nl /listed M.gss; left.
Qed.

Lemma added_noted i c s : noted s -> noted (added i c s).
Proof.
move=> N j e l /=; case: (Pos.eq_dec i j) => [<-|ne].
  by rewrite M.gss => -[<-]; exact: notes_new.
rewrite M.gso => [fj le nl|/esym//]; exact: notes_listed (N _ _ _ fj le nl).
Qed.

Lemma without_find (d : M.t clause) ids i c :
  M.find i (foldl (fun d i => M.remove i d) d ids) = Some c -> M.find i d = Some c.
Proof.
elim: ids d => //= j ids IH d /IH; case: (Pos.eq_dec j i) => [<-|ne]; first by rewrite M.grs.
by rewrite M.gro // => /esym.
Qed.

Lemma refutes_sound p s m : noted s -> refutes s p -> ~ all_hold (clauses s) m.
Proof.
elim: p s m => [|[i c hints groups|ids] p IH] s m N //=; last first.
  move=> /IH h D; apply: (h m) => [j e l /without_find|j e /without_find]; [exact: N | exact: D].
case: ifP => // f r D; have [m' D' h] := follows_sound N D f.
case: c h r {f} => // l c h /(IH _ m') no; apply: no => [|j e /=]; first exact: added_noted.
 case: (Pos.eq_dec i j) => [<-|ne]; first by rewrite M.gss => -[<-].
by rewrite M.gso => [|/esym//]; exact: D'.
Qed.
End Proofs.

(* ---- formulas and their proofs ---- *)

Definition highest (f : seq clause) : positive :=
  foldl (foldl (fun x l => Pos.max x (variable l))) 1%positive f.

Fixpoint numbered (i : positive) (f : seq clause) (d : M.t clause) : M.t clause :=
  if f is c :: f then numbered (Pos.succ i) f (M.add i c d) else d.

(* The clauses of the formula are numbered from 1. *)
Definition refuted (f : seq clause) (p : seq step) : bool :=
  refutes (highest f) (State (numbered 1 f (M.empty clause)) (M.empty (seq positive))) p.

Lemma numbered_find i f d j c : M.find j (numbered i f d) = Some c ->
  List.In c f \/ M.find j d = Some c.
Proof.
elim: f i d => [|e f IH] i d /=; first by right.
case/IH => [|]; first by left; right.
case: (Pos.eq_dec i j) => [<-|ne]; first by rewrite M.gss => -[->]; left; left.
by rewrite M.gso => [|/esym//]; right.
Qed.

Lemma below_highest f c l : List.In c f -> List.In l c -> Pos.ltb (highest f) (variable l) = false.
Proof.
pose most := foldl (fun x l => Pos.max x (variable l)).
have step c' x : (x <= most x c')%positive.
  by elim: c' x => [|k c' IH] x /=; [lia | have := IH (Pos.max x (variable k)); lia].
have steps f' x : (x <= foldl most x f')%positive.
  by elim: f' x => [|k f' IH] x /=; [lia | have := step k x; have := IH (most x k); lia].
have one c' x : List.In l c' -> (variable l <= most x c')%positive.
  elim: c' x => //= k c' IH x [->|/IH//]; have := step c' (Pos.max x (variable l)); rewrite /most; lia.
move=> cf lc; apply/Pos.ltb_ge; rewrite /highest -/most.
elim: f 1%positive cf => //= e f IH x [->|cf]; last exact: IH.
by have := one c x lc; have := steps f (most x c); lia.
Qed.

Theorem refuted_sound f p : refuted f p -> unsatisfiable f.
Proof.
move=> r m; apply/negP => F; apply: (refutes_sound (m := m) _ r) => [i c l|i c] /=.
  by case/numbered_find => [cf lc|]; [rewrite /new (below_highest cf lc) | rewrite M.gempty].
case/numbered_find => [|]; last by rewrite M.gempty.
by elim: f F {r} => //= e f IH /andP[he /IH h] [<-|/h].
Qed.
