"""Monte Carlo tree search for any game: dice, several actions a turn, several players, secrets.

Every round imagines a world that the seat's view allows, goes down the tree with it, adds one node, plays on and adds
up the result. A node is reached from its parent by a seat's action, or by the outcome of a chance action; in a world
where an action is not legal, its node is just not looked at (information set search).

Where turns are long, a playout ends after some of them and the position is judged as it stands. Where orders are
sealed together, or if the tree is `alone`, it holds the thinker's own actions of this turn and no others: whoever
cannot see them answers by the game's policy, not to them.

Where two seats see everything (`certain`), what is won or lost for good is noted on the way down: an action that wins
decides for the one before it, and so does the last of those that all lose. No playout is wasted on it again. Dice end
such a proof.

Several threads may grow one tree, each with a `Tree` of its own over the same nodes. A visit is then counted on the way
down, as if it were lost, so that others look elsewhere meanwhile. Nobody locks anything: each takes nodes of its own,
and if two write one slot, or add to one number, one of them is forgotten, which does no harm to the tree. What one
writes is dear to the others to read: so nobody writes to the root, and new nodes of a thread lie side by side.
"""

from __future__ import annotations

from math import sqrt

from quincunx.core.contract import (
    CHANCE,
    NOBODY,
    Log,
    State,
    Terms,
    View,
    apply,
    chance_outcome,
    imagine,
    roll,
    to_act,
    turn,
)
from quincunx.core.engine import rule
from quincunx.core.hints import consider, evaluate, noisy_actions, policy, rank, reopen, turns_played
from quincunx.core.listing import listed
from quincunx.core.logarithm import ln
from quincunx.core.random import Random, below
from quincunx.core.structure import Structure, clear, copy, f64, i8, i16, i32, i64, signal
from quincunx.search.value import share_beaten
from quincunx.search.watch import Watch, late, wind

UNFINISHED = -1  # instead of an action


class Node(Structure):
    action: i64
    parent: i32
    visits: i32
    available: i32  # how often its action was legal, where that may differ
    seat: i16  # who chose the action
    promise: i16  # its rank, when it was first tried
    proven: i8  # 1 = that seat wins for certain, -1 = it loses
    slot: i32  # where it is found
    value: f64  # the sum of the results, for that seat


class Tree(Structure):
    """One thread of a search; `stop` may be set from outside."""

    seat: i16  # who thinks
    stop: signal
    used: i32  # nodes of its own
    most_nodes: i32  # of its own
    before: i32  # nodes of other threads, which lie before its own
    threads: i32  # that grow these nodes together; 0 = it is alone
    depth: i32  # nodes on the way down of this round
    rounds: i64
    steps: i64  # rounds, and actions of playouts
    most_rounds: i64
    pause: i64  # after so many rounds it comes back to tell how it goes
    longest: i32  # actions of a playout
    turns: i32  # after so many a playout ends, if the game counts them; 0 = never
    alone: i8  # no nodes for the actions of others
    certain: i8  # nothing is hidden: wins can be proven
    eager: i32  # so many actions of a node are all tried; further ones as the root of so many times the visits
    edge: f64  # what a half-won game is worth to `evaluate`; 0 = only the score counts
    exploration: f64
    trust: f64  # in ranks: what one of 1000 adds to the bound of an action, divided by its visits
    watch: Watch


@rule
def find(nodes: list[Node], slots: list[int], parent: int, action: int) -> int:
    """The slot of the node, or the empty slot where it belongs. The number of slots is a power of two."""
    mask = len(slots) - 1
    slot = (parent * 0x9E3779B1 ^ (action ^ action >> 21) * 0x85EBCA6B) & mask
    while slots[slot]:
        node = nodes[slots[slot]]
        if node.parent == parent and node.action == action:
            break
        slot = slot + 1 & mask
    return slot


