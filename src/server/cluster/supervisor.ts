import type { Socket } from 'node:net';
import type { Log } from '../../core/log.js';
import { type Backoff, createBackoff } from '../../lib/backoff.js';
import type { Scheduler } from '../../lib/clock.js';
import { singleFlight } from '../../lib/single-flight.js';
import { withTimeout } from '../../lib/timeout.js';
import { STUCK_EXIT_CODE } from '../watchdog/protocol.js';
import { watchHeartbeat, type Heartbeat } from './heartbeat.js';
import type { WorkerRpc } from './protocol.js';
import type { Ending, WorkerProcess } from './worker-process.js';
import type { Replacement, WorkerRegistry } from './worker-registry.js';

/** Keeps a number of workers serving. It replaces a worker that ends or stops responding. */
export interface Supervisor {
  /** Starts the workers. Resolves when each serves, or failed to start and will be retried. */
  readonly open: () => Promise<void>;
  /** Sends a connection to the next worker that serves; false if no worker serves. */
  readonly dispatch: (socket: Socket) => boolean;
  /** Calls a function of every worker. Resolves when each has replied or ended. Replaces a worker that fails or times out. */
  readonly askAll: <Name extends keyof WorkerRpc>(
    name: Name,
    input: Parameters<WorkerRpc[Name]>[0],
    timeoutMs: number,
  ) => Promise<void>;
  readonly notifyAll: <Name extends keyof WorkerRpc>(
    name: Name,
    input: Parameters<WorkerRpc[Name]>[0],
  ) => void;
  /** Replaces the workers one by one, each after its successor serves. Concurrent calls share one restart. */
  readonly restart: () => Promise<void>;
  /** Ends all workers, by force if necessary. */
  readonly close: () => Promise<void>;
}

