(* Theorem 3, the lower bound: the fewest presses of one press set on a row/column board.
   Theory 4.1, 4.5.

   Go backwards.  The first press of a bulb moves the bits of its row and its column the same way;
   its second press moves one up and the other down, and so on.  Give every line a sign.  The signed
   moves of all bits sum up to the parities of the lines; no more than the first presses, and 2 for
   every pair of presses, can make them so large. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import linear orientation counting lines sums pairs.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Theorem3.
Variables L M : eqType.
Notation cross := (@cross L M).
Implicit Types (ps r U : seq (L * M)) (v w x : L * M).

(* a bit goes up from 0, and down from 1 *)
Definition move (bit : bool) : Z := if bit then (-1)%Z else 1%Z.

(* 4.1 the k-th press of a bulb finds equal bits, for odd k, or different ones *)
Lemma bits_of_press v r : odd (count (touching cross v) r) = false ->
  odd (row_count r v.1) (+) odd (column_count r v.2) = odd_part r v.
Proof.
have -> : odd (count (touching cross v) r) =
    odd (row_count r v.1) (+) odd (column_count r v.2) (+) odd_part r v.
  rewrite /odd_part /row_count /column_count /on_line -!oddD.
  elim: r => //= w r; rewrite !oddD => ->; rewrite !oddb.
  rewrite /touching /cross; case: v w => a c [a' c'] /=; rewrite !xpair_eqE /= (eq_sym a) (eq_sym c).
  by case: (a' == a); case: (c' == c) => /=; do 3!case: (odd _).
by case: (odd _); case: (odd _); case: (odd_part r v).
Qed.

(* which way the first press of an odd bulb moved its bits *)
Fixpoint first_move r v : Z :=
  if r is x :: r' then
    if (x == v) && ~~ odd_part r' v then move (odd (row_count r' v.1)) else first_move r' v
  else 1%Z.

