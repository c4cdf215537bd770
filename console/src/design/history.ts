/** States that one can go back to, the one of now, and those that were taken back. */
export interface History<State> {
  readonly past: readonly State[];
  readonly now: State;
  readonly future: readonly State[];
  /** What the last step was about: another step of the same joins it. */
  readonly about: string | undefined;
}

const MOST_STEPS = 200;

/** Begins with a state. */
export function historyOf<State>(now: State): History<State> {
  return { past: [], now, future: [], about: undefined };
}

/** Goes on. Steps with the same `about` are one: typing a word is not five steps. */
export function stepTo<State>(history: History<State>, next: State, about?: string): History<State> {
  if (next === history.now) return history;
  const joins = about !== undefined && about === history.about;
  const past = joins ? history.past : [...history.past, history.now].slice(-MOST_STEPS);
  return { past, now: next, future: [], about };
}

/** Takes the last step back. */
export function undone<State>(history: History<State>): History<State> {
  const { past, now, future } = history;
  const previous = past.at(-1);
  if (previous === undefined) return history;
  return { past: past.slice(0, -1), now: previous, future: [now, ...future], about: undefined };
}

/** Takes the step again that was taken back. */
export function redone<State>(history: History<State>): History<State> {
  const { past, now, future } = history;
  const [next, ...rest] = future;
  if (next === undefined) return history;
  return { past: [...past, now], now: next, future: rest, about: undefined };
}
