(* Row/column boards of text: the game is that of lines, and press sets are known by their line
   parities.  Theory 1.2, 4.

   The bulb (i, j) lies on both lines but is toggled once: s(i,j) = b(i,j) + r_i + c_j.  Only the
   line parities are unknown, and each of them is the sum of the presses on its line. *)
From Coq Require Import String NArith PArith Pnat FMapPositive.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game board linear orientation lines pairs forms.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* ---- sums of forms by lines ---- *)

(* the sums of forms for all keys at once *)
Definition sum_at (m : PositiveMap.t form) (k : nat) : form :=
  if PositiveMap.find (Pos.of_succ_nat k) m is Some x then x else 0%num.
Definition sums (key : place -> nat) (fs : seq (place * form)) : PositiveMap.t form :=
  foldr (fun f m => PositiveMap.add (Pos.of_succ_nat (key f.1)) (N.lxor f.2 (sum_at m (key f.1))) m)
    (PositiveMap.empty form) fs.

Lemma sum_at_forms key fs k : sum_at (sums key fs) k = sum_forms [seq f.2 | f <- fs & key f.1 == k].
Proof.
elim: fs => [|f fs IH]; first by rewrite /sum_at PositiveMap.gempty.
rewrite /= {1}/sum_at; case: eqP => [same|other]; first by rewrite same PositiveMap.gss /= IH.
by rewrite PositiveMap.gso ?IH // => /SuccNat2Pos.inj same; case: other.
Qed.

Lemma sum_at_sums key (f : place -> form) vs k :
  sum_at (sums key [seq (v, f v) | v <- vs]) k = sum_forms [seq f v | v <- vs & key v == k].
Proof. by rewrite sum_at_forms filter_map -map_comp. Qed.

Lemma sum_ones (a : pred place) vs : N.eqb (sum_forms [seq 1%num | v <- vs & a v]) 1 = odd (count a vs).
Proof.
suff -> : sum_forms [seq 1%num | v <- vs & a v] = constant (odd (count a vs)) by case: (odd _).
by elim: vs => //= v vs IH; case: (a v) => //=; rewrite IH; case: (odd _).
Qed.

(* ---- what is computed, on a board of R rows and C columns ---- *)

Section Compute.
Variables (b : board place) (R C : nat).

Definition row_bulbs (i : nat) : seq place := [seq v <- bulbs b | v.1 == i].
Definition column_bulbs (j : nat) : seq place := [seq v <- bulbs b | v.2 == j].

Definition row_unknown (i : nat) : nat := i.+1.
Definition column_unknown (j : nat) : nat := (R + j).+1.

Definition line_form (v : place) : form :=
  N.lxor (constant (change b v)) (N.lxor (unknown (row_unknown v.1)) (unknown (column_unknown v.2))).

(* the parity of a line is the sum of its presses *)
Definition row_zero (i : nat) : form :=
  N.lxor (unknown (row_unknown i)) (sum_forms [seq line_form v | v <- row_bulbs i]).
Definition column_zero (j : nat) : form :=
  N.lxor (unknown (column_unknown j)) (sum_forms [seq line_form v | v <- column_bulbs j]).

Definition line_family : option (nat * seq form) :=
  let fs := [seq (v, line_form v) | v <- bulbs b] in
  let by_row := sums fst fs in let by_column := sums snd fs in
  solved (map snd fs)
    ([seq N.lxor (unknown (row_unknown i)) (sum_at by_row i) | i <- iota 0 R] ++
     [seq N.lxor (unknown (column_unknown j)) (sum_at by_column j) | j <- iota 0 C]).

Lemma line_familyE : line_family = solved [seq line_form v | v <- bulbs b]
  ([seq row_zero i | i <- iota 0 R] ++ [seq column_zero j | j <- iota 0 C]).
Proof.
rewrite /line_family -map_comp; congr (solved _ (_ ++ _)); apply: eq_map => k.
  by rewrite sum_at_sums.
by rewrite sum_at_sums.
Qed.
End Compute.

Section RowColumn.
Variables (r : rule) (t : target) (text : string).
Notation b := (grid Cross r t text).
Notation m := (board.lines text).
Notation R := (rows_of m).
Notation C := (columns_of m).
Notation U := (bulbs b).
Implicit Types (v w : place) (s : place -> bool).

Lemma bulb_on_board v : v \in U -> v.1 < R /\ v.2 < C.
Proof.
case: v => i j; rewrite mem_filter => /andP[_ /allpairsP[[a c] [/= aR cC [-> ->]]]].
by move: aR cC; rewrite !mem_iota.
Qed.

Lemma mem_bulbs v : v.1 < R -> v.2 < C -> (v \in U) = is_bulb (char_at m v).
Proof.
case: v => i j iR jC; rewrite mem_filter; case: (is_bulb _) => //=.
by apply/allpairsP; exists (i, j); rewrite !mem_iota.
Qed.

