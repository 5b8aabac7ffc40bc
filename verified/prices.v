(* How few pairs do: a lower bound by prices.  Theory 7.3, 7.5; a dual of the pairs' linear program.

   Every pair has the worth `unit`.  A helper, a bulb outside S, hands what its pairs are worth on to
   components of S that it serves, at a price for each, and to helpers beside it, which is what
   they lose.  What it serves is as odd as the number of its pairs; so few prices need be looked at.
   What a component receives, for whichever odd or even number of servings and own pairs, sums up
   to a lower bound on the number of pairs. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Ponder Require Import linear orientation counting sums pairs.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* ---- the least sum of evenly many, and of oddly many ---- *)

Fixpoint least (ps : seq Z) : Z * option Z :=
  if ps is p :: r then
    let: (ev, od) := least r in
    if od is Some o then (Z.min ev (p + o), Some (Z.min o (p + ev)))%Z else (ev, Some (p + ev)%Z)
  else (0%Z, None).

(* what some of the prices sum up to *)
Definition chosen (ps : seq Z) (ds : seq bool) : Z := total id (mask ds ps).

Lemma least_sound ps ds : size ds = size ps ->
  if odd (count id ds) then (if (least ps).2 is Some o then (o <= chosen ps ds)%Z else False)
  else ((least ps).1 <= chosen ps ds)%Z.
Proof.
elim: ps ds => [|p ps IH] [|d ds] //= [/IH{IH}]; rewrite /chosen.
case: (least ps) => ev od /=; case: od => [o|]; case: d => /=; case: (odd _) => //=; lia.
Qed.

(* ---- prices ---- *)

(* an integer with a sign: true is minus (Z has no test of equality in the library) *)
Definition signed := (bool * N)%type.
Definition integer (x : signed) : Z := if x.1 then (- Z.of_N x.2)%Z else Z.of_N x.2.
Definition opposite (x : signed) : signed := (~~ x.1, x.2).

Lemma integer_opposite x : integer (opposite x) = (- integer x)%Z.
Proof. by case: x => -[] n; rewrite /integer /=; lia. Qed.

Section Prices.
Variables (V : eqType) (e : rel V) (t : V -> bool) (U : seq V).
Hypotheses (sym : symmetric e) (irr : irreflexive e) (uU : uniq U).
Variable adj : V -> seq V.     (* lists that hold all neighbours in U *)
Hypothesis adjP : forall v w, w \in U -> e v w -> w \in adj v.

Record prices := Prices {
  unit_price : Z;
  parts : seq (seq V);               (* components of S *)
  servings : seq (V * nat * signed); (* helper w, number x of the part it serves, price *)
  links : seq (V * V * signed) }.    (* helpers w and u, what w hands on to u *)

Section Check.
Variables (s : V -> bool) (c : prices).

Definition part (x : nat) : seq V := nth [::] (parts c) x.

(* of a part: its servings; of a helper: its servings, and its links either way *)
Definition servings_of (x : nat) := [seq i <- servings c | i.1.2 == x].
Definition servings_by (w : V) := [seq i <- servings c | i.1.1 == w].
Definition links_of (w : V) : seq (V * signed) :=
  [seq (l.1.2, l.2) | l <- links c & l.1.1 == w] ++ [seq (l.1.1, opposite l.2) | l <- links c & l.1.2 == w].

Definition helpers : seq V :=
  undup ([seq i.1.1 | i <- servings c] ++ [seq l.1.1 | l <- links c] ++ [seq l.1.2 | l <- links c]).

(* Is everything around the helper, or the part, among its prices? *)
Definition helper_closed (w : V) : bool :=
  all (fun u => e w u ==> (has (fun i => u \in part i.1.2) (servings_by w) || (u \in map fst (links_of w))))
    (adj w).
Definition part_closed (x : nat) : bool :=
  let ws := [seq i.1.1 | i <- servings_of x] in
  all (fun v => all (fun w => (~~ s w && e v w) ==> (w \in ws)) (adj v)) (part x).

Definition prices_by (w : V) : seq Z := 
  [seq (- integer i.2)%Z | i <- servings_by w] ++ [seq (- integer l.2)%Z | l <- links_of w].

