(* Boards whose bulbs are the numbers 0, 1, 2, ...: what certificates compute with.

   `numbered b` is the board b with its bulbs numbered in their order, its toggled bulbs in a table.
   The claims about b are those about `numbered b`. *)
From Coq Require Import PArith NArith Pnat Nnat FMapPositive Lia.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import game board linear orientation.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Definition number : eqType := eqtype_of (Phant N).

(* ---- boards that differ by the names of their bulbs ---- *)

Section Renaming.
Variables (V W : eqType) (b : board V) (b' : board W) (f : V -> W).

Record renaming : Prop := Renaming {
  renaming_inj : {in bulbs b &, injective f};
  renaming_bulbs : bulbs b' =i map f (bulbs b);
  renaming_toggled : {in bulbs b &, forall v w, (f w \in toggled b' (f v)) = (w \in toggled b v)};
  renaming_lit : {in bulbs b, forall v, lit b' (f v) = lit b v};
  renaming_goal : {in bulbs b, forall v, goal b' (f v) = goal b v};
  renaming_rule : rule_of b' = rule_of b }.

Hypothesis ren : renaming.

Lemma renamed_bulb v : v \in bulbs b -> f v \in bulbs b'.
Proof. by move=> vb; rewrite (renaming_bulbs ren) map_f. Qed.

Lemma plays_renamed s s' ps : {in bulbs b, forall v, s' (f v) = s v} -> {subset ps <= bulbs b} ->
  plays b' s' (map f ps) = plays b s ps.
Proof.
elim: ps s s' => [|v r IH] s s' same sub /=.
  apply/allP/allP => ok v vb.
    by rewrite -(renaming_goal ren) // -same //; apply: ok; apply: renamed_bulb.
  move: vb; rewrite (renaming_bulbs ren) => /mapP[u ub ->].
  by rewrite same // (renaming_goal ren) // ok.
have vb : v \in bulbs b by apply: sub; apply: mem_head.
rewrite vb renamed_bulb // /may_press (renaming_rule ren) same //=; congr (_ && _).
apply: IH => [w wb|w wr]; first by rewrite /press same // (renaming_toggled ren).
by apply: sub; rewrite inE wr orbT.
Qed.

Lemma solution_renamed ps : {subset ps <= bulbs b} -> solution b' (map f ps) = solution b ps.
Proof. by move=> sub; apply: plays_renamed => // v; apply: (renaming_lit ren). Qed.

Lemma solution_to ps : solution b ps -> solution b' (map f ps).
Proof. by move=> sol; rewrite solution_renamed // => v; apply: (plays_bulbs sol). Qed.

Lemma uniq_renamed ps : {subset ps <= bulbs b} -> uniq (map f ps) = uniq ps.
Proof. by move=> sub; apply: map_inj_in_uniq => v w /sub vb /sub wb; apply: (renaming_inj ren). Qed.

Lemma unsolvable_renamed : unsolvable b' -> unsolvable b.
Proof. by move=> none ps; apply: contra (none (map f ps)); apply: solution_to. Qed.

Lemma no_order_renamed : no_order b' -> no_order b.
Proof.
move=> none ps up; apply/negP => sol; have := none (map f ps); rewrite (solution_to sol).
by rewrite uniq_renamed => [|v]; [move/(_ up) | apply: (plays_bulbs sol)].
Qed.

Lemma no_order_of_renamed S : no_order_of b' (map f S) -> no_order_of b S.
Proof.
move=> none ps pS; apply: contra (none (map f ps) (perm_map f pS)); exact: solution_to.
Qed.

Lemma at_least_renamed k : at_least b' k -> at_least b k.
Proof. by move=> bound ps /solution_to/bound; rewrite size_map. Qed.

Lemma order_at_least_renamed k : order_at_least b' k -> order_at_least b k.
Proof.
move=> bound ps /andP[up sol]; rewrite -(size_map f); apply: bound.
rewrite /an_order (solution_to sol) uniq_renamed ?up // => v; exact: (plays_bulbs sol).
Qed.
End Renaming.

(* ---- names of bulbs, as keys of tables ---- *)

(* two numbers as one *)
Fixpoint pair_key (p q : positive) : positive :=
  match p with
  | xH => xO q
  | xO p' => xI (xO (pair_key p' q))
  | xI p' => xI (xI (pair_key p' q))
  end.

Lemma pair_key_inj p p' q q' : pair_key p q = pair_key p' q' -> p = p' /\ q = q'.
Proof.
elim: p p' => [p IH|p IH|] [p'|p'|] //=; last by case.
  by case=> /IH[-> ->].
by case=> /IH[-> ->].
Qed.

Definition node_key (v : node) : positive := Pos.of_succ_nat v.
Definition place_key (v : place) : positive := pair_key (Pos.of_succ_nat v.1) (Pos.of_succ_nat v.2).

Lemma node_key_inj : injective node_key.
Proof. by move=> v w; apply: SuccNat2Pos.inj. Qed.

Lemma place_key_inj : injective place_key.
Proof.
by move=> [i j] [k l] /pair_key_inj[/SuccNat2Pos.inj /= -> /SuccNat2Pos.inj /= ->].
Qed.

(* ---- the numbered board ---- *)

(* 0, 1, ..., n - 1 *)
Fixpoint numbers_from (k : N) (n : nat) : seq N :=
  if n is n'.+1 then k :: numbers_from (N.succ k) n' else [::].
Definition numbers (n : nat) : seq number := numbers_from 0 n.

(* what the table knows of a bulb *)
Record cell := Cell { cell_near : seq number; cell_lit : bool; cell_goal : bool }.
Definition no_cell := Cell [::] false false.

Definition find_cell (t : PositiveMap.t cell) (k : number) : cell :=
  odflt no_cell (PositiveMap.find (N.succ_pos k) t).

Section Numbering.
Variables (V : eqType) (key : V -> positive).
Hypothesis key_inj : injective key.

(* the numbers of bulbs, from k on *)
Fixpoint index_from (k : N) (us : seq V) : PositiveMap.t N :=
  if us is u :: r then PositiveMap.add (key u) k (index_from (N.succ k) r) else PositiveMap.empty N.

Fixpoint table_from (k : N) (cell_of : V -> cell) (us : seq V) : PositiveMap.t cell :=
  if us is u :: r then PositiveMap.add (N.succ_pos k) (cell_of u) (table_from (N.succ k) cell_of r)
  else PositiveMap.empty cell.

Definition number_in (m : PositiveMap.t N) (v : V) : option number := PositiveMap.find (key v) m.

Definition numbered (b : board V) : board number :=
  let m := index_from 0 (bulbs b) in
  let t := table_from 0
    (fun v => Cell (undup (pmap (number_in m) (toggled b v))) (lit b v) (goal b v)) (bulbs b) in
  Board (numbers (size (bulbs b))) (fun k => cell_near (find_cell t k))
    (fun k => cell_lit (find_cell t k)) (fun k => cell_goal (find_cell t k)) (rule_of b).

(* what the tables hold *)
Lemma find_index k us v : uniq us -> PositiveMap.find (key v) (index_from k us) =
  if v \in us then Some (k + N.of_nat (index v us))%num else None.
Proof.
elim: us k => [|u r IH] k; first by rewrite /= PositiveMap.gempty.
rewrite [index_from _ _]/= cons_uniq inE => /andP[ur uniq_r]; case: (altP (v =P u)) => [->|vu].
  by rewrite PositiveMap.gss /= eqxx N.add_0_r.
rewrite PositiveMap.gso; last by move/key_inj => e; rewrite e eqxx in vu.
have -> : index v (u :: r) = (index v r).+1 by rewrite /= eq_sym (negbTE vu).
by rewrite IH // orFb Nat2N.inj_succ N.add_succ_l N.add_succ_r.
Qed.

Lemma find_table k f us i : i < size us -> forall u0,
  PositiveMap.find (N.succ_pos (k + N.of_nat i)) (table_from k f us) = Some (f (nth u0 us i)).
Proof.
elim: us k i => // u r IH k [|i] less u0; first by rewrite N.add_0_r PositiveMap.gss.
rewrite [table_from _ _ _]/= PositiveMap.gso; last first.
  by move/(congr1 Npos); rewrite !N.succ_pos_spec; lia.
by rewrite Nat2N.inj_succ N.add_succ_r -N.add_succ_l (IH _ _ _ u0).
Qed.

Lemma numbers_map n : numbers n = map N.of_nat (iota 0 n).
Proof.
rewrite /numbers -[0%num]/(N.of_nat 0); elim: n 0 => //= n IH k.
by rewrite -IH Nat2N.inj_succ.
Qed.

Lemma of_nat_inj : injective N.of_nat.
Proof. exact: Nat2N.inj. Qed.

Lemma size_numbers n : size (numbers n) = n.
Proof. by rewrite numbers_map size_map size_iota. Qed.

Lemma mem_numbers n k : (k \in numbers n) = (N.to_nat k < n).
Proof.
rewrite numbers_map; apply/mapP/idP => [[i]|less]; first by rewrite mem_iota add0n => less ->; rewrite Nat2N.id.
by exists (N.to_nat k); rewrite ?mem_iota ?N2Nat.id.
Qed.

Lemma numbers_uniq n : uniq (numbers n).
Proof. by rewrite numbers_map (map_inj_uniq of_nat_inj) iota_uniq. Qed.

Section Correct.
Variable b : board V.
Hypothesis ub : uniq (bulbs b).

Definition number_of (v : V) : number := N.of_nat (index v (bulbs b)).

Lemma number_in_index v : number_in (index_from 0 (bulbs b)) v =
  if v \in bulbs b then Some (number_of v) else None.
Proof. by rewrite /number_in find_index. Qed.

Lemma number_of_inj : {in bulbs b &, injective number_of}.
Proof. by move=> v w vb wb /of_nat_inj same; rewrite -(nth_index v vb) same nth_index. Qed.

Lemma cell_of_number f v : v \in bulbs b -> find_cell (table_from 0 f (bulbs b)) (number_of v) = f v.
Proof.
move=> vb; rewrite /find_cell -[number_of v]N.add_0_l (find_table 0 f _ v) ?index_mem //=.
by rewrite nth_index.
Qed.

Theorem numbered_renaming : renaming b (numbered b) number_of.
Proof.
split=> [|k|v w vb wb|v vb|v vb|] //; rewrite /= ?cell_of_number //.
- exact: number_of_inj.
- rewrite numbers_map; apply/mapP/mapP => [[i]|[v vb ->]]; last first.
    by exists (index v (bulbs b)); rewrite // mem_iota index_mem.
  rewrite mem_iota add0n /= => less ->; have [v vb vi] : exists2 v, v \in bulbs b & index v (bulbs b) = i.
    case: (bulbs b) ub less => // u0 r uu less.
    by exists (nth u0 (u0 :: r) i); rewrite ?mem_nth ?index_uniq.
  by exists v; rewrite // /number_of vi.
rewrite mem_undup mem_pmap; apply/mapP/idP => [[u ut]|wt]; last first.
  by exists w; rewrite // number_in_index wb.
rewrite number_in_index; case ub' : (u \in bulbs b) => // -[/number_of_inj ->] //.
Qed.

Lemma map_number_of : map number_of (bulbs b) = numbers (size (bulbs b)).
Proof.
rewrite numbers_map /number_of map_comp; congr (map _ _).
apply: (@eq_from_nth _ 0) => [|i]; rewrite size_map ?size_iota // => less.
case: (bulbs b) ub less => // v0 us uu less.
by rewrite (nth_map v0) // nth_iota // add0n index_uniq.
Qed.

Lemma numbered_bulbs : bulbs (numbered b) = numbers (size (bulbs b)).
Proof. by []. Qed.
End Correct.
End Numbering.

(* ---- boards of text ---- *)

Lemma grid_uniq p r t text : uniq (bulbs (grid p r t text)).
Proof. by rewrite filter_uniq // allpairs_uniq ?iota_uniq // => -[i j] [k l]. Qed.

Lemma graph_uniq edges r t text : uniq (bulbs (graph edges r t text)).
Proof. exact: iota_uniq. Qed.

Definition numbered_grid (b : board place) := numbered place_key b.
Definition numbered_graph (b : board node) := numbered node_key b.

(* ---- numbered boards in good order ---- *)

(* bulbs are numbers, and tables hold bulbs only, each once *)
Record normal_board (b : board number) : Prop := NormalBoard {
  normal_bulbs : bulbs b = numbers (size (bulbs b));
  normal_uniq : forall k, uniq (toggled b k);
  normal_in : forall k, {subset toggled b k <= bulbs b};
  normal_out : forall k, k \notin bulbs b -> toggled b k = [::] }.

Lemma table_cell (V : eqType) k (f : V -> cell) us q c :
  PositiveMap.find q (table_from k f us) = Some c ->
  (exists2 v, v \in us & c = f v) /\ exists2 i, i < size us & q = N.succ_pos (k + N.of_nat i).
Proof.
elim: us k => [|u r IH] k; first by rewrite /= PositiveMap.gempty.
rewrite [table_from _ _ _]/=; case: (Pos.eq_dec q (N.succ_pos k)) => [->|ne].
  rewrite PositiveMap.gss => -[<-]; split; first by exists u; rewrite ?mem_head.
  by exists 0; rewrite // N.add_0_r.
rewrite PositiveMap.gso // => /IH[[v vr ->] [i less ->]]; split; first by exists v; rewrite // inE vr orbT.
by exists i.+1; rewrite // Nat2N.inj_succ N.add_succ_r N.add_succ_l.
Qed.

Lemma numbered_normal (V : eqType) (key : V -> positive) (b : board V) : injective key ->
  uniq (bulbs b) -> normal_board (numbered key b).
Proof.
move=> key_inj ub; split=> [|k|k|k]; first by rewrite [size _]size_numbers.
- rewrite /= /find_cell; case found : PositiveMap.find => [c|] //=.
  by have [[v vb ->] _] := table_cell found; rewrite /= undup_uniq.
- move=> j; rewrite /= /find_cell; case found : PositiveMap.find => [c|] //=.
  have [[v vb ->] _] := table_cell found; rewrite /= mem_undup mem_pmap => /mapP[u _].
  rewrite number_in_index // => {found}; case: ifP => // ub' [->].
  by rewrite mem_numbers Nat2N.id index_mem.
rewrite /= /find_cell mem_numbers; case found : PositiveMap.find => [c|] //=.
have [_ [i less /(congr1 Npos)]] := table_cell found.
by rewrite !N.succ_pos_spec => /N.succ_inj ->; rewrite N.add_0_l Nat2N.id less.
Qed.

Section Normal.
Variable b : board number.
Hypothesis nb : normal_board b.

Lemma normal_bulbs_uniq : uniq (bulbs b).
Proof. by rewrite (normal_bulbs nb) numbers_uniq. Qed.

(* what is checked: a press toggles its own bulb, and the relation is symmetric *)
Definition check_symmetric : bool :=
  all (fun v => (v \in toggled b v) && all (fun w => v \in toggled b w) (toggled b v)) (bulbs b).

Lemma check_symmetric_sound : check_symmetric -> symmetric_board b.
Proof.
move=> /allP ok; split; first exact: normal_bulbs_uniq.
  by move=> v /ok/andP[].
move=> v w vb wb; apply/idP/idP => [wv|vw].
  by have /andP[_ /allP/(_ w wv)] := ok v vb.
by have /andP[_ /allP/(_ v vw)] := ok w wb.
Qed.

Hypothesis sym : symmetric_board b.

(* the presses around a bulb are those it toggles *)
Lemma count_around (s : number -> bool) w : w \in bulbs b ->
  count (fun v => (w \in toggled b v) && s v) (bulbs b) = count s (toggled b w).
Proof.
move=> wb; rewrite -!size_filter; apply/perm_size/uniq_perm.
- exact: filter_uniq normal_bulbs_uniq.
- exact: filter_uniq (normal_uniq nb w).
move=> v; rewrite !mem_filter -andbA andbCA; congr (_ && _).
case vb : (v \in bulbs b); first by rewrite andbT toggled_sym.
rewrite andbF; apply/esym/negbTE; apply: contraFN vb; exact: (normal_in nb).
Qed.

Lemma press_set_around s : press_set b s ->
  {in bulbs b, forall w, odd (count s (toggled b w)) = change b w}.
Proof. by move=> ok w wb; rewrite -count_around // ok. Qed.

Lemma around_press_set s : {in bulbs b, forall w, odd (count s (toggled b w)) = change b w} ->
  press_set b s.
Proof. by move=> ok w wb; rewrite count_around // ok. Qed.
End Normal.
