import { Problem } from '../../src/core/problem.js';
import type { Scheduler } from '../../src/lib/clock.js';

/** Maximum time without a byte in answer to the first request of a session, if it only reads or locks. */
const FIRST_ANSWER_MS = 3000;

const SPACE = 0x20;

/** Notices that a server has lost the first request of a session: it sends nothing at all. */
export class FirstAnswer {
  readonly #scheduler: Pick<Scheduler, 'after'>;
  readonly #onSilence: (failure: Problem) => void;
  #isAwaited = false;
  #isSilenceAllowed = false;

  constructor(scheduler: Pick<Scheduler, 'after'>, onSilence: (failure: Problem) => void) {
    this.#scheduler = scheduler;
    this.#onSilence = onSilence;
  }

  /** Takes note of a request, and limits the time until the first answer if it can be repeated. Returns the function that removes the limit. */
  expect(canBeRepeated: boolean): () => void {
    this.#isAwaited = true;
    if (this.#isSilenceAllowed || !canBeRepeated) return () => undefined;
    return this.#scheduler.after(FIRST_ANSWER_MS, () => {
      if (this.#isSilenceAllowed) return;
      const text = `the server sent nothing for ${FIRST_ANSWER_MS} ms after the first request of a session`;
      this.#onSilence(new Problem('upstream_unreachable', text));
    });
  }

  /** Takes note of bytes of the server. A line end may follow its hello. */
  received(bytes: Uint8Array): void {
    if (this.#isAwaited && !this.#isSilenceAllowed)
      this.#isSilenceAllowed = bytes.some((byte) => byte > SPACE);
  }

  /** Lets the server take any time. */
  allowSilence(): void {
    this.#isSilenceAllowed = true;
  }
}
