/** Past states, the current state, and undone states. */
export interface History<State> {
  readonly past: readonly State[];
  readonly now: State;
  readonly future: readonly State[];
  /** Subject of the last step. The next step is merged into it if it has the same subject. */
  readonly about: string | undefined;
}

const MAX_STEPS = 200;

export function historyOf<State>(now: State): History<State> {
  return { past: [], now, future: [], about: undefined };
}

/** Adds a step. Consecutive steps with the same `about` are merged, so that typing a word is one step. */
export function stepTo<State>(history: History<State>, next: State, about?: string): History<State> {
  if (next === history.now) return history;
  const isSameStep = about !== undefined && about === history.about;
  const past = isSameStep ? history.past : [...history.past, history.now].slice(-MAX_STEPS);
  return { past, now: next, future: [], about };
}

export function undone<State>(history: History<State>): History<State> {
  const { past, now, future } = history;
  const previous = past.at(-1);
  if (previous === undefined) return history;
  return { past: past.slice(0, -1), now: previous, future: [now, ...future], about: undefined };
}

/** Redoes the step that was undone last. */
export function redone<State>(history: History<State>): History<State> {
  const { past, now, future } = history;
  const [next, ...rest] = future;
  if (next === undefined) return history;
  return { past: [...past, now], now: next, future: rest, about: undefined };
}