Lemma mem_toggled v w : v \in U -> w \in U -> (w \in toggled b v) = (v.1 == w.1) || (v.2 == w.2).
Proof.
move=> /bulb_on_board[vR vC] /bulb_on_board[wR wC]; rewrite /= mem_cat; congr (_ || _).
  apply/mapP/eqP => [[j _ ->]|same] //=; exists w.2; first by rewrite mem_iota.
  by rewrite same; case: (w).
apply/mapP/eqP => [[i _ ->]|same] //=; exists w.1; first by rewrite mem_iota.
by rewrite same; case: (w).
Qed.

Lemma cross_symmetric_board : symmetric_board b.
Proof.
split=> [|v vU|v w vU wU]; first by rewrite filter_uniq // allpairs_uniq ?iota_uniq // => -[i j] [k l].
  by rewrite mem_toggled // eqxx.
by rewrite !mem_toggled // eq_sym (eq_sym v.2).
Qed.

Lemma uniq_U : uniq U. Proof. exact: bulbs_uniq cross_symmetric_board. Qed.

Notation cross := (@cross nat_eqType nat_eqType).

Lemma neighbours_cross : {in U &, neighbours b =2 cross}.
Proof.
by move=> v w vU wU; rewrite /neighbours /touches vU wU mem_toggled.
Qed.

Lemma touches_cross : {in U &, touches b =2 touching cross}.
Proof.
move=> v w vU wU; rewrite /touches vU wU mem_toggled // /touching /cross.
by case: (altP (v =P w)) => [->|]; rewrite ?eqxx.
Qed.

(* ---- press sets by line parities ---- *)

Definition row_parity s (i : nat) : bool := odd (count s (row_bulbs b i)).
Definition column_parity s (j : nat) : bool := odd (count s (column_bulbs b j)).

(* 1.2 A s at a bulb *)
Lemma toggled_parity s w : w \in U ->
  odd (count (fun v => (w \in toggled b v) && s v) U) = row_parity s w.1 (+) column_parity s w.2 (+) s w.
Proof.
move=> wU; have own : s w = odd (count (fun v => (v == w) && s v) U).
  rewrite (eq_count (a2 := fun v => (v == w) && s w)) => [|v]; last by case: eqP => // ->.
  by case: (s w); [rewrite (eq_count (a2 := pred1 w)) ?count_uniq_mem ?uniq_U ?wU // => v; rewrite andbT |
    rewrite (eq_count (a2 := pred0)) ?count_pred0 // => v; rewrite andbF].
have line (a : pred place) : count s [seq v <- U | a v] = count (fun v => a v && s v) U.
  by rewrite [LHS]count_filter; apply: eq_count => v; rewrite /= andbC.
rewrite /row_parity /column_parity !line [in RHS]own !odd_count_add; congr odd.
apply: eq_in_count => v vU; rewrite mem_toggled //.
case: v w {wU own vU line} => a c [a' c'] /=; rewrite xpair_eqE.
by case: (a == a'); case: (c == c'); case: (s _).
Qed.

Lemma press_set_lines s : press_set b s ->
  {in U, forall v, s v = change b v (+) row_parity s v.1 (+) column_parity s v.2}.
Proof.
move=> ok v vU; have := ok v vU; rewrite toggled_parity // => <-.
by case: (row_parity _ _); case: (column_parity _ _); case: (s v).
Qed.

(* ---- the press sets as forms ---- *)

Theorem line_family_sound s : press_set b s ->
  exists d ys, line_family b R C = Some (d, ys) /\ takes ys [seq s v | v <- U].
Proof.
rewrite line_familyE => ok; pose p k := if k is l.+1 then (if l < R then row_parity s l else column_parity s (l - R)) else true.
have row_value v : v \in U -> value p (line_form b R v) = s v.
  move=> vU; have [vR vC] := bulb_on_board vU; rewrite (press_set_lines ok vU).
  rewrite !value_lxor value_constant // !value_unknown /= vR ltnNge leq_addr /= addKn.
  by rewrite addbA.
have sum_value (vs : seq place) : {subset vs <= U} -> value p (sum_forms [seq line_form b R v | v <- vs]) = odd (count s vs).
  move=> sub; rewrite value_sum count_map; congr odd; apply: eq_in_count => v /sub vU.
  exact: row_value.
have [|d [ys [def_ys fit]]] := @solved_sound p [seq line_form b R v | v <- U]
    ([seq row_zero b R i | i <- iota 0 R] ++ [seq column_zero b R j | j <- iota 0 C]) isT.
  rewrite /all_zero all_cat !all_map; apply/andP; split; apply/allP => k; rewrite mem_iota add0n /= => less.
    rewrite value_lxor value_unknown sum_value /= ?less ?addbb // => v.
    by rewrite mem_filter => /andP[].
  rewrite value_lxor value_unknown sum_value /= ?ltnNge ?leq_addr /= ?addKn ?addbb // => v.
  by rewrite mem_filter => /andP[].
exists d, ys; split=> //; move: fit; rewrite -map_comp (_ : map _ _ = map s U) //.
by apply/eq_in_map => v vU; apply: row_value.
Qed.
End RowColumn.
