(* A sequence is played: every press by the rule, and the goal in the end.  Theory 2.4.

   The same as `solution`, with the state in a table. *)
From Coq Require Import PArith NArith FMapPositive.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game board linear numbering.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Replay.
Variable b : board number.

(* which bulbs have been toggled an odd number of times *)
Definition flips := PositiveMap.t unit.
Definition flipped (m : flips) (v : number) : bool :=
  if PositiveMap.find (N.succ_pos v) m is Some _ then true else false.
Definition flip (m : flips) (v : number) : flips :=
  let k := N.succ_pos v in
  if PositiveMap.find k m is Some _ then PositiveMap.remove k m else PositiveMap.add k tt m.

Definition state (m : flips) : number -> bool := fun v => lit b v (+) flipped m v.

Fixpoint replays (m : flips) (ps : seq number) : bool :=
  if ps is v :: r
  then [&& v \in toggled b v, may_press b (state m) v & replays (foldl flip m (toggled b v)) r]
  else all (fun v => state m v == goal b v) (bulbs b).

Lemma flipped_flip m v w : flipped (flip m v) w = flipped m w (+) (w == v).
Proof.
rewrite /flipped /flip; case: (altP (w =P v)) => [->|wv].
  case found : (PositiveMap.find (N.succ_pos v) m) => [u|].
    by rewrite PositiveMap.grs.
  by rewrite PositiveMap.gss.
have other : N.succ_pos w <> N.succ_pos v.
  by move/(congr1 Npos); rewrite !N.succ_pos_spec => /N.succ_inj e; rewrite e eqxx in wv.
by case: (PositiveMap.find (N.succ_pos v) m) => [u|]; rewrite addbF ?PositiveMap.gro ?PositiveMap.gso.
Qed.

Lemma flipped_all m vs w : uniq vs -> flipped (foldl flip m vs) w = flipped m w (+) (w \in vs).
Proof.
elim: vs m => [|v vs IH] m /=; first by rewrite addbF.
case/andP=> vv uv; rewrite IH // flipped_flip inE -addbA; congr (_ (+) _).
by case: (altP (w =P v)) => // ->; rewrite (negbTE vv).
Qed.

Lemma eq_plays s s' ps : s =1 s' -> plays b s ps = plays b s' ps.
Proof.
elim: ps s s' => [|v r IH] s s' same /=; first by apply: eq_all => v; rewrite same.
by rewrite /may_press same (IH _ (press b v s')) // => w; rewrite /press same.
Qed.

Hypothesis nb : normal_board b.

Theorem replays_sound m ps : replays m ps -> plays b (state m) ps.
Proof.
elim: ps m => //= v r IH m /and3P[vt -> /IH plays_r]; rewrite (normal_in nb vt) /=.
rewrite -(eq_plays (s := state (foldl flip m (toggled b v)))) // => w.
by rewrite /press /state flipped_all ?(normal_uniq nb) // addbA.
Qed.

Definition check_solution (ps : seq number) : bool := replays (PositiveMap.empty unit) ps.

Corollary check_solution_sound ps : check_solution ps -> solution b ps.
Proof.
move/replays_sound; rewrite (@eq_plays _ (lit b)) // => v.
by rewrite /state /flipped PositiveMap.gempty addbF.
Qed.

(* ---- 1.1 odd witness ---- *)

Definition check_odd_witness (y : seq number) : bool :=
  [&& all (fun v => v \in toggled b v) y,
      all (fun v => ~~ odd (count (mem (toggled b v)) y)) (bulbs b) &
      odd (count (change b) y)].

Theorem check_odd_witness_sound y : check_odd_witness y -> unsolvable b.
Proof.
case/and3P=> /allP yb /allP even must; apply: odd_witness must => // v /yb.
exact: (normal_in nb).
Qed.
End Replay.
