(* Boards as text: what the lines of a board file mean.

   A grid is its lines of characters, as they stand in the board file: 1 is lit, 0 is unlit, and
   any other character is a hole.  A bulb is its place: row and column, from 0, from the top left.
   A graph board is its edges; a bulb is its number. *)
From Coq Require Import String Ascii ZArith.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* the type of all T, for T with a test of equality *)
Definition eqtype_of (T : eqType) (_ : phant T) : eqType := T.
Definition place : eqType := eqtype_of (Phant (nat * nat)).
Definition node : eqType := eqtype_of (Phant nat).

(* ---- text ---- *)

(* the lines of a text, without empty ones *)
Definition newline : ascii := "010".
Fixpoint lines_from (line : seq ascii) (text : string) : seq (seq ascii) :=
  match text with
  | EmptyString => if line is [::] then [::] else [:: rev line]
  | String c rest =>
      if Ascii.eqb c newline
      then if line is [::] then lines_from [::] rest else rev line :: lines_from [::] rest
      else lines_from (c :: line) rest
  end.
Definition lines (text : string) : seq (seq ascii) := lines_from [::] text.

Definition is_lit (c : ascii) : bool := Ascii.eqb c "1".
Definition is_bulb (c : ascii) : bool := Ascii.eqb c "0" || Ascii.eqb c "1".

Definition char_at (m : seq (seq ascii)) (v : place) : ascii := nth "-"%char (nth [::] m v.1) v.2.
Definition lit_in (m : seq (seq ascii)) (v : place) : bool := is_lit (char_at m v).

Definition rows_of (m : seq (seq ascii)) : nat := size m.
Definition columns_of (m : seq (seq ascii)) : nat := foldr maxn 0 (map size m).
Definition places (R C : nat) : seq place := [seq (i, j) | i <- iota 0 R, j <- iota 0 C].
Definition bulbs_in (m : seq (seq ascii)) : seq place :=
  [seq v <- places (rows_of m) (columns_of m) | is_bulb (char_at m v)].

(* ---- patterns: what a press toggles ---- *)

(* A step (dr, dc) leads dr rows down and dc columns to the right. *)
Definition step := (Z * Z)%type.
Definition back (d : step) : step := (- d.1, - d.2)%Z.

Variant pattern :=
  | Cross                    (* the whole row and the whole column *)
  | Stencil of seq step      (* the bulb, and what lies these steps, or their opposites, away *)
  | Torus of seq step.       (* the same, and what leaves on one side comes back on the other *)

Definition straight : seq step := [:: (0, 1); (1, 0)]%Z.
Definition diagonal : seq step := [:: (1, 1); (1, -1)]%Z.
Definition plus := Stencil straight.
Definition king := Stencil (straight ++ diagonal).
Definition torus_plus := Torus straight.
Definition torus_king := Torus (straight ++ diagonal).

(* d further than i: a number, or nothing where that is off the board *)
Definition shift (d : Z) (i : nat) : seq nat :=
  let k := (Z.of_nat i + d)%Z in if (k <? 0)%Z then [::] else [:: Z.to_nat k].
(* d further than i on a ring of n *)
Definition turn (n : nat) (d : Z) (i : nat) : nat := Z.to_nat ((Z.of_nat i + d) mod Z.of_nat n).

Definition reached (p : pattern) (R C : nat) (v : place) : seq place :=
  match p with
  | Cross => [seq (v.1, j) | j <- iota 0 C] ++ [seq (i, v.2) | i <- iota 0 R]
  | Stencil steps =>
      v :: flatten [seq [seq (i, j) | i <- shift d.1 v.1, j <- shift d.2 v.2]
                       | d <- steps ++ map back steps]
  | Torus steps => v :: [seq (turn R d.1 v.1, turn C d.2 v.2) | d <- steps ++ map back steps]
  end.

(* ---- boards ---- *)

Variant target := AllLit | AllUnlit | Picture of string.

Definition grid (p : pattern) (r : rule) (t : target) (text : string) : board place :=
  let m := lines text in
  Board (bulbs_in m) (reached p (rows_of m) (columns_of m)) (lit_in m)
    (match t with
     | AllLit => xpredT | AllUnlit => xpred0 | Picture picture => lit_in (lines picture)
     end) r.

(* Nodes 0 to n - 1; the k-th character of a text tells of node k. *)
Definition graph (edges : seq (node * node)) (r : rule) (t : target) (text : string) : board node :=
  let m := lines text in
  let at_ (picture : seq (seq ascii)) (v : node) := lit_in picture (0, v) in
  Board (iota 0 (columns_of m))
    (fun v => v :: [seq e.2 | e <- edges & e.1 == v] ++ [seq e.1 | e <- edges & e.2 == v])
    (at_ m)
    (match t with
     | AllLit => xpredT | AllUnlit => xpred0 | Picture picture => at_ (lines picture)
     end) r.

(* the bulbs that a picture marks with 1 *)
Definition marked (b : board place) (picture : string) : seq place :=
  let m := lines picture in [seq v <- bulbs b | lit_in m v].
Definition marked_nodes (b : board node) (picture : string) : seq node :=
  let m := lines picture in [seq v <- bulbs b | lit_in m (0, v)].
