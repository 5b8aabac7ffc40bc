(* Wirings: the game in which buttons and lights are two things.

   A button toggles any lights; it may sit at one, and may then be pressed when that light is unlit
   (under the rule `Lit` when it is lit).  Definitions only, as in game.v and board.v: whoever
   believes them believes what a certificate of a wiring says.  Theory 2.9. *)
From Coq Require Import String Ascii ZArith.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game board.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Record wiring (L B : eqType) := Wiring {
  lights : seq L;
  buttons : seq B;
  toggles : B -> L -> bool;    (* whether a press of the button toggles the light *)
  seat : B -> option L;        (* the light at which the button sits, if it sits at one *)
  first_lit : L -> bool;       (* which lights are lit at the start *)
  last_lit : L -> bool;        (* which lights are to be lit in the end *)
  button_rule : rule }.

Section Game.
Variables (L B : eqType) (w : wiring L B).

(* A state says which lights are lit. *)
Definition push (b : B) (s : L -> bool) : L -> bool := fun l => s l (+) toggles w b l.

Definition may_push (s : L -> bool) (b : B) : bool :=
  match button_rule w, seat w b with
  | Unlit, Some l => ~~ s l
  | Lit, Some l => s l
  | _, _ => true
  end.

(* The presses ps, one after the other, are legal from the state s, and lead to the goal. *)
Fixpoint pushes (s : L -> bool) (ps : seq B) : bool :=
  if ps is b :: r then [&& b \in buttons w, may_push s b & pushes (push b s) r]
  else all (fun l => s l == last_lit w l) (lights w).

Definition solution_wired (ps : seq B) : bool := pushes (first_lit w) ps.

(* the claims, as in game.v *)
Definition no_order_of_wired (S : seq B) := forall ps, perm_eq ps S -> ~~ solution_wired ps.  (* C1 *)
Definition no_order_wired := forall ps, uniq ps -> ~~ solution_wired ps.                      (* C2 *)
Definition at_least_wired (k : nat) := forall ps, solution_wired ps -> k <= size ps.          (* C3 *)
Definition unsolvable_wired := forall ps, ~~ solution_wired ps.                               (* C4 *)
Definition an_order_wired (ps : seq B) := uniq ps && solution_wired ps.
Definition order_at_least_wired (k : nat) := forall ps, an_order_wired ps -> k <= size ps.
End Game.

(* ---- wirings as text ---- *)

(* Every place of a grid is a light, and a button that sits there; a press toggles what lies some
   steps away, on a torus with what leaves on one side coming back on the other. *)
Definition toggle_grid (torus : bool) (steps : seq step) (r : rule) (t : target) (text : string) :
    wiring place place :=
  let m := lines text in
  let R := rows_of m in let C := columns_of m in
  Wiring (bulbs_in m) (bulbs_in m)
    (fun v => let away := if torus then [seq (turn R d.1 v.1, turn C d.2 v.2) | d <- steps]
      else flatten [seq [seq (i, j) | i <- shift d.1 v.1, j <- shift d.2 v.2] | d <- steps] in
      fun w => w \in away)
    Some (lit_in m)
    (match t with
     | AllLit => xpredT | AllUnlit => xpred0 | Picture picture => lit_in (lines picture)
     end) r.

(* Lights and buttons by numbers: the k-th character of the text tells of light k, the k-th list
   what button k toggles, and the k-th seat where it sits. *)
Definition wired_by (lists : seq (seq node)) (seats : seq (option node)) (r : rule) (t : target)
    (text : string) : wiring node node :=
  let m := lines text in
  let at_ (picture : seq (seq ascii)) (v : node) := lit_in picture (0, v) in
  Wiring (iota 0 (columns_of m)) (iota 0 (size lists))
    (fun b => let list := nth [::] lists b in fun l => l \in list) (nth None seats)
    (at_ m)
    (match t with
     | AllLit => xpredT | AllUnlit => xpred0 | Picture picture => at_ (lines picture)
     end) r.

(* the buttons that a picture marks with 1 *)
Definition marked_places (w : wiring place place) (picture : string) : seq place :=
  let m := lines picture in [seq v <- buttons w | lit_in m v].
Definition marked_buttons (w : wiring node node) (picture : string) : seq node :=
  let m := lines picture in [seq v <- buttons w | lit_in m (0, v)].
