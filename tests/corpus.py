"""One corpus of small questions, and the truth about each by brute force.

A *world* is a graph with a rule and a goal; its truth is made once, for all its press sets and all
its start states. The corpus has every grid of at most nine cells in six patterns under every rule
and three goals, every graph to four vertices under every rule and goal, grids with holes, wirings,
and some hundred larger worlds by seed. A *question* is a world and a start state. Nothing here
finds answers: the edges are computed from the pattern again, and the truth is a table over subsets.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from ponder.model.board import RULES, Board, Rule
from ponder.model.edge_graph import EdgeGraph
from ponder.model.graph import Graph, grid_graph
from ponder.model.wired_graph import WiringGraph
from tests import brute
from tests.boards import all_graphs, bits_of, random_edges

SLANTED = "stencil 0,1 0,-1 1,1 -1,-1"
PATTERNS = ("cross", "plus", "king", "torus-plus", "torus-king", SLANTED)
SHAPES = [shape for shape in itertools.product(range(1, 10), repeat=2) if shape[0] * shape[1] <= 9]
Table = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class World:
    """A graph, a rule and a goal, with the truth for all start states.

    `flips` are the lights that each press changes (bits), `at` is the light that the rule looks at
    for it, −1 for none. `graph` and `goal` say the same to ponder.
    """

    name: str
    graph: Graph | WiringGraph
    rule: Rule
    goal: int
    flips: tuple[int, ...]
    at: tuple[int, ...]
    lights: int

    @property
    def states(self) -> int:
        return 1 << self.lights

    @cached_property
    def toggled(self) -> Table:
        """The lights that each press set changes, by its bits."""
        sets = np.arange(1 << len(self.flips))
        total = np.zeros_like(sets)
        for v, flip in enumerate(self.flips):
            total ^= (sets >> v & 1) * flip
        return total

    @cached_property
    def weights(self) -> Table:
        """The number of presses of each press set."""
        return np.bitwise_count(np.arange(1 << len(self.flips))).astype(np.int64)

    @cached_property
    def orders(self) -> Table:
        """The number of legal orders of each press set, ending at the goal.

        A set is pressed in an order that begins with v if v is legal in the start state, which is
        the goal with the whole set toggled, and the others have an order.
        """
        sets = np.arange(1 << len(self.flips))
        start = self.toggled ^ self.goal
        count: Table = (sets == 0).astype(np.int64)
        for size in range(1, len(self.flips) + 1):
            layer = sets[self.weights == size]
            for v, light in enumerate(self.at):
                with_v = layer[(layer >> v & 1) == 1]
                if self.rule != "any" and light >= 0:
                    lit = start[with_v] >> light & 1
                    with_v = with_v[lit == (self.rule == "lit")]
                count[with_v] += count[with_v ^ 1 << v]
        return count

    @cached_property
    def once(self) -> Table:
        """The fewest presses, each bulb at most once, from each start state; −1 for none."""
        many = len(self.flips) + 1
        fewest = np.full(self.states, many)
        ordered = np.flatnonzero(self.orders)
        np.minimum.at(fewest, self.toggled[ordered] ^ self.goal, self.weights[ordered])
        return np.where(fewest == many, -1, fewest)

    @cached_property
    def fewest(self) -> Table:
        """The fewest legal presses from each start state, repeats allowed; −1 for none."""
        fewest = np.full(self.states, -1)
        fewest[self.goal] = 0
        layer = np.array([self.goal])
        for steps in itertools.count(1):
            before = []
            for flip, light in zip(self.flips, self.at, strict=True):
                states = layer ^ flip
                if self.rule != "any" and light >= 0:
                    states = states[(states >> light & 1) == (self.rule == "lit")]
                before.append(states)
            layer = np.unique(np.concatenate(before)) if before else layer[:0]
            layer = layer[fewest[layer] < 0]
            if not layer.size:
                return fewest
            fewest[layer] = steps
        raise AssertionError

    def press_sets(self, state: int) -> list[int]:
        """All press sets that lead from a state to the goal, as bits."""
        return np.flatnonzero(self.toggled == state ^ self.goal).tolist()

    def question(self, state: int) -> Question:
        return Question(self, state)


@dataclass(frozen=True, eq=False)
class Question:
    """A board of the corpus, and what is true of it."""

    world: World
    state: int

    def __str__(self) -> str:
        world = self.world
        return f"{world.name}, {world.rule}, goal {world.goal:b}, state {self.state:b}"

    @cached_property
    def board(self) -> Board:
        world = self.world
        lit, goal = (bits_of(number, world.lights) for number in (self.state, world.goal))
        return Board(world.graph, lit, goal, world.rule)

    @property
    def once(self) -> int | None:
        """The fewest presses, each bulb at most once; None where there is no order."""
        number = int(self.world.once[self.state])
        return None if number < 0 else number

    @property
    def fewest(self) -> int | None:
        """The fewest presses, repeats allowed; None where the goal cannot be reached."""
        number = int(self.world.fewest[self.state])
        return None if number < 0 else number

    @property
    def orders(self) -> int:
        """The number of legal orders that press each bulb at most once."""
        return int(self.world.orders[self.world.press_sets(self.state)].sum())

    def replays(self, presses: Sequence[int]) -> bool:
        """Whether the presses are legal one after the other and reach the goal."""
        world, state = self.world, self.state
        for v in presses:
            light = world.at[v]
            if world.rule != "any" and light >= 0 and (state >> light & 1) != (world.rule == "lit"):
                return False
            state ^= world.flips[v]
        return state == world.goal


def world_of(name: str, graph: Graph, edges: brute.Edges, rule: Rule, goal: int) -> World:
    """The world of a graph in which every press changes its bulb and the neighbours."""
    near = brute.masks(graph.size, edges)
    flips = tuple(mask | 1 << v for v, mask in enumerate(near))
    return World(name, graph, rule, goal, flips, tuple(range(graph.size)), graph.size)


def slanted_edges(rows: int, columns: int) -> brute.Edges:
    """The edges of the stencil SLANTED, from its offsets."""
    for r, c, (dr, dc) in itertools.product(range(rows), range(columns), ((0, 1), (1, 1))):
        if r + dr < rows and c + dc < columns:
            yield r * columns + c, (r + dr) * columns + c + dc


@cache
def grid_worlds() -> tuple[World, ...]:
    """Every grid of at most nine cells, pattern, rule, and three goals."""
    worlds = []
    for pattern, (rows, columns) in itertools.product(PATTERNS, SHAPES):
        graph, size = grid_graph(pattern, (rows, columns)), rows * columns
        slanted = pattern == SLANTED
        edges = list(slanted_edges(rows, columns)) if slanted else None
        drawn = random.Random(size).randrange(1 << size)
        for rule, goal in itertools.product(RULES, sorted({0, (1 << size) - 1, drawn})):
            between = brute.grid_edges(rows, columns, pattern) if edges is None else edges
            worlds.append(world_of(f"{rows}x{columns} {pattern}", graph, between, rule, goal))
    return tuple(worlds)


@cache
def holed_worlds(count: int = 300) -> tuple[World, ...]:
    """Grids of at most twelve cells with holes, by seed."""
    worlds = []
    for rng in map(random.Random, range(count)):
        pattern, (rows, columns) = (
            rng.choice(PATTERNS[:-1]),
            rng.choice([*SHAPES[9:], (3, 4), (2, 5)]),
        )
        mask = np.array([rng.random() < 0.8 for _ in range(rows * columns)])
        mask[rng.randrange(mask.size)] = True
        graph, place = (
            grid_graph(pattern, (rows, columns), mask.reshape(rows, columns)),
            mask.cumsum() - 1,
        )
        edges = [
            (int(place[u]), int(place[v]))
            for u, v in brute.grid_edges(rows, columns, pattern)
            if mask[u] and mask[v]
        ]
        goal = rng.choice((0, (1 << graph.size) - 1, rng.randrange(1 << graph.size)))
        name = f"{rows}x{columns} {pattern} with holes {mask.astype(int)}"
        worlds.append(world_of(name, graph, edges, rng.choice(RULES), goal))
    return tuple(worlds)


@cache
def even_line_worlds() -> tuple[World, ...]:
    """Row/column boards on which every press needs an even number of later neighbours, to 3x4."""
    worlds = []
    for rows, columns in [*SHAPES, (2, 5), (3, 4), (4, 3), (5, 2)]:
        size, graph = rows * columns, grid_graph("cross", (rows, columns))
        edges = brute.grid_edges(rows, columns, "cross")
        name, everything = f"{rows}x{columns} cross", (1 << size) - 1
        worlds.append(world_of(name, graph, edges, "unlit", everything))
        worlds.append(world_of(name, graph, edges, "lit", 0))
    return tuple(worlds)


@cache
def graph_worlds() -> tuple[World, ...]:
    """Every labelled graph to four vertices under every rule and goal."""
    return tuple(
        world_of(f"graph {edges}", EdgeGraph(size, edges), edges, rule, goal)
        for size in range(1, 5)
        for edges in all_graphs(size)
        for rule in RULES
        for goal in range(1 << size)
    )


@cache
def wiring_worlds(count: int = 300) -> tuple[World, ...]:
    """Wirings by seed: one-way, without a centre, with repeated and useless buttons."""
    return tuple(map(_wiring, range(count)))


def _wiring(seed: int) -> World:
    rng = random.Random(seed)
    most = rng.choice((3, 6, 8))
    lights, buttons = rng.randint(1, most), rng.randint(1, most)
    share = rng.choice((0.2, 0.35, 0.5))
    flips = [sum((rng.random() < share) << k for k in range(lights)) for _ in range(buttons)]
    at = [rng.choice([-1, *range(lights)]) for _ in range(buttons)]
    if lights == buttons and rng.random() < 0.5:
        at = list(range(lights))
        flips = [flip & ~(1 << v) for v, flip in enumerate(flips)]
    flips[-1] = rng.choice((flips[-1], flips[0], 0))
    goal = rng.getrandbits(lights)
    lists = [[k for k in range(lights) if flip >> k & 1] for flip in flips]
    graph = WiringGraph(lights, lists, at)
    rule: Rule = rng.choice(("unlit", "unlit", "lit", "any"))
    return World(f"wiring {seed}", graph, rule, goal, tuple(flips), tuple(at), lights)


@cache
def larger_world(seed: int) -> World:
    """A world of 10 to 14 bulbs by seed: a grid, or a graph with bulbs doubled (large nullity)."""
    rng = random.Random(seed)
    graph: Graph
    if rng.random() < 0.4:
        pattern = rng.choice(PATTERNS[:-1])
        rows, columns = rng.choice(((2, 5), (3, 4), (4, 3), (2, 6), (5, 2), (2, 7), (1, 12)))
        graph, edges = (
            grid_graph(pattern, (rows, columns)),
            brute.grid_edges(rows, columns, pattern),
        )
        name = f"{rows}x{columns} {pattern}"
    else:
        size = rng.randint(8, 13)
        kinds = max(2, size - rng.randint(0, 6))
        like = [rng.randrange(kinds) for _ in range(size)]
        near = set(random_edges(kinds, rng.uniform(0.2, 0.7), rng))
        edges = [
            (u, v)
            for u, v in itertools.combinations(range(size), 2)
            if like[u] == like[v] or tuple(sorted((like[u], like[v]))) in near
        ]
        graph, name = EdgeGraph(size, edges), f"graph of seed {seed}"
    everything = (1 << graph.size) - 1
    goal = rng.choice((everything, everything, 0, rng.randrange(everything + 1)))
    return world_of(name, graph, edges, rng.choice(("unlit", "unlit", "lit", "any")), goal)


def questions(worlds: Sequence[World], count: int, seed: int = 0) -> Iterator[Question]:
    """A slice of the questions of some worlds: `count` by seed, three of four solvable."""
    rng = random.Random(seed)
    for number in range(count):
        world = rng.choice(worlds)
        state = rng.randrange(world.states)
        if number % 4:
            state = world.goal ^ int(world.toggled[rng.randrange(len(world.toggled))])
        yield world.question(state)


def all_questions(worlds: Sequence[World]) -> Iterator[Question]:
    """Every question of some worlds."""
    for world in worlds:
        yield from map(world.question, range(world.states))


def larger_questions(count: int, seed: int = 0) -> Iterator[Question]:
    """Questions of larger worlds: `count` of them, a world each."""
    for number in range(seed, seed + count):
        yield from questions([larger_world(number)], 1, seed=2 * number + 1)
