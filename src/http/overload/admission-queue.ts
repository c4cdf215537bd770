/** Where calls wait to begin while the event loop is late. */
export interface AdmissionQueue {
  /** Begins a call when those before it have begun, in the next turn at the earliest. */
  readonly hold: (begin: () => void) => void;
  /** The longest time that a call has waited since this was last asked, in milliseconds. */
  readonly longestWaitMs: () => number;
}

/** The event loop, as far as a turnstile knows it. */
export interface Loop {
  /** Milliseconds, of which only differences mean anything. */
  readonly now: () => number;
  /** Runs work in the next turn, in the order in which it was given. */
  readonly soon: (work: () => void) => void;
}

interface Waiting {
  readonly begin: () => void;
  readonly since: number;
}

/** What the calls that begin in one turn may take, in milliseconds. */
const TURN_MS = 5;

/**
 * Makes one. Calls that begin one after the other in one turn hold up everything else: answers of orchestrators, refusals, health.
 * Few in each turn leave room between them: as many as fit, which is found out.
 */
export function createAdmissionQueue({ now, soon }: Loop): AdmissionQueue {
  const line: Waiting[] = [];
  let [isTurning, longestMs] = [false, 0];
  let [atOnce, turnedAt] = [1, 0];
  const beginNext = (): void => {
    const next = line.shift();
    if (!next) return;
    longestMs = Math.max(longestMs, now() - next.since);
    next.begin();
  };
  const fit = (tookMs: number): void => {
    atOnce = tookMs > TURN_MS ? Math.max(1, Math.floor((atOnce * TURN_MS) / tookMs)) : atOnce + 1;
  };
  const turn = (): void => {
    const at = now();
    if (isTurning) fit(at - turnedAt);
    turnedAt = at;
    isTurning = line.length > 0;
    if (!isTurning) return;
    for (let left = Math.min(atOnce, line.length); left > 0; left -= 1) soon(beginNext);
    soon(turn);
  };
  return {
    hold(begin) {
      line.push({ begin, since: now() });
      if (!isTurning) turn();
    },
    longestWaitMs() {
      const first = line[0];
      const found = Math.max(longestMs, first ? now() - first.since : 0);
      longestMs = 0;
      return found;
    },
  };
}
