(* Row/column boards: every press set is refuted by its lines, or needs presses by theorem 3.
   Theory 4.4, 4.5 with 1.2.

   Everything is computed on the board of text itself; cuts are rows X and columns Y. *)
From Coq Require Import String ZArith NArith.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game board linear orientation lines pairs theorem3 forms families row_column.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* ---- what is computed, on a board of R rows and C columns ---- *)

(* rows X and columns Y *)
Definition cut := (seq nat * seq nat)%type.

Section Compute.
Variables (b : board place) (R C : nat).

(* every press needs an even number of later neighbours *)
Definition plain : bool := ordered_rule b && all (fun v => ~~ odd_later b v) (bulbs b).

Section PressSet.
Variable S : seq place.

(* how many lines 0, ..., n - 1 have an odd number of presses *)
Definition odd_lines (line : place -> nat) (n : nat) : nat :=
  let m := sums line [seq (v, 1%num) | v <- S] in count (fun i => N.eqb (sum_at m i) 1) (iota 0 n).

Lemma odd_linesE line n : odd_lines line n = count (fun i => odd (on_line line S i)) (iota 0 n).
Proof. by apply: eq_count => i; rewrite (sum_at_sums line (fun=> 1%num)) sum_ones. Qed.

(* the rows X, or the columns Y, need more than there is room for *)
Definition refuted_by_cut (c : cut) : bool :=
  let: (X, Y) := c in
  uniq X && uniq Y &&
  ((halves S snd Y + outside_cut fst snd S X Y < halves S fst X) ||
   (halves S fst X + outside_cut snd fst S Y X < halves S snd Y)).

Definition refuted_by_lines (cs : seq cut) : bool :=
  (odd_lines fst R != odd_lines snd C) || has refuted_by_cut cs.

(* theorem 3, by a cut *)
Definition needs (c : cut) : nat :=
  let: (X, Y) := c in
  let all_rows := iota 0 R in let all_columns := iota 0 C in
  let cap := halves S fst (filter (predC (mem X)) all_rows) + halves S snd (filter (mem Y) all_columns) +
    count (fun v => (v.1 \in X) && (v.2 \notin Y)) S in
  size S + (halves S fst all_rows + halves S snd all_columns - cap.*2).*2.
End PressSet.

Definition pressed_by (ys : seq form) : seq place := mask [seq N.eqb y 1 | y <- ys] (bulbs b).

(* C1 *)
Definition check_no_order_of_lines (S : seq place) (c : cut) : bool := plain && refuted_by_lines S [:: c].

(* C2 *)
Definition check_no_order_lines (cs : seq cut) : bool :=
  plain && go_through (line_family b R C) (fun ys => settled ys && refuted_by_lines (pressed_by ys) cs).

(* `order` *)
Definition check_order_at_least_lines (k : nat) (cs : seq cut) : bool :=
  plain && go_through (line_family b R C) (fun ys =>
    (k <= weight ys) || settled ys && refuted_by_lines (pressed_by ys) cs).

(* C3 *)
Definition check_at_least_lines (k : nat) (cs : seq cut) : bool :=
  plain && go_through (line_family b R C) (fun ys =>
    (k <= weight ys) || settled ys &&
      (let S := pressed_by ys in
       has (fun c => k <= needs S c) [:: ([::], [::]), (iota 0 R, iota 0 C) & cs])).
End Compute.

(* ---- what it means ---- *)

Section Lines.
Variables (r : rule) (t : target) (text : string).
Notation b := (grid Cross r t text).
Notation R := (rows_of (board.lines text)).
Notation C := (columns_of (board.lines text)).
Notation U := (bulbs b).
Notation cross := (@cross nat_eqType nat_eqType).

Lemma settled_pressed ys s : takes ys [seq s v | v <- U] -> settled ys -> pressed_by b ys = pressed b s.
Proof.
case=> p p0; rewrite /pressed_by /pressed; elim: ys U => [|y ys IH] [|v vs] //= [yv rest] /andP[le set_ys].
rewrite -yv IH //; move: le; case: y {yv} => [|[y|y|]] //=.
by rewrite p0.
Qed.

Section Plain.
Hypothesis is_plain : plain b.

Lemma plain_rule : ordered_rule b. Proof. by case/andP: is_plain. Qed.

Lemma plain_later : {in U, odd_later b =1 xpred0}.
Proof. by move=> v vU; have /andP[_ /allP/(_ v vU)/negbTE] := is_plain. Qed.

