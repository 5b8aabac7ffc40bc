(* Affine functions of unknown bits, as binary numbers, and elimination.  Theory 1.3, 1.4.

   In a form bit 0 is the constant, and bit i says whether unknown i takes part; the sum of two
   forms is their exclusive or.  Some forms are known to be 0: with them unknowns are eliminated
   from others.  Nothing need be believed of the elimination but that it adds forms that are 0. *)
From Coq Require Import PArith NArith FMapPositive.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Definition form := N.

(* the value of a form, p telling the unknowns; p 0 is to be true *)
Fixpoint value_pos (p : nat -> bool) (x : positive) : bool :=
  match x with
  | xH => p 0
  | xO y => value_pos (fun i => p i.+1) y
  | xI y => p 0 (+) value_pos (fun i => p i.+1) y
  end.
Definition value (p : nat -> bool) (x : form) : bool := if x is Npos y then value_pos p y else false.

Lemma value_double p x : value p (N.double x) = value (fun i => p i.+1) x.
Proof. by case: x. Qed.

Lemma value_succ_double p x : value p (N.succ_double x) = p 0 (+) value (fun i => p i.+1) x.
Proof. by case: x => //=; rewrite addbF. Qed.

Lemma value_lxor p x y : value p (N.lxor x y) = value p x (+) value p y.
Proof.
case: x y => [|x] [|y] //=; first by rewrite addbF.
elim: x p y => [x IH|x IH|] p [y|y|] //=; rewrite ?value_double ?value_succ_double ?IH;
  by case: (p 0); rewrite /= ?addNb ?addbN ?addFb ?addbT ?addbF ?negbK.
Qed.

Lemma eq_value p q x : p =1 q -> value p x = value q x.
Proof.
case: x => //= x; elim: x p q => [x IH|x IH|] p q same /=; rewrite ?same //.
  by congr (_ (+) _); apply: IH => i; apply: same.
by apply: IH => i; apply: same.
Qed.

(* ---- single bits ---- *)

(* unknown i alone *)
Fixpoint unknown_pos (i : nat) : positive := if i is i'.+1 then xO (unknown_pos i') else xH.
Definition unknown (i : nat) : form := Npos (unknown_pos i).

Lemma value_unknown p i : value p (unknown i) = p i.
Proof. by rewrite /=; elim: i p => //= i IH p; rewrite IH. Qed.

Definition constant (c : bool) : form := if c then 1%num else 0%num.

Lemma value_constant (p : nat -> bool) c : p 0 -> value p (constant c) = c.
Proof. by case: c. Qed.

(* sums *)
Definition sum_forms (xs : seq form) : form := foldr N.lxor 0%num xs.

Lemma value_sum p xs : value p (sum_forms xs) = odd (count (value p) xs).
Proof. by elim: xs => //= x xs IH; rewrite value_lxor IH oddD oddb. Qed.

(* ---- elimination ---- *)

(* an unknown, and a form that is 0 and contains it *)
Definition pivots := seq (nat * form).

Definition reduce (rows : pivots) (x : form) : form :=
  foldl (fun x row => if N.testbit_nat x row.1 then N.lxor x row.2 else x) x rows.

(* the least unknown of a form that is not constant *)
Fixpoint least_pos (x : positive) : nat :=
  match x with xO y => (least_pos y).+1 | _ => 0 end.
Definition least_unknown (x : form) : option nat :=
  match x with
  | Npos (xO y) | Npos (xI y) => Some (least_pos y).+1
  | _ => None
  end.

(* One more form that is 0.  None: 1 would be 0. *)
Definition add_zero (rows : pivots) (x : form) : option pivots :=
  let y := reduce rows x in
  if least_unknown y is Some i
  then Some ((i, y) :: [seq (row.1, if N.testbit_nat row.2 i then N.lxor row.2 y else row.2) | row <- rows])
  else if y is N0 then Some rows else None.

Fixpoint eliminate (rows : pivots) (zeros : seq form) : option pivots :=
  if zeros is x :: r then (if add_zero rows x is Some rows' then eliminate rows' r else None)
  else Some rows.

Section Sound.
Variable p : nat -> bool.
Hypothesis p0 : p 0.

Definition all_zero (xs : seq form) := all (fun x => ~~ value p x) xs.

Lemma value_reduce rows x : all_zero (map snd rows) -> value p (reduce rows x) = value p x.
Proof.
elim: rows x => //= row rows IH x /andP[zero /IH{}IH]; rewrite IH; case: ifP => // _.
by rewrite value_lxor (negbTE zero) addbF.
Qed.

