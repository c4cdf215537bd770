import { callerKey, callerName, endOfCredentials } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import type { ToldTask } from '../../core/task.js';
import type { Scheduler } from '../../lib/clock.js';
import { eventOf, KEEP_ALIVE, KEEP_ALIVE_INTERVAL_MS, RETRY } from '../../lib/server-sent-events.js';
import type { Siblings } from '../../server/workers/siblings.js';
import type { TaskEvents, TaskListener } from './deps.js';
import { toldTask } from './task.js';

/** Maximum number of concurrent listeners, of all callers and of one. */
const MAX_LISTENERS = 500;
const MAX_LISTENERS_OF_CALLER = 20;

/** Maximum number of names in an event. */
const MAX_PEOPLE = 20;

/** Events of tasks, until they are closed. */
export interface OpenTaskEvents extends TaskEvents {
  /** Shows a change by another process of this server to the listeners of this process. */
  readonly show: (task: ToldTask) => void;
  /** Ends all streams, and admits no new ones. */
  readonly close: () => void;
}

interface TaskEventsInput {
  readonly scheduler: Scheduler;
  /** The other processes of this server, which receive each change. */
  readonly siblings: Siblings;
}

export function openTaskEvents({ scheduler, siblings }: TaskEventsInput): OpenTaskEvents {
  const streams = new Set<TaskStream>();
  let isClosed = false;
  const streamsOf = (id: string): readonly TaskStream[] => [...streams].filter(({ task }) => task.id === id);
  const tell = (id: string): void => {
    for (const stream of streamsOf(id)) stream.tell();
  };
  const show = (task: ToldTask): void => {
    for (const stream of streamsOf(task.id)) stream.task = task;
    tell(task.id);
  };
  return {
    listen(task, listener) {
      requirePlace(streams, listener);
      const stream = new TaskStream({ task, listener, scheduler, streams });
      streams.add(stream);
      stream.onEnd(() => {
        if (streams.delete(stream)) tell(task.id);
      });
      if (listener.signal.aborted || isClosed) stream.end();
      else tell(task.id);
      return stream.texts();
    },
    publish(task) {
      show(task);
      void siblings.tell({ kind: 'task', task: toldTask(task) });
    },
    show,
    close() {
      isClosed = true;
      for (const stream of [...streams]) stream.end();
    },
  };
}

function requirePlace(streams: ReadonlySet<TaskStream>, { principal }: TaskListener): void {
  const key = callerKey(principal);
  const own = [...streams].filter((stream) => stream.key === key).length;
  if (streams.size < MAX_LISTENERS && own < MAX_LISTENERS_OF_CALLER) return;
  throw new Problem('too_many_listeners', `${streams.size} clients already receive events of tasks`, {
    headers: { 'retry-after': '30' },
  });
}

interface TaskStreamInput {
  readonly task: ToldTask;
  readonly listener: TaskListener;
  readonly scheduler: Scheduler;
  /** The streams of all listeners, of any task. */
  readonly streams: ReadonlySet<TaskStream>;
}

/**
 * The events of one listener. An event is written when it is sent, so a slow listener receives only the newest
 * state, and needs no memory for the states before it.
 */
class TaskStream {
  task: ToldTask;
  readonly key: string;
  readonly #name: string;
  readonly #tokenEnds: string | null;
  readonly #streams: ReadonlySet<TaskStream>;
  #due: 'task' | 'keep-alive' | undefined;
  #isBegun = false;
  #isEnded = false;
  #wake = (): void => undefined;
  #notifyEnd = (): void => undefined;
  readonly #cancels: (() => void)[] = [];

  constructor({ task, listener: { principal, signal }, scheduler, streams }: TaskStreamInput) {
    this.task = task;
    this.#streams = streams;
    this.key = callerKey(principal);
    this.#name = callerName(principal);
    const endsAt = endOfCredentials(principal, scheduler.now());
    this.#tokenEnds = endsAt === Infinity ? null : new Date(endsAt).toISOString();
    const end = (): void => {
      this.end();
    };
    signal.addEventListener('abort', end, { once: true });
    this.#cancels.push(() => {
      signal.removeEventListener('abort', end);
    });
    this.#keepAlive(scheduler);
  }

  onEnd(notify: () => void): void {
    this.#notifyEnd = notify;
  }

  /** Sends an event with the state of the task, and the names of the other people who have it open. */
  tell(): void {
    this.#announce('task');
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    for (const cancel of this.#cancels) cancel();
    this.#notifyEnd();
    this.#wake();
  }

  async *texts(): AsyncGenerator<string> {
    try {
      while (!this.#isEnded) {
        const due = this.#due;
        this.#due = undefined;
        if (due === 'task') yield this.#event();
        else if (due === 'keep-alive') yield KEEP_ALIVE;
        else
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
      }
    } finally {
      this.end();
    }
  }

  #announce(due: 'task' | 'keep-alive'): void {
    this.#due = due;
    this.#wake();
  }

  #event(): string {
    const { revision, status, lastUpdated, lastUpdatedByName } = this.task;
    const event = {
      revision,
      status,
      lastUpdated,
      lastUpdatedByName,
      people: this.#otherPeople(),
      tokenEnds: this.#tokenEnds,
    };
    const begin = this.#isBegun ? '' : RETRY;
    this.#isBegun = true;
    return begin + eventOf('task', event);
  }

  #otherPeople(): readonly string[] {
    const others = new Map<string, string>();
    for (const stream of this.#streams) {
      if (stream.task.id === this.task.id && stream.key !== this.key) others.set(stream.key, stream.#name);
      if (others.size === MAX_PEOPLE) break;
    }
    return [...others.values()];
  }

  #keepAlive(scheduler: Scheduler): void {
    let cancel = (): void => undefined;
    const repeat = (): void => {
      cancel = scheduler.after(KEEP_ALIVE_INTERVAL_MS, repeat);
      if (this.#due === undefined) this.#announce('keep-alive');
    };
    cancel = scheduler.after(KEEP_ALIVE_INTERVAL_MS, repeat);
    this.#cancels.push(() => {
      cancel();
    });
  }
}
