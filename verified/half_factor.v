(* Theorem 2: on a row/column board, presses with a half factor have an order.  Theory 4.2.

   Build backwards from the goal, and keep this true: on every line the presses that are left have
   the colours b, 1 - b, b, ... by turns, b being the line's bit.  A press whose two lines show its
   colour can be built.  Where there is none, every line with presses left points to another line,
   by a press of its own bit's colour.  Some lines are permuted by this map.  On each of them lie
   one press of either colour of those that point: these are taken out, and built first. *)
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import orientation lines.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* A map of a finite set into itself permutes a part of it. *)
Lemma permuted_part (T : eqType) (f : T -> T) (D : seq T) : uniq D -> D != [::] ->
  {in D, forall x, f x \in D} ->
  exists p, [/\ p != [::], uniq p, {subset p <= D} & perm_eq (map f p) p].
Proof.
have [n] := ubnP (size D); elim: n D => // n IH D less uD D0 into.
have sub : {subset map f D <= D} by move=> _ /mapP[x xD ->]; apply: into.
case ufD : (uniq (map f D)).
  exists D; split=> //; apply: uniq_perm => // x; apply: (uniq_min_size ufD sub _).2.
  by rewrite size_map.
have smaller : size (undup (map f D)) < size D by rewrite -(size_map f D) ltn_size_undup ufD.
have [|||x|p [p0 up pD pp]] := IH (undup (map f D)).
- exact: leq_trans smaller less.
- exact: undup_uniq.
- have [x xD] : exists x, x \in D by case: (D) D0 => // x E; exists x; apply: mem_head.
  by apply: contraTneq (map_f f xD) => none; rewrite -mem_undup none.
- by rewrite mem_undup => /sub xD; rewrite mem_undup map_f.
by exists p; split=> // x /pD; rewrite mem_undup => /sub.
Qed.

Section Theorem2.
Variables L M : eqType.
Notation bulb := (L * M)%type.
Notation cross := (@cross L M).
Definition line := (L + M)%type.
Implicit Types (l k : line) (v w : bulb) (S q r : seq bulb).

Definition row_of v : line := inl v.1.
Definition column_of v : line := inr v.2.
Definition on l v : bool := match l with inl i => v.1 == i | inr j => v.2 == j end.
Definition other_end l v : line := if l is inl _ then column_of v else row_of v.

(* r are the presses built so far, the last one first: the end of an order *)
Definition bit r l : bool := odd (count (on l) r).

Lemma on_row v : on (row_of v) v. Proof. exact: eqxx. Qed.
Lemma on_column v : on (column_of v) v. Proof. exact: eqxx. Qed.
Lemma on_other l v : on (other_end l v) v. Proof. by case: l => ?; apply: eqxx. Qed.

Lemma onE l v : on l v = (l == row_of v) || (l == column_of v).
Proof. by case: l => x /=; rewrite eq_sym ?orbF. Qed.

Lemma on_ends l k v : on l v -> on k v = (k == l) || (k == other_end l v).
Proof. by rewrite !onE => /orP[]/eqP->; rewrite //= orbC. Qed.

Lemma both_ends (a : pred line) l v : on l v ->
  a (row_of v) && a (column_of v) = a l && a (other_end l v).
Proof. by case: l => x /eqP<- //=; apply: andbC. Qed.

Lemma in_order_cons v r : v \notin r ->
  in_order cross xpred0 (v :: r) = (bit r (row_of v) == bit r (column_of v)) && in_order cross xpred0 r.
Proof.
move=> vr /=; rewrite count_cross // oddD; congr (_ && _).
by rewrite /bit /row_count /column_count /on_line /=; do 2!case: (odd _).
Qed.

(* ---- one press after the other ---- *)

Variable colour : bulb -> bool.

(* the presses of colour c on a line *)
Definition coloured l c S : nat := count (fun v => on l v && (colour v == c)) S.

Definition by_turns (b : line -> bool) S :=
  forall l, coloured l (b l) S = coloured l (~~ b l) S + odd (count (on l) S).

Lemma count_colours l c S : count (on l) S = coloured l c S + coloured l (~~ c) S.
Proof.
rewrite /coloured; elim: S => //= v S ->; rewrite addnACA; congr (_ + _).
by case: (on l v); case: (colour v); case: c.
Qed.

