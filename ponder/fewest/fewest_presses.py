"""The fewest legal presses on any graph, repeats allowed, with a proved lower bound (claim C3).

Idea (theory §7). The press counts are m = s + 2e for a press set s ∈ s₀ + ker A; they are legal
iff every cluster has an order (`clusters`). Press sets are examined best first, by a lower bound on
what they need that is raised step by step, and only as far as it must be:

    listed     the weight |s|, of all press sets at once (`lightest.weights`)
    split      and two presses for each of some odd components that lie apart (`savings.quick`)
    saved      or for every odd component, less what may be saved (`savings.least`)
    ordered    all clusters are ordered; where no component is odd, a refusal costs four presses
    repaired   a legal choice is built, one pair for each refused cluster (`repair`)
    master     the fewest pairs that the cuts learnt so far allow (`master`), round by round

The least of all bounds is proved at every moment, and so is the best sequence found: a run that is
cut short still says "between a and b". Of a large coset most press sets are only split, and on
nearly all random plus boards the bound and a repair meet before the master is asked.

Letters: s, s₀, m, e as in `savings`; a pair is two presses more of one bulb; |s| the weight.

Reference. Best-first branch and bound over the coset; inside, the decomposition of theory §7.

Cost. To split a press set takes 0.3 ms on a 19×19 board, to go through with it some
milliseconds; 2^d of them are listed for d ≤ LISTED. Larger cosets
are left to an integer model (`coset_model`), in which a refused component costs two presses.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeGuard

import numpy as np

from ponder.fewest.clusters import Cluster, Clusters
from ponder.fewest.cuts import Cut
from ponder.fewest.dead_ends import DeadEnd, dead_end
from ponder.fewest.master import Master
from ponder.fewest.odd_components import Savings, savings
from ponder.fewest.repair import repair
from ponder.limits import NEVER, Limits, TimeUp
from ponder.linear.coset import coordinates_of, weights
from ponder.linear.minimum_weight import BY_MODEL, descend, lightest
from ponder.linear.minimum_weight_model import CosetModel
from ponder.linear.press_sets import PressSets
from ponder.puzzle.board import Board
from ponder.puzzle.ordering_problem import Answer, Unknown
from ponder.puzzle.refutation import LocalRefutation, Refutation, parts_json, press_counts_json
from ponder.puzzle.solver_refutations import Randomised
from ponder.types import Bits, Ints, Json

LISTED = 20
"""Cosets of at most 2^LISTED press sets are gone through; larger ones have an integer model."""

_SPLIT, _ORDERED, _REPAIRED = range(3)  # how far a press set has been taken
_REPAIRS = 4  # tries for each press set
_SINGLES = 1.0  # seconds for single pairs, and at most half of what is left
_SLICE = 2.0  # seconds of the master's first round; each further round may take twice as long
_TELLING = 1e-6  # seconds per bulb for putting the sequence together when the search is over
_SAYING = 0.3  # seconds for the simplest evidence, which may be long
_MODELLED = 2_000_000  # bulbs and pairs of neighbours that a master may have
_SPARE = 6  # pairs allowed beyond one for each refused cluster while nothing legal is known


@dataclass(frozen=True, eq=False)
class Fewest:
    """The best legal sequence found and what is proved.

    `presses`      bulbs in play order, or None when none was found in time
    `lower_bound`  no legal sequence has fewer presses; `evidence` says why, as JSON
    `reason`       why the search ended before the two met, else None
    """

    presses: Ints | None
    lower_bound: int
    evidence: Json | None
    reason: str | None = None
    statistics: dict[str, object] = field(default_factory=dict)

    @property
    def optimal(self) -> bool:
        """Whether the bound meets the sequence."""
        return self.presses is not None and self.presses.size == self.lower_bound


def fewest(
    board: Board,
    sets: PressSets,
    *,
    at_most: int | None = None,
    seed: int = 0,
    timeout: float | Limits | None = None,
    progress: Callable[[str], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Fewest | DeadEnd:
    """Return a legal sequence with the fewest presses, or the best one found and a lower bound.

    A `DeadEnd` says that there is no legal sequence. With `at_most` the search ends as soon as it
    is known whether so many presses suffice. It also ends, with what is known, after `timeout`
    seconds, when `stop` says so, and on KeyboardInterrupt. `sets` are the board's press sets.

    >>> from ponder.linear.press_sets import press_sets
    >>> board = Board.from_rows(["0000"], "plus")
    >>> found = fewest(board, press_sets(board))
    >>> found.presses.size, found.lower_bound
    (2, 2)
    """
    say = progress or (lambda text: None)
    if board.rule == "any":
        light = lightest(board, sets, seed=seed, timeout=timeout, progress=progress)
        return Fewest(light.presses, light.lower_bound, light.evidence)
    limits = Limits.of(timeout).before(_TELLING * board.graph.size)
    search = _Search(board, sets, at_most, seed, limits, say, stop or (lambda: False))
    try:
        dead = dead_end(board, limits)
        if dead is not None:
            return dead
        reason = search.run()
    except TimeUp:
        reason = "time is up"
    except KeyboardInterrupt:
        reason = "interrupted"
    return search.result(reason)


@dataclass(order=True)
class _Member:
    """A press set under examination, ordered by the number of presses that it needs at least."""

    bound: int
    stage: int
    index: int
    press_set: list[int] = field(compare=False, repr=False)
    found: Savings = field(compare=False, repr=False)
    refused: int = field(compare=False, default=0)
    master: Master | None = field(compare=False, default=None)
    learnt: list[tuple[Cluster, Refutation | Unknown]] = field(compare=False, default_factory=list)
    rounds: int = field(compare=False, default=0)
    frozen: bool = field(compare=False, default=False)

    @property
    def weight(self) -> int:
        return sum(self.press_set)


class _Search:
    """One call of `fewest`: all press sets and what is known of them."""

    def __init__(
        self,
        board: Board,
        sets: PressSets,
        at_most: int | None,
        seed: int,
        limits: Limits,
        progress: Callable[[str], None],
        stop: Callable[[], bool],
    ) -> None:
        self.board, self.sets, self.at_most, self.seed = board, sets, at_most, seed
        self.limits, self.progress, self.stop = limits, progress, stop
        self.rng = random.Random(seed)
        self.clusters = Clusters(board, seed=seed, limits=limits)
        self.best: list[int] | None = None
        self.heap: list[_Member] = []
        self.cuts: dict[Cluster, Cut] = {}
        # press sets whose odd components say less than a refutation, and how little
        self._refuted: list[tuple[Bits, Refutation, int]] = []
        self.examined = self.rounds = 0
        self.split: Savings | None = None  # the last press set examined
        self.frozen: int | None = None  # what is proved of press sets with undecided clusters
        self.busy: int | None = None  # what is proved of the press set in hand
        self.listed = sets.nullity <= LISTED
        self._said = ""
        if self.listed:
            self.weights = weights(sets)
            self._basis = sets.kernel_basis
            self._order = np.argsort(self.weights, kind="stable")
            self.floor: int | None = int(self.weights[self._order[0]])
        else:
            self.floor = 0
        self._members = self._in_order()

    def _in_order(self) -> Iterator[tuple[int, Bits]]:
        """Yield press sets not yet examined, lightest first, and keep `floor` below the rest."""
        if self.listed:
            for place, index in enumerate(self._order.tolist()):
                following = place + 1
                later = self._order[following : following + 1]
                self.floor = int(self.weights[later[0]]) if later.size else None
                yield index, self._member(index)
            return
        model = CosetModel(self.sets, self.seed, surcharge=2, limits=self.limits)
        model.hint(descend(self.sets, np.random.default_rng(self.seed), self.limits))
        seen: set[bytes] = set()
        while True:
            chosen = model.propose(self.limits.left(0.5))
            self.limits.check()
            self.floor = model.bound
            if chosen is None or chosen.tobytes() in seen:
                return  # the surcharge is paid: the model knows no better
            seen.add(chosen.tobytes())
            yield len(seen), chosen
            for cluster, why in self.clusters.refused(chosen.astype(int).tolist()):
                if _proves(why):
                    around = [*cluster.bulbs, *self.clusters.beside(cluster.bulbs)]
                    model.refuse(chosen, around)

    def _member(self, index: int) -> Bits:
        """Return the press set with this number."""
        quiet = self._basis[coordinates_of(index, self.sets.nullity)]
        return np.asarray(self.sets.particular ^ np.bitwise_xor.reduce(quiet, axis=0))

    @property
    def count(self) -> int | None:
        """The number of presses of the best sequence."""
        return None if self.best is None else sum(self.best)

    @property
    def bound(self) -> int:
        """A proved lower bound on the presses of every legal sequence."""
        known = (self._open, self.busy, self.frozen, self.count)
        return min(bound for bound in known if bound is not None)

    @property
    def _open(self) -> int | None:
        """The least bound of press sets that are still open; None when there are none."""
        least = self.heap[0].bound if self.heap else None
        if self.floor is None:
            return least
        return self.floor if least is None else min(least, self.floor)

    def run(self) -> str | None:
        """Search until the answer is known; return why it is not, otherwise."""
        while True:
            still_open, count = self._open, self.count
            if count is not None and (still_open is None or count <= still_open):
                undecided = self.frozen is not None and self.frozen < count
                return "some clusters could not be decided" if undecided else None
            if self.at_most is not None and (
                self.bound > self.at_most or (count is not None and count <= self.at_most)
            ):
                return None if self.bound == count else "the question was answered"
            if self.limits.expired:
                return "time is up"
            if self.stop():
                return "stopped"
            self._report()
            self.busy = still_open  # an interruption must not lose the press set in hand
            if not self._advance():
                return "there are too many press sets to go through"
            self.busy = None

    def _advance(self) -> bool:
        """Take the press set with the least bound one step further; False when there is none."""
        if not self.heap or (self.floor is not None and self.floor <= self.heap[0].bound):
            following = next(self._members, None)
            if following is not None:
                self._examine(*following)
                return True
        if self.heap:
            self._step(heapq.heappop(self.heap))
            return True
        return False

    def _report(self) -> None:
        count = self.count
        text = f"at least {self.bound}" if count is None else f"between {self.bound} and {count}"
        if text != self._said:
            self._said = text
            self.progress(f"{text} presses")

    # ----------------------------------------------------------------------- steps of a press set

    def _examine(self, index: int, press_set: Bits) -> None:
        """Split a press set into clusters and bound what the odd ones cost."""
        self.examined += 1
        chosen = press_set.astype(int).tolist()
        found = self.split = savings(self.clusters, self.clusters.of(chosen))
        member = _Member(sum(chosen) + 2 * found.quick, _SPLIT, index, chosen, found)
        if self.busy is not None:
            self.busy = max(self.busy, member.bound)
        if self.best is None:  # something legal comes before anything better
            self._step(member)
        else:
            self._push(member)

    def _try(self, member: _Member) -> None:
        """Order the clusters of a press set, and learn from those that have no order."""
        chosen, found = member.press_set, member.found
        member.bound = member.weight + 2 * found.least
        refused = self._judge(chosen)
        if not refused:
            return
        member.stage, member.refused = _ORDERED, len(refused)
        proved = [(cluster, why) for cluster, why in refused if _proves(why)]
        if proved and not found.least:  # an even number of pairs, and not none
            self._refuted.append((np.array(chosen, dtype=np.bool_), proved[0][1], member.bound))
            member.bound += 4
        member.learnt += proved or refused
        if not proved:
            self._freeze(sum(chosen))
        if self.best is None:
            self._repair(chosen, len(refused) + _SPARE, 1)
        self._push(member)

    def _step(self, member: _Member) -> None:
        """Take a press set one step further."""
        if member.stage == _SPLIT:
            bound = member.weight + 2 * member.found.least
            if self.best is not None and bound > member.bound:
                member.bound = bound
                self._push(member)
            else:
                self._try(member)
        elif member.stage == _ORDERED:
            self._repair(member.press_set, member.refused + _SPARE, _REPAIRS)
            member.stage = _REPAIRED
            self._push(member)
        else:
            self._ask_master(member)

    def _repair(self, counts: list[int], spare: int, tries: int) -> None:
        """Build legal press counts from some, if fewer than the best ones will do."""
        for _ in range(tries):
            most = spare
            if self.best is not None:
                most = min(most, (sum(self.best) - 1 - sum(counts)) // 2)
            if most < 0 or self.limits.expired:
                return
            mended = repair(self.clusters, counts, most=most, rng=self.rng, limits=self.limits)
            if mended is not None:
                self.best = mended

    def _ask_master(self, member: _Member) -> None:
        """Ask the master of a press set once, and learn from what is wrong with its answer."""
        self.rounds += 1
        member.rounds += 1
        count = self.count
        if member.master is None:
            if len(self.clusters.near) + sum(map(len, self.clusters.near)) > _MODELLED:
                self._freeze(member.bound)  # too large for a master
                return
            if count is None:
                most = 2 * ((member.bound - member.weight) // 2) + _SPARE
            else:
                most = (count - 1 - member.weight) // 2
            member.master = Master(self.clusters, member.press_set, member.found, most, self.seed)
            if member.rounds == 1:
                member.learnt += self._single_pairs(member)
            for cluster, why in member.learnt:
                member.master.refuse(cluster, why)
        master = member.master
        share = self.limits.within(_SLICE * 2.0 ** min(member.rounds - 1, 12))
        proposal = master.propose(share)
        if proposal.done and proposal.counts is None and self.best is None:
            member.master = None  # nothing legal is known yet: allow more pairs
        member.bound = max(member.bound, member.weight + 2 * master.bound)
        if proposal.counts is not None:
            refused = self._judge(proposal.counts)
            proved = [(cluster, why) for cluster, why in refused if _proves(why)]
            if refused and not proved and not member.frozen:
                member.frozen = True
                self._freeze(member.bound)
            for cluster, why in proved or refused:
                master.refuse(cluster, why)
                member.learnt.append((cluster, why))
            if refused:
                self._repair(proposal.counts, len(refused), 1)
        self._push(member)

    def _single_pairs(self, member: _Member) -> list[tuple[Cluster, Refutation | Unknown]]:
        """Return which single pairs mend no odd component: the master would try them in turn.

        Small components first, and not all if that takes long.
        """
        found, counts = member.found, list(member.press_set)
        wrong: dict[Cluster, Refutation] = {}
        clock = self.limits.sooner(self.limits.within(2 * _SINGLES) / 2)
        for bulbs in sorted((found.components[k].bulbs for k in found.odd), key=len):
            for v in [*bulbs, *sorted(self.clusters.beside(bulbs))]:
                if clock.expired:
                    break
                counts[v] += 2
                cluster = self.clusters.at(counts, v)
                counts[v] -= 2
                why = self.clusters.answer(cluster)
                if _proves(why):
                    wrong[cluster] = why
        return list(wrong.items())

    def _judge(self, counts: list[int]) -> list[tuple[Cluster, Refutation | Unknown]]:
        """Return the refused clusters of press counts; keep the counts when there are none."""
        refused = self.clusters.refused(counts)
        if not refused and (self.best is None or sum(counts) < sum(self.best)):
            self.best = counts
        for cluster, why in refused:
            if _proves(why):
                self.cuts[cluster] = Cut(cluster, why)
        return refused

    def _push(self, member: _Member) -> None:
        if self.best is None or member.bound < sum(self.best):
            heapq.heappush(self.heap, member)

    def _freeze(self, bound: int) -> None:
        self.frozen = bound if self.frozen is None else min(self.frozen, bound)

    # ------------------------------------------------------------------------------------ result

    def result(self, reason: str | None) -> Fewest:
        """Return what is known."""
        self.clusters.limits = NEVER  # what is known must still be said
        presses = None if self.best is None else self.clusters.sequence(self.best)
        if self.best is not None and presses is None:
            raise RuntimeError("internal error: the best press counts have no order")
        bound = self.bound
        statistics: dict[str, object] = {
            "press_sets": f"2^{self.sets.nullity}",
            "press_sets_examined": self.examined,
            "master_rounds": self.rounds,
            "cuts": len(self.cuts),
        }
        return Fewest(presses, bound, self._evidence(bound), reason, statistics)

    def _evidence(self, bound: int) -> Json:
        """Return the simplest evidence that proves the bound."""
        if not self.listed:
            return dict(BY_MODEL)
        least = int(self.weights[self._order[0]])
        if bound <= least:
            return {"kind": "coset-minimum" if self.sets.nullity else "unique-press-set"}
        if bound == least + 1 or bound == least + 2:
            parts = self._parts(bound)
            if parts is not None:
                return {"kind": "coset", "parts": parts}
        if self.rounds:
            return {
                "kind": "decomposition",
                "cuts": [cut.to_json(self.board) for cut in self.cuts.values()],
                "rests_on": "OR-tools CP-SAT",
            }
        refuted = [(s, why) for s, why, proved in self._refuted if proved < bound]
        evidence: Json = {"kind": "odd-components", "parts": parts_json(self.board, refuted)}
        if not self.sets.nullity and self.split is not None:
            components = (self.split.components[k] for k in self.split.odd)
            evidence["components"] = [self.board.graph.labels(x.bulbs) for x in components]
        return evidence

    def _parts(self, bound: int) -> list[Json] | None:
        """Return a refutation of every press set lighter than `bound`, which then costs 2 more.

        None when some have no proof, or when they are too many or too large to be listed.
        """
        clock = self.clusters.limits = Limits(_SAYING)
        try:
            return self._refutations(bound, clock)
        except TimeUp:
            return None

    def _refutations(self, bound: int, clock: Limits) -> list[Json] | None:
        """Return `_parts` by a clock; TimeUp, or None, when it stops."""
        parts: list[Json] = []
        for index in self._order.tolist():
            if clock.expired:
                return None
            if self.weights[index] >= bound:
                return parts
            chosen = self._member(index)
            clusters = self.clusters.of(chosen.astype(int).tolist())
            answers = (self.clusters.answer(cluster) for cluster in clusters)
            why = next((answer for answer in answers if _proves(answer)), None)
            if why is None:
                return None
            counts = press_counts_json(self.board, chosen)
            parts.append({**why.to_json(self.board), "press_counts": counts})
        return parts


def _proves(why: Answer) -> TypeGuard[LocalRefutation]:
    """Whether a refusal is a proof, which evidence and failure are not."""
    return isinstance(why, LocalRefutation) and not isinstance(why, Randomised)
