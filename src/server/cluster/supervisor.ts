import type { Socket } from 'node:net';
import type { Scheduler } from '../../core/lib/clock.js';
import { withTimeout } from '../../core/lib/timeout.js';
import type { Log } from '../../core/log.js';
import type { WorkerRpc } from './protocol.js';
import { watchHeartbeat, type Heartbeat } from './heartbeat.js';
import type { Replacement, WorkerRegistry } from './worker-registry.js';
import type { Ending, WorkerProcess } from './worker-process.js';

/** Keeps so many workers serving: who dies, or answers no more, is replaced. */
export interface Supervisor {
  /** Starts them; resolves when each serves, or could not begin and will be tried again. */
  readonly open: () => Promise<void>;
  /** Hands a connection to the next of those that serve; false when none does. */
  readonly give: (socket: Socket) => boolean;
  /** Asks something of every worker. Resolves when each has answered, or is gone: whoever fails, or takes too long, is replaced. */
  readonly askAll: <Name extends keyof WorkerRpc>(
    name: Name,
    input: Parameters<WorkerRpc[Name]>[0],
    patienceMs: number,
  ) => Promise<void>;
  readonly tellAll: <Name extends keyof WorkerRpc>(name: Name, input: Parameters<WorkerRpc[Name]>[0]) => void;
  /** Replaces one after the other; each only once its successor serves. Who asks meanwhile waits for the same. */
  readonly restart: () => Promise<void>;
  /** Has all of them end, and sees to it. */
  readonly close: () => Promise<void>;
}

export interface SupervisorInput {
  readonly count: number;
  /** Told who serves, and what becomes of them. */
  readonly registry: Pick<WorkerRegistry, 'started' | 'serves' | 'leaves' | 'note'>;
  /** Starts a process. */
  readonly start: () => WorkerProcess;
  /** Has it begin; resolves when it serves. */
  readonly begin: (worker: WorkerProcess) => Promise<void>;
  /** Serves a connection that a dead worker did not get any more. */
  readonly giveBack: (socket: Socket) => void;
  /** How long running calls may take at the end. */
  readonly drainSeconds: number;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** Time within which a new worker must serve, in milliseconds. */
const BEGIN_MS = 60_000;
/** Time beyond `drainSeconds` within which a worker must end, in milliseconds. */
const END_MS = 5_000;
/** A worker that lived for less long is replaced after a pause, in milliseconds: it may have died of how it began. */
const YOUNG_MS = 10_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Time within which a worker that was stuck must answer to be spared, in milliseconds. */
const LAST_CHANCE_MS = 1_000;

const ADVICE =
  'Look at the lines before this one; a plugin may have ended the process, or the system for lack of memory.';
const STUCK_ADVICE = 'A plugin may compute without an end, or the process was stopped from outside.';

/** One place among those that are to be filled, whoever fills it. */
interface WorkerSlot {
  /** From 0. */
  readonly place: number;
  /** The worker that serves. */
  serving?: WorkerProcess | undefined;
  pauseMs: number;
}

/** Makes a supervisor that has started nothing yet. */
export function createSupervisor(input: SupervisorInput): Supervisor {
  const supervisor = new WorkerSupervisor(input);
  return {
    open: () => supervisor.open(),
    give: (socket) => supervisor.give(socket),
    askAll: (name, question, patienceMs) => supervisor.askAll(name, question, patienceMs),
    tellAll: (name, question) => {
      supervisor.tellAll(name, question);
    },
    restart: () => supervisor.restart(),
    close: () => supervisor.close(),
  };
}

class WorkerSupervisor {
  readonly #input: SupervisorInput;
  readonly #posts: readonly WorkerSlot[];
  /** All processes that have not ended, those that retire included. */
  readonly #alive = new Set<WorkerProcess>();
  /** Of those that serve. */
  readonly #pulses = new Map<WorkerProcess, Heartbeat>();
  #next = 0;
  #isClosing = false;
  #restarting: Promise<void> | undefined;
  readonly #callOffs = new Set<() => void>();

  constructor(input: SupervisorInput) {
    this.#input = input;
    this.#posts = Array.from({ length: input.count }, (_, place) => ({ place, pauseMs: FIRST_PAUSE_MS }));
  }

