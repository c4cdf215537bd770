import type { Scheduler } from '../../../core/lib/clock.js';
import type { Listener, EventType } from '../../../core/monitoring.js';
import { Problem } from '../../../core/problem.js';

/** Stream of server-sent events about changes and traffic. */
export interface EventHub {
  /** Subscribes to the text of the server-sent events. Throws `too_many_listeners`. */
  readonly listen: (listener: Listener) => AsyncIterable<string>;
  /** Publishes changed topics immediately, but at most twice a second. */
  readonly publish: (topics: Iterable<EventType>) => void;
  /** Disconnects all subscribers; clients with a valid token reconnect. */
  readonly disconnectAll: () => void;
  /** Disconnects all subscribers and admits no new subscribers. */
  readonly close: () => void;
}

/** Maximum number of concurrent subscribers. */
const LISTENERS = 100;
/**
 * Minimum interval of change events, interval of traffic events and interval of keep-alives, in milliseconds.
 */
const NEWS_MS = 500;
const TRAFFIC_MS = 2_000;
const LIFE_MS = 15_000;

/** Delay in milliseconds after which a browser reconnects. */
const RETRY = 'retry: 3000\n\n';
const SIGN_OF_LIFE = ':\n\n';

interface DeskInput {
  readonly scheduler: Scheduler;
  /** Returns the current traffic; called only while there are subscribers. */
  readonly traffic: () => unknown;
}

/** Creates an event stream without subscribers. */
export function createEventHub(input: DeskInput): EventHub {
  const desk = new SseHub(input);
  return {
    listen: (listener) => desk.listen(listener),
    publish: (topics) => {
      desk.publish(topics);
    },
    disconnectAll: () => {
      desk.disconnectAll();
    },
    close: () => {
      desk.close();
    },
  };
}

class SseHub {
  readonly #input: DeskInput;
  readonly #ears = new Set<EventSubscriber>();
  readonly #news = new Set<EventType>();
  #toldAt = -Infinity;
  #isClosed = false;
  #callOffNews: (() => void) | undefined;
  #callOffBeats: readonly (() => void)[] = [];

  constructor(input: DeskInput) {
    this.#input = input;
  }

  listen({ until, signal }: Listener): AsyncIterable<string> {
    if (this.#ears.size >= LISTENERS)
      throw new Problem('too_many_listeners', `${LISTENERS} others listen already`, {
        headers: { 'retry-after': '10' },
      });
    const { scheduler } = this.#input;
    const ear = new EventSubscriber();
    if (this.#ears.size === 0) this.#beginBeats();
    this.#ears.add(ear);
    const leave = (): void => {
      cancel();
      signal.removeEventListener('abort', leave);
      this.#leave(ear);
    };
    const cancel = scheduler.after(until - scheduler.now(), leave);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted || this.#isClosed) leave();
    return piecesOf(ear, leave);
  }

  publish(topics: Iterable<EventType>): void {
    if (this.#ears.size === 0) return;
    for (const topic of topics) this.#news.add(topic);
    if (this.#news.size === 0) return;
    const { scheduler } = this.#input;
    // A system clock that is set back must not delay events.
    const waitMs = Math.min(NEWS_MS, this.#toldAt + NEWS_MS - scheduler.now());
    this.#callOffNews ??= scheduler.after(waitMs, () => {
      this.#tell();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.disconnectAll();
  }

  disconnectAll(): void {
    for (const ear of [...this.#ears]) this.#leave(ear);
  }

  #tell(): void {
    const topics = [...this.#news];
    this.#news.clear();
    this.#toldAt = this.#input.scheduler.now();
    this.#callOffNews = undefined;
    for (const ear of this.#ears) ear.nextEventsFor(topics);
  }

  #beginBeats(): void {
    const { scheduler, traffic } = this.#input;
    this.#callOffBeats = [
      every(TRAFFIC_MS, scheduler, () => {
        const text = eventOf('traffic', traffic());
        for (const ear of this.#ears) ear.hearTraffic(text);
      }),
      every(LIFE_MS, scheduler, () => {
        for (const ear of this.#ears) ear.hearLife();
      }),
    ];
  }

  #leave(ear: EventSubscriber): void {
    ear.end();
    if (!this.#ears.delete(ear) || this.#ears.size > 0) return;
    for (const cancel of this.#callOffBeats) cancel();
    this.#callOffNews?.();
    this.#callOffNews = undefined;
    this.#news.clear();
  }
}

/** Repeats the work at an interval; returns a function that cancels it. */
function every(ms: number, scheduler: Scheduler, work: () => void): () => void {
  let cancel = scheduler.after(ms, again);
  function again(): void {
    cancel = scheduler.after(ms, again);
    work();
  }
  return () => {
    cancel();
  };
}

/** Pending events of one subscriber, merged so that they stay small even if the subscriber reads slowly. */
class EventSubscriber {
  readonly #topics = new Set<EventType>();
  #traffic = '';
  #life = '';
  #isOver = false;
  #wake = (): void => undefined;

  nextEventsFor(topics: readonly EventType[]): void {
    for (const topic of topics) this.#topics.add(topic);
    this.#wake();
  }

  hearTraffic(text: string): void {
    this.#traffic = text;
    this.#wake();
  }

  hearLife(): void {
    this.#life = SIGN_OF_LIFE;
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** Resolves to the next text to send; undefined at the end of the stream. */
  async next(): Promise<string | undefined> {
    while (!this.#isOver) {
      const text = this.#take();
      if (text !== '') return text;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return undefined;
  }

  #take(): string {
    const topics = [...this.#topics];
    const news = topics.length > 0 ? eventOf('change', { topics }) : '';
    const text = news + this.#traffic + this.#life;
    this.#topics.clear();
    this.#traffic = '';
    this.#life = '';
    return text;
  }
}

async function* piecesOf(ear: EventSubscriber, leave: () => void): AsyncGenerator<string> {
  try {
    yield RETRY;
    for (let text = await ear.next(); text !== undefined; text = await ear.next()) yield text;
  } finally {
    leave();
  }
}

/** Formats an event; one `data` line is enough, because the JSON contains no line breaks. */
function eventOf(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