Definition helper_pays (w : V) : bool :=
  let: (ev, od) := least (prices_by w) in
  let d := unit_price c in
  (if od is Some o then (- d <=? o)%Z else true) &&
  (if helper_closed w then (- (d + d) <=? ev)%Z else (- d <=? ev)%Z).

Definition receives (x : nat) : Z :=
  let: (ev, od) := least (unit_price c :: [seq integer i.2 | i <- servings_of x]) in
  let o := odflt 0%Z od in
  if part_closed x then (if charge e t (part x) then o else ev) else Z.min ev o.

Definition check_prices : bool :=
  [&& (0 <=? unit_price c)%Z,
      uniq (flatten (parts c)),
      all (fun v => (v \in U) && s v) (flatten (parts c)),
      all (fun X => all (fun v => all (fun w => (e v w && s w) ==> (w \in X)) (adj v)) X) (parts c),
      all (fun x => uniq [seq i.1.1 | i <- servings_of x]) (iota 0 (size (parts c))),
      all (fun i => [&& i.1.1 \in U, ~~ s i.1.1 & i.1.2 < size (parts c)]) (servings c),
      all (fun l => [&& l.1.1 \in U, ~~ s l.1.1, l.1.2 \in U, ~~ s l.1.2 & e l.1.1 l.1.2]) (links c) &
      all (fun w => [&& uniq (flatten [seq part i.1.2 | i <- servings_by w]),
                        uniq (map fst (links_of w)) & helper_pays w]) helpers].

Definition priced_total : Z := total receives (iota 0 (size (parts c))).
End Check.

Lemma eq_check_prices s s' c : s =1 s' -> check_prices s c = check_prices s' c.
Proof.
move=> same; rewrite /check_prices; do ![congr (_ && _)]; apply: eq_all => x; rewrite ?same //.
by apply: eq_all => v; apply: eq_all => w; rewrite same.
Qed.

Lemma eq_priced_total s s' c : s =1 s' -> priced_total s c = priced_total s' c.
Proof.
move=> same; apply: eq_total => x _; rewrite /receives; case: (least _) => ev od.
congr (if _ then _ else _); apply: eq_all => v; apply: eq_all => w; by rewrite same.
Qed.

Lemma chosen_map (T : Type) (price : T -> Z) (d : T -> bool) (xs : seq T) :
  chosen (map price xs) (map d xs) = total (fun x => (price x * b2z (d x))%Z) xs.
Proof. by rewrite /chosen; elim: xs => //= x xs <-; case: (d x) => /=; lia. Qed.

Lemma chosen_cons p ps b ds : chosen (p :: ps) (b :: ds) = (b2z b * p + chosen ps ds)%Z.
Proof. by rewrite /chosen /b2z; case: b; rewrite ?Z.mul_1_l ?Z.mul_0_l. Qed.

Lemma chosen_cat ps qs ds es : size ds = size ps ->
  chosen (ps ++ qs) (ds ++ es) = (chosen ps ds + chosen qs es)%Z.
Proof. by move=> same; rewrite /chosen mask_cat // total_cat. Qed.

Lemma odd_count_flatten (a : pred V) (Xs : seq (seq V)) :
  odd (count a (flatten Xs)) = odd (count (fun X => odd (count a X)) Xs).
Proof. by elim: Xs => //= X Xs IH; rewrite count_cat !oddD IH oddb. Qed.

Section Sound.
Variables (ps : seq V) (c : prices).
Hypotheses (sub : {subset ps <= U}) (ord : in_order (touching e) t ps).
Notation s := (odd_part ps).
Notation d := (unit_price c).
Notation part := (part c).
Hypothesis ok : check_prices s c.

Definition served (i : V * nat * signed) : bool := serves e ps (part i.1.2) i.1.1.
Definition worth (v : V) : Z := Z.of_nat (half ps v).

Lemma unit_ok : (0 <= d)%Z.
Proof. by case/andP: ok => /Z.leb_le. Qed.

