(* Sums of integers over lists. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Definition total (T : Type) (f : T -> Z) (xs : seq T) : Z := foldr (fun x a => (f x + a)%Z) 0%Z xs.

Lemma total_cons T (f : T -> Z) x xs : total f (x :: xs) = (f x + total f xs)%Z.
Proof. by []. Qed.

Lemma total_cat T (f : T -> Z) xs ys : total f (xs ++ ys) = (total f xs + total f ys)%Z.
Proof. by elim: xs => //= x xs ->; lia. Qed.

Lemma total_map T T' (f : T' -> Z) (g : T -> T') xs : total f (map g xs) = total (fun x => f (g x)) xs.
Proof. by elim: xs => //= x xs ->. Qed.

Lemma eq_total (T : eqType) (f g : T -> Z) (xs : seq T) : {in xs, f =1 g} -> total f xs = total g xs.
Proof.
elim: xs => //= x xs IH same; rewrite same ?mem_head // IH // => y yx; apply: same.
by rewrite inE yx orbT.
Qed.

Lemma total_le (T : eqType) (f g : T -> Z) (xs : seq T) : {in xs, forall x, (f x <= g x)%Z} ->
  (total f xs <= total g xs)%Z.
Proof.
elim: xs => [|x xs IH] le /=; first lia.
have := le x (mem_head _ _); have : (total f xs <= total g xs)%Z.
  by apply: IH => y yx; apply: le; rewrite inE yx orbT.
lia.
Qed.

Lemma total_add T (f g : T -> Z) xs : total (fun x => (f x + g x)%Z) xs = (total f xs + total g xs)%Z.
Proof. by elim: xs => //= x xs ->; lia. Qed.

Lemma total_scale T (c : Z) (f : T -> Z) xs : total (fun x => (c * f x)%Z) xs = (c * total f xs)%Z.
Proof. by elim: xs => [|x xs /= ->] /=; ring. Qed.

(* sums by groups *)
Lemma total_groups (T : Type) (K : eqType) (key : T -> K) (f : T -> Z) (ks : seq K) (xs : seq T) :
  uniq ks -> all (fun x => key x \in ks) xs ->
  total f xs = total (fun k => total f (filter (fun x => key x == k) xs)) ks.
Proof.
move=> uk; elim: xs => [|x xs IH] /=; first by move=> _; elim: ks {uk} => //= k ks <-.
case/andP=> xk /IH-> {IH}; elim: ks uk xk => //= k ks IHk /andP[kk uk]; rewrite inE => /orP[/eqP same|xk].
  rewrite same eqxx /=; have -> : total (fun k' => total f (if k == k' then x :: filter (fun y => key y == k') xs
      else filter (fun y => key y == k') xs)) ks = total (fun k' => total f (filter (fun y => key y == k') xs)) ks.
    by apply: eq_total => k' k'ks; case: eqP => // e; rewrite e k'ks in kk.
  lia.
have -> : (key x == k) = false by apply: contraNF kk => /eqP<-.
by have := IHk uk xk; lia.
Qed.

(* what changes at one place of a list *)
Lemma total_change (T : eqType) (f g : T -> Z) (x : T) (xs : seq T) : uniq xs -> x \in xs ->
  {in xs, forall y, y != x -> f y = g y} -> total f xs = (total g xs + (f x - g x))%Z.
Proof.
elim: xs => //= y xs IH /andP[yxs uxs]; rewrite inE => /orP[/eqP xy|xxs] same.
  have -> : total f xs = total g xs.
    by apply: eq_total => z zxs; apply: same; rewrite ?inE ?zxs ?orbT // xy; apply: contraNneq yxs => <-.
  by rewrite xy; lia.
have -> : f y = g y.
  by apply: same; rewrite ?mem_head //; apply: contraNneq yxs => ->.
by rewrite IH // => [|z zxs]; [lia | apply: same; rewrite inE zxs orbT].
Qed.

Lemma total_0 (T : Type) (xs : seq T) : total (fun=> 0%Z) xs = 0%Z.
Proof. by elim: xs => //= x xs ->. Qed.

Lemma total_nat (T : Type) (f : T -> nat) (xs : seq T) :
  total (fun x => Z.of_nat (f x)) xs = Z.of_nat (sumn (map f xs)).
Proof. by elim: xs => //= x xs ->; rewrite -plusE Nat2Z.inj_add. Qed.

Definition b2z (b : bool) : Z := if b then 1%Z else 0%Z.
