(* Row/column boards: all press sets refuted at once, or those of few presses, by weighted cuts.
   Theory 4.9 to 4.11.

   The press sets have the same odd rows, and every column has two states.  Rows X with weights are an
   inequality that every order satisfies, a sum over columns; with a price for every odd column, of
   which there are as many as odd rows, the sum is least column by column.  Press sets are not gone
   through.  Rows and columns may change places: lines are cut, `other` lines have states. *)
From Coq Require Import String NArith ZArith Lia.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game board linear lines sums forms families row_column line_certificates.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* a weight, and lines X *)
Definition weighted_cut := (N * seq nat)%type.

(* ---- what is computed: every bulb with the form of its press ---- *)

Section Compute.
Variables (line other : place -> nat) (I J : seq nat) (fs : seq (place * form)).
Variables (unit : N) (k : nat) (price : Z) (cs : seq weighted_cut).

Definition on_other (j : nat) : seq (place * form) := [seq f <- fs | other f.1 == j].
Definition base (es : seq (place * form)) : form := if es is f :: _ then f.2 else 0%num.
Definition differs (es : seq (place * form)) (f : place * form) : form := N.lxor f.2 (base es).
Definition two_states (es : seq (place * form)) : bool := all (fun f => N.leb (differs es f) 1) es.

(* the lines of the presses, by the value of the base *)
Definition lines_in (es : seq (place * form)) (state : bool) : seq nat :=
  [seq line f.1 | f <- es & N.eqb (differs es f) 1 (+) state].

Definition excess (ls X : seq nat) : Z :=
  let a := count (mem X) ls in (Z.of_nat a - 2 * Z.of_nat (minn (size ls)./2 a))%Z.
Definition cost (ls : seq nat) : Z :=
  (Z.of_N unit * Z.of_nat (size ls) +
   (total (fun c => Z.of_N c.1 * excess ls c.2) cs + price * b2z (odd (size ls))))%Z.

(* what an order of k - 1 presses or fewer would cost, is too little *)
Definition check_excess : bool :=
  let m := sums line fs in
  let p := [seq i <- I | N.eqb (sum_at m i) 1] in
  [&& all (fun i => N.leb (sum_at m i) 1) I, all (fun c : weighted_cut => uniq c.2) cs,
      all (fun j => two_states (on_other j)) J &
      (Z.of_N unit * (Z.of_nat k - 1) +
         (total (fun c => Z.of_N c.1 * Z.of_nat (count (mem c.2) p)) cs + price * Z.of_nat (size p)) <?
       total (fun j => let es := on_other j in
         Z.min (cost (lines_in es false)) (cost (lines_in es true))) J)%Z].
End Compute.

(* ---- what it means ---- *)

Lemma total_swap (T U : Type) (w : U -> Z) (f : U -> T -> Z) (xs : seq T) (us : seq U) :
  total (fun x => total (fun u => w u * f u x)%Z us) xs = total (fun u => w u * total (f u) xs)%Z us.
Proof.
elim: us => [|u us IH] /=; first exact: total_0.
by rewrite total_add IH total_scale.
Qed.

Section Sound.
Variables (line other : place -> nat) (I J : seq nat) (fs : seq (place * form)) (p : nat -> bool).
Variables (unit : N) (k : nat) (price : Z) (cs : seq weighted_cut).
Hypotheses (p0 : p 0) (uI : uniq I) (uJ : uniq J).

Notation S := [seq f.1 | f <- fs & value p f.2].

Hypotheses (in_I : {in S, forall v, line v \in I}) (in_J : {in S, forall v, other v \in J}).
Variable Z : seq place.
Hypotheses (uZ : uniq Z) (sub : {subset Z <= S}).
Hypothesis half_line : forall l, on_line line Z l = (on_line line S l)./2.
Hypothesis half_other : forall l, on_line other Z l = (on_line other S l)./2.

Lemma lines_in_state es : two_states es ->
  lines_in line es (value p (base es)) = [seq line f.1 | f <- es & value p f.2].
Proof.
move=> /allP two; congr map; apply: eq_in_filter => f /two /N.leb_spec0 le.
have : value p (differs es f) = value p f.2 (+) value p (base es) by apply: value_lxor.
have [->|->] : differs es f = 0%num \/ differs es f = 1%num by lia.
  by rewrite /=; case: (value p f.2); case: (value p (base es)).
by rewrite /= p0; case: (value p f.2); case: (value p (base es)).
Qed.

Definition state_of (j : nat) : seq nat := [seq line f.1 | f <- on_other other fs j & value p f.2].

Lemma count_state (a : pred nat) j :
  count a (state_of j) = count (fun v => a (line v) && (other v == j)) S.
Proof.
rewrite /state_of /on_other !count_map -filter_predI !count_filter; apply: eq_count => f /=.
by case: (a _); case: (value _ _); case: (_ == j).
Qed.

Lemma size_state j : size (state_of j) = on_line other S j.
Proof. by rewrite -count_predT count_state; apply: eq_count. Qed.