Lemma parts_ok : [/\ uniq (flatten (parts c)), {in flatten (parts c), forall v, (v \in U) && s v} &
  {in parts c, forall X, {in X, forall v, {in U, forall w, e v w -> s w -> w \in X}}}].
Proof.
case/and5P: ok => _ -> /allP all_s /allP closed _; split=> // X Xc v vX w wU vw sw.
by have /allP/(_ v vX)/allP/(_ w (adjP wU vw)) := closed X Xc; rewrite vw sw.
Qed.

Lemma servings_ok : (forall x, x < size (parts c) -> uniq [seq i.1.1 | i <- servings_of c x]) /\
  {in servings c, forall i, [&& i.1.1 \in U, ~~ s i.1.1 & i.1.2 < size (parts c)]}.
Proof.
case/and5P: ok => _ _ _ _ /and3P[/allP us /allP in_s _]; split=> // x less.
by apply: us; rewrite mem_iota add0n.
Qed.

Lemma links_ok : {in links c, forall l,
  [&& l.1.1 \in U, ~~ s l.1.1, l.1.2 \in U, ~~ s l.1.2 & e l.1.1 l.1.2]}.
Proof. by case/and5P: ok => _ _ _ _ /and4P[_ _ /allP]. Qed.

Lemma helpers_ok : {in helpers c, forall w,
  [&& uniq (flatten [seq part i.1.2 | i <- servings_by c w]), uniq (map fst (links_of c w)) & helper_pays c w]}.
Proof. by case/and5P: ok => _ _ _ _ /and4P[_ _ _ /allP]. Qed.

Lemma helper_idle w : w \in helpers c -> (w \in U) && ~~ s w.
Proof.
rewrite mem_undup !mem_cat => /or3P[]/mapP[x xin ->].
- by have /and3P[-> ->] := servings_ok.2 x xin.
- by have /and5P[-> ->] := links_ok xin.
by have /and5P[_ _ -> ->] := links_ok xin.
Qed.

Lemma partner w l : l \in links_of c w -> [&& l.1 \in U, ~~ s l.1 & e w l.1].
Proof.
rewrite mem_cat => /orP[]/mapP[k]; rewrite mem_filter => /andP[/eqP<- /links_ok/and5P[u1 s1 u2 s2 linked]] ->.
  by rewrite u2 s2.
by rewrite /= u1 s1 sym.
Qed.

Lemma served_part x v : x < size (parts c) -> v \in part x -> (v \in U) && s v.
Proof.
move=> less vx; have [_ all_s _] := parts_ok; apply: all_s; apply/flattenP.
by exists (part x); rewrite ?mem_nth.
Qed.

(* the parity at a helper *)
Definition taken (w : V) : seq bool :=
  [seq served i | i <- servings_by c w] ++ [seq later ps w l.1 | l <- links_of c w].

Lemma helper_parity w : w \in helpers c -> helper_closed c w -> odd (count id (taken w)) = odd (half ps w).
Proof.
move=> wh /allP closed; have /andP[wU sw] := helper_idle wh.
rewrite -(serves_helper irr uU sub ord sw wU).
have /and3P[uparts ulinks _] := helpers_ok wh.
pose L := flatten [seq part i.1.2 | i <- servings_by c w] ++ map fst (links_of c w).
have in_part i : i \in servings_by c w -> i.1.1 = w /\ i.1.2 < size (parts c).
  by rewrite mem_filter => /andP[/eqP-> /(servings_ok.2)/and3P[]].
