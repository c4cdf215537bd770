import { cpus } from 'node:os';
import type { Job, Outcome } from './job.js';
import { machineCpuMs, usageOf } from './process-tree.js';
import type { WireReply } from './reply-reader.js';

/** Fraction of replies that are compared byte for byte: one in this many. */
const COMPARE_EVERY = 100;

interface Ready {
  readonly request: Buffer;
  readonly status: number;
  readonly body: Buffer;
}

/** The next request to send. */
interface Dealt {
  readonly request: Buffer;
  /** True if the body of its reply is compared. */
  readonly keeps: boolean;
  /** Processes the reply to the request. */
  readonly judge: (reply: WireReply | undefined) => void;
}

/** Selects the requests of a job in turn and checks the replies; `begin` resets the counters. */
export class LoadTally {
  readonly #job: Job;
  readonly #shots: readonly Ready[];
  #next = 0;
  #begun = { at: 0, cpuMs: 0, othersMs: 0 };
  #counts = { replies: 0, not200: 0, wrong: 0, compared: 0, different: 0 };
  #strangers = { asked: 0, refused: 0 };

  constructor(job: Job) {
    this.#job = job;
    const expected = job.expected.map(({ status, body }) => ({ status, body: Buffer.from(body) }));
    this.#shots = job.shots.map(({ request, expected: at }) => {
      const { status = 0, body = Buffer.alloc(0) } = expected[at] ?? {};
      return { request: Buffer.from(request), status, body };
    });
  }

  /** Number of replies so far. */
  get replies(): number {
    return this.#counts.replies;
  }

  /** Ends the warm-up and resets the counters. */
  begin(): void {
    this.#counts = { replies: 0, not200: 0, wrong: 0, compared: 0, different: 0 };
    this.#strangers = { asked: 0, refused: 0 };
    const { cpuMs } = usageOf(this.#job.pid);
    this.#begun = { at: performance.now(), cpuMs, othersMs: othersMs() };
  }

  /** Returns the next request in turn. */
  deal(): Dealt {
    const at = this.#next;
    this.#next += 1;
    const shot = this.#shots[at % this.#shots.length];
    if (!shot) throw new Error('no requests to send');
    const judge = (reply: WireReply | undefined) => {
      this.#judge(shot, reply);
    };
    return { request: shot.request, keeps: at % COMPARE_EVERY === 0, judge };
  }

  /** Counts the reply to a token without the role. */
  judgeStranger(reply: WireReply | undefined): void {
    this.#strangers.asked += 1;
    // A refusal before the check of the token also counts as refused.
    if (reply?.status !== undefined && reply.status >= 400) this.#strangers.refused += 1;
  }

  /** Returns the results since `begin`. */
  end(): Outcome {
    const { cpuMs, residentMb } = usageOf(this.#job.pid);
    const seconds = (performance.now() - this.#begun.at) / 1000;
    return {
      ...this.#counts,
      strangers: this.#strangers,
      seconds,
      cpuMs: cpuMs - this.#begun.cpuMs,
      others: (othersMs() - this.#begun.othersMs) / (seconds * 1000 * cpus().length),
      residentMb,
    };
  }

  #judge({ status, body }: Ready, reply: WireReply | undefined): void {
    const counts = this.#counts;
    counts.replies += 1;
    if (reply?.status !== 200) counts.not200 += 1;
    if (reply?.status !== status) counts.wrong += 1;
    if (!reply?.body) return;
    counts.compared += 1;
    if (!reply.body.equals(body)) counts.different += 1;
  }
}

/** Returns the CPU time of programs outside of the bench: excludes the parent process and its descendants. */
function othersMs(): number {
  return machineCpuMs() - usageOf(process.ppid).cpuMs;
}
