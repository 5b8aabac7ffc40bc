(* Families of forms that hold all press sets, gone through as far as it takes.  Theory 1.3, 7.2.

   `chase` and `row_column` give such a family.  One unknown after the other is fixed; a branch is left
   as soon as what is settled says enough. *)
From Coq Require Import NArith.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game linear forms.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Definition weight (ys : seq form) : nat := count (fun y => N.eqb y 1) ys.
Definition settled (ys : seq form) : bool := all (fun y => N.leb y 1) ys.

(* all press sets are values of the forms; none if there are no forms *)
Definition holds_press_sets (V : eqType) (b : board V) (family : option (nat * seq form)) :=
  forall s, press_set b s ->
  exists d ys, family = Some (d, ys) /\ takes ys [seq s v | v <- bulbs b].

(* every press set closes some branch *)
Definition go_through (family : option (nat * seq form)) (closes : seq form -> bool) : bool :=
  if family is Some (d, ys) then search closes d ys else true.

Lemma go_through_sound (V : eqType) (b : board V) family closes s :
  holds_press_sets b family -> go_through family closes -> press_set b s ->
  exists2 ys, closes ys & takes ys [seq s v | v <- bulbs b].
Proof.
rewrite /go_through => all_in all_close /all_in[d [ys [found fit]]].
by move: all_close; rewrite found => /search_sound; apply.
Qed.

Lemma weight_sound (V : eqType) (b : board V) ys s : takes ys [seq s v | v <- bulbs b] ->
  weight ys <= size (pressed b s).
Proof.
case=> p p0 vals; rewrite size_filter -(count_map s id) -vals count_map.
by apply: sub_count => y /N.eqb_spec->.
Qed.