Lemma add_zero_sound rows x : all_zero (map snd rows) -> ~~ value p x ->
  if add_zero rows x is Some rows' then all_zero (map snd rows') else false.
Proof.
move=> zeros zero; rewrite /add_zero; have zy := value_reduce x zeros.
case least : (least_unknown _) => [i|]; last first.
  by move: zy least zero; case: (reduce rows x) => // -[] // <-; rewrite /= p0.
rewrite /all_zero /= zy zero /= -map_comp all_map; apply/allP => row in_rows /=.
have row0 : ~~ value p row.2 by move/allP: zeros; apply; apply: map_f.
by case: ifP => // _; rewrite value_lxor zy (negbTE row0) (negbTE zero).
Qed.

Theorem eliminate_sound rows zeros : all_zero (map snd rows) -> all_zero zeros ->
  if eliminate rows zeros is Some rows' then all_zero (map snd rows') else false.
Proof.
elim: zeros rows => //= x r IH rows rows0 /andP[x0 r0].
by have := add_zero_sound rows0 x0; case: add_zero => // rows' /IH; apply.
Qed.
End Sound.

(* ---- fewer unknowns: those of a list, numbered 1, 2, ... ---- *)

Fixpoint of_bits (bs : seq bool) : form :=
  if bs is c :: r then (if c then N.succ_double (of_bits r) else N.double (of_bits r)) else 0%num.

Lemma value_of_bits p bs :
  value p (of_bits bs) = odd (count (fun i => nth false bs i && p i) (iota 0 (size bs))).
Proof.
elim: bs p => //= c bs IH p; have -> : value p (if c then N.succ_double (of_bits bs) else N.double (of_bits bs))
    = c && p 0 (+) value (fun i => p i.+1) (of_bits bs).
  by case: c; rewrite ?value_succ_double ?value_double.
rewrite IH oddD oddb; congr (_ (+) odd _).
by rewrite -[1]addn0 iotaDl count_map; apply: eq_count.
Qed.

(* x by the unknowns us; None when x contains others *)
Definition restrict (us : seq nat) (x : form) : option form :=
  let bs := [seq N.testbit_nat x i | i <- us] in
  if N.eqb (sum_forms (mask bs [seq unknown i | i <- us])) x then Some (of_bits bs) else None.

Lemma value_restrict p us x :
  if restrict us x is Some y then value (fun i => p (nth 0 us i)) y == value p x else true.
Proof.
rewrite /restrict; case: N.eqb_spec => // eqx; apply/eqP; rewrite -[in RHS]eqx value_of_bits value_sum size_map.
have := size_map (N.testbit_nat x) us; move: (map (N.testbit_nat x) us) => bs {eqx}.
elim: us bs => [|u us IH] [|c bs] //= [same]; rewrite -[1]addn0 iotaDl count_map.
rewrite (eq_count (a2 := fun i => nth false bs i && p (nth 0 us i))) // oddD IH // oddb.
by case: c; rewrite //= -[RHS]/(odd (value p (unknown u) + _)) value_unknown oddD oddb.
Qed.

(* ---- all forms of a family ---- *)

(* ss are the values of the forms, for some values of the unknowns *)
Definition takes (xs : seq form) (ss : seq bool) := exists2 p : nat -> bool, p 0 & [seq value p x | x <- xs] = ss.

(* the unknowns in a form *)
Fixpoint bits_from (i : nat) (x : positive) : seq nat :=
  match x with
  | xH => [:: i]
  | xO y => bits_from i.+1 y
  | xI y => i :: bits_from i.+1 y
  end.
Definition unknowns_in (x : form) : seq nat :=
  match x with
  | Npos (xO y) | Npos (xI y) => bits_from 1 y
  | _ => [::]
  end.

Fixpoint restrict_all (us : seq nat) (xs : seq form) : option (seq form) :=
  if xs is x :: r
  then if restrict us x is Some y then (if restrict_all us r is Some ys then Some (y :: ys) else None)
       else None
  else Some [::].

