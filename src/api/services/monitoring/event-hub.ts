import type { Scheduler } from '../../../core/lib/clock.js';
import type { Listener, EventType } from '../../../core/monitoring.js';
import { Problem } from '../../../core/problem.js';

/** Tells everyone who listens what changed, and how much goes on. */
export interface EventHub {
  /** Text of server-sent events. Throws `too_many_listeners`. */
  readonly listen: (listener: Listener) => AsyncIterable<string>;
  /** What changed: told at once, and at most twice a second. */
  readonly publish: (topics: Iterable<EventType>) => void;
  /** Ends what everyone hears; whoever may still listen comes back. */
  readonly disconnectAll: () => void;
  /** The same, for good. */
  readonly close: () => void;
}

/** Most who may listen at a time. */
const LISTENERS = 100;
/** Least time between two news, time between two looks at the traffic and between two signs of life, in milliseconds. */
const NEWS_MS = 500;
const TRAFFIC_MS = 2_000;
const LIFE_MS = 15_000;

/** After this time, in milliseconds, a browser that lost us tries again. */
const RETRY = 'retry: 3000\n\n';
const SIGN_OF_LIFE = ':\n\n';

interface DeskInput {
  readonly scheduler: Scheduler;
  /** Asked only while somebody listens. */
  readonly traffic: () => unknown;
}

/** Makes a desk that nobody listens at. */
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
    // A clock that was set back must not hold news up.
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

/** Does the work again and again, until it is called off. */
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

/** What one listener has not read yet: it stays small however slowly that goes. */
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

  /** What there is to say; undefined at the end. */
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

/** JSON has no line breaks, so one line of data holds it. */
function eventOf(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
