import type { Readable } from 'node:stream';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { Scheduler } from '../../src/core/lib/clock.js';
import type { LogLevel } from '../../src/core/log.js';
import { Problem } from '../../src/core/problem.js';
import { limitLines } from './line-limit.js';
import type { Mask } from './mask.js';
import {
  type FromWorker,
  type GenericOutcome,
  type GenericRequest,
  RAW_LENGTH,
  type ToWorker,
  type WorkerInput,
  type WorkerJob,
} from './messages.js';

/** A worker is asked for a sign of life this often, in milliseconds. */
const PING_MS = 5_000;
/** So many questions without any answer end it. */
const SHUTDOWN_TIMEOUTS = 3;
/** Most calls at a time; more would only wait in the memory of the worker. */
const MOST_CALLS = 256;
/** Longest line for the log, and longest reason of a failure, in characters. */
const LINE_LENGTH = 4000;

/** What a thread has to tell, in the order in which it happens. */
export interface ThreadListener {
  onReady(): void;
  onConnection(state: 'ONLINE' | 'OFFLINE'): void;
  onLine(level: LogLevel, text: string): void;
  /** Called once, the last of all; the thread is gone by then. */
  onEnd(reason: string): void;
}

/** One worker thread with one community adapter in it. */
export interface AdapterThread {
  /** Throws `caller_gone` and the like when the signal fires, `upstream_unreachable` when the thread ends first. */
  call(request: GenericRequest, signal: AbortSignal): Promise<GenericOutcome>;
  /** Ends it, whatever it does; resolves when it is gone. */
  terminate(reason: string): Promise<void>;
}

export interface ThreadInput {
  readonly job: WorkerJob;
  readonly memoryMb: number;
  readonly scheduler: Scheduler;
  /** For every text that comes out of the thread. */
  readonly mask: Mask;
  readonly listener: ThreadListener;
}

/** Starts a thread. It has no environment variables, and what it prints becomes lines of the log. */
export function openThread({ job, memoryMb, scheduler, mask, listener }: ThreadInput): AdapterThread {
  // A channel of our own: what the adapter sends to its parent is read by nobody.
  const { port1: port, port2: workerPort } = new MessageChannel();
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: { job, port: workerPort } satisfies WorkerInput,
    transferList: [workerPort],
    env: {},
    execArgv: ['--no-warnings'],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const calls = openCalls(port);
  const clean = cleanWith(mask);
  const takeLine = limitLines((level, text) => {
    listener.onLine(level, clean(text));
  }, scheduler);
  let ending: string | undefined;
  const terminate = async (reason: string): Promise<void> => {
    ending ??= reason;
    await worker.terminate();
  };
  const pulse = watchPulse(port, scheduler, () => {
    void terminate(`it gave no sign of life for ${(PING_MS * SHUTDOWN_TIMEOUTS) / 1000} s`);
  });
  port.on('message', (message: FromWorker) => {
    if (message.type === 'pong') pulse.felt();
    else if (message.type === 'outcome') calls.settle(message.id, cleanOutcome(message.outcome, clean));
    else if (message.type === 'log') takeLine(message.level, message.text);
    else if (message.type === 'connection') listener.onConnection(message.state);
    else listener.onReady();
  });
  worker.on('error', (error: unknown) => {
    // The first line says it; the others name every file on the way.
    const [said = ''] = String(error instanceof Error ? error : 'it threw something').split('\n');
    ending ??= said;
  });
  worker.on('exit', (code) => {
    pulse.close();
    // What is still on its way comes from a thread that is gone.
    port.removeAllListeners('message').close();
    const reason = clean(ending ?? `it exited with code ${code}`);
    calls.abandon(reason);
    listener.onEnd(reason);
  });
  readLines(worker.stdout, (line) => {
    takeLine('debug', line);
  });
  readLines(worker.stderr, (line) => {
    takeLine('warn', line);
  });
  return { call: calls.call, terminate };
}

/** What the orchestrator answered is passed on as it is; what the adapter says about it is not. */
function cleanOutcome(outcome: GenericOutcome, clean: Mask): GenericOutcome {
  return outcome.kind === 'error' ? { ...outcome, message: clean(outcome.message) } : outcome;
}

/** Cut before as well, because a search in megabytes would stop the host; and last: half a secret would not be found. */
function cleanWith(mask: Mask): Mask {
  return (text) => mask(text.slice(0, RAW_LENGTH)).slice(0, LINE_LENGTH);
}

/** A line without an end must not grow in the memory of the host. */
function readLines(stream: Readable, take: (line: string) => void): void {
  let begun = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (begun + text).split('\n');
    begun = (lines.pop() ?? '').slice(0, RAW_LENGTH);
    for (const line of lines) take(line.slice(0, RAW_LENGTH));
  });
}

function say(port: MessagePort, message: ToWorker): void {
  port.postMessage(message);
}

interface Waiting {
  readonly resolve: (outcome: GenericOutcome) => void;
  readonly reject: (problem: Problem) => void;
}

interface Calls {
  readonly call: AdapterThread['call'];
  settle(id: number, outcome: GenericOutcome): void;
  abandon(reason: string): void;
}

/** The calls that wait for their outcome. A caller who leaves is forgotten; the adapter cannot be called back. */
function openCalls(port: MessagePort): Calls {
  const waiting = new Map<number, Waiting>();
  let latest = 0;
  const take = (id: number): Waiting | undefined => {
    const one = waiting.get(id);
    waiting.delete(id);
    return one;
  };
  return {
    async call(request, signal) {
      signal.throwIfAborted();
      if (waiting.size >= MOST_CALLS)
        throw new Problem('adapter_unavailable', `${MOST_CALLS} calls wait for this adapter already`);
      const id = (latest += 1);
      const leave = (): void => {
        take(id)?.reject(signal.reason as Problem);
      };
      signal.addEventListener('abort', leave, { once: true });
      try {
        return await new Promise<GenericOutcome>((resolve, reject) => {
          waiting.set(id, { resolve, reject });
          say(port, { type: 'call', id, request });
        });
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
    settle(id, outcome) {
      take(id)?.resolve(outcome);
    },
    abandon(reason) {
      for (const id of [...waiting.keys()])
        take(id)?.reject(
          new Problem('upstream_unreachable', `the adapter's worker ended before the reply: ${reason}`),
        );
    },
  };
}

/** Calls back when a worker has been silent for too long: a loop without end, for example. */
function watchPulse(
  port: MessagePort,
  scheduler: Scheduler,
  onSilence: () => void,
): { felt(): void; close(): void } {
  let silent = 0;
  let cancel = (): void => undefined;
  const ask = (): void => {
    if (silent === SHUTDOWN_TIMEOUTS) {
      onSilence();
      return;
    }
    silent += 1;
    say(port, { type: 'ping' });
    cancel = scheduler.after(PING_MS, ask);
  };
  cancel = scheduler.after(PING_MS, ask);
  return {
    felt() {
      silent = 0;
    },
    close() {
      cancel();
    },
  };
}