(* what is on some lines, by others *)
Lemma by_others (a : pred place) (vs : seq place) : {subset vs <= S} ->
  count a vs = sumn [seq count (fun v => a v && (other v == j)) vs | j <- J].
Proof.
move=> vsS; have -> : count a vs = count (fun v => other v \in J) (filter a vs).
  rewrite count_filter; apply: eq_in_count => v /vsS vS /=.
  by rewrite in_J.
rewrite count_lines //; congr sumn; apply: eq_map => j.
by rewrite /on_line count_filter; apply: eq_count => v /=; rewrite andbC.
Qed.

Lemma excess_bound X : uniq X ->
  (total (fun j => excess (state_of j) X) J <= Z.of_nat (count (mem X) [seq i <- I | odd (on_line line S i)]))%Z.
Proof.
move=> uX; set most := count _ _; set a := fun j => count (mem X) (state_of j).
have sum_a : sumn [seq a j | j <- J] = count (fun v => line v \in X) S.
  by rewrite (@by_others _ S) //; congr sumn; apply: eq_map => j; rewrite /a count_state.
have by_lines : count (fun v => line v \in X) S = count (fun l => odd (on_line line S l)) X + (halves S line X).*2.
  rewrite count_lines // /halves; elim: X {uX most a sum_a} => //= l X ->.
  by rewrite doubleD addnACA odd_double_half.
have odd_k : count (fun l => odd (on_line line S l)) X <= most.
  rewrite /most -!size_filter; apply: uniq_leq_size => [|l]; first exact: filter_uniq.
  rewrite !mem_filter => /andP[odd_l lX]; rewrite /= lX odd_l /=.
  have /hasP[v vS /eqP <-] : has (fun v => line v == l) S by rewrite has_count -/(on_line line S l); case: on_line odd_l.
  exact: in_I.
have room : halves S line X <= sumn [seq minn (size (state_of j))./2 (a j) | j <- J].
  rewrite /halves -(eq_map half_line) -count_lines // (by_others _ sub); elim: J => //= j js IH.
  apply: leq_add IH; rewrite leq_min; apply/andP; split.
    by rewrite size_state -half_other; apply: sub_count => v /andP[].
  rewrite /a count_state -!size_filter; apply: uniq_leq_size; first exact: filter_uniq.
  by move=> v; rewrite !mem_filter => /andP[-> /sub->].
have -> : total (fun j => excess (state_of j) X) J =
    (Z.of_nat (sumn [seq a j | j <- J]) - 2 * Z.of_nat (sumn [seq minn (size (state_of j))./2 (a j) | j <- J]))%Z.
  rewrite -!total_nat /excess; elim: J => [|j js IH] //; rewrite !total_cons IH /a.
  by move: (Z.of_nat _) (Z.of_nat (minn _ _)) (total _ _) (total _ _) => *; ring.
move: room odd_k by_lines; rewrite sum_a -muln2 -multE -plusE => /leP room /leP odd_k ->; lia.
Qed.

(* as many odd lines as odd others *)
Lemma odd_others : count (fun i => odd (on_line line S i)) I = count (fun j => odd (size (state_of j))) J.
Proof.
have sum_half (K : eqType) (key : place -> K) (ks : seq K) : uniq ks -> {in S, forall v, key v \in ks} ->
    (forall l, on_line key Z l = (on_line key S l)./2) -> halves S key ks = size Z.
  move=> uk in_k half; rewrite /halves -(eq_map half) -count_lines // -(count_predT Z).
  by apply: eq_in_count => v /sub/in_k->.
rewrite (eq_count (a1 := fun j => odd (size _)) (a2 := fun j => odd (on_line other S j))) => [|j]; last first.
  by rewrite size_state.
apply/eqP; rewrite -(eqn_add2r (size Z).*2) -{1}(sum_half _ line I) // -{1}(sum_half _ other J) //.
by rewrite !Ponder.lines.odd_lines.
Qed.

(* 4.11 weighted cuts: presses with a half factor are k or more; with unit 0 there are none *)
Theorem weighted_cuts : check_excess line other I J fs unit k price cs ->
  (Z.of_N unit * (Z.of_nat k - 1) < Z.of_N unit * Z.of_nat (size S))%Z.
Proof.
case/and4P=> /allP rows /allP all_u /allP two /Z.ltb_lt less.
have parity i : i \in I -> N.eqb (sum_at (sums line fs) i) 1 = odd (on_line line S i).
  move=> /rows /N.leb_spec0 le; have : value p (sum_at (sums line fs) i) = odd (on_line line S i).
    rewrite sum_at_forms value_sum /on_line !count_map !count_filter; congr odd; apply: eq_count => f /=.
    by rewrite andbC.
  have [->|->] : sum_at (sums line fs) i = 0%num \/ sum_at (sums line fs) i = 1%num by lia.
    by move=> /= <-.
  by move=> /= <-; rewrite p0.
