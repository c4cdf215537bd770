import type { Readable } from 'node:stream';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { LogLevel } from '../../src/core/log.js';
import { Problem } from '../../src/core/problem.js';
import type { Scheduler } from '../../src/lib/clock.js';
import { createHeartbeat } from './heartbeat.js';
import { limitLines } from './line-limit.js';
import type { Mask } from './mask.js';
import type { WorkerMemory } from './memory-limit.js';
import {
  type FromWorker,
  type GenericOutcome,
  type GenericRequest,
  type MethodRequest,
  RAW_LENGTH,
  type ToWorker,
  type WorkerInput,
  type WorkerJob,
} from './messages.js';
import type { ProcessMemory } from './process-memory.js';

/** Maximum number of concurrent calls. More calls would only wait in the memory of the worker. */
const MAX_CALLS = 256;
/** Maximum length of a log line, and of the reason of a failure, in characters. */
const MAX_LINE_LENGTH = 4000;

/** Events of a thread, in the order in which they happen. */
export interface ThreadListener {
  onReady(): void;
  onConnection(state: 'ONLINE' | 'OFFLINE'): void;
  /** Called with the outcome of each call, also after its caller has left. */
  onOutcome(outcome: GenericOutcome): void;
  onLine(level: LogLevel, text: string): void;
  /** Called once, as the last event, after the thread has exited. */
  onEnd(reason: string): void;
}

/** One worker thread that runs one community adapter. */
export interface AdapterThread {
  /**
   * Runs a request, or a method of the adapter. Throws the reason of the signal (for example `caller_gone`) if the signal fires, and
   * `adapter_unavailable` if the thread ends first.
   */
  call(request: GenericRequest | MethodRequest, signal: AbortSignal): Promise<GenericOutcome>;
  /** Terminates the thread at once; resolves when it has exited. */
  terminate(reason: string): Promise<void>;
}

interface ThreadInput {
  readonly job: WorkerJob;
  readonly memoryMb: number;
  /** Maximum size of a reply, in bytes. */
  readonly replyBytes: number;
  readonly processMemory: ProcessMemory;
  readonly scheduler: Scheduler;
  /** Mask for every text that leaves the thread. */
  readonly mask: Mask;
  readonly listener: ThreadListener;
}

/** Starts a thread. It has no environment variables, and its output becomes lines of the log. */
export function openThread(input: ThreadInput): AdapterThread {
  const { memoryMb, processMemory, scheduler, mask, listener } = input;
  const { worker, port } = createWorker(input);
  const removeMemory = processMemory.add(memoryMb);
  const calls = openCalls(port);
  const clean = cleanWith(mask);
  const takeLine = limitLines((level, text) => {
    listener.onLine(level, clean(text));
  }, scheduler);
  const takeOutcome = (id: number, outcome: GenericOutcome): void => {
    listener.onOutcome(outcome);
    calls.settle(id, outcome);
  };
  let ending: string | undefined;
  const terminate = async (reason: string): Promise<void> => {
    ending ??= reason;
    await worker.terminate();
  };
  const heartbeat = createHeartbeat({
    scheduler,
    memory: processMemory,
    sendPing: () => {
      send(port, { type: 'ping' });
    },
    onFailure: (reason) => void terminate(reason),
  });
  port.on('message', (message: FromWorker) => {
    if (message.type === 'pong') heartbeat.received();
    else if (message.type === 'outcome') takeOutcome(message.id, cleanOutcome(message.outcome, clean));
    else if (message.type === 'log') takeLine(message.level, message.text);
    else if (message.type === 'connection') listener.onConnection(message.state);
    else if (message.type === 'excess') void terminate(excessReason(message.memory, memoryMb));
    else {
      heartbeat.start();
      listener.onReady();
    }
  });
  worker.on('error', (error: unknown) => {
    ending ??= errorReason(error);
  });
  worker.on('exit', (code) => {
    heartbeat.close();
    removeMemory();
    // Pending messages come from a thread that has exited.
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

function createWorker({ job, memoryMb, replyBytes }: ThreadInput): {
  readonly worker: Worker;
  readonly port: MessagePort;
} {
  // A separate channel, because messages that the adapter sends to its parent are not read.
  const { port1: port, port2: workerPort } = new MessageChannel();
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: { job, memoryMb, replyBytes, port: workerPort } satisfies WorkerInput,
    transferList: [workerPort],
    env: {},
    execArgv: ['--no-warnings'],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  return { worker, port };
}

/** Returns the message of an error that ended a worker, without its stack. */
function errorReason(error: unknown): string {
  const [firstLine = ''] = String(
    error instanceof Error ? error : 'it threw a value that is not an Error',
  ).split('\n');
  return firstLine;
}

function excessReason({ total, buffers }: WorkerMemory, memoryMb: number): string {
  const [totalMb, buffersMb] = [total, buffers].map((bytes) => Math.ceil(bytes / 1024 / 1024));
  return `it exceeded its memory limit: it uses ${totalMb} MiB, of which ${buffersMb} MiB are Buffers (memoryMb: ${memoryMb})`;
}

/** Masks the message of the adapter. The response of the orchestrator is not changed. */
function cleanOutcome(outcome: GenericOutcome, clean: Mask): GenericOutcome {
  return outcome.kind === 'error' ? { ...outcome, message: clean(outcome.message) } : outcome;
}

/**
 * Returns a mask that also limits the length of a text. It truncates before the search, because a search in
 * megabytes would block the host. The final truncation is last, because half a secret would not be found.
 */
function cleanWith(mask: Mask): Mask {
  return (text) => mask(text.slice(0, RAW_LENGTH)).slice(0, MAX_LINE_LENGTH);
}

/** Reads the lines of a stream. Truncates an unfinished line, so that it cannot fill the memory of the host. */
function readLines(stream: Readable, take: (line: string) => void): void {
  let partialLine = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (partialLine + text).split('\n');
    partialLine = (lines.pop() ?? '').slice(0, RAW_LENGTH);
    for (const line of lines) take(line.slice(0, RAW_LENGTH));
  });
}

function send(port: MessagePort, message: ToWorker): void {
  port.postMessage(message);
}

interface PendingCall {
  readonly resolve: (outcome: GenericOutcome) => void;
  readonly reject: (problem: Problem) => void;
}

interface Calls {
  readonly call: AdapterThread['call'];
  settle(id: number, outcome: GenericOutcome): void;
  abandon(reason: string): void;
}

/**
 * Creates the list of pending calls. A caller that disconnects is removed; the work of the adapter cannot be
 * canceled.
 */
function openCalls(port: MessagePort): Calls {
  const waiting = new Map<number, PendingCall>();
  let latest = 0;
  const take = (id: number): PendingCall | undefined => {
    const call = waiting.get(id);
    waiting.delete(id);
    return call;
  };
  return {
    async call(request, signal) {
      signal.throwIfAborted();
      if (waiting.size >= MAX_CALLS)
        throw new Problem('adapter_unavailable', `${MAX_CALLS} calls wait for this adapter already`);
      const id = (latest += 1);
      const leave = (): void => {
        take(id)?.reject(signal.reason as Problem);
      };
      signal.addEventListener('abort', leave, { once: true });
      try {
        return await new Promise<GenericOutcome>((resolve, reject) => {
          waiting.set(id, { resolve, reject });
          send(port, { type: 'call', id, request });
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
          new Problem(
            'adapter_unavailable',
            `the adapter's worker ended before the reply, and the request may have been sent: ${reason}`,
          ),
        );
    },
  };
}
