(* Refutations by formulas, packed: how the items of before.v stand in a certificate.

   Coq reads numbers of the machine fast, and large terms slowly.  What is decoded here is a hint,
   so nothing is proved of it; a certificate keeps the items alone and no number of the machine.

   A number of the machine holds some numbers of equal width, the lowest first; 0 fills the last.
   A 1 ends a line, and what a line says stands at its head:
     2 i literals, 3 hints, 4 i hints    a lemma, its hints, those for the resolvent with clause i
     5 ids                               clauses that are no longer needed
     6 literals; 7 literals, 8 presses   clauses of the formula: by a cycle, or by equations
     9 x u v; 10 x unknowns              a variable: a pair, or a sum (unknown 0 is 1)
     11 v literals                       an equation
   A literal is 2x, or 2x + 1 for the negation of x; other numbers are raised by 1, those that
   start from 0 by 2. *)
From Coq Require Import PArith NArith.
From Coq Require Export PrimInt63.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game board forms lrat numbering before.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Open Scope int63_scope.

Fixpoint positive_of (bits : nat) (x : int) : positive :=
  if bits is b.+1 then
    if PrimInt63.eqb x 1 then xH
    else
      let y := positive_of b (lsr x 1) in if PrimInt63.eqb (land x 1) 1 then xI y else xO y
  else xH.

(* the numbers in x, before the others *)
Fixpoint numbers_of (width : int) (most : nat) (x : int) (others : seq positive) : seq positive :=
  if most is m.+1 then
    if PrimInt63.eqb x 0 then others
    else positive_of 60 (land x (sub (lsl 1 width) 1)) :: numbers_of width m (lsr x width) others
  else others.
Close Scope int63_scope.

Fixpoint lines_of (s : seq positive) : seq (seq positive) :=
  match s with
  | [::] => [::]
  | xH :: s => [::] :: lines_of s
  | x :: s => if lines_of s is l :: ls then (x :: l) :: ls else [:: [:: x]]
  end.

Definition literal_of (x : positive) : literal :=
  match x with xO y => Is y | xI y => Not y | xH => Is xH end.
Definition from_0 (x : positive) : N := Pos.pred_N (Pos.pred x).

(* the items so far, the last one first, and a line *)
Definition read (its : seq item) (line : seq positive) : seq item :=
  match line, its with
  | 2 :: i :: ls, _ => Step (Lemma_ (Pos.pred i) (map literal_of ls) [::] [::]) :: its
  | 3 :: hs, Step (Lemma_ i c _ gs) :: its => Step (Lemma_ i c (map Pos.pred hs) gs) :: its
  | 4 :: j :: hs, Step (Lemma_ i c hints gs) :: its =>
      Step (Lemma_ i c hints ((Pos.pred j, map Pos.pred hs) :: gs)) :: its
  | 5 :: ids, _ => Step (Forget (map Pos.pred ids)) :: its
  | 6 :: ls, _ => Clause (map literal_of ls) Cycle :: its
  | 7 :: ls, _ => Clause (map literal_of ls) (Parity [::]) :: its
  | 8 :: vs, Clause c _ :: its => Clause c (Parity (map from_0 vs)) :: its
  | [:: 9; x; u; v], _ => Means (Pos.pred x) (Pair (from_0 u) (from_0 v)) :: its
  | 10 :: x :: us, _ =>
      Means (Pos.pred x) (Sum (foldr (fun u f => N.lxor (N.shiftl 1 (from_0 u)) f) 0%num us)) :: its
  | 11 :: v :: ls, _ => Equation (from_0 v) (map literal_of ls) :: its
  | _, _ => its
  end%positive.

Definition unpacked (width : int) (packed : seq int) : seq item :=
  rev (foldl read [::] (lines_of (foldr (numbers_of width 60) [::] packed))).