@rule
def grow(
    tree: Tree, nodes: list[Node], slots: list[int], slot: int, parent: int, seat: int, action: int, promise: int
) -> int:
    if tree.threads > 1:
        slot = find(nodes, slots, parent, action)
        if slots[slot]:  # another thread was quicker
            return go_down(tree, nodes, slots[slot])
    tree.used += 1
    here = tree.before + tree.used  # 0 is the root
    node = nodes[here]
    clear(node)
    node.parent, node.action, node.seat, node.promise, node.slot = parent, action, seat, promise, slot
    go_down(tree, nodes, here)
    slots[slot] = here
    return here


@rule
def go_down(tree: Tree, nodes: list[Node], node: int) -> int:
    """Notes that a round comes to this node, and returns it."""
    tree.depth += 1
    if tree.threads > 1:
        nodes[node].visits += 1
    return node


@rule
def offers(terms: list[Terms], s: list[State], seat: int, out: list[int]) -> int:
    """What the tree may hold below a position, for those who read it."""
    return consider(terms[0], s[0], seat, out, listed(terms[0], s[0], seat, out))


@rule
def select(
    terms: Terms, s: State, seat: int, tree: Tree, nodes: list[Node], slots: list[int], parent: int,
    out: list[int], n: int, random: Random,
) -> int:  # fmt: skip
    """The index of the action to try: a new one, the most promising first, or the one with the best upper bound.

    Where there are many actions, only so many are tried as the visits are worth (progressive widening). One that wins
    is taken at once, and one that loses only if all do.
    """
    best, bound, lost, tried, visits = -1, -1.0, 0, 0, 0
    rounds = nodes[parent].visits if parent else tree.rounds * max(1, tree.threads)  # no child was legal more often
    most = ln(rounds + 2.0) + 1e-9
    for k in range(n):
        child = slots[find(nodes, slots, parent, out[k])]
        node = nodes[child]
        if child == 0 or node.visits == 0:  # there is none, or another thread is making it
            continue
        if not tree.certain:
            node.available += 1
        if node.proven > 0:
            prove(nodes[parent], seat, 1)
            return k
        if node.proven < 0:
            lost += 1
            continue
        tried += 1
        visits += node.visits
        upper = upper_bound(tree, node, most)
        if upper > bound and not tree.certain:  # in other worlds it may not have been legal
            upper = upper_bound(tree, node, ln(node.available + 1.0))
        if upper > bound:
            best, bound = k, upper
    wide = tried < tree.eager or tried * tried < tree.eager * visits
    if tried + lost < n and (best < 0 or (wide and tree.used < tree.most_nodes)):
        fresh = freshest(terms, s, seat, nodes, slots, parent, out, n, random)
        if fresh >= 0:  # no other thread was quicker
            return fresh
    if lost == n:
        prove(nodes[parent], seat, -1)
    return max(0, best)


@rule
def upper_bound(tree: Tree, node: Node, logarithm: float) -> float:
    """What the action may be worth, by the logarithm of how often it was legal: it grows with it."""
    upper = node.value / node.visits + tree.exploration * sqrt(logarithm / node.visits)
    if tree.trust > 0.0:
        upper += tree.trust * node.promise / (1000.0 * (node.visits + 1))
    return upper


@rule
def freshest(
    terms: Terms, s: State, seat: int, nodes: list[Node], slots: list[int], parent: int, out: list[int], n: int,
    random: Random,
) -> int:  # fmt: skip
    """The index of the most promising action that has no node yet, or -1."""
    found, promise = -1, -1
    for k in range(n):
        if slots[find(nodes, slots, parent, out[k])]:
            continue
        here = rank(terms, s, seat, out[k]) << 16 | below(random, 1 << 16)
        if here > promise:
            found, promise = k, here
    return found


@rule
def prove(node: Node, seat: int, sign: int) -> None:
    """After this node `seat` wins (1) or loses (-1), whatever others do; dice may yet fall otherwise."""
    if node.seat != CHANCE:
        node.proven = sign if node.seat == seat else -sign