Lemma in_order_plain ps : {subset ps <= U} ->
  in_order (touches b) (odd_later b) ps = in_order (touching cross) xpred0 ps.
Proof.
move=> sub; apply: eq_in_order => [v w vp wp|v vp]; first by rewrite touches_cross ?sub.
by rewrite plain_later ?sub.
Qed.

Lemma no_order_of_cross S : uniq S -> {subset S <= U} -> no_cross_order S -> no_order_of b S.
Proof.
move=> uS sub none; apply: (no_order_of_in_order (cross_symmetric_board r t text) plain_rule) => // ps pS.
rewrite (@eq_in_order _ _ cross _ xpred0) => [||v vp]; first exact: none.
  by move=> v w vp wp; rewrite neighbours_cross // sub // -(perm_mem pS).
by rewrite plain_later // sub // -(perm_mem pS).
Qed.

Lemma refuted_by_lines_sound S cs : uniq S -> {subset S <= U} -> refuted_by_lines R C S cs -> no_order_of b S.
Proof.
move=> uS sub ref; apply: no_order_of_cross => //; case/orP: ref => [|/hasP[[X Y] _]].
  rewrite !odd_linesE => differ.
  apply: line_count differ; rewrite ?iota_uniq // => v /sub/bulb_on_board[vR vC]; by rewrite mem_iota.
case/andP=> /andP[uX uY] /orP[less|less]; first exact: line_cut_rows less.
exact: line_cut_columns less.
Qed.

Lemma needs_sound ps c : solution b ps -> needs R C (pressed b (odd_part ps)) c <= size ps.
Proof.
case: c => X Y sol; have sub := solution_bulbs sol.
have [_ ord] := (theorem1_repeats (cross_symmetric_board r t text) plain_rule sub).1 sol.
rewrite in_order_plain // in ord; rewrite /needs.
apply: (theorem3_bound (iota_uniq 0 R) (iota_uniq 0 C) (uniq_U r t text) _ _ sub ord (mem X) (mem Y)).
  by move=> v /bulb_on_board[vR _]; rewrite mem_iota.
by move=> v /bulb_on_board[_ vC]; rewrite mem_iota.
Qed.
End Plain.

Notation uU := (uniq_U r t text).

Lemma pressed_in s : {subset pressed b s <= U}.
Proof. by move=> v; rewrite mem_pressed => /andP[]. Qed.

Theorem lines_no_order_of_by picture c :
  let S := marked b picture in check_no_order_of_lines b R C S c -> no_order_of b S.
Proof.
move=> S /andP[is_plain ref].
by apply: (refuted_by_lines_sound is_plain _ _ ref); [apply: pressed_uniq uU _ | apply: pressed_in].
Qed.

Theorem lines_no_order_by cs : check_no_order_lines b R C cs -> no_order b.
Proof.
case/andP=> is_plain all_close; apply: (no_order_by_press_sets uU) => s ok.
have [ys /andP[set_ys ref] fit] := go_through_sound (@line_family_sound r t text) all_close ok.
rewrite (settled_pressed fit set_ys) in ref.
by apply: (refuted_by_lines_sound is_plain _ _ ref); [apply: pressed_uniq uU _ | apply: pressed_in].
Qed.

Theorem lines_order_at_least_by k cs : check_order_at_least_lines b R C k cs -> order_at_least b k.
Proof.
case/andP=> is_plain all_close ps /andP[up sol]; have ok := solution_press_set uU sol.
have pS := order_of_pressed uU up sol; rewrite (perm_size pS).
have [ys closed fit] := go_through_sound (@line_family_sound r t text) all_close ok.
case/orP: closed => [enough|/andP[set_ys]]; first exact: leq_trans enough (weight_sound fit).
rewrite (settled_pressed fit set_ys) => ref.
have := refuted_by_lines_sound is_plain (pressed_uniq uU _) (@pressed_in _) ref pS.
by rewrite sol.
Qed.

Theorem lines_at_least_by k cs : check_at_least_lines b R C k cs -> at_least b k.
Proof.
case/andP=> is_plain all_close ps sol; have ok := solution_press_set uU sol.
have [ys closed fit] := go_through_sound (@line_family_sound r t text) all_close ok.
case/orP: closed => [enough|/andP[set_ys]].
  exact: leq_trans enough (leq_trans (weight_sound fit) (size_odd_part uU (solution_bulbs sol))).
rewrite (settled_pressed fit set_ys).
by case/or3P=> [le|le|/hasP[c _ le]]; apply: leq_trans le (needs_sound is_plain _ sol).
Qed.
End Lines.
