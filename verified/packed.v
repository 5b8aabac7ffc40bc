(* Refutations by formulas, packed: how the items of before.v stand in a certificate.

   Coq reads numbers of the machine fast, and large terms slowly.  What is decoded here is a hint,
   so nothing is proved of it; a certificate keeps the items alone and no number of the machine.

   A number of the machine holds 15 hexadecimal digits.  A certificate keeps digits, since these are
   the smallest terms, and numbers are made of them when they are needed: some digits make one, and
   0 fills the last.
   A 1 ends a line, and what a line says stands at its head:
     2 i literals, 3 hints, 4 i hints    a lemma, its hints, those for the resolvent with clause i
     5 ids                               clauses that are no longer needed
     6 literals, 12 u v                  a clause of the formula: by a cycle, and a given arc in it
     7 literals, 8 presses               a clause of the formula: by equations
     9 x u v; 10 x unknowns              a variable: a pair, or a sum (unknown 0 is 1)
     11 v literals                       an equation
   A literal is 2x, or 2x + 1 for the negation of x; other numbers are raised by 1, those that
   start from 0 by 2. *)
From Coq Require Import PArith NArith Hexadecimal.
From Coq Require Export PrimInt63.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game board forms lrat numbering before.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Open Scope int63_scope.

(* ---- what a certificate keeps ---- *)

Definition digit (x : int) (rest : uint) : uint :=
  let two a b := if PrimInt63.eqb (land x 1) 0 then a rest else b rest in
  let four a b c d := if PrimInt63.eqb (land x 2) 0 then two a b else two c d in
  let eight a b c d e f g h := if PrimInt63.eqb (land x 4) 0 then four a b c d else four e f g h in
  if PrimInt63.eqb (land x 8) 0 then eight D0 D1 D2 D3 D4 D5 D6 D7
  else eight D8 D9 Da Db Dc Dd De Df.

Fixpoint digits_of (most : nat) (x : int) (rest : uint) : uint :=
  if most is m.+1 then digits_of m (lsr x 4) (digit x rest) else rest.

Definition digits (packed : seq int) : uint := foldr (digits_of 15) Hexadecimal.Nil packed.
Close Scope int63_scope.

(* ---- what it computes ---- *)

Fixpoint values (s : uint) : seq N :=
  match s with
  | Hexadecimal.Nil => [::]
  | D0 s => 0 :: values s | D1 s => 1 :: values s | D2 s => 2 :: values s | D3 s => 3 :: values s
  | D4 s => 4 :: values s | D5 s => 5 :: values s | D6 s => 6 :: values s | D7 s => 7 :: values s
  | D8 s => 8 :: values s | D9 s => 9 :: values s | Da s => 10 :: values s | Db s => 11 :: values s
  | Dc s => 12 :: values s | Dd s => 13 :: values s | De s => 14 :: values s | Df s => 15 :: values s
  end%num.

(* left: digits that the number v still needs, of width + 1 *)
Fixpoint numbers_of (width left : nat) (v : N) (s : seq N) : seq positive :=
  if s is d :: s then
    let v := (16 * v + d)%num in
    if left is l.+1 then numbers_of width l v s
    else if v is Npos p then p :: numbers_of width width 0 s else numbers_of width width 0 s
  else [::].

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
  | 6 :: ls, _ => Clause (map literal_of ls) (Cycle [::]) :: its
  | 7 :: ls, _ => Clause (map literal_of ls) (Parity [::]) :: its
  | 8 :: vs, Clause c _ :: its => Clause c (Parity (map from_0 vs)) :: its
  | [:: 12; u; v], Clause c (Cycle arcs) :: its =>
      Clause c (Cycle ((from_0 u : number, from_0 v : number) :: arcs)) :: its
  | [:: 9; x; u; v], _ => Means (Pos.pred x) (Pair (from_0 u) (from_0 v)) :: its
  | 10 :: x :: us, _ =>
      Means (Pos.pred x) (Sum (foldr (fun u f => N.lxor (N.shiftl 1 (from_0 u)) f) 0%num us)) :: its
  | 11 :: v :: ls, _ => Equation (from_0 v) (map literal_of ls) :: its
  | _, _ => its
  end%positive.

Definition unpacked (width : nat) (packed : seq uint) : seq item :=
  let numbers s := numbers_of width.-1 width.-1 0 (values s) in
  rev (foldl read [::] (lines_of (flatten (map numbers packed)))).
