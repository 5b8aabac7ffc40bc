(* Row/column boards: an order gives a half factor, and counts and cuts refute half factors.
   Theory 4.1, 4.2 (necessity), 4.4.

   Every t(v) is 0.  Going backwards through an order, the presses of a line meet its bits
   0, 1, 0, 1, ...: half of them, rounded down, have colour 1. *)
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import linear orientation.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* ---- lines ---- *)

Section Count.
Variables (T : Type) (L : eqType) (line : T -> L).

(* the number of ps on a line *)
Definition on_line (ps : seq T) (l : L) : nat := count (fun v => line v == l) ps.

(* what lies on some lines, line by line *)
Lemma count_lines (X : seq L) (ps : seq T) : uniq X ->
  count (fun v => line v \in X) ps = sumn [seq on_line ps l | l <- X].
Proof.
rewrite /on_line; elim: X => [|l X IH] /=; first by rewrite count_pred0.
move=> /andP[lX uX]; rewrite -IH // {IH}; elim: ps => //= v ps ->; rewrite addnACA; congr (_ + _).
by rewrite inE; case: eqP => //= ->; rewrite (negbTE lX).
Qed.
End Count.

Section Cross.
Variables L M : eqType.
Notation bulb := (prod_eqType L M).

(* bulbs are neighbours when they lie on one row or one column *)
Definition cross : rel (L * M) := fun v w => (v != w) && ((v.1 == w.1) || (v.2 == w.2)).

Definition row_count (ps : seq (L * M)) (i : L) := on_line fst ps i.
Definition column_count (ps : seq (L * M)) (j : M) := on_line snd ps j.

Lemma row_count_cons v ps i : row_count (v :: ps) i = (v.1 == i) + row_count ps i.
Proof. by []. Qed.

Lemma column_count_cons v ps j : column_count (v :: ps) j = (v.2 == j) + column_count ps j.
Proof. by []. Qed.

Lemma cross_sym : symmetric cross.
Proof. by move=> v w; rewrite /cross eq_sym (eq_sym v.1) (eq_sym v.2). Qed.

Lemma cross_irr : irreflexive cross.
Proof. by move=> v; rewrite /cross eqxx. Qed.

(* the neighbours of v among others lie on its row or on its column *)
Lemma count_cross v (r : seq (L * M)) : v \notin r ->
  count (cross v) r = row_count r v.1 + column_count r v.2.
Proof.
rewrite /row_count /column_count /on_line; elim: r => //= w r IH.
rewrite inE negb_or => /andP[vw /IH->]; rewrite addnACA; congr (_ + _).
case: v w vw {IH} => a b [c d]; rewrite /cross xpair_eqE /= (eq_sym c) (eq_sym d).
by case: (a == c); case: (b == d).
Qed.

(* ---- half factors ---- *)

(* 4.2 Z holds half of the presses of every line, rounded down *)
Record half_factor (Z ps : seq (L * M)) : Prop := HalfFactor {
  half_uniq : uniq Z;
  half_sub : {subset Z <= ps};
  half_row : forall i, row_count Z i = (row_count ps i)./2;
  half_column : forall j, column_count Z j = (column_count ps j)./2 }.

(* the presses of colour 1: an odd number of presses of their row is later *)
Fixpoint colour1 (ps : seq (L * M)) : seq (L * M) :=
  if ps is v :: r then if odd (row_count r v.1) then v :: colour1 r else colour1 r else [::].

Lemma colour1_sub ps : subseq (colour1 ps) ps.
Proof.
elim: ps => //= v r IH; case: ifP => _; first by rewrite eqxx.
exact: subseq_trans IH (subseq_cons r v).
Qed.

