import type { EventType } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';
import type { Scheduler } from '../../lib/clock.js';
import { eventOf, KEEP_ALIVE, KEEP_ALIVE_INTERVAL_MS, RETRY } from '../../lib/server-sent-events.js';

/** Publisher of server-sent events about changes and traffic. */
interface EventHub {
  /** Subscribes to the events until the signal fires, and returns their text. Throws `too_many_listeners`. */
  readonly listen: (signal: CancelSignal) => AsyncIterable<string>;
  /** Publishes changed topics immediately, but at most twice a second. */
  readonly publish: (topics: Iterable<EventType>) => void;
  /** Disconnects all subscribers and admits no new subscribers. */
  readonly close: () => void;
}

/** Maximum number of concurrent subscribers. */
const MAX_SUBSCRIBERS = 100;
/** Minimum interval between change events, in milliseconds. */
const CHANGE_INTERVAL_MS = 500;
/** Interval of traffic events, in milliseconds. */
const TRAFFIC_INTERVAL_MS = 2_000;

interface EventHubInput {
  readonly scheduler: Scheduler;
  /** Returns the current traffic; called only while there are subscribers. */
  readonly traffic: () => unknown;
}

/** Creates an event hub without subscribers. */
export function createEventHub(input: EventHubInput): EventHub {
  const hub = new SseHub(input);
  return {
    listen: (signal) => hub.listen(signal),
    publish: (topics) => {
      hub.publish(topics);
    },
    close: () => {
      hub.close();
    },
  };
}

class SseHub {
  readonly #input: EventHubInput;
  readonly #subscribers = new Set<EventSubscriber>();
  readonly #changedTopics = new Set<EventType>();
  #publishedAt = -Infinity;
  #isClosed = false;
  #cancelPublish: (() => void) | undefined;
  #cancelTimers: readonly (() => void)[] = [];

  constructor(input: EventHubInput) {
    this.#input = input;
  }

  listen(signal: CancelSignal): AsyncIterable<string> {
    if (this.#subscribers.size >= MAX_SUBSCRIBERS)
      throw new Problem('too_many_listeners', `${MAX_SUBSCRIBERS} clients already receive events`, {
        headers: { 'retry-after': '10' },
      });
    const subscriber = new EventSubscriber();
    if (this.#subscribers.size === 0) this.#startTimers();
    this.#subscribers.add(subscriber);
    const unsubscribe = (): void => {
      signal.removeEventListener('abort', unsubscribe);
      this.#unsubscribe(subscriber);
    };
    signal.addEventListener('abort', unsubscribe, { once: true });
    if (signal.aborted || this.#isClosed) unsubscribe();
    return eventTextsOf(subscriber, unsubscribe);
  }

  publish(topics: Iterable<EventType>): void {
    if (this.#subscribers.size === 0) return;
    for (const topic of topics) this.#changedTopics.add(topic);
    if (this.#changedTopics.size === 0) return;
    const { scheduler } = this.#input;
    // A system clock that is set back must not delay events.
    const waitMs = Math.min(CHANGE_INTERVAL_MS, this.#publishedAt + CHANGE_INTERVAL_MS - scheduler.now());
    this.#cancelPublish ??= scheduler.after(waitMs, () => {
      this.#publishNow();
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const subscriber of [...this.#subscribers]) this.#unsubscribe(subscriber);
  }

  #publishNow(): void {
    const topics = [...this.#changedTopics];
    this.#changedTopics.clear();
    this.#publishedAt = this.#input.scheduler.now();
    this.#cancelPublish = undefined;
    for (const subscriber of this.#subscribers) subscriber.addTopics(topics);
  }

  #startTimers(): void {
    const { scheduler, traffic } = this.#input;
    this.#cancelTimers = [
      repeat(TRAFFIC_INTERVAL_MS, scheduler, () => {
        const text = eventOf('traffic', traffic());
        for (const subscriber of this.#subscribers) subscriber.addTraffic(text);
      }),
      repeat(KEEP_ALIVE_INTERVAL_MS, scheduler, () => {
        for (const subscriber of this.#subscribers) subscriber.addKeepAlive();
      }),
    ];
  }

  #unsubscribe(subscriber: EventSubscriber): void {
    subscriber.end();
    if (!this.#subscribers.delete(subscriber) || this.#subscribers.size > 0) return;
    for (const cancel of this.#cancelTimers) cancel();
    this.#cancelPublish?.();
    this.#cancelPublish = undefined;
    this.#changedTopics.clear();
  }
}

/** Repeats the work at an interval; returns a function that cancels it. */
function repeat(ms: number, scheduler: Scheduler, work: () => void): () => void {
  let cancel = scheduler.after(ms, runAndRepeat);
  function runAndRepeat(): void {
    cancel = scheduler.after(ms, runAndRepeat);
    work();
  }
  return () => {
    cancel();
  };
}

/** Pending events of a subscriber. Events are merged, so that a slow subscriber does not need much memory. */
class EventSubscriber {
  readonly #topics = new Set<EventType>();
  #traffic = '';
  #keepAlive = '';
  #isEnded = false;
  #wake = (): void => undefined;

  addTopics(topics: readonly EventType[]): void {
    for (const topic of topics) this.#topics.add(topic);
    this.#wake();
  }

  addTraffic(text: string): void {
    this.#traffic = text;
    this.#wake();
  }

  addKeepAlive(): void {
    this.#keepAlive = KEEP_ALIVE;
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  /** Resolves to the next text to send; undefined at the end of the stream. */
  async next(): Promise<string | undefined> {
    while (!this.#isEnded) {
      const text = this.#takePending();
      if (text !== '') return text;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return undefined;
  }

  #takePending(): string {
    const topics = [...this.#topics];
    const change = topics.length > 0 ? eventOf('change', { topics }) : '';
    const text = change + this.#traffic + this.#keepAlive;
    this.#topics.clear();
    this.#traffic = '';
    this.#keepAlive = '';
    return text;
  }
}

async function* eventTextsOf(subscriber: EventSubscriber, unsubscribe: () => void): AsyncGenerator<string> {
  try {
    yield RETRY;
    for (let text = await subscriber.next(); text !== undefined; text = await subscriber.next()) yield text;
  } finally {
    unsubscribe();
  }
}
