(* The game: bulbs, presses, rules, and the four claims about a board.

   These are definitions only.  Whoever believes them and those of board.v believes what the
   theorems and the certificates say. *)
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* which bulbs may be pressed: unlit ones, lit ones, or all *)
Variant rule := Unlit | Lit | Any.

Record board (V : eqType) := Board {
  bulbs : seq V;           (* the bulbs of the board *)
  toggled : V -> seq V;    (* what a press of a bulb toggles, itself included where it does *)
  lit : V -> bool;         (* which bulbs are lit at the start *)
  goal : V -> bool;        (* which bulbs are to be lit in the end *)
  rule_of : rule }.

Section Game.
Variables (V : eqType) (b : board V).

(* A state says which bulbs are lit. *)
Definition press (v : V) (s : V -> bool) : V -> bool := fun w => s w (+) (w \in toggled b v).

Definition may_press (s : V -> bool) (v : V) : bool :=
  match rule_of b with Unlit => ~~ s v | Lit => s v | Any => true end.

(* The presses ps, one after the other, are legal from the state s, and lead to the goal. *)
Fixpoint plays (s : V -> bool) (ps : seq V) : bool :=
  if ps is v :: r then [&& v \in bulbs b, may_press s v & plays (press v s) r]
  else all (fun v => s v == goal b v) (bulbs b).

Definition solution (ps : seq V) : bool := plays (lit b) ps.

(* What is said of boards; the claims are those of theory 2.4. *)
Definition no_order_of (S : seq V) := forall ps, perm_eq ps S -> ~~ solution ps.       (* C1 *)
Definition no_order := forall ps, uniq ps -> ~~ solution ps.                           (* C2 *)
Definition at_least (k : nat) := forall ps, solution ps -> k <= size ps.               (* C3 *)
Definition unsolvable := forall ps, ~~ solution ps.                                    (* C4 *)

(* The presses ps are an order: legal, to the goal, each bulb at most once. *)
Definition an_order (ps : seq V) := uniq ps && solution ps.
Definition order_at_least (k : nat) := forall ps, an_order ps -> k <= size ps.
End Game.
