import type { Socket } from 'node:net';
import type { Log } from '../../core/log.js';
import { type Backoff, createBackoff } from '../../lib/backoff.js';
import type { Scheduler } from '../../lib/clock.js';
import { singleFlight } from '../../lib/single-flight.js';
import { STUCK_EXIT_CODE } from '../watchdog/protocol.js';
import { watchHeartbeat, type Heartbeat } from './heartbeat.js';
import type { WorkerRpc } from './protocol.js';
import { type AskName, RunningWorkers } from './running-workers.js';
import type { Ending, WorkerProcess } from './worker-process.js';
import type { Replacement, WorkerRegistry } from './worker-registry.js';

interface SupervisorInput {
  readonly count: number;
  /** Records which workers serve, and how they end. */
  readonly registry: WorkerRegistry;
  readonly startProcess: () => WorkerProcess;
  /** Starts the server of a worker; resolves when it can serve. */
  readonly initialize: (
    worker: WorkerProcess,
    place: { readonly worker: number; readonly chain: number },
  ) => Promise<void>;
  /** Called with a connection that a worker did not receive before it ended. */
  readonly onUndelivered: (socket: Socket) => void;
  /** Called when a worker serves. */
  readonly onServing: () => void;
  /** Returns true for a worker that the other workers wait for. */
  readonly blocksOthers: (worker: WorkerProcess) => boolean;
  /** Maximum time until a new worker serves, in milliseconds. */
  readonly startTimeoutMs: number;
  /** Maximum time for running calls when a worker ends. */
  readonly drainSeconds: number;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** Maximum time for a worker to apply a change, in milliseconds. */
const CHANGE_TIMEOUT_MS = 60_000;
/** A worker with a shorter lifetime is replaced after a delay, because its start may be the cause; in milliseconds. */
const MIN_LIFETIME_MS = 10_000;
const RESTART_BACKOFF = { firstMs: 500, maxMs: 30_000 };

/** Maximum time for a reply of a stuck worker before it is killed, in milliseconds. */
const STUCK_RECHECK_MS = 1_000;

const DIED_FIX =
  'Read the previous log lines; a plugin may have ended the process, or the system for lack of memory.';
const START_FIX = 'Read the previous log lines of the worker.';
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

/** Keeps a number of workers serving, which `open` starts. Replaces a worker that ends or stops responding. */
export class WorkerSupervisor {
  readonly #input: SupervisorInput;
  readonly #slots: readonly WorkerSlot[];
  /** All processes that have not ended. */
  readonly running: RunningWorkers;
  /** Heartbeats of the workers that serve. */
  readonly #heartbeats = new Map<WorkerProcess, Heartbeat>();
  #next = 0;
  #isClosing = false;
  /** Replaces the workers one by one, each after its successor serves. Concurrent calls share one restart. */
  readonly restart = singleFlight(() => this.#replaceAll());
  readonly #plannedStarts = new Set<() => void>();

  constructor(input: SupervisorInput) {
    this.#input = input;
    this.running = new RunningWorkers(input);
    this.#slots = Array.from({ length: input.count }, (_, index) => ({
      index,
      restarts: createBackoff(RESTART_BACKOFF),
    }));
  }

  /**
   * Starts the first worker, which prepares the store and the files that all share, and then the others. Resolves when each
   * serves, or failed to start and will be retried. Throws the error of the first worker.
   */
  async open(): Promise<void> {
    const [first, ...others] = this.#slots;
    if (first) await this.#install(first, await this.#launch(first));
    await Promise.all(others.map((slot) => this.#fill(slot)));
  }

  /** Returns the workers that serve. */
  serving(): readonly WorkerProcess[] {
    return this.#slots.flatMap((slot) => slot.serving ?? []);
  }

  /** Sends a connection to the next worker that serves; false if no worker serves. */
  dispatch(socket: Socket): boolean {
    for (let tries = this.#slots.length; tries > 0; tries -= 1) {
      const worker = this.#slots[this.#next % this.#slots.length]?.serving;
      this.#next += 1;
      if (!worker?.isConnected()) continue;
      worker.sendSocket(socket, this.#input.onUndelivered);
      return true;
    }
    return false;
  }

  /**
   * Calls a function of every worker except one. Resolves when each has replied or ended. Replaces a worker that fails or times
   * out.
   */
  async askAll<Name extends AskName>(
    name: Name,
    input: Parameters<WorkerRpc[Name]>[0],
    except?: WorkerProcess,
  ): Promise<void> {
    const asked = this.running.all().filter((worker) => worker !== except);
    await Promise.all(asked.map((worker) => this.#askOrReplace(worker, name, input)));
  }

  async #askOrReplace<Name extends AskName>(
    worker: WorkerProcess,
    name: Name,
    input: Parameters<WorkerRpc[Name]>[0],
  ): Promise<void> {
    const resume = this.#heartbeats.get(worker)?.pause();
    try {
      await this.running.inTime(CHANGE_TIMEOUT_MS, worker.ask(name, input));
    } catch (error) {
      if (!this.running.has(worker)) return;
      const fields = { pid: worker.pid, asked: name, error };
      this.#input.log.error('worker did not apply a change; replacing it', fields);
      const slot = this.#vacate(worker, 'behind');
      worker.kill();
      await worker.ended;
      if (slot) void this.#fill(slot);
    } finally {
      resume?.();
    }
  }

  /** Ends all workers, by force if necessary. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const { stop } of this.#heartbeats.values()) stop();
    for (const cancel of this.#plannedStarts) cancel();
    await Promise.all(this.running.all().map((worker) => this.running.end(worker, 'stop')));
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
    const { serving: previous } = slot;
    if (previous) this.#vacate(previous, 'restart');
    this.#serve(slot, worker);
    if (previous) await this.running.end(previous, 'retire');
  }

  #serve(slot: WorkerSlot, worker: WorkerProcess): void {
    const { index } = slot;
    const { registry, scheduler } = this.#input;
    slot.serving = worker;
    registry.serves(index);
    this.#input.onServing();
    const heartbeat = watchHeartbeat(worker, {
      scheduler,
      onStats: (stats) => {
        if (slot.serving === worker) registry.recordStats(index, stats);
      },
      onStuck: () => void this.#replaceStuck(worker),
    });
    this.#heartbeats.set(worker, heartbeat);
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

  /**
   * Replaces a stuck worker. If it responds once its successor serves, it finishes its calls; otherwise it is killed. Without a
   * successor, it continues to serve when it responds.
   */
  async #replaceStuck(worker: WorkerProcess): Promise<void> {
    const slot = this.#vacate(worker, 'stuck');
    if (!slot) return;
    const fields = { worker: slot.index, pid: worker.pid, fix: STUCK_FIX };
    this.#input.log.error('worker does not respond; replacing it', fields);
    if (this.#input.blocksOthers(worker)) worker.kill();
    await this.#fill(slot);
    try {
      await this.running.inTime(STUCK_RECHECK_MS, worker.ask('readStats', null));
    } catch {
      worker.kill();
      return;
    }
    const whom = { worker: slot.index, pid: worker.pid };
    if (slot.serving === undefined && !this.#isClosing) {
      this.#input.log.info('worker responds again, and serves until its successor starts', whom);
      this.#serve(slot, worker);
      return;
    }
    this.#input.log.info('worker responds again; retiring it', whom);
    await this.running.end(worker, 'retire');
  }

  /** Starts a worker; undefined if it cannot start, which is logged. */
  async #startWorker(slot: WorkerSlot): Promise<WorkerProcess | undefined> {
    try {
      return await this.#launch(slot, this.#input.startTimeoutMs);
    } catch (error) {
      if (this.#isClosing) return undefined;
      this.#input.registry.started('failure');
      const fields = { worker: slot.index, error, fix: START_FIX };
      this.#input.log.error('worker start failed; trying again', fields);
      return undefined;
    }
  }

  /** Starts a worker. Throws if it cannot start in time. */
  async #launch({ index }: WorkerSlot, timeoutMs?: number): Promise<WorkerProcess> {
    const { startProcess, initialize, scheduler, log, registry } = this.#input;
    const worker = startProcess();
    const startedAt = scheduler.now();
    const chain = this.running.add(worker);
    void worker.ended.then((ending) => {
      const isYoung = scheduler.now() - startedAt < MIN_LIFETIME_MS;
      this.#onEnd(worker, { ...ending, isYoung });
    });
    try {
      const starting = initialize(worker, { worker: index, chain });
      await (timeoutMs === undefined ? starting : this.running.inTime(timeoutMs, starting));
      if (!this.running.has(worker)) throw new Error('the worker has ended');
    } catch (error) {
      worker.kill();
      await worker.ended;
      throw error;
    }
    registry.started('success');
    log.info('worker serves', { worker: index, pid: worker.pid });
    return worker;
  }

  #onEnd(worker: WorkerProcess, ending: Ending & { readonly isYoung: boolean }): void {
    const { code, signal, isYoung } = ending;
    const isStuck = code === STUCK_EXIT_CODE;
    // A worker that retired, or that never served, has no slot.
    const slot = this.#vacate(worker, isStuck ? 'stuck' : 'died');
    if (!slot) return;
    const fields = { worker: slot.index, pid: worker.pid, code, signal, fix: isStuck ? LOOP_FIX : DIED_FIX };
    const what = isStuck ? 'worker was ended by its watchdog' : 'worker died';
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
    this.#input.log.info('workers were replaced', { serving: this.serving().length });
  }
}
