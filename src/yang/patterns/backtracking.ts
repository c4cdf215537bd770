import { type PositionAutomaton, positionAutomaton } from './glushkov.js';

/** Maximum number of pairs of states that are compared. Larger expressions are not analyzed. */
const MAX_PAIRS = 20_000;

const knownResults = new Map<string, boolean>();
const MAX_KNOWN_RESULTS = 10_000;

/**
 * Returns true if an engine that backtracks, such as that of JavaScript, may need exponential time for an expression: a
 * loop can match the same text in several ways. The expression is in the syntax of ECMAScript.
 */
export function backtracksExponentially(source: string): boolean {
  // Only a repeated group can contain such a loop.
  if (!/\)(?:[*+]|\{\d+,\})/.test(source)) return false;
  const known = knownResults.get(source);
  if (known !== undefined) return known;
  const automaton = positionAutomaton(source);
  const result = automaton !== undefined && (hasDoubleEdge(automaton) || hasAmbiguousLoop(automaton));
  if (knownResults.size >= MAX_KNOWN_RESULTS) knownResults.clear();
  knownResults.set(source, result);
  return result;
}

/** Returns true if a loop contains an edge that exists in two ways, such as that of `(?:a*)*`. */
function hasDoubleEdge({ follow }: PositionAutomaton): boolean {
  return follow.some((edges, from) => [...edges].some(([to, ways]) => ways > 1 && reaches(follow, to, from)));
}

function reaches(follow: PositionAutomaton['follow'], from: number, target: number): boolean {
  const seen = new Set([from]);
  for (const state of seen) {
    if (state === target) return true;
    for (const next of follow[state]?.keys() ?? []) seen.add(next);
  }
  return false;
}

/**
 * Returns true if two different paths lead from a state to the same state with the same text. Looks for a pair of
 * different states that a pair of equal states reaches, and that reaches this pair.
 */
function hasAmbiguousLoop(automaton: PositionAutomaton): boolean {
  const count = automaton.sets.length;
  for (let state = 0; state < count; state += 1) {
    const start = state * count + state;
    const forward = new Map<number, number[]>();
    const queue = [start];
    for (let pair = queue.pop(); pair !== undefined; pair = queue.pop()) {
      if (forward.has(pair)) continue;
      if (forward.size > MAX_PAIRS) return false;
      const next = nextPairs(automaton, pair);
      forward.set(pair, next);
      queue.push(...next);
    }
    if (returnsToStart(forward, start, count)) return true;
  }
  return false;
}

/** Returns true if a pair of different states reaches the start. */
function returnsToStart(
  forward: ReadonlyMap<number, readonly number[]>,
  start: number,
  count: number,
): boolean {
  const backward = new Map<number, number[]>();
  for (const [pair, next] of forward)
    for (const target of next) {
      const sources = backward.get(target);
      if (sources) sources.push(pair);
      else backward.set(target, [pair]);
    }
  const seen = new Set([start]);
  for (const pair of seen) {
    if (Math.floor(pair / count) !== pair % count) return true;
    for (const source of backward.get(pair) ?? []) seen.add(source);
  }
  return false;
}

function nextPairs({ sets, follow }: PositionAutomaton, pair: number): number[] {
  const count = sets.length;
  const [left, right] = [Math.floor(pair / count), pair % count];
  const next: number[] = [];
  for (const one of follow[left]?.keys() ?? [])
    for (const other of follow[right]?.keys() ?? [])
      if (((sets[one] ?? 0n) & (sets[other] ?? 0n)) !== 0n) next.push(one * count + other);
  return next;
}