Lemma first_move_unit r v : first_move r v = 1%Z \/ first_move r v = (-1)%Z.
Proof. by elim: r => [|x r IH] /=; [left | case: ifP => // _; case: (odd _); [right | left]]. Qed.

(* what one press does to the bound *)
Lemma one_press e d z (o row column : bool) :
  e = 1%Z \/ e = (-1)%Z -> d = 1%Z \/ d = (-1)%Z -> z = 1%Z \/ z = (-1)%Z -> row (+) column = o ->
  (e * move row + d * move column <= (if o then 0 else (e + d) * move row) -
     (if o then (e + d) * z else 0) + 2 * b2z o)%Z.
Proof.
by move=> e1 d1 z1; case: row; case: column; case: o => // _; rewrite /move /b2z; nia.
Qed.

Section Signs.
(* a sign for every row and every column *)
Variables (e : L -> Z) (d : M -> Z) (I : seq L) (J : seq M) (U : seq (L * M)).
Hypotheses (e1 : forall i, e i = 1%Z \/ e i = (-1)%Z) (d1 : forall j, d j = 1%Z \/ d j = (-1)%Z).
Hypotheses (uI : uniq I) (uJ : uniq J) (uU : uniq U).
Hypotheses (inI : {in U, forall v, v.1 \in I}) (inJ : {in U, forall v, v.2 \in J}).

Definition signed_parities r : Z :=
  (total (fun i => e i * b2z (odd (row_count r i))) I + total (fun j => d j * b2z (odd (column_count r j))) J)%Z.

Definition first_term r v : Z := if odd_part r v then ((e v.1 + d v.2) * first_move r v)%Z else 0%Z.
Definition first_moves r : Z := total (first_term r) U.

Lemma parities_cons x r : x \in U -> signed_parities (x :: r) =
  (signed_parities r + e x.1 * move (odd (row_count r x.1)) + d x.2 * move (odd (column_count r x.2)))%Z.
Proof.
move=> xU; rewrite /signed_parities.
rewrite (total_change (g := fun i => (e i * b2z (odd (row_count r i)))%Z) (x := x.1) uI (inI xU)); last first.
  by move=> i _ ix; rewrite row_count_cons eq_sym (negbTE ix).
rewrite [X in (_ + X)%Z](total_change (g := fun j => (d j * b2z (odd (column_count r j)))%Z) (x := x.2) uJ (inJ xU)); last first.
  by move=> j _ jx; rewrite column_count_cons eq_sym (negbTE jx).
rewrite row_count_cons column_count_cons !eqxx !add1n.
by rewrite [odd _.+1]/= [odd (column_count _ _).+1]/=; do 2!case: (odd _); rewrite /b2z /move /=; lia.
Qed.

Theorem signed_bound ps : {subset ps <= U} -> in_order (touching cross) xpred0 ps ->
  (signed_parities ps <= first_moves ps + 2 * Z.of_nat (all_pairs U ps))%Z.
Proof.
elim: ps => [|x r IH] sub.
  have zero T (f : T -> Z) xs : (forall y, f y = 0%Z) -> total f xs = 0%Z.
    by move=> f0; elim: xs => //= y xs ->; rewrite f0.
  rewrite /signed_parities /first_moves !zero => [|//|j|i]; [lia | exact: Z.mul_0_r | exact: Z.mul_0_r].
rewrite [in_order _ _ _]/= => /andP[/eqP later ord]; have xU : x \in U by apply: sub; apply: mem_head.
have {}IH := IH (fun w wr => sub w (mem_behead (s := x :: r) wr)) ord.
rewrite parities_cons // /first_moves (total_change (g := first_term r) (x := x) uU xU); last first.
  by move=> y _ yx; rewrite /first_term odd_part_cons /= eq_sym (negbTE yx).
rewrite -[total _ U]/(first_moves r).
have pairs_cons : Z.of_nat (all_pairs U (x :: r)) = (Z.of_nat (all_pairs U r) + b2z (odd_part r x))%Z.
  rewrite /all_pairs -!total_nat (total_change (g := fun v => Z.of_nat (half r v)) (x := x) uU xU).
    have -> : Z.of_nat (half (x :: r) x) = (b2z (odd_part r x) + Z.of_nat (half r x))%Z.
      by rewrite half_here -plusE Nat2Z.inj_add; case: (odd_part r x).
    by rewrite Z.add_simpl_r.
  by move=> y _ yx; rewrite /half /= eq_sym (negbTE yx).
have first_now : first_term (x :: r) x =
    if odd_part r x then 0%Z else ((e x.1 + d x.2) * move (odd (row_count r x.1)))%Z.
  by rewrite /first_term odd_part_cons /= eqxx; case: (odd_part r x).
have := one_press (e1 x.1) (d1 x.2) (first_move_unit r x) (bits_of_press later).
have old : first_term r x = if odd_part r x then ((e x.1 + d x.2) * first_move r x)%Z else 0%Z by [].
rewrite first_now pairs_cons old; lia.
Qed.

(* ---- a cut ---- *)

Lemma halves_parities (K : eqType) (line : L * M -> K) (c : K -> Z) (X : seq K) r :
  total (fun l => (c l * b2z (odd (on_line line r l)))%Z) X = (
  total (fun l => (c l * Z.of_nat (on_line line r l))%Z) X -
  2 * total (fun l => (c l * Z.of_nat (on_line line r l)./2)%Z) X)%Z.
Proof.
have odd_half n : b2z (odd n) = (Z.of_nat n - 2 * Z.of_nat n./2)%Z.
  have := congr1 Z.of_nat (odd_double_half n); rewrite -addnn -!plusE !Nat2Z.inj_add.
  by case: (odd n); rewrite /b2z [nat_of_bool _]/=; lia.
by elim: X => [|l X IH] //; rewrite !total_cons IH odd_half; ring.
Qed.
End Signs.

Section Cut.
Variables (I : seq L) (J : seq M) (U : seq (L * M)) (ps : seq (L * M)).
Hypotheses (uI : uniq I) (uJ : uniq J) (uU : uniq U).
Hypotheses (inI : {in U, forall v, v.1 \in I}) (inJ : {in U, forall v, v.2 \in J}).
Hypotheses (sub : {subset ps <= U}) (ord : in_order (touching cross) xpred0 ps).

(* S, the odd part *)
Notation S := (filter (odd_part ps) U).

Lemma odd_line (K : eqType) (line : L * M -> K) l : odd (on_line line ps l) = odd (on_line line S l).
Proof.
by rewrite /on_line (odd_count_bulbs _ uU sub) count_filter.
Qed.

Lemma total_lines (K : eqType) (line : L * M -> K) (c : K -> Z) (X : seq K) : uniq X ->
  {in U, forall v, line v \in X} ->
  total (fun l => (c l * Z.of_nat (on_line line S l))%Z) X = total (fun v => c (line v)) S.
Proof.
move=> uX inX; rewrite [RHS](total_groups (key := line) _ uX).
  apply: eq_total => l _; rewrite /on_line -size_filter.
  rewrite [RHS](eq_total (g := fun=> c l)) => [|v]; last by rewrite mem_filter => /andP[/eqP->].
  elim: (filter _ (filter _ U)) => [|v vs IH]; first by rewrite Z.mul_0_r.
  by rewrite total_cons -IH [size _]/= Nat2Z.inj_succ; ring.
by apply/allP => v; rewrite mem_filter => /andP[_ /inX].
Qed.

(* 4.5 theorem 3, the lower bound: X are some rows, Y some columns *)
Variables (X : pred L) (Y : pred M).

Definition capacity : nat :=
  halves S fst (filter (predC X) I) + halves S snd (filter Y J) + count (fun v => X v.1 && ~~ Y v.2) S.

Theorem pairs_at_cut : halves S fst I + halves S snd J <= all_pairs U ps + capacity.*2.
Proof.
pose e i := if X i then (-1)%Z else 1%Z; pose d j := if Y j then 1%Z else (-1)%Z.
have e1 i : e i = 1%Z \/ e i = (-1)%Z by rewrite /e; case: (X i); [right|left].
have d1 j : d j = 1%Z \/ d j = (-1)%Z by rewrite /d; case: (Y j); [left|right].
have := signed_bound e1 d1 uI uJ uU inI inJ sub ord.
have -> : signed_parities e d I J ps = signed_parities e d I J S.
  by congr (_ + _)%Z; apply: eq_total => l _; congr (_ * b2z _)%Z; apply: odd_line.
rewrite /signed_parities !halves_parities !total_lines //.
have -> : first_moves e d U ps = total (fun v => ((e v.1 + d v.2) * first_move ps v)%Z) S.
  by rewrite /first_moves; elim: (U) => //= v W ->; rewrite /first_term; case: (odd_part ps v).
have split_sum (K : eqType) (line : L * M -> K) (c : K -> Z) (Q : pred K) (W : seq K) (a b : Z) :
    (forall l, c l = if Q l then a else b) ->
    total (fun l => (c l * Z.of_nat (on_line line S l)./2)%Z) W =
    (a * Z.of_nat (halves S line (filter Q W)) + b * Z.of_nat (halves S line (filter (predC Q) W)))%Z.
  move=> c_is; rewrite /halves -!total_nat; elim: W => [|l W IH]; first by rewrite /=; lia.
  by rewrite total_cons IH c_is /=; case: (Q l); rewrite /= ?total_cons; lia.
have all_halves (K : eqType) (line : L * M -> K) (Q : pred K) (W : seq K) :
    halves S line W = halves S line (filter Q W) + halves S line (filter (predC Q) W).
  by rewrite /halves; elim: W => //= l W ->; case: (Q l); [exact: addnA | exact: addnCA].
rewrite (split_sum _ fst e X I (-1)%Z 1%Z) // (split_sum _ snd d Y J 1%Z (-1)%Z) //.
rewrite (all_halves _ fst X I) (all_halves _ snd Y J) /capacity.
have step : (total (fun v => (e v.1 + d v.2) * first_move ps v) S <=
    total (fun v => e v.1 + d v.2 + 4 * Z.of_nat (X v.1 && ~~ Y v.2)) S)%Z.
  apply: total_le => v _; have := first_move_unit ps v; rewrite /e /d.
  by case: (X v.1); case: (Y v.2); rewrite [nat_of_bool _]/=; lia.
rewrite !total_add total_scale total_nat in step.
have -> : count (fun v => X v.1 && ~~ Y v.2) S = sumn [seq (X v.1 && ~~ Y v.2 : nat) | v <- S].
  by rewrite sumn_count.
move=> bound; apply/leP/Nat2Z.inj_le; rewrite -!addnn -!plusE !Nat2Z.inj_add.
have := Z.le_trans _ _ _ bound (proj1 (Z.add_le_mono_r _ _ _) step); lia.
Qed.

(* 4.5 theorem 3, the lower bound for any cut *)
Theorem theorem3_bound :
  size S + (halves S fst I + halves S snd J - capacity.*2).*2 <= size ps.
Proof.
by rewrite (size_pairs uU sub) leq_add2l leq_double leq_subLR [_.*2 + _]addnC; apply: pairs_at_cut.
Qed.
End Cut.
End Theorem3.
