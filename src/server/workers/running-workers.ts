import type { Scheduler } from '../../lib/clock.js';
import { withTimeout } from '../../lib/timeout.js';
import type { WorkerRpc } from './protocol.js';
import type { WorkerProcess } from './worker-process.js';

/** Name of a function of a worker. */
export type AskName = keyof WorkerRpc;

type Input<Name extends AskName> = Parameters<WorkerRpc[Name]>[0];

/** Replies of workers. */
type Replies<Name extends AskName> = readonly (readonly [
  WorkerProcess,
  Awaited<ReturnType<WorkerRpc[Name]>>,
])[];

interface RunningTerms {
  readonly scheduler: Scheduler;
  /** Maximum time for running calls when a worker ends. */
  readonly drainSeconds: number;
}

/** Maximum time beyond `drainSeconds` until a worker ends, in milliseconds. */
const END_TIMEOUT_MS = 5_000;

/** The processes that have not ended, including those that start or retire. */
export class RunningWorkers {
  readonly #terms: RunningTerms;
  /** The number of the audit file of each. */
  readonly #chains = new Map<WorkerProcess, number>();

  constructor(terms: RunningTerms) {
    this.#terms = terms;
  }

  /** Adds a process until it ends. Returns the lowest number of an audit file that no other process writes. */
  add(worker: WorkerProcess): number {
    const used = new Set(this.#chains.values());
    let chain = 0;
    while (used.has(chain)) chain += 1;
    this.#chains.set(worker, chain);
    void worker.ended.then(() => this.#chains.delete(worker));
    return chain;
  }

  has(worker: WorkerProcess): boolean {
    return this.#chains.has(worker);
  }

  all(): readonly WorkerProcess[] {
    return [...this.#chains.keys()];
  }

  notifyAll<Name extends AskName>(name: Name, input: Input<Name>): void {
    for (const worker of this.all()) worker.notify(name, input);
  }

  /** Asks these workers; returns the replies that arrive in time. */
  async collect<Name extends AskName>(
    workers: readonly WorkerProcess[],
    [name, input]: readonly [Name, Input<Name>],
    timeoutMs: number,
  ): Promise<Replies<Name>> {
    const replies = workers.map((worker) =>
      this.inTime(timeoutMs, worker.ask(name, input))
        .then((value) => [[worker, value] as const])
        .catch(() => []),
    );
    return (await Promise.all(replies)).flat();
  }

  /** Requests the end of a worker, and kills it after a time limit. */
  async end(worker: WorkerProcess, how: 'retire' | 'stop'): Promise<void> {
    worker.notify(how, null);
    const timeoutMs = this.#terms.drainSeconds * 1000 + END_TIMEOUT_MS;
    await this.inTime(timeoutMs, worker.ended).catch(() => {
      worker.kill();
    });
    await worker.ended;
  }

  /** Rejects if the work takes longer. */
  inTime<T>(ms: number, work: Promise<T>): Promise<T> {
    const fail = (): Promise<never> => Promise.reject(new Error(`it took longer than ${ms / 1000} s`));
    return withTimeout(work, { ms, scheduler: this.#terms.scheduler, late: fail });
  }
}