(* As each pivot is in its own row alone, the rows of a form's own unknowns reduce it. *)
Definition table_of (rows : pivots) : PositiveMap.t form :=
  foldr (fun row m => PositiveMap.add (Pos.of_succ_nat row.1) row.2 m) (PositiveMap.empty form) rows.
Definition replaced (m : PositiveMap.t form) (x : form) : form :=
  foldl (fun y i => if PositiveMap.find (Pos.of_succ_nat i) m is Some row then N.lxor y row else y)
    x (unknowns_in x).

Lemma value_replaced p rows x : all_zero p (map snd rows) -> value p (replaced (table_of rows) x) = value p x.
Proof.
move=> zeros; have row_zero k row : PositiveMap.find k (table_of rows) = Some row -> ~~ value p row.
  elim: rows zeros => [_|[i y] rows IH /= /andP[zero /IH{}IH]]; first by rewrite PositiveMap.gempty.
  case: (Pos.eq_dec k (Pos.of_succ_nat i)) => [->|other]; first by rewrite PositiveMap.gss => -[<-].
  by rewrite PositiveMap.gso.
rewrite /replaced; move: (unknowns_in x) => us; elim: us x => //= i us IH x; rewrite IH.
case found : PositiveMap.find => [row|] //.
by rewrite value_lxor (negbTE (row_zero _ _ found)) addbF.
Qed.

(* The forms xs, with as few unknowns as the forms that are 0 leave, and their number; None where
   the zeros contradict each other. *)
Definition solved (xs zeros : seq form) : option (nat * seq form) :=
  if eliminate [::] zeros is Some rows then
    let m := table_of rows in
    let ys := [seq replaced m x | x <- xs] in
    let us := unknowns_in (foldr N.lor 0%num ys) in
    if restrict_all (0 :: us) ys is Some zs then Some (size us, zs) else Some (0, xs)
  else None.

Lemma restrict_all_sound p us xs : if restrict_all us xs is Some ys
  then [seq value (fun i => p (nth 0 us i)) y | y <- ys] == [seq value p x | x <- xs] else true.
Proof.
elim: xs => //= x xs; have := value_restrict p us x; case: restrict => // y /eqP same.
by case: restrict_all => // ys /eqP IH; rewrite /= same IH.
Qed.

Theorem solved_sound (p : nat -> bool) xs zeros : p 0 -> all_zero p zeros ->
  exists d ys, solved xs zeros = Some (d, ys) /\ takes ys [seq value p x | x <- xs].
Proof.
move=> p0 zero; rewrite /solved; have := @eliminate_sound p p0 [::] zeros isT zero.
case: eliminate => // rows rows0; set us := _ :: _; set ys := [seq replaced _ _ | _ <- _].
have same : [seq value p y | y <- ys] = [seq value p x | x <- xs].
  by rewrite -map_comp; apply: eq_map => x; apply: value_replaced.
have := restrict_all_sound p us ys; case: restrict_all => [zs /eqP fit|_]; last first.
  by exists 0, xs; split=> //; exists p.
exists (size (behead us)), zs; split=> //.
by exists (fun i => p (nth 0 us i)); rewrite // fit.
Qed.

(* unknown 1 becomes known, the others move down *)
Definition assign (c : bool) (x : form) : form :=
  match x with
  | N0 | Npos xH => x
  | Npos (xO xH) => constant c
  | Npos (xI xH) => constant (~~ c)
  | Npos (xO (xO y)) => Npos (xO y)
  | Npos (xO (xI y)) => Npos (if c then xI y else xO y)
  | Npos (xI (xO y)) => Npos (xI y)
  | Npos (xI (xI y)) => Npos (if c then xO y else xI y)
  end.

Lemma value_assign (p : nat -> bool) x : p 0 ->
  value (fun i => if i is j.+1 then p j.+2 else true) (assign (p 1) x) = value p x.
Proof.
by case: x => // -[[x|x|]|[x|x|]|] //= p0; rewrite ?p0; case: (p 1) => //=;
  rewrite ?addbT ?addTb ?addFb ?negbK.
Qed.

(* All values of the unknowns are gone through, but those that `closes` rules out early. *)
Fixpoint search (closes : seq form -> bool) (d : nat) (xs : seq form) : bool :=
  if closes xs then true else  (* not "or": the virtual machine would compute both sides *)
  if d is d'.+1
  then (if search closes d' (map (assign false) xs) then search closes d' (map (assign true) xs) else false)
  else false.

Lemma searchE closes d xs : search closes d xs = closes xs || (if d is d'.+1
  then search closes d' (map (assign false) xs) && search closes d' (map (assign true) xs) else false).
Proof. by case: d. Qed.

Theorem search_sound closes d xs ss : search closes d xs -> takes xs ss ->
  exists2 ys, closes ys & takes ys ss.
Proof.
elim: d xs => [|d IH] xs; rewrite searchE; first by rewrite orbF => ok fit; exists xs.
case/orP=> [ok fit|/andP[no yes] [p p0 fit]]; first by exists xs.
have step : takes (map (assign (p 1)) xs) ss.
  exists (fun i => if i is j.+1 then p j.+2 else true) => //.
  by rewrite -fit -map_comp; apply: eq_map => x; apply: value_assign.
by move: step; case: (p 1); apply: IH.
Qed.