Lemma coloured_cons l c v S :
  coloured l c (v :: S) = (on l v && (colour v == c)) + coloured l c S.
Proof. by []. Qed.

Lemma turn r v S : (forall l, on l v -> bit r l = colour v) ->
  by_turns (bit r) (v :: S) -> by_turns (bit (v :: r)) S.
Proof.
move=> fits turns l; move: (turns l); rewrite !coloured_cons.
have -> : bit (v :: r) l = on l v (+) bit r l by rewrite /bit /= oddD oddb.
have -> : odd (count (on l) (v :: S)) = on l v (+) odd (count (on l) S) by rewrite /= oddD oddb.
case lv : (on l v) => //; rewrite (fits l lv) eqxx !addTb negbK.
have -> : (colour v == ~~ colour v) = false by case: (colour v).
by rewrite add1n add0n; case: (odd _) => /=; rewrite ?addn0 ?addn1; [move=> <- | case].
Qed.

(* a line with presses left has one of the colour of its bit *)
Lemma next_press b S l : by_turns b S -> has (on l) S ->
  exists v, [/\ v \in S, on l v & colour v = b l].
Proof.
move=> turns some; have : 0 < coloured l (b l) S.
  rewrite lt0n; apply: contraL some => /eqP none; rewrite has_count (count_colours l (b l)).
  by move: (turns l); rewrite none => /esym/eqP; rewrite addn_eq0 => /andP[/eqP->].
by rewrite -has_count => /hasP[v vS /andP[lv /eqP Zv]]; exists v.
Qed.