interface SupervisorInput {
  readonly count: number;
  /** Records which workers serve, and how they end. */
  readonly registry: WorkerRegistry;
  readonly startProcess: () => WorkerProcess;
  /** Initializes a worker; resolves when it serves. */
  readonly initialize: (worker: WorkerProcess, index: number) => Promise<void>;
  /** Serves a connection that a worker did not receive before it ended. */
  readonly serveLocally: (socket: Socket) => void;
  /** Maximum time for running calls when a worker ends. */
  readonly drainSeconds: number;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** Maximum time until a new worker serves, in milliseconds. */
const START_TIMEOUT_MS = 60_000;
/** Maximum time beyond `drainSeconds` until a worker ends, in milliseconds. */
const END_TIMEOUT_MS = 5_000;
/** A worker with a shorter lifetime is replaced after a delay, because its start may be the cause; in milliseconds. */
const MIN_LIFETIME_MS = 10_000;
const RESTART_BACKOFF = { firstMs: 500, maxMs: 30_000 };

/** Maximum time for a reply of a stuck worker before it is killed, in milliseconds. */
const STUCK_RECHECK_MS = 1_000;

const DIED_FIX =
  'Read the previous log lines; a plugin may have ended the process, or the system for lack of memory.';
const STUCK_FIX = 'A plugin may be in an endless loop, or the process was stopped from outside.';

const LOOP_FIX = 'Read the previous log line of the worker, which has the code that does not return.';

/** One of the slots for workers. */
interface WorkerSlot {
  /** From 0. */
  readonly index: number;
  /** The worker that serves. */
  serving?: WorkerProcess | undefined;
  readonly restarts: Backoff;
}

/** Creates a supervisor that has started no worker yet. */
export function createSupervisor(input: SupervisorInput): Supervisor {
  const supervisor = new WorkerSupervisor(input);
  return {
    open: () => supervisor.open(),
    dispatch: (socket) => supervisor.dispatch(socket),
    askAll: (name, rpcInput, timeoutMs) => supervisor.askAll(name, rpcInput, timeoutMs),
    notifyAll: (name, rpcInput) => {
      supervisor.notifyAll(name, rpcInput);
    },
    restart: supervisor.restart,
    close: () => supervisor.close(),
  };
}

class WorkerSupervisor {
  readonly #input: SupervisorInput;
  readonly #slots: readonly WorkerSlot[];
  /** All processes that have not ended, including those that retire. */
  readonly #alive = new Set<WorkerProcess>();
  /** Heartbeats of the workers that serve. */
  readonly #heartbeats = new Map<WorkerProcess, Heartbeat>();
  #next = 0;
  #isClosing = false;
  readonly restart = singleFlight(() => this.#replaceAll());
  readonly #plannedStarts = new Set<() => void>();

  constructor(input: SupervisorInput) {
    this.#input = input;
    this.#slots = Array.from({ length: input.count }, (_, index) => ({
      index,
      restarts: createBackoff(RESTART_BACKOFF),
    }));
  }

  async open(): Promise<void> {
    await Promise.all(this.#slots.map((slot) => this.#fill(slot)));
  }

  dispatch(socket: Socket): boolean {
    for (let tries = this.#slots.length; tries > 0; tries -= 1) {
      const worker = this.#slots[this.#next % this.#slots.length]?.serving;
      this.#next += 1;
      if (!worker) continue;
      worker.sendSocket(socket, this.#input.serveLocally);
      return true;
    }
    return false;
  }

  async askAll<Name extends keyof WorkerRpc>(
    name: Name,
    input: Parameters<WorkerRpc[Name]>[0],
    timeoutMs: number,
  ): Promise<void> {
    const replies = [...this.#alive].map(async (worker) => {
      const resume = this.#heartbeats.get(worker)?.pause();
      try {
        await this.#withTimeout(timeoutMs, worker.ask(name, input));
      } catch (error) {
        if (!this.#alive.has(worker)) return;
        const fields = { pid: worker.pid, asked: name, error };
        this.#input.log.error('call worker did not apply a change; replacing it', fields);
        const slot = this.#vacate(worker, 'behind');
        worker.kill();
        await worker.ended;
        if (slot) void this.#fill(slot);
      } finally {
        resume?.();
      }
    });
    await Promise.all(replies);
  }

  notifyAll<Name extends keyof WorkerRpc>(name: Name, input: Parameters<WorkerRpc[Name]>[0]): void {
    for (const worker of this.#alive) worker.notify(name, input);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    for (const { stop } of this.#heartbeats.values()) stop();
    for (const cancel of this.#plannedStarts) cancel();
    await Promise.all([...this.#alive].map((worker) => this.#endWorker(worker, 'stop')));
  }

  /** Starts a worker for a slot. If it cannot start, tries again after a delay. */
  async #fill(slot: WorkerSlot): Promise<void> {
    if (this.#isClosing) return;
    const worker = await this.#startWorker(slot);
    if (worker) await this.#install(slot, worker);
    else this.#scheduleFill(slot);
  }

  /** Makes a worker serve in a slot, and retires the previous worker of the slot. */
  async #install(slot: WorkerSlot, worker: WorkerProcess): Promise<void> {
    if (this.#isClosing) return;
    const { index, serving: previous } = slot;
    const { registry, scheduler } = this.#input;
    if (previous) this.#vacate(previous, 'restart');
    slot.serving = worker;
    registry.serves(index);
    const heartbeat = watchHeartbeat(worker, {
      scheduler,
      onStats: (stats) => {
        if (slot.serving === worker) registry.recordStats(index, stats);
      },
      onStuck: () => void this.#replaceStuck(worker),
    });
    this.#heartbeats.set(worker, heartbeat);
    if (previous) await this.#endWorker(previous, 'retire');
  }

  /** Removes a worker from its slot. Returns the slot; undefined if the worker had none or the supervisor closes. */
  #vacate(worker: WorkerProcess, reason: Replacement): WorkerSlot | undefined {
    this.#heartbeats.get(worker)?.stop();
    this.#heartbeats.delete(worker);
    const slot = this.#slots.find(({ serving }) => serving === worker);
    if (!slot) return undefined;
    slot.serving = undefined;
    if (this.#isClosing) return undefined;
    this.#input.registry.leaves(slot.index, reason);
    return slot;
  }

  /** Replaces a stuck worker. If it responds once its successor serves, it finishes its calls; otherwise it is killed. */
  async #replaceStuck(worker: WorkerProcess): Promise<void> {
    const slot = this.#vacate(worker, 'stuck');
    if (!slot) return;
    const fields = { worker: slot.index, pid: worker.pid, fix: STUCK_FIX };
    this.#input.log.error('call worker does not respond; replacing it', fields);
    await this.#fill(slot);
    try {
      await this.#withTimeout(STUCK_RECHECK_MS, worker.ask('readStats', null));
    } catch {
      worker.kill();
      return;
    }
    this.#input.log.info('call worker responds again; retiring it', { worker: slot.index, pid: worker.pid });
    await this.#endWorker(worker, 'retire');
  }

  async #startWorker({ index }: WorkerSlot): Promise<WorkerProcess | undefined> {
    const { startProcess, initialize, scheduler, log, registry } = this.#input;
    const worker = startProcess();
    const startedAt = scheduler.now();
    this.#alive.add(worker);
    void worker.ended.then((ending) => {
      const isYoung = scheduler.now() - startedAt < MIN_LIFETIME_MS;
      this.#onEnd(worker, { ...ending, isYoung });
    });
    try {
      await this.#withTimeout(START_TIMEOUT_MS, initialize(worker, index));
      registry.started('success');
      log.info('call worker serves', { worker: index, pid: worker.pid });
      return this.#alive.has(worker) ? worker : undefined;
    } catch (error) {
      worker.kill();
      const fields = { worker: index, pid: worker.pid, error, fix: DIED_FIX };
      if (this.#isClosing) return undefined;
      registry.started('failure');
      log.error('call worker start failed; trying again', fields);
      return undefined;
    }
  }

  #onEnd(worker: WorkerProcess, ending: Ending & { readonly isYoung: boolean }): void {
    this.#alive.delete(worker);
    const { code, signal, isYoung } = ending;
    const isStuck = code === STUCK_EXIT_CODE;
    // A worker that retired, or that never served, has no slot.
    const slot = this.#vacate(worker, isStuck ? 'stuck' : 'died');
    if (!slot) return;
    const fields = { worker: slot.index, pid: worker.pid, code, signal, fix: isStuck ? LOOP_FIX : DIED_FIX };
    const what = isStuck ? 'call worker was ended by its watchdog' : 'call worker died';
    this.#input.log.error(`${what}; replacing it`, fields);
    if (isYoung) {
      this.#scheduleFill(slot);
      return;
    }
    slot.restarts.reset();
    void this.#fill(slot);
  }

  #scheduleFill(slot: WorkerSlot): void {
    if (this.#isClosing) return;
    const cancel = this.#input.scheduler.after(slot.restarts.next(), () => {
      this.#plannedStarts.delete(cancel);
      void this.#fill(slot);
    });
    this.#plannedStarts.add(cancel);
  }

  async #replaceAll(): Promise<void> {
    for (const slot of this.#slots) {
      if (!slot.serving || this.#isClosing) continue;
      const successor = await this.#startWorker(slot);
      // Without a successor, the previous worker continues to serve.
      if (successor) await this.#install(slot, successor);
    }
    const serving = this.#slots.filter((slot) => slot.serving).length;
    this.#input.log.info('call workers were replaced', { serving });
  }

  /** Requests the end of a worker, and kills it after a time limit. */
  async #endWorker(worker: WorkerProcess, how: 'retire' | 'stop'): Promise<void> {
    worker.notify(how, null);
    const timeoutMs = this.#input.drainSeconds * 1000 + END_TIMEOUT_MS;
    await this.#withTimeout(timeoutMs, worker.ended).catch(() => {
      worker.kill();
    });
    await worker.ended;
  }

  #withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
    const fail = (): Promise<never> => Promise.reject(new Error(`it took longer than ${ms / 1000} s`));
    return withTimeout(work, { ms, scheduler: this.#input.scheduler, late: fail });
  }
}
