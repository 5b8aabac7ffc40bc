(* Refutations by formulas, packed: how the items of before.v stand in a certificate.

   Coq reads numbers of the machine fast, and large terms slowly.  What is decoded here is a hint,
   so nothing is proved of it; a certificate keeps bytes alone and no number of the machine.

   A number of the machine holds seven bytes, and so does a constructor of what a certificate keeps:
   the terms that Coq's kernel goes through are few and flat.  A byte holds seven bits of a number,
   the highest first, and 128 more if others follow; a 0 stands for nothing.
   A 1 ends a line, and what a line says stands at its head:
     2 literals, 3 hints, 4 i hints      a lemma, its hints, those for the resolvent with clause i
     5 ids                               clauses that are no longer needed
     6 literals, 12 u v                  a clause of the formula: by a cycle, and a given arc in it
     7 literals, 8 presses               a clause of the formula: by equations
     9 x u v; 10 x unknowns              a variable: a pair, or a sum (unknown 0 is 1)
     11 v literals                       an equation
   Clauses and lemmas are numbered as they come.  Hints and ids count back: 2 is the clause before
   the lemma, or the last one.  A literal is 2x, or 2x + 1 for the negation of x; other numbers are
   raised by 1, those that start from 0 by 2. *)
From Coq Require Import PArith NArith PArray Init.Byte.
From Coq Require Export PrimInt63.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game board forms lrat numbering before.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* ---- what a certificate keeps ---- *)

Inductive bytes := End | Seven of byte & byte & byte & byte & byte & byte & byte & bytes.

Open Scope int63_scope.

Definition byte_of (x : int) : byte :=
  let bit k := if PrimInt63.eqb (land (lsr x k) 1) 0 then false else true in
  Byte.of_bits (bit 0, (bit 1, (bit 2, (bit 3, (bit 4, (bit 5, (bit 6, bit 7))))))).

Fixpoint fill (left : nat) (x : int) (t : array byte) : array byte :=
  if left is l.+1 then fill l (add x 1) (PArray.set t x (byte_of x)) else t.
Definition every_byte : array byte := fill 256 0 (PArray.make 256 x00).

(* the numbers before the one at i; few enough for Coq's stack *)
Fixpoint kept (left : nat) (packed : array int) (i : int) (rest : bytes) : bytes :=
  if left is l.+1 then
    if PrimInt63.eqb i 0 then rest else
    let i := sub i 1 in
    let x := PArray.get packed i in
    let at_bit k := PArray.get every_byte (land (lsr x k) 255) in
    kept l packed i
      (Seven (at_bit 48) (at_bit 40) (at_bit 32) (at_bit 24) (at_bit 16) (at_bit 8) (at_bit 0) rest)
  else rest.

Definition keep (packed : array int) : bytes := kept 1000 packed (PArray.length packed) End.
Close Scope int63_scope.

(* ---- what it computes ---- *)

Record reader := Reader {
  value : N;  (* of the bits so far *)
  line : seq positive;  (* so far, and the items, the last one first *)
  items : seq item;
  next : positive }.  (* the number of the next clause or lemma *)

Definition literal_of (x : positive) : literal :=
  match x with xO y => Is y | xI y => Not y | xH => Is xH end.
Definition from_0 (x : positive) : N := Pos.pred_N (Pos.pred x).
Definition back (i x : positive) : positive := Pos.sub (Pos.succ i) x.

Definition ended (ws : seq positive) (its : seq item) (n : positive) : reader :=
  let more it := Reader 0 [::] (it :: its) n in
  let counted it := Reader 0 [::] (it :: its) (Pos.succ n) in
  match ws, its with
  | 2 :: ls, _ => counted (Step (Lemma_ n (map literal_of ls) [::] [::]))
  | 3 :: hs, Step (Lemma_ i c _ gs) :: its =>
      Reader 0 [::] (Step (Lemma_ i c (map (back i) hs) gs) :: its) n
  | 4 :: j :: hs, Step (Lemma_ i c hints gs) :: its =>
      Reader 0 [::] (Step (Lemma_ i c hints ((back i j, map (back i) hs) :: gs)) :: its) n
  | 5 :: ids, _ => more (Step (Forget (map (back n) ids)))
  | 6 :: ls, _ => counted (Clause (map literal_of ls) (Cycle [::]))
  | 7 :: ls, _ => counted (Clause (map literal_of ls) (Parity [::]))
  | 8 :: vs, Clause c _ :: its => Reader 0 [::] (Clause c (Parity (map from_0 vs)) :: its) n
  | [:: 12; u; v], Clause c (Cycle arcs) :: its =>
      Reader 0 [::] (Clause c (Cycle ((from_0 u : number, from_0 v : number) :: arcs)) :: its) n
  | [:: 9; x; u; v], _ => more (Means (Pos.pred x) (Pair (from_0 u) (from_0 v)))
  | 10 :: x :: us, _ =>
      let sum := foldr (fun u f => N.lxor (N.shiftl 1 (from_0 u)) f) 0%num us in
      more (Means (Pos.pred x) (Sum sum))
  | 11 :: v :: ls, _ => more (Equation (from_0 v) (map literal_of ls))
  | _, _ => Reader 0 [::] its n
  end%positive.

Definition bit (b : bool) (v : N) : N :=
  match v with
  | N0 => if b then Npos xH else N0
  | Npos p => Npos (if b then xI p else xO p)
  end.

Definition read (r : reader) (b : byte) : reader :=
  let: (b0, (b1, (b2, (b3, (b4, (b5, (b6, b7))))))) := Byte.to_bits b in
  let: Reader v ws its n := r in
  let v := bit b0 (bit b1 (bit b2 (bit b3 (bit b4 (bit b5 (bit b6 v)))))) in
  if b7 then Reader v ws its n else
  match v with
  | N0 => r
  | Npos xH => ended (rev ws) its n
  | Npos p => Reader 0 (p :: ws) its n
  end.

Fixpoint read_all (r : reader) (s : bytes) : reader :=
  if s is Seven a b c d e f g s then
    read_all (read (read (read (read (read (read (read r a) b) c) d) e) f) g) s
  else r.

Definition unpacked (packed : seq bytes) : seq item :=
  rev (items (foldl read_all (Reader 0 [::] [::] 1) packed)).