move: less; rewrite (eq_in_filter parity); set most := total _ cs; set few := size _ => less.
pose here := total (fun j => total (fun c : weighted_cut => Z.of_N c.1 * excess (state_of j) c.2)%Z cs) J.
have le_j : (total (fun j => let es := on_other other fs j in
    Z.min (cost unit price cs (lines_in line es false)) (cost unit price cs (lines_in line es true))) J <=
    total (fun j => cost unit price cs (state_of j)) J)%Z.
  apply: total_le => j jJ /=; rewrite /state_of -(lines_in_state (two j jJ)).
  by case: (value p _); lia.
have presses : total (fun j => Z.of_nat (size (state_of j))) J = Z.of_nat (size S).
  rewrite total_nat -(count_predT S) (@by_others predT S) //; congr (Z.of_nat (sumn _)); apply: eq_map => j.
  by rewrite size_state.
have cuts : (here <= most)%Z.
  rewrite /here total_swap; apply: total_le => c cc; apply: Z.mul_le_mono_nonneg_l; first exact: N2Z.is_nonneg.
  exact: excess_bound (all_u c cc).
have odds : total (fun j => b2z (odd (size (state_of j)))) J = Z.of_nat few.
  rewrite /few size_filter odd_others; elim: J => [|j js IH] //.
  by rewrite total_cons IH [in RHS]/= -plusE Nat2Z.inj_add; case: (odd _).
have := Z.lt_le_trans _ _ _ less le_j; rewrite /cost !total_add !total_scale presses odds -/here.
by move: cuts; lia.
Qed.
End Sound.

(* ---- for boards ---- *)

Section Board.
Variables (r : rule) (t : target) (text : string).
Notation b := (grid Cross r t text).
Notation R := (rows_of (board.lines text)).
Notation C := (columns_of (board.lines text)).

Definition check_weights (turned : bool) (unit : N) (k : nat) (price : Z) (cs : seq weighted_cut) : bool :=
  plain b && (if line_family b R C is Some (_, ys) then
    let fs := zip (bulbs b) ys in
    if turned then check_excess snd fst (iota 0 C) (iota 0 R) fs unit k price cs
    else check_excess fst snd (iota 0 R) (iota 0 C) fs unit k price cs else true).

Lemma pressed_zip p s ys (vs : seq place) : [seq value p y | y <- ys] = [seq s v | v <- vs] ->
  [seq v <- vs | s v] = [seq f.1 | f <- zip vs ys & value p f.2].
Proof. by elim: vs ys => [|v vs IH] [|y ys] //= [-> /IH->]; case: (s v). Qed.

Lemma check_weights_sound turned unit k price cs s : check_weights turned unit k price cs -> press_set b s ->
  (Z.of_N unit * (Z.of_nat k - 1) < Z.of_N unit * Z.of_nat (size (pressed b s)))%Z \/
  no_order_of b (pressed b s).
Proof.
case/andP=> is_plain costs ok; have uU := uniq_U r t text; have sub := @pressed_in r t text s.
case enough : (Z.of_N unit * (Z.of_nat k - 1) <? Z.of_N unit * Z.of_nat (size (pressed b s)))%Z.
  by left; apply/Z.ltb_lt.
right; apply: (no_order_of_cross is_plain (pressed_uniq uU s) sub).
apply: no_half_factor_no_order => [|Z half]; first exact: pressed_uniq uU s.
have [d [ys [found [p p0 vals]]]] := line_family_sound ok.
have /negP := negbT enough; apply; apply/Z.ltb_lt.
move: half sub costs; rewrite found /pressed (pressed_zip vals) => -[uZ subZ rows cols] sub.
have in_R : {in [seq f.1 | f <- zip (bulbs b) ys & value p f.2], forall v, v.1 \in iota 0 R}.
  by move=> v /sub/bulb_on_board[]; rewrite mem_iota.
have in_C : {in [seq f.1 | f <- zip (bulbs b) ys & value p f.2], forall v, v.2 \in iota 0 C}.
  by move=> v /sub/bulb_on_board[]; rewrite mem_iota.
case: turned; first exact: (weighted_cuts p0 (iota_uniq 0 C) (iota_uniq 0 R) in_C in_R uZ subZ cols rows).
exact: (weighted_cuts p0 (iota_uniq 0 R) (iota_uniq 0 C) in_R in_C uZ subZ rows cols).
Qed.

Theorem lines_no_order_by_weights turned price cs : check_weights turned 0 0 price cs -> no_order b.
Proof.
move=> costs; apply: (no_order_by_press_sets (uniq_U r t text)) => s /(check_weights_sound costs)[] //.
Qed.

Theorem lines_order_at_least_by_weights k turned unit price cs :
  check_weights turned unit k price cs -> order_at_least b k.
Proof.
move=> costs ps /andP[up sol]; have uU := uniq_U r t text; have pS := order_of_pressed uU up sol.
rewrite (perm_size pS); case: (check_weights_sound costs (solution_press_set uU sol)) => [less|none].
  by apply/leP; nia.
by have := none ps pS; rewrite sol.
Qed.
End Board.