@rule
def descend(
    terms: Terms, s: State, random: Random, tree: Tree, nodes: list[Node], slots: list[int], out: list[int], log: Log
) -> int:
    """From the root to a new node, or to the end of the game or of the tree's part in it, playing on `s`.

    When the tree is full it ends where a new node would be wanted.
    """
    node, tree.depth = 0, 0
    while nodes[node].proven == 0:
        seat = turn(terms, s)
        if seat == NOBODY:
            break
        full = tree.used >= tree.most_nodes
        if seat == CHANCE:
            action = roll(terms, s, random)
            outcome = chance_outcome(terms, s, action)
            slot = find(nodes, slots, node, outcome)
            if slots[slot]:
                node = go_down(tree, nodes, slots[slot])
            elif full:
                break
            else:
                node = grow(tree, nodes, slots, slot, node, CHANCE, outcome, 0)
            apply(terms, s, CHANCE, action, log)
            continue
        if to_act(terms, s, tree.seat):
            seat = tree.seat  # others may be asked at the same time
        elif tree.alone:
            break
        n = consider(terms, s, seat, out, listed(terms, s, seat, out))
        action = out[select(terms, s, seat, tree, nodes, slots, node, out, n, random)]
        slot = find(nodes, slots, node, action)
        fresh = slots[slot] == 0
        if fresh and full:
            break
        promise = rank(terms, s, seat, action) if fresh and tree.trust > 0.0 else 0
        apply(terms, s, seat, action, log)
        if fresh:
            return grow(tree, nodes, slots, slot, node, seat, action, promise)
        node = go_down(tree, nodes, slots[slot])
    return node


@rule
def follow(terms: Terms, s: State, tree: Tree, last: int, random: Random, out: list[int], log: Log) -> None:
    """Plays on by the game's policy until `last` turns are over, to the end of a turn at least, or to that of the game.

    A playout that is stopped counts as it stands.
    """
    last = max(last, turns_played(terms, s) + 1) if tree.turns else 1 << 60
    for _ in range(tree.longest):
        seat = turn(terms, s)
        if seat == NOBODY or out_of_time(tree) or turns_played(terms, s) >= last:
            return
        if seat == CHANCE:
            apply(terms, s, CHANCE, roll(terms, s, random), log)
        else:
            n = listed(terms, s, seat, out)
            apply(terms, s, seat, out[policy(terms, s, seat, out, n, random)], log)


@rule
def result(terms: Terms, s: State, tree: Tree, before: int) -> float:
    """From 0 to 1 for the seat that thinks: what it has won, or how much better it stands than before.

    Worlds differ in what they hide, and so does how well the seat stands in them: only what it makes of them counts.
    """
    if tree.edge == 0.0 or turn(terms, s) == NOBODY:
        return share_beaten(terms, s, tree.seat)
    gain = evaluate(terms, s, tree.seat) - before
    return 0.5 + 0.5 * gain / (tree.edge + abs(gain))


@rule
def judge(
    terms: Terms, s: State, spare: State, tree: Tree, node: Node, before: int, last: int, random: Random,
    out: list[int], marks: list[int], log: Log,
) -> float:  # fmt: skip
    """The result of a round that came to this node: for certain, or after a playout."""
    who = turn(terms, s)
    if tree.certain and terms.seats == 2 and node.proven == 0:
        if who == NOBODY:
            beaten = share_beaten(terms, s, tree.seat)
            prove(node, tree.seat, (beaten > 0.5) - (beaten < 0.5))
        elif who != CHANCE and tree.longest == 0 and strikes(terms, s, spare, who, out, marks, log):
            prove(node, who, 1)
    if node.proven:
        return 1.0 if (node.proven > 0) == (node.seat == tree.seat) else 0.0
    follow(terms, s, tree, last, random, out, log)
    return result(terms, s, tree, before)


