import type { Scheduler } from '../../src/lib/clock.js';
import { KEEP_ALIVE, KEEP_ALIVE_INTERVAL_MS, RETRY } from '../../src/lib/server-sent-events.js';
import type { RestconfError } from './replies.js';

/** Maximum size of the events that wait for a client, in characters. */
const MAX_WAITING_LENGTH = 1_048_576;

/** Input of {@link EventQueue}. */
interface EventQueueInput {
  readonly scheduler: Pick<Scheduler, 'after'>;
  /** Called once, when no further event is accepted. */
  readonly onEnd: () => void;
  /** Absent: 1 MiB. */
  readonly maxLength?: number;
}

/**
 * Server-sent events of one client. Holds a bounded number of events for a client that reads slowly; beyond it the stream ends with
 * an event that says so. Sends a comment when there was no event for a while.
 */
export class EventQueue implements AsyncIterable<string> {
  readonly #input: EventQueueInput;
  #waiting: string[] = [RETRY];
  #length = 0;
  #isEnded = false;
  #wake = (): void => undefined;

  constructor(input: EventQueueInput) {
    this.#input = input;
  }

  /** Adds an event without a name, whose data is the text of JSON. */
  push(json: string): void {
    if (!this.#isEnded) this.#addWithin(`data: ${json}\n\n`);
  }

  /** Adds an event "errors" with an error report. */
  report(error: RestconfError): void {
    if (!this.#isEnded) this.#addWithin(errorsEvent(error));
  }

  /** Ends the stream after the events that wait, and after an error report if there is one. */
  end(error?: RestconfError): void {
    if (this.#isEnded) return;
    // The reason of the end has a place beyond the maximum.
    if (error) this.#add(errorsEvent(error));
    this.#isEnded = true;
    this.#wake();
    this.#input.onEnd();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void> {
    for (;;) {
      const text = this.#waiting.splice(0).join('');
      this.#length = 0;
      if (text !== '') yield text;
      else if (this.#isEnded) return;
      else if (!(await this.#next())) yield KEEP_ALIVE;
    }
  }

  /** Adds an event, or ends the stream if more would wait than may. */
  #addWithin(text: string): void {
    this.#length += text.length;
    if (this.#length > (this.#input.maxLength ?? MAX_WAITING_LENGTH)) this.end(TOO_SLOW);
    else this.#add(text);
  }

  #add(text: string): void {
    this.#waiting.push(text);
    this.#wake();
  }

  /** Resolves to true with the next event or the end, and to false when neither came for a while. */
  async #next(): Promise<boolean> {
    let cancel = (): void => undefined;
    const isEvent = await new Promise<boolean>((resolve) => {
      this.#wake = () => {
        resolve(true);
      };
      cancel = this.#input.scheduler.after(KEEP_ALIVE_INTERVAL_MS, () => {
        resolve(false);
      });
    });
    cancel();
    return isEvent;
  }
}

const TOO_SLOW: RestconfError = {
  'error-type': 'application',
  'error-tag': 'resource-denied',
  'error-message': `the stream ends because its client reads too slowly: more than ${MAX_WAITING_LENGTH} characters of events wait. Open it again, with start-time for a server that can replay.`,
};

function errorsEvent(error: RestconfError): string {
  return `event: errors\ndata: ${JSON.stringify({ 'ietf-restconf:errors': { error: [error] } })}\n\n`;
}
