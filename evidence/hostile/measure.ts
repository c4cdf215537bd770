import type { HttpClient, HttpReply } from '../../src/core/http.js';
import { Problem } from '../../src/core/problem.js';
import { correct, startHostileUpstream, type Script } from '../../test/support/hostile-upstream.js';
import { FAILURES, ODD_REPLIES } from '../../test/upstream/hostile-behaviours.js';
import type { Findings } from '../report.js';

const MB = 1_048_576;

export interface HostileOptions {
  readonly openClient: () => HttpClient & { close(): Promise<void> };
  readonly totalMs: number;
  readonly replyBytes: number;
  /** Selects the behaviors; all by default. */
  readonly among?: (name: string) => boolean;
}

interface Behaviour {
  readonly name: string;
  /** Absent: the port is closed. */
  readonly script?: Script;
  /** Expected result: the code of a failure, or `taken`. */
  readonly end: string;
  readonly check?: (reply: HttpReply) => void;
}

const BEHAVIOURS: readonly Behaviour[] = [
  ...FAILURES.map(([name, script, end]) => ({ name, script, end })),
  ...ODD_REPLIES.map(([name, script, check]) => ({ name, script, check, end: 'taken' })),
  { name: 'does not listen', end: 'upstream_unreachable' },
];

/** How far beyond its deadline a call may end, in milliseconds. */
const MOST_OVERRUN_MS = 250;

/**
 * S7: measures every behavior: the result of the call, its delay, the memory used, and whether the next call
 * is answered correctly.
 */
export async function measureHostile(options: HostileOptions): Promise<Findings> {
  const behaviours = BEHAVIOURS.filter(({ name }) => options.among?.(name) ?? true);
  const wrong: string[] = [];
  const worst = { overrunMs: 0, late: '', growthMb: 0, large: '' };
  let poisoned = 0;
  for (const behaviour of behaviours) {
    const met = await meet(behaviour, options);
    if (met.end !== behaviour.end) wrong.push(`${behaviour.name}: ${met.end}`);
    if (!met.nextIsRight) poisoned += 1;
    if (met.overrunMs > worst.overrunMs)
      Object.assign(worst, { overrunMs: met.overrunMs, late: behaviour.name });
    if (met.growthMb > worst.growthMb)
      Object.assign(worst, { growthMb: met.growthMb, large: behaviour.name });
  }
  return {
    holds: behaviours.length > 0 && wrong.length + poisoned === 0 && worst.overrunMs <= MOST_OVERRUN_MS,
    figures: {
      vectors: behaviours.length,
      asDocumented: behaviours.length - wrong.length,
      wrong,
      poisoned,
      deadlineMs: options.totalMs,
      worstOverrunMs: worst.overrunMs,
      latest: worst.late,
      limitMb: options.replyBytes / MB,
      worstGrowthMb: worst.growthMb,
      largest: worst.large,
    },
  };
}

interface Met {
  readonly end: string;
  readonly overrunMs: number;
  readonly growthMb: number;
  readonly nextIsRight: boolean;
}

async function meet({ script, check }: Behaviour, options: HostileOptions): Promise<Met> {
  const upstream = await startHostileUpstream([script ?? correct, correct]);
  if (!script) await upstream.close();
  const client = options.openClient();
  const { totalMs, replyBytes } = options;
  const send = (target: string): Promise<HttpReply> =>
    client.send({ method: 'GET', url: upstream.origin + target, headers: {} }, { totalMs, replyBytes });
  const memory = watchMemory();
  const started = performance.now();
  const end = await send('/first').then(
    (reply) => taken(reply, check),
    (error: unknown) => (error instanceof Problem ? error.code : String(error)),
  );
  const overrunMs = Math.max(0, Math.round(performance.now() - started - totalMs));
  const growthMb = memory.stop();
  const next = script && (await send('/next').then((reply) => reply.body.toString(), String));
  if (script) await upstream.close();
  await client.close();
  return { end, overrunMs, growthMb, nextIsRight: next === undefined || next === '/next' };
}

function taken(reply: HttpReply, check?: (reply: HttpReply) => void): string {
  try {
    check?.(reply);
    return 'taken';
  } catch (error) {
    return `taken wrongly: ${String(error)}`;
  }
}

/**
 * Measures the maximum growth of the process in megabytes, including the hostile peer in the same process.
 */
function watchMemory(): { stop(): number } {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let most = before;
  const look = (): void => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  const timer = setInterval(look, 5);
  return {
    stop() {
      clearInterval(timer);
      look();
      return Math.round(((most - before) / MB) * 10) / 10;
    },
  };
}
