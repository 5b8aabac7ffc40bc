(* Line cuts are complete: where there is no half factor, a cut says so.  Theory 4.4.

   Fill the rows, press by press, along alternating paths: out of a row by a press that is not in
   Z, out of a column by one that is.  Where no path leads to a column with room, the lines that
   are reached are a cut.  (Maximum flow and minimum cut, Ford and Fulkerson 1956.) *)
From mathcomp Require Import all_ssreflect.
From Ponder Require Import linear orientation lines half_factor.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section MaxFlow.
Variables (L M : finType) (a : L -> nat) (b : M -> nat) (S : seq (L * M)).
Hypothesis uS : uniq S.
Implicit Types (Z : seq (L * M)) (X : pred L) (Y : pred M).

(* Z takes from S at most a of every row and b of every column *)
Record fits Z : Prop := Fits {
  fits_uniq : uniq Z;
  fits_sub : {subset Z <= S};
  fits_row : forall i, row_count Z i <= a i;
  fits_column : forall j, column_count Z j <= b j }.

Definition step Z : rel (L + M) := fun k l =>
  match k, l with
  | inl i, inr j => ((i, j) \in S) && ((i, j) \notin Z)
  | inr j, inl i => (i, j) \in Z
  | _, _ => false
  end.

(* the press (i0, j) takes the place of (i, j): now row i has room in place of row i0 *)
Lemma exchange Z i0 i j : fits Z -> row_count Z i0 < a i0 -> (i0, j) \in S -> (i0, j) \notin Z ->
  (i, j) \in Z -> i0 != i -> let Z' := (i0, j) :: rem (i, j) Z in
  [/\ fits Z', row_count Z' i < a i, forall k, column_count Z' k = column_count Z k &
      size Z' = size Z].
Proof.
move=> [uZ sub fit1 fit2] room new out old ne Z'; have pZ := perm_to_rem old.
have rows k : (i == k) + row_count Z' k = (i0 == k) + row_count Z k.
  by rewrite /row_count /on_line (seq.permP pZ) /= addnCA.
have cols k : column_count Z' k = column_count Z k by rewrite /column_count /on_line (seq.permP pZ).
split=> //; last by rewrite (perm_size pZ).
  split=> [||k|k].
  - by rewrite /= rem_uniq // andbT; apply: contra out; apply: mem_rem.
  - by move=> v; rewrite inE => /orP[/eqP->|/mem_rem/sub].
  - have := rows k; case: (altP (i0 =P k)) => [<-|_].
      by rewrite eq_sym (negbTE ne) add0n add1n => ->.
    by rewrite add0n => same; apply: leq_trans (fit1 k); rewrite -same leq_addl.
  by rewrite cols.
by have := rows i; rewrite eqxx (negbTE ne) add1n add0n => ->.
Qed.

(* along a path from a row with room to a column with room there is one press more *)
Lemma augment p Z i0 j0 : fits Z -> row_count Z i0 < a i0 -> column_count Z j0 < b j0 ->
  path (step Z) (inl i0) p -> uniq (inl i0 :: p) -> last (inl i0) p = inr j0 ->
  exists2 Z', fits Z' & size Z' = (size Z).+1.
Proof.
have [n] := ubnP (size p); elim: n p Z i0 => // n IH p Z i0 less fZ room room2.
case: p less => [|[i|j1] p] //= less /andP[/andP[new out] pathp] up lastp.
case: p less pathp up lastp => [|[i1|j] p] //= less.
  move=> _ _ [eqj]; subst j1; have [uZ sub fit1 fit2] := fZ.
  exists ((i0, j0) :: Z) => //; split=> [||i|j].
  - by rewrite /= out uZ.
  - by move=> v; rewrite inE => /orP[/eqP->|/sub].
  - by rewrite row_count_cons; case: eqP => [<-|_]; rewrite ?add1n ?add0n.
  by rewrite column_count_cons; case: eqP => [<-|_]; rewrite ?add1n ?add0n.
move=> /andP[old pathp]; rewrite !inE /= !negb_or => /and3P[/andP[i01 i0p] j1p /andP[i1p up]] lastp.
have ne : i0 != i1 by apply: contraNneq i01 => ->.
have [fZ1 room1 cols1 size1] := exchange fZ room new out old ne.
have same v : v.1 != i0 -> v.2 != j1 -> (v \in (i0, j1) :: rem (i1, j1) Z) = (v \in Z).
  case: v => i j /= ii jj; rewrite inE (perm_mem (perm_to_rem old)) inE !xpair_eqE.
  by rewrite (negbTE ii) (negbTE jj) !andbF.
have path1 : path (step ((i0, j1) :: rem (i1, j1) Z)) (inl i1) p.
  apply: (@sub_in_path _ (fun k => (k != inl i0) && (k != inr j1)) (step Z)) pathp.
    move=> k l /andP[k1 k2] /andP[l1 l2].
    by case: k k1 k2 => [i|j] k1 k2; case: l l1 l2 => [i'|j'] l1 l2 //=; rewrite same.
  rewrite /= eq_sym i01 /=; apply/allP => k kp.
  by apply/andP; split; [apply: contraNneq i0p => <- | apply: contraNneq j1p => <-].
have [|||Z' fZ' sZ'] := IH p _ i1 _ fZ1 room1 _ path1 _ lastp.
- by apply: ltnW; rewrite -ltnS.
- by rewrite cols1.
- by rewrite /= i1p up.
by exists Z' => //; rewrite sZ' size1.
Qed.

(* the rows X need more than there is room for *)
Definition flow_cut X Y : Prop :=
  \sum_(j | Y j) b j + count (fun v => X v.1 && ~~ Y v.2) S < \sum_(i | X i) a i.

Lemma sum_lines (K : finType) (line : L * M -> K) (Q : pred K) Z :
  \sum_(k | Q k) on_line line Z k = count (fun v => Q (line v)) Z.
Proof.
rewrite -big_filter -[RHS](eq_count (a1 := fun v => line v \in filter Q (index_enum K))).
  by rewrite count_lines ?filter_uniq ?index_enum_uniq // sumnE big_map.
by move=> v; rewrite mem_filter mem_index_enum andbT.
Qed.

(* a row with room: one press more, or a cut *)
Lemma augment_or_cut Z i0 : fits Z -> row_count Z i0 < a i0 ->
  (exists2 Z', fits Z' & size Z' = (size Z).+1) \/ exists X Y, flow_cut X Y.
Proof.
move=> fZ room; have [uZ sub fit1 fit2] := fZ.
pose reach := connect (step Z) (inl i0).
case: (pickP (fun j => reach (inr j) && (column_count Z j < b j))) => [j|full].
  case/andP=> /connectP[p pathp lastp] room2; left.
  case/shortenP: pathp lastp => p' pathp' up' _ lastp'.
  exact: augment fZ room room2 pathp' up' (esym lastp').
right; exists (fun i => reach (inl i)), (fun j => reach (inr j)); rewrite /flow_cut.
have less : \sum_(i | reach (inl i)) row_count Z i < \sum_(i | reach (inl i)) a i.
  have r0 : reach (inl i0) by apply: connect0.
  by rewrite (bigD1 i0) //= [ltnRHS](bigD1 i0) //= -addSn leq_add // leq_sum.
apply: leq_ltn_trans less; rewrite [leqRHS](sum_lines fst (fun i => reach (inl i))).
rewrite [leqRHS](count_split _ (fun v => reach (inr v.2))); apply: leq_add.
  rewrite [leqRHS](eq_in_count (a2 := fun v => reach (inr v.2))) => [|[i j] vZ] /=.
    rewrite -(sum_lines snd (fun j => reach (inr j))); apply: leq_sum => j rj.
    by rewrite leqNgt; have := full j; rewrite rj /= => ->.
  case rj : (reach (inr j)); rewrite ?andbF // andbT.
  by apply: connect_trans rj (connect1 _).
rewrite -!size_filter; apply: uniq_leq_size; first exact: filter_uniq.
case=> i j; rewrite !mem_filter /= => /andP[/andP[ri rj] vS]; rewrite ri rj /=.
apply: contraNT rj => vZ; apply: connect_trans ri (connect1 _).
by rewrite /= vS vZ.
Qed.

Lemma fill_or_cut :
  (exists2 Z, fits Z & forall i, row_count Z i = a i) \/ exists X Y, flow_cut X Y.
Proof.
suff any n Z : size S - size Z < n -> fits Z ->
    (exists2 Z, fits Z & forall i, row_count Z i = a i) \/ exists X Y, flow_cut X Y.
  by apply: (any (size S).+1 [::]); [rewrite subn0 | split].
elim: n Z => // n IH Z less fZ.
case: (pickP (fun i => row_count Z i < a i)) => [i room|full]; last first.
  left; exists Z => // i; apply/eqP; rewrite eqn_leq (fits_row fZ).
  by rewrite leqNgt full.
case: (augment_or_cut fZ room) => [[Z' fZ' sZ']|]; last by right.
apply: (IH Z') => //; have := uniq_leq_size (fits_uniq fZ') (fits_sub fZ'); rewrite sZ' => fit.
by rewrite -ltnS subnSK.
Qed.
End MaxFlow.

Section Complete.
Variables (L M : finType) (qs : seq (L * M)).

Definition cut_of_rows := exists (X : pred L) (Y : pred M),
  halves qs snd (enum Y) + outside_cut fst snd qs (enum X) (enum Y) < halves qs fst (enum X).
Definition cut_of_columns := exists (X : pred M) (Y : pred L),
  halves qs fst (enum Y) + outside_cut snd fst qs (enum X) (enum Y) < halves qs snd (enum X).

Lemma halves_sum (K : finType) (line : L * M -> K) (Q : pred K) :
  halves qs line (enum Q) = \sum_(k | Q k) (on_line line qs k)./2.
Proof. by rewrite /halves sumnE big_map big_enum. Qed.

(* 4.4 line cut, conversely: where there is no half factor there is a cut *)
Theorem half_factor_or_cut : uniq qs ->
  [\/ exists Z, half_factor Z qs, cut_of_rows | cut_of_columns].
Proof.
move=> uq; have outside (K K' : finType) (line : L * M -> K) (other : L * M -> K') (X : pred K) (Y : pred K') :
    outside_cut line other qs (enum X) (enum Y) = count (fun v => X (line v) && ~~ Y (other v)) qs.
  by apply: eq_count => v; rewrite !mem_enum.
case: (fill_or_cut (fun i => (row_count qs i)./2) (fun j => (column_count qs j)./2) uq).
  case=> Z [uZ sub fit1 fit2] full.
  case: (pickP (fun j => column_count Z j < (column_count qs j)./2)) => [j room|full2].
    constructor 3; exists predT, predT; rewrite !halves_sum outside.
    rewrite (eq_count (a2 := pred0)) // count_pred0 addn0 -(eq_bigr _ (fun i _ => full i)).
    rewrite [ltnLHS](sum_lines fst predT) -(sum_lines snd predT Z).
    rewrite (bigD1 j) //= [ltnRHS](bigD1 j) //= -addSn leq_add // leq_sum // => k _.
    exact: fit2.
  constructor 1; exists Z; split=> // j; apply/eqP; rewrite eqn_leq fit2.
  by rewrite leqNgt full2.
move=> [X [Y less]]; constructor 2; exists X, Y; rewrite !halves_sum outside; exact: less.
Qed.

(* 4.2 with 4.4: an order, or a cut *)
Theorem order_or_cut : uniq qs ->
  [\/ exists2 ps, perm_eq ps qs & in_order (@cross L M) xpred0 ps, cut_of_rows | cut_of_columns].
Proof.
move=> uq; case: (half_factor_or_cut uq) => [half||]; [|by constructor 2|by constructor 3].
by constructor 1; apply/(theorem2 uq).
Qed.
End Complete.