(* one more press on a line has colour 1 iff the line's bit is 1 *)
Lemma half_step (here bit : bool) n : (here -> bit = odd n) -> (here && bit) + n./2 = (here + n)./2.
Proof. by case: here => [/(_ isT)->|_] //; rewrite andTb add1n -[n.+1./2]/(uphalf n) uphalf_half. Qed.

Lemma colour1_cons (K : eqType) (line : L * M -> K) v r l :
  on_line line (colour1 (v :: r)) l =
  ((line v == l) && odd (row_count r v.1)) + on_line line (colour1 r) l.
Proof. by rewrite /=; case: (odd _); rewrite /= ?andbT ?andbF. Qed.

(* 4.2 theorem 2, necessity *)
Theorem order_half_factor ps : uniq ps -> in_order cross xpred0 ps -> half_factor (colour1 ps) ps.
Proof.
move=> up ord; split; first exact: subseq_uniq (colour1_sub ps) up.
- exact/mem_subseq/colour1_sub.
- move=> i; elim: ps {up ord} => // v r IH.
  by rewrite [LHS]colour1_cons [X in _ + X]IH half_step // => /eqP<-.
move=> j; elim: ps up ord => // v r IH /= /andP[vr ur] /andP[even ord].
have same : odd (row_count r v.1) = odd (column_count r v.2).
  by move: even; rewrite count_cross // oddD; do 2!case: (odd _).
by rewrite [LHS]colour1_cons [X in _ + X]IH // half_step // => /eqP<-.
Qed.

Lemma half_factor_perm Z ps qs : perm_eq ps qs -> half_factor Z ps -> half_factor Z qs.
Proof.
move=> pq [uZ sub rows cols]; split=> //.
- by move=> v /sub; rewrite (perm_mem pq).
- by move=> i; rewrite rows /row_count /on_line (seq.permP pq).
by move=> j; rewrite cols /column_count /on_line (seq.permP pq).
Qed.
End Cross.

(* ---- counts and cuts: X are some lines of one kind, Y some of the other ---- *)

Section Cut.
Variables (V L M : eqType) (line : V -> L) (other : V -> M) (Z ps : seq V).
Hypotheses (uZ : uniq Z) (sub : {subset Z <= ps}).

Definition halves (K : eqType) (line : V -> K) (X : seq K) : nat :=
  sumn [seq (on_line line ps l)./2 | l <- X].

(* the presses on X outside Y *)
Definition outside_cut (X : seq L) (Y : seq M) : nat :=
  count (fun v => (line v \in X) && (other v \notin Y)) ps.

Hypothesis half_line : forall l, on_line line Z l = (on_line line ps l)./2.
Hypothesis half_other : forall l, on_line other Z l = (on_line other ps l)./2.

Lemma cut_room (X : seq L) (Y : seq M) : uniq X -> uniq Y ->
  halves line X <= halves other Y + outside_cut X Y.
Proof.
move=> uX uY; rewrite /halves -(eq_map half_line) -(eq_map half_other) -!count_lines //.
rewrite (count_split _ (fun v => other v \in Y)); apply: leq_add.
  by apply: sub_count => v /andP[].
rewrite /outside_cut -!size_filter; apply: uniq_leq_size; first exact: filter_uniq.
by move=> v; rewrite !mem_filter /= => /andP[/andP[Xv Yv] /sub->]; rewrite Xv Yv.
Qed.
End Cut.

Section Refute.
Variables (L M : eqType) (qs : seq (L * M)).

(* no sequence of qs is an order *)
Definition no_cross_order := forall ps, perm_eq ps qs -> ~~ in_order (@cross L M) xpred0 ps.

Hypothesis uq : uniq qs.

Lemma no_half_factor_no_order : (forall Z, ~ half_factor Z qs) -> no_cross_order.
Proof.
move=> none ps pq; apply/negP => ord; apply: (none (colour1 ps)).
by apply: (half_factor_perm pq); apply: order_half_factor; rewrite ?(perm_uniq pq).
Qed.

(* 4.4 line cut: the lines X need more presses of colour 1 than there is room for *)
Lemma line_cut (K N : eqType) (line : L * M -> K) (other : L * M -> N) (X : seq K) (Y : seq N) :
  (forall Z, half_factor Z qs -> forall l, on_line line Z l = (on_line line qs l)./2) ->
  (forall Z, half_factor Z qs -> forall l, on_line other Z l = (on_line other qs l)./2) ->
  uniq X -> uniq Y -> halves qs other Y + outside_cut line other qs X Y < halves qs line X ->
  no_cross_order.
Proof.
move=> half_line half_other uX uY; rewrite ltnNge => /negP less.
apply: no_half_factor_no_order => Z half; have [uZ sub _ _] := half.
by apply: less; apply: (cut_room uZ sub (half_line Z half) (half_other Z half) uX uY).
Qed.

Theorem line_cut_rows (X : seq L) (Y : seq M) : uniq X -> uniq Y ->
  halves qs snd Y + outside_cut fst snd qs X Y < halves qs fst X -> no_cross_order.
Proof. by apply: line_cut => Z []. Qed.

Theorem line_cut_columns (X : seq M) (Y : seq L) : uniq X -> uniq Y ->
  halves qs fst Y + outside_cut snd fst qs X Y < halves qs snd X -> no_cross_order.
Proof. by apply: line_cut => Z []. Qed.

(* twice the halves of a line, and one if it is odd, are its presses *)
Lemma odd_lines (K : eqType) (line : L * M -> K) (X : seq K) : uniq X ->
  {in qs, forall v, line v \in X} ->
  count (fun l => odd (on_line line qs l)) X + (halves qs line X).*2 = size qs.
Proof.
move=> uX all_X; rewrite -(count_predT qs) (eq_in_count (a2 := fun v => line v \in X)) => [|v /all_X ->//].
rewrite count_lines // /halves; elim: X {uX all_X} => //= l X <-.
rewrite doubleD addnACA; congr (_ + _); exact: odd_double_half.
Qed.

(* 4.4 line count: the numbers of odd rows and odd columns differ *)
Theorem line_count (I : seq L) (J : seq M) : uniq I -> uniq J ->
  {in qs, forall v, v.1 \in I} -> {in qs, forall v, v.2 \in J} ->
  count (fun i => odd (row_count qs i)) I != count (fun j => odd (column_count qs j)) J ->
  no_cross_order.
Proof.
move=> uI uJ inI inJ differ; apply: no_half_factor_no_order => Z [uZ sub rows cols].
case/eqP: differ; apply/eqP; rewrite -(eqn_add2r (size Z).*2).
have halfI : size Z = halves qs fst I.
  rewrite /halves -(eq_map rows) -count_lines // -(count_predT Z).
  by apply: eq_in_count => v /sub/inI->.
have halfJ : size Z = halves qs snd J.
  rewrite /halves -(eq_map cols) -count_lines // -(count_predT Z).
  by apply: eq_in_count => v /sub/inJ->.
by rewrite {1}halfI halfJ /row_count /column_count !odd_lines.
Qed.
End Refute.