have LU v : v \in L -> v \in U.
  rewrite mem_cat => /orP[/flattenP[X /mapP[i /in_part[_ less] ->] vX]|/mapP[l /partner/and3P[lU _ _] ->] //].
  by have /andP[] := served_part less vX.
have uL : uniq L.
  rewrite cat_uniq uparts ulinks andbT; apply/hasPn => _ /mapP[l /partner/and3P[_ sl _] ->].
  apply/negP => /flattenP[X /mapP[i /in_part[_ less] ->] lX].
  by have /andP[_] := served_part less lX; rewrite (negbTE sl).
have -> : odd (count (fun u => e w u && later ps w u) U) = odd (count (fun u => e w u && later ps w u) L).
  congr odd; rewrite -!size_filter; apply/perm_size/uniq_perm; rewrite ?filter_uniq // => u.
  rewrite !mem_filter; case wu : (e w u) => //=; case: (later ps w u) => //=.
  apply/idP/idP => [uinU|/LU //]; have := closed u (adjP uinU wu); rewrite wu mem_cat /= => /orP[/hasP[i iw ui]|-> //].
    by apply/orP; left; apply/flattenP; exists (part i.1.2) => //; apply: map_f.
  by rewrite orbT.
rewrite !count_cat !oddD odd_count_flatten !count_map; congr (odd _ (+) odd _).
  by apply: eq_in_count => i /in_part[iw _] /=; rewrite /served /serves iw.
by apply: eq_in_count => l /partner/and3P[_ _ wl] /=; rewrite wl.
Qed.

Definition spent (w : V) : Z := (total (fun i => (integer i.2 * b2z (served i))%Z) (servings_by c w) +
  total (fun l => (integer l.2 * b2z (later ps w l.1))%Z) (links_of c w))%Z.

Lemma spent_chosen w : chosen (prices_by c w) (taken w) = (- spent w)%Z.
Proof.
have neg T (a a' : T -> Z) xs :
    total (fun x => (- a x * a' x)%Z) xs = (- total (fun x => (a x * a' x)%Z) xs)%Z.
  by elim: xs => //= x xs ->; ring.
by rewrite /prices_by /taken chosen_cat ?size_map // !chosen_map !neg /spent Z.opp_add_distr.
Qed.

Lemma helper_spends w : w \in helpers c -> (spent w <= d * worth w)%Z.
Proof.
move=> wh; have /andP[wU sw] := helper_idle wh; have d0 := unit_ok.
rewrite /worth; case hw : (half ps w) => [|h].
  have idle i : i \in servings_by c w -> served i = false.
    by rewrite mem_filter => /andP[/eqP iw _]; apply: serves_none; rewrite iw.
  have off u : later ps w u = false by apply: later_unpressed; apply: half_unpressed.
  have -> : spent w = 0%Z; last lia.
  rewrite /spent (eq_total (g := fun=> 0%Z)) => [|i /idle->]; last by rewrite /=; lia.
  rewrite [X in (_ + X)%Z](eq_total (g := fun=> 0%Z)) => [|l _]; last by rewrite off /=; lia.
  by rewrite !total_0.
have /and3P[_ _] := helpers_ok wh; rewrite /helper_pays.
have := @least_sound (prices_by c w) (taken w); rewrite spent_chosen !size_cat !size_map => /(_ erefl).
have := @helper_parity w wh; rewrite hw.
have m1 : (1 <= Z.of_nat h.+1)%Z by lia.
have m2 : ~~ odd h.+1 -> (2 <= Z.of_nat h.+1)%Z by case: (h) => // h' _; lia.
move: (Z.of_nat h.+1) m1 m2 => m m1 m2; have large : (d <= d * m)%Z by nia.
case: (least _) => ev od; rewrite [(_, _).1]/= [(_, _).2]/=; case: helper_closed => [/(_ isT)->|_].
  case: (odd h.+1) m2 => [_|/(_ isT) m2].
    by case: od => // o o_le /andP[/Z.leb_le pay _]; lia.
  by move=> ev_le /andP[_ /Z.leb_le pay]; nia.
case: (odd _); first by case: od => // o o_le /andP[/Z.leb_le pay _]; lia.
by move=> ev_le /andP[_ /Z.leb_le pay]; lia.
Qed.

(* the parity at a part *)
Definition gained (x : nat) : Z := total (fun i => (integer i.2 * b2z (served i))%Z) (servings_of c x).
Definition own_pairs (x : nat) : nat := sumn [seq half ps v | v <- part x].

Lemma odd_own x : odd (own_pairs x) = odd (count (fun v => odd (half ps v)) (part x)).
Proof. by rewrite /own_pairs; elim: (part x) => //= v X IH; rewrite !oddD IH oddb. Qed.

Lemma part_component x : x < size (parts c) -> odd_component_of e U ps (part x).
Proof.
move=> less; have [uparts all_s closed] := parts_ok; split.
- have := uparts; rewrite -(cat_take_drop x (parts c)) (drop_nth [::] less) flatten_cat /=.
  by rewrite cat_uniq cat_uniq => /and3P[_ _ /and3P[]].
- by move=> v /(served_part less)/andP[].
- by move=> v /(served_part less)/andP[].
by apply: closed; apply: mem_nth.
Qed.

Lemma part_parity x : x < size (parts c) -> part_closed s c x ->
  odd (own_pairs x) (+) odd (count served (servings_of c x)) = charge e t (part x).
Proof.
move=> less /allP closed; have := serves_component sym irr uU sub ord (part_component less).
rewrite odd_own; have -> : count served (servings_of c x) = count (serves e ps (part x)) [seq i.1.1 | i <- servings_of c x].
  rewrite count_map; apply: eq_in_count => i; rewrite mem_filter => /andP[/eqP ix _].
  by rewrite /= /served ix.
have -> : count (serves e ps (part x)) [seq i.1.1 | i <- servings_of c x] =
    count (fun w => ~~ s w && serves e ps (part x) w) U.
  have [us in_s] := servings_ok; rewrite -!size_filter; apply/perm_size/uniq_perm; rewrite ?filter_uniq //.
    exact: us.
  move=> w; rewrite !mem_filter; apply/andP/andP => [[sw /mapP[i]]|[/andP[sw srv] wU]].
    by rewrite mem_filter => /andP[_ /in_s/and3P[iU si _]] iw; rewrite iw in sw *; rewrite si sw iU.
  split=> //; apply: contraLR srv => none; rewrite /serves (eq_in_count (a2 := pred0)) ?count_pred0 // => v vx.
  apply/negP => /andP[wv _]; case/negP: none; rewrite sym in wv.
  by have /allP/(_ w (adjP wU wv)) := closed v vx; rewrite sw wv.
by move=> ->; rewrite addbC -addbA addbb addbF.
Qed.

Lemma part_receives x : x < size (parts c) ->
  (receives s c x <= d * Z.of_nat (own_pairs x) + gained x)%Z.
Proof.
move=> less; have d0 := unit_ok.
pose ds := odd (own_pairs x) :: [seq served i | i <- servings_of c x].
have chosen_ds : (chosen (d :: [seq integer i.2 | i <- servings_of c x]) ds <= d * Z.of_nat (own_pairs x) + gained x)%Z.
  rewrite chosen_cons chosen_map -/(gained x).
  have : (b2z (odd (own_pairs x)) <= Z.of_nat (own_pairs x))%Z.
    by case: (own_pairs x) => [|k]; rewrite /b2z; [|case: (odd _)]; rewrite ?[odd 0]/=; lia.
  nia.
have same : size ds = size (d :: [seq integer i.2 | i <- servings_of c x]) by rewrite /= !size_map.
have count_ds : odd (count id ds) = odd (own_pairs x) (+) odd (count served (servings_of c x)).
  by rewrite /= oddD oddb count_map.
have := least_sound same; move: (chosen _ _) chosen_ds => z z_le.
rewrite /receives count_ds; have := @part_parity x less.
case: (least _) => ev od; rewrite [(_, _).1]/= [(_, _).2]/=.
case: (part_closed s c x) => [/(_ isT)->|_]; first by case: od => [o|]; case: (charge _ _ _) => //=; lia.
by case: od => [o|]; case: (_ (+) _) => //=; lia.
Qed.

Lemma links_cancel : total (fun w => total (fun l => (integer l.2 * b2z (later ps w l.1))%Z) (links_of c w)) (helpers c) = 0%Z.
Proof.
have -> : total (fun w => total (fun l => (integer l.2 * b2z (later ps w l.1))%Z) (links_of c w)) (helpers c) =
    (total (fun w => total (fun l => (integer l.2 * b2z (later ps l.1.1 l.1.2))%Z) [seq l <- links c | l.1.1 == w]) (helpers c) +
     total (fun w => total (fun l => (- integer l.2 * b2z (later ps l.1.2 l.1.1))%Z) [seq l <- links c | l.1.2 == w]) (helpers c))%Z.
  rewrite -total_add; apply: eq_total => w _; rewrite /links_of total_cat !total_map.
  by congr (_ + _)%Z; apply: eq_total => l; rewrite mem_filter => /andP[/eqP-> _];
    rewrite /= ?integer_opposite.
rewrite -!total_groups ?undup_uniq //; last 2 first.
- by apply/allP => l lc; rewrite mem_undup !mem_cat (map_f (fun l => l.1.2)) ?orbT.
- by apply/allP => l lc; rewrite mem_undup !mem_cat (map_f (fun l => l.1.1)) ?orbT.
rewrite -total_add (eq_total (g := fun=> 0%Z)); first by elim: (links c) => //= l ls ->.
move=> l /links_ok/and5P[_ s1 _ s2 linked]; rewrite (later_helper (ps := ps) _ s2); last first.
  by apply: contraTneq linked => ->; rewrite irr.
by case: (later _ _ _) => /=; lia.
Qed.

(* 7.3 how many pairs there are at least *)
Theorem prices_bound : (priced_total s c <= d * Z.of_nat (all_pairs U ps))%Z.
Proof.
have d0 := unit_ok; have [uparts all_s _] := parts_ok.
have step1 : (priced_total s c <= d * total worth (flatten (parts c)) + total (fun i => (integer i.2 * b2z (served i))%Z) (servings c))%Z.
  have -> : total worth (flatten (parts c)) = total (fun x => Z.of_nat (own_pairs x)) (iota 0 (size (parts c))).
    have -> : total worth (flatten (parts c)) = total (fun X => total worth X) (parts c).
      by elim: (parts c) => //= X Xs IH; rewrite total_cat IH.
    rewrite -{1}(mkseq_nth [::] (parts c)) /mkseq total_map; apply: eq_total => x _.
    exact: total_nat.
  rewrite (total_groups (key := fun i => i.1.2) _ (iota_uniq 0 (size (parts c)))); last first.
    by apply/allP => i /(servings_ok.2)/and3P[_ _ less]; rewrite mem_iota add0n.
  rewrite -total_scale -total_add; apply: total_le => x; rewrite mem_iota add0n => /andP[_ less].
  exact: part_receives.
have step2 : (total (fun i => (integer i.2 * b2z (served i))%Z) (servings c) <= d * total worth (helpers c))%Z.
  have -> : total (fun i => (integer i.2 * b2z (served i))%Z) (servings c) = total spent (helpers c).
    rewrite /spent total_add links_cancel Z.add_0_r; apply: total_groups; first exact: undup_uniq.
    by apply/allP => i ic; rewrite mem_undup mem_cat (map_f (fun i => i.1.1)).
  by rewrite -total_scale; apply: total_le => w; apply: helper_spends.
have step3 : (total worth (flatten (parts c)) + total worth (helpers c) <= Z.of_nat (all_pairs U ps))%Z.
  rewrite -total_cat total_nat; apply: inj_le; apply/leP.
  have uniq_all : uniq (flatten (parts c) ++ helpers c).
    rewrite cat_uniq uparts undup_uniq andbT; apply/hasPn => w /helper_idle/andP[_ sw].
    by apply: contra sw => /all_s/andP[].
  rewrite /all_pairs; have [W pW] : exists W, perm_eq U ((flatten (parts c) ++ helpers c) ++ W).
    exists [seq v <- U | v \notin flatten (parts c) ++ helpers c].
    rewrite -(perm_filterC (mem (flatten (parts c) ++ helpers c))) perm_cat2r.
    apply: uniq_perm; rewrite ?filter_uniq // => v; rewrite mem_filter /=.
    case vin : (v \in _) => //=; move: vin; rewrite mem_cat => /orP[/all_s/andP[]|/helper_idle/andP[]] //.
  by rewrite (perm_sumn (perm_map (half ps) pW)) [X in _ <= sumn X]map_cat [leqRHS]sumn_cat leq_addr.
nia.
Qed.
End Sound.
End Prices.