@rule
def strikes(terms: Terms, s: State, spare: State, seat: int, out: list[int], marks: list[int], log: Log) -> bool:
    """Can the seat win with one noisy action? Where nothing is played out, nobody else would find it here."""
    for k in range(noisy_actions(terms, s, seat, out, marks)):
        copy(spare, s)
        apply(terms, spare, seat, out[k], log)
        if turn(terms, spare) == NOBODY and share_beaten(terms, spare, seat) == 1.0:
            return True
    return False


@rule
def out_of_time(tree: Tree) -> bool:
    """Asked at every step: is it to come back?"""
    tree.steps += 1
    if tree.steps >= tree.watch.next and late(tree.watch, tree.steps):
        tree.stop = 1
    return tree.stop != 0


@rule
def think_mcts(
    terms: list[Terms], view: list[View], s: list[State], random: list[Random],
    tree: list[Tree], nodes: list[Node], slots: list[int], out: list[int], marks: list[int], log: list[Log],
) -> int:  # fmt: skip
    """Rounds until the tree's budget is used or somebody stops it; the action that was tried most.

    At a pause it returns UNFINISHED, and goes on when it is called again, as if there had been none. s[1] is spare.
    """
    root = tree[0]
    while root.rounds < root.most_rounds and not out_of_time(root) and nodes[0].proven == 0:
        if root.rounds >= root.pause:
            return UNFINISHED
        imagine(terms[0], view[0], root.seat, random[0], s[0])
        reopen(terms[0], s[0], root.seat)
        last = turns_played(terms[0], s[0]) + root.turns
        before = evaluate(terms[0], s[0], root.seat) if root.edge > 0.0 else 0
        node = descend(terms[0], s[0], random[0], root, nodes, slots, out, log[0])
        value = judge(terms[0], s[0], s[1], root, nodes[node], before, last, random[0], out, marks, log[0])
        for _ in range(root.depth):
            here = nodes[node]
            here.visits += root.threads <= 1
            here.value += value if here.seat == root.seat else 1.0 - value
            node = here.parent
        root.rounds += 1
    return most_tried(terms[0], view[0], s[0], random[0], root, nodes, slots, out)


@rule
def most_tried(
    terms: Terms, view: View, s: State, random: Random, tree: Tree, nodes: list[Node], slots: list[int], out: list[int]
) -> int:
    imagine(terms, view, tree.seat, random, s)
    n = consider(terms, s, tree.seat, out, listed(terms, s, tree.seat, out))
    child = most_visited(nodes, slots, 0, out, n)
    return nodes[child].action if child else out[0]


@rule
def most_visited(nodes: list[Node], slots: list[int], parent: int, out: list[int], n: int) -> int:
    """The node below `parent`, among those of the actions out[0..n-1], that was visited most; 0 if there is none.

    Of several the best: after a few rounds each was visited once. One that wins comes before all others, and those that
    lose come last.
    """
    best = 0
    for k in range(n):
        child = slots[find(nodes, slots, parent, out[k])]
        if child == 0:
            continue
        ahead = nodes[child].proven - nodes[best].proven
        if ahead == 0:
            ahead = nodes[child].visits - nodes[best].visits
        if best == 0 or ahead > 0 or (ahead == 0 and nodes[child].value > nodes[best].value):
            best = child
    return best


@rule
def plant(tree: list[Tree], nodes: list[Node], slots: list[int], seat: int, deadline: int) -> None:
    """An empty tree: its root stands for what was done before, by the seat that thinks or not.

    Of the slots, only those in use are emptied: all of them would take longer than a short thought.
    """
    for k in range(1, tree[0].used + 1):
        slots[nodes[tree[0].before + k].slot] = 0
    clear(tree[0])
    clear(nodes[0])
    tree[0].seat, tree[0].most_nodes = seat, len(nodes) - 1
    nodes[0].seat = seat
    wind(tree[0].watch, deadline)