(* Presses p -> v on some lines p, permuted by f: each lies on its line and on the next, and has the
   colour of its line's bit; the next line has the other bit. *)
Record round (b : line -> bool) (S : seq bulb) (p : seq line) (next : line -> bulb) : Prop := Round {
  round_some : p != [::];
  round_uniq : uniq p;
  round_perm : perm_eq (map (fun l => other_end l (next l)) p) p;
  round_in : {in p, forall l, next l \in S};
  round_on : {in p, forall l, on l (next l)};
  round_colour : {in p, forall l, colour (next l) = b l};
  round_turn : {in p, forall l, b (other_end l (next l)) = ~~ b l} }.

(* where no press can be built *)
Lemma stuck b S : by_turns b S -> S != [::] ->
  {in S, forall v, ~~ [&& b (row_of v) == colour v & b (column_of v) == colour v]} ->
  exists p next, round b S p next.
Proof.
case: S => // v0 S1; set S := v0 :: S1 => turns _ none.
pose next l := head v0 (filter (fun v => on l v && (colour v == b l)) S).
pose D := undup (map row_of S ++ map column_of S).
have D_on v l : v \in S -> on l v -> l \in D.
  by move=> vS; rewrite onE mem_undup mem_cat => /orP[]/eqP->; rewrite map_f ?orbT.
have nextP l : l \in D -> [/\ next l \in S, on l (next l) & colour (next l) = b l].
  move=> lD; have /(next_press turns)[v [vS lv cv]] : has (on l) S.
    by move: lD; rewrite mem_undup mem_cat => /orP[]/mapP[v vS ->]; apply/hasP; exists v;
      rewrite ?on_row ?on_column.
  have : next l \in filter (fun v => on l v && (colour v == b l)) S.
    have : v \in filter (fun v => on l v && (colour v == b l)) S by rewrite mem_filter lv cv eqxx.
    by rewrite /next; case: (filter _ S) => //= w ws _; apply: mem_head.
  by rewrite mem_filter => /andP[/andP[-> /eqP->] ->].
have [|l lD|p [p0 up pD pp]] := @permuted_part _ (fun l => other_end l (next l)) D (undup_uniq _).
- have : row_of v0 \in D by apply: (D_on v0); rewrite ?mem_head ?on_row.
  by case: (D).
- by have [vS lv _] := nextP l lD; apply: D_on vS (on_other l _).
exists p, next; split=> // l /pD/nextP[vS lv cv] //.
move: (none _ vS); rewrite (both_ends (fun k => b k == colour (next l)) lv) cv eqxx /=.
by case: (b _); case: (b l).
Qed.

(* ---- the presses of a round, colour 0 and then colour 1 ---- *)

(* presses of which every line has at most one do not get in each other's way *)
Lemma build_apart q r : uniq (q ++ r) -> (forall l, count (on l) q <= 1) ->
  {in q, forall v, bit r (row_of v) = bit r (column_of v)} ->
  in_order cross xpred0 r -> in_order cross xpred0 (q ++ r).
Proof.
elim: q => [|v q IH] //= /andP[vqr uqr] once same ord.
rewrite -[_ && _]/(in_order cross xpred0 (v :: q ++ r)) in_order_cons //.
have off l : on l v -> bit (q ++ r) l = bit r l.
  move=> lv; rewrite /bit count_cat oddD; move: (once l); rewrite lv add1n ltnS leqn0 => /eqP->.
  by rewrite addFb.
rewrite !off ?on_row ?on_column // same ?mem_head // eqxx /=; apply: IH => // [l|w wq].
  exact: leq_trans (leq_addl _ _) (once l).
by apply: same; rewrite inE wq orbT.
Qed.

Section Round.
Variables (b : line -> bool) (S : seq bulb) (p : seq line) (next : line -> bulb).
Hypothesis pr : round b S p next.

Definition round_part (c : bool) : seq bulb := [seq next l | l <- p & b l == c].

Lemma round_partP c v : v \in round_part c ->
  [/\ v \in S, colour v = c, row_of v \in p & column_of v \in p].
Proof.
case/mapP=> l; rewrite mem_filter => /andP[/eqP bl lp] ->.
have lv := round_on pr lp; have op : other_end l (next l) \in p.
  by rewrite -(perm_mem (round_perm pr)) (map_f (fun l => other_end l (next l))).
have := both_ends (mem p) lv; rewrite /= lp op => /andP[-> ->].
by rewrite (round_in pr) // (round_colour pr).
Qed.

(* each line of p has one press of either colour *)
Lemma count_round c l : count (on l) (round_part c) = (l \in p).
Proof.
rewrite count_map count_filter.
pose next_is k := other_end k (next k) == l.
have next_count : count next_is p = (l \in p).
  by rewrite -(count_uniq_mem _ (round_uniq pr)) -(seq.permP (round_perm pr)) count_map.
have self_count : count (pred1 l) p = (l \in p) by rewrite count_uniq_mem // (round_uniq pr).
case: (altP (b l =P c)) => bl.
  rewrite -self_count; apply: eq_in_count => k kp /=; rewrite (on_ends _ (round_on pr kp)).
  case: (altP (l =P k)) bl => [-> ->|lk bl] /=; first by rewrite !eqxx.
  rewrite [k == l]eq_sym (negbTE lk); case: eqP => // lnext.
  by rewrite -bl lnext (round_turn pr) //; case: (b k).
rewrite -next_count; apply: eq_in_count => k kp /=; rewrite (on_ends _ (round_on pr kp)).
rewrite /next_is [other_end _ _ == l]eq_sym; case: (altP (l =P other_end k (next k))) => lnext.
  by move: bl; rewrite lnext (round_turn pr) // orbT; case: (b k); case: (c).
by rewrite orbF; case: (l =P k) bl => //= -> /negbTE->.
Qed.

Lemma uniq_round c : uniq (round_part c).
Proof.
apply: count_mem_uniq => v; case vq : (v \in round_part c); last by rewrite (count_memPn (negbT vq)).
apply/eqP; rewrite eqn_leq -has_count has_pred1 vq andbT.
apply: leq_trans (_ : count (on (row_of v)) (round_part c) <= 1); last by rewrite count_round leq_b1.
by apply: sub_count => w /eqP->; apply: on_row.
Qed.
End Round.

Lemma round_sub b S S' p next : {subset S <= S'} -> round b S p next -> round b S' p next.
Proof. by move=> sub [p0 up pp ins lp cp tp]; split=> // l /ins/sub. Qed.

(* Taken out of S, a round leaves every line's colours by turns; built first, it leaves its bit. *)
Lemma build_round r S b p next : uniq (S ++ r) -> bit r =1 xpred0 -> in_order cross xpred0 r ->
  by_turns xpred0 S -> round b S p next ->
  exists q S', [/\ perm_eq S (q ++ S'), q != [::], in_order cross xpred0 (q ++ r),
                   bit (q ++ r) =1 xpred0 & by_turns xpred0 S'].
Proof.
rewrite cat_uniq => /and3P[uS /hasPn apart ur] zero ord turns pr.
pose q0 := round_part b p next false; pose q1 := round_part b p next true.
have uq : uniq (q1 ++ q0).
  rewrite cat_uniq !(uniq_round pr) andbT; apply/hasPn => v /(round_partP pr)[_ c0 _ _].
  by apply/negP => /(round_partP pr)[_]; rewrite c0.
have qS : {subset q1 ++ q0 <= S} by move=> v; rewrite mem_cat => /orP[]/(round_partP pr)[].
pose S' := filter [predC (q1 ++ q0)] S.
have pS : perm_eq S ((q1 ++ q0) ++ S').
  rewrite -(perm_filterC (mem (q1 ++ q0)) S) perm_cat2r; apply: uniq_perm => //.
    exact: filter_uniq.
  by move=> v; rewrite mem_filter /=; case vq : (v \in _) => //=; apply: qS.
have bits0 l : bit (q0 ++ r) l = (l \in p).
  rewrite /bit count_cat (count_round pr) oddD -/(bit r l) zero addbF.
  by case: (l \in p).
exists (q1 ++ q0), S'; split=> //.
- have [l lp] : exists l, l \in p.
    by case: (p) (round_some pr) => // l p' _; exists l; apply: mem_head.
  apply: contraTneq lp => /(congr1 size)/eqP; rewrite size_cat addn_eq0 => /andP[_ /nilP none].
  by have := count_round pr false l; rewrite -/q0 none; case: (l \in p).
- have uqr : uniq ((q1 ++ q0) ++ r).
    by rewrite cat_uniq uq ur andbT; apply/hasPn => v /apart; apply: contra => /qS.
  rewrite -catA; move: uqr; rewrite -catA => uqr; apply: build_apart => //.
  + by move=> l; rewrite (count_round pr) leq_b1.
  + by move=> v /(round_partP pr)[_ _ rp cp]; rewrite [LHS]bits0 [RHS]bits0 rp cp.
  apply: build_apart => //; first by move: uqr; rewrite cat_uniq => /and3P[].
    by move=> l; rewrite (count_round pr) leq_b1.
  by move=> v _; rewrite !zero.
- move=> l; rewrite -catA /bit count_cat oddD (count_round pr) [odd (count _ (q0 ++ r))]bits0.
  by case: (l \in p).
move=> l; move: (turns l); rewrite /= /coloured !(seq.permP pS) !count_cat !(count_round pr).
have none c c' : c != c' -> count (fun v => on l v && (colour v == c)) (round_part b p next c') = 0.
  move=> cc; rewrite -(count_pred0 (round_part b p next c')); apply: eq_in_count => v.
  by move=> /(round_partP pr)[_ -> _ _]; rewrite eq_sym (negbTE cc) andbF.
have all_ c : count (fun v => on l v && (colour v == c)) (round_part b p next c) = (l \in p).
  rewrite -(count_round pr c); apply: eq_in_count => v /(round_partP pr)[_ -> _ _].
  by rewrite eqxx andbT.
rewrite -/q0 -/q1 in none all_ *; move: (none false true isT) (none true false isT) (all_ false) (all_ true).
rewrite -/q0 -/q1 => -> -> -> ->; rewrite add0n addn0 !oddD addbb addFb -addnA => /addnI.
by [].
Qed.

(* build while something can be built *)
Lemma greedy r S : uniq (S ++ r) -> in_order cross xpred0 r -> by_turns (bit r) S ->
  (exists2 w, perm_eq w S & in_order cross xpred0 (w ++ r)) \/ exists b p next, round b S p next.
Proof.
have [n] := ubnP (size S); elim: n S r => // n IH S r less uSr ord turns.
case: (altP (S =P [::])) => [->|S0]; first by left; exists [::].
case able : (has (fun v => (bit r (row_of v) == colour v) && (bit r (column_of v) == colour v)) S);
  last first.
  by right; exists (bit r); apply: stuck turns S0 _ => v vS; have /hasPn := negbT able; apply.
case/hasP: able => v vS /andP[/eqP rv /eqP cv]; have pS := perm_to_rem vS.
have uvr : uniq (rem v S ++ v :: r).
  rewrite -(perm_uniq (_ : perm_eq (S ++ r) _)) //; apply/seq.permP => a.
  by rewrite !count_cat (seq.permP pS) /= addnCA addnA.
have turns' : by_turns (bit (v :: r)) (rem v S).
  apply: turn => [l|l]; first by rewrite onE => /orP[]/eqP->.
  by move: (turns l); rewrite /coloured !(seq.permP pS).
have ord' : in_order cross xpred0 (v :: r).
  rewrite in_order_cons ?rv ?cv ?eqxx //.
  by move: uSr; rewrite cat_uniq => /and3P[_ /hasPn apart _]; apply/negP => /apart /=; rewrite vS.
case: (IH _ _ _ uvr ord' turns') => [|[w pw ordw]|[b [p [next pr]]]].
- by rewrite size_rem //; case: (S) S0 less.
- left; exists (rcons w v); last by rewrite cat_rcons.
  by rewrite perm_rcons (permPr pS) perm_cons.
by right; exists b, p, next; apply: round_sub pr => w; apply: mem_rem.
Qed.

Lemma colours_order r S : uniq (S ++ r) -> bit r =1 xpred0 -> in_order cross xpred0 r ->
  by_turns xpred0 S -> exists2 w, perm_eq w S & in_order cross xpred0 (w ++ r).
Proof.
have [n] := ubnP (size S); elim: n S r => // n IH S r less uSr zero ord turns.
have turns_r : by_turns (bit r) S by move=> l; rewrite zero; apply: turns.
case: (greedy uSr ord turns_r) => [//|[b [p [next pr]]]].
have [q [S' [pS q0 ord' zero' turns']]] := build_round uSr zero ord turns pr.
have [||w pw ordw] := IH S' (q ++ r) _ _ zero' ord' turns'.
- rewrite (perm_size pS) size_cat ltnS in less; apply: leq_trans less.
  by case: (q) q0 => // v q' _; rewrite addSn ltnS leq_addl.
- by rewrite -uniq_catCA catA -(perm_uniq (_ : perm_eq (S ++ r) _)) ?perm_cat2r.
exists (w ++ q); last by rewrite -catA.
by rewrite perm_sym (permPl pS) perm_catC perm_cat2r perm_sym.
Qed.
End Theorem2.

(* the presses of Z have colour 1 *)
Lemma half_by_turns (L M : eqType) (Z qs : seq (L * M)) : uniq qs -> half_factor Z qs ->
  by_turns (mem Z) xpred0 qs.
Proof.
move=> uq [uZ sub rows cols] l.
have Z1 : coloured (mem Z) l true qs = count (on l) Z.
  rewrite /coloured -!size_filter; apply/perm_size/uniq_perm; rewrite ?filter_uniq // => v.
  by rewrite !mem_filter /= eqb_id; case vZ : (v \in Z); rewrite ?andbF // (sub v vZ) !andbT.
have half : count (on l) Z = (count (on l) qs)./2 by case: l {Z1} => [i|j]; [apply: rows|apply: cols].
have := count_colours (mem Z) l true qs; rewrite /= Z1 half => total.
apply/eqP; rewrite -(eqn_add2l (count (on l) qs)./2) -total addnA addnn addnC.
by rewrite odd_double_half.
Qed.

Section Order.
Variables L M : eqType.
Notation cross := (@cross L M).

(* 4.2 theorem 2, sufficiency *)
Theorem half_factor_order (Z qs : seq (L * M)) : uniq qs -> half_factor Z qs ->
  exists2 ps, perm_eq ps qs & in_order cross xpred0 ps.
Proof.
move=> uq /(half_by_turns uq) turns.
have [|//|//|w pw] := colours_order (r := [::]) _ _ _ turns; rewrite cats0 //.
by exists w.
Qed.

(* 4.2 theorem 2 *)
Theorem theorem2 (qs : seq (L * M)) : uniq qs ->
  (exists2 ps, perm_eq ps qs & in_order cross xpred0 ps) <-> (exists Z, half_factor Z qs).
Proof.
move=> uq; split=> [[ps pq ord]|[Z]]; last exact: half_factor_order.
exists (colour1 ps); apply: (half_factor_perm pq); apply: order_half_factor ord.
by rewrite (perm_uniq pq).
Qed.
End Order.