  async open(): Promise<void> {
    await Promise.all(this.#posts.map((post) => this.#fill(post)));
  }

  give(socket: Socket): boolean {
    for (let tries = this.#posts.length; tries > 0; tries -= 1) {
      const worker = this.#posts[this.#next % this.#posts.length]?.serving;
      this.#next += 1;
      if (!worker) continue;
      worker.hand(socket, this.#input.giveBack);
      return true;
    }
    return false;
  }

  async askAll<Name extends keyof WorkerRpc>(
    name: Name,
    input: Parameters<WorkerRpc[Name]>[0],
    patienceMs: number,
  ): Promise<void> {
    const asking = [...this.#alive].map(async (worker) => {
      const resume = this.#pulses.get(worker)?.pause();
      try {
        await this.#within(patienceMs, worker.ask(name, input));
      } catch (error) {
        if (!this.#alive.has(worker)) return;
        const fields = { pid: worker.pid, asked: name, error };
        this.#input.log.error('a call worker did not follow and is replaced', fields);
        const post = this.#takeOff(worker, 'behind');
        worker.kill();
        await worker.ended;
        if (post) void this.#fill(post);
      } finally {
        resume?.();
      }
    });
    await Promise.all(asking);
  }

  tellAll<Name extends keyof WorkerRpc>(name: Name, input: Parameters<WorkerRpc[Name]>[0]): void {
    for (const worker of this.#alive) worker.notify(name, input);
  }

  restart(): Promise<void> {
    return (this.#restarting ??= this.#replaceAll().finally(() => {
      this.#restarting = undefined;
    }));
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    for (const { stop } of this.#pulses.values()) stop();
    for (const cancel of this.#callOffs) cancel();
    await Promise.all([...this.#alive].map((worker) => this.#dismiss(worker, 'stop')));
  }

  /** Has a worker serve at a post. One that cannot begin is reported, and tried again after a pause. */
  async #fill(post: WorkerSlot): Promise<void> {
    if (this.#isClosing) return;
    const worker = await this.#begin();
    if (worker) await this.#install(post, worker);
    else this.#fillLater(post);
  }

  /** Has a worker serve in place of the former one, if there is one. */
  async #install(post: WorkerSlot, worker: WorkerProcess): Promise<void> {
    if (this.#isClosing) return;
    const { place, serving: previous } = post;
    const { registry, scheduler } = this.#input;
    if (previous) this.#takeOff(previous, 'restart');
    post.serving = worker;
    registry.serves(place);
    const pulse = watchHeartbeat(worker, {
      scheduler,
      note: (vitals) => {
        if (post.serving === worker) registry.note(place, vitals);
      },
      stuck: () => void this.#replaceStuck(worker),
    });
    this.#pulses.set(worker, pulse);
    if (previous) await this.#dismiss(previous, 'retire');
  }

  /** A worker serves no more, for whatever reason. Gives its post back, unless it had none or nobody is to have it. */
  #takeOff(worker: WorkerProcess, why: Replacement): WorkerSlot | undefined {
    this.#pulses.get(worker)?.stop();
    this.#pulses.delete(worker);
    const post = this.#posts.find(({ serving }) => serving === worker);
    if (!post) return undefined;
    post.serving = undefined;
    if (this.#isClosing) return undefined;
    this.#input.registry.leaves(post.place, why);
    return post;
  }

  /** Another one serves first, where that can be. Who is back by then answers its calls to the end; any other is ended. */
  async #replaceStuck(worker: WorkerProcess): Promise<void> {
    const post = this.#takeOff(worker, 'stuck');
    if (!post) return;
    const fields = { pid: worker.pid, fix: STUCK_ADVICE };
    this.#input.log.error('a call worker does not answer; another takes its place', fields);
    await this.#fill(post);
    try {
      await this.#within(LAST_CHANCE_MS, worker.ask('vitals', null));
    } catch {
      worker.kill();
      return;
    }
    this.#input.log.info('a call worker that was stuck answers again, and retires', { pid: worker.pid });
    await this.#dismiss(worker, 'retire');
  }

  async #begin(): Promise<WorkerProcess | undefined> {
    const { start, begin, scheduler, log, registry } = this.#input;
    const worker = start();
    const startedAt = scheduler.now();
    this.#alive.add(worker);
    void worker.ended.then((ending) => {
      const isYoung = scheduler.now() - startedAt < YOUNG_MS;
      this.#noteEnd(worker, { ...ending, isYoung });
    });
    try {
      await this.#within(BEGIN_MS, begin(worker));
      registry.started('success');
      log.info('a call worker serves', { pid: worker.pid });
      return this.#alive.has(worker) ? worker : undefined;
    } catch (error) {
      worker.kill();
      const fields = { pid: worker.pid, error, fix: ADVICE };
      if (this.#isClosing) return undefined;
      registry.started('failure');
      log.error('a call worker could not begin and is tried again', fields);
      return undefined;
    }
  }

  #noteEnd(worker: WorkerProcess, ending: Ending & { readonly isYoung: boolean }): void {
    this.#alive.delete(worker);
    // One that was dismissed serves no more, and one that did not begin never did.
    const post = this.#takeOff(worker, 'died');
    if (!post) return;
    const { code, signal, isYoung } = ending;
    this.#input.log.error('a call worker died; another takes its place', {
      pid: worker.pid,
      code,
      signal,
      fix: ADVICE,
    });
    if (isYoung) {
      this.#fillLater(post);
      return;
    }
    post.pauseMs = FIRST_PAUSE_MS;
    void this.#fill(post);
  }

  #fillLater(post: WorkerSlot): void {
    if (this.#isClosing) return;
    const cancel = this.#input.scheduler.after(post.pauseMs, () => {
      this.#callOffs.delete(cancel);
      void this.#fill(post);
    });
    this.#callOffs.add(cancel);
    post.pauseMs = Math.min(post.pauseMs * 2, LONGEST_PAUSE_MS);
  }

  async #replaceAll(): Promise<void> {
    for (const post of this.#posts) {
      if (!post.serving || this.#isClosing) continue;
      const successor = await this.#begin();
      // Without one the former one serves on.
      if (successor) await this.#install(post, successor);
    }
    const serving = this.#posts.filter((post) => post.serving).length;
    this.#input.log.info('the call workers were replaced', { serving });
  }

  /** Tells a worker to end, and ends it when it does not. */
  async #dismiss(worker: WorkerProcess, how: 'retire' | 'stop'): Promise<void> {
    worker.notify(how, null);
    const patienceMs = this.#input.drainSeconds * 1000 + END_MS;
    await this.#within(patienceMs, worker.ended).catch(() => {
      worker.kill();
    });
    await worker.ended;
  }

  #within<T>(ms: number, work: Promise<T>): Promise<T> {
    const late = (): Promise<never> => Promise.reject(new Error(`it took longer than ${ms / 1000} s`));
    return withTimeout(work, { ms, scheduler: this.#input.scheduler, late });
  }
}
