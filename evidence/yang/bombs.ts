import type { Scheduler } from '../../src/lib/clock.js';
import { YangWorkers } from '../../src/yang/compile-in-worker.js';
import { YANG_BOMBS } from '../../test/support/yang-bombs.js';
import { watchLoop } from '../loop-watch.js';
import { report, SABOTAGED } from '../report.js';

// Measures the cost of each malicious text, from the request to the reply of its thread, and how long it
// blocks the main loop. `npm run evidence -- yang-bombs [WORDS]`: only those whose names contain the words.
const WORDS = process.argv[2] ?? '';

/**
 * Maximum time of one text, in milliseconds. It applies to the smaller of wall time, which includes other
 * programs of the machine, and CPU time, which adds up parallel threads.
 */
const LIMIT_MS = 1000;

/** Timer for a thread without limits: it fires when the CPU time reaches three times the limit. */
const processorTimer: Pick<Scheduler, 'after'> = {
  after(_ms, work) {
    const cpu = process.cpuUsage();
    const timer = setInterval(() => {
      if (process.cpuUsage(cpu).user / 1000 > 3 * LIMIT_MS) work();
    }, 20);
    return () => {
      clearInterval(timer);
    };
  },
};

const workers = new YangWorkers({ kept: 0 }, ...(SABOTAGED ? [processorTimer] : []));
const limits = SABOTAGED ? { nodes: Number.MAX_SAFE_INTEGER } : {};
const bombs = YANG_BOMBS.filter(([what]) => what.includes(WORDS));
const rows: { readonly what: string; readonly ms: number; readonly cpuMs: number; readonly said: string }[] =
  [];
let stall = { ms: 0, what: '' };
for (const [what, text] of bombs) {
  const watch = watchLoop();
  const cpu = process.cpuUsage();
  const before = performance.now();
  const compiled = await workers.compile({
    sources: [{ file: 'bomb.yang', text }],
    directories: [],
    texts: [],
    features: {},
    deviations: [],
    draft: '2020-12',
    content: 'config',
    limits,
  });
  const ms = Math.round(performance.now() - before);
  const cpuMs = Math.round(process.cpuUsage(cpu).user / 1000);
  const { ownMs } = await watch.stop();
  if (ownMs > stall.ms) stall = { ms: ownMs, what };
  const said = 'faults' in compiled ? (compiled.faults[0]?.message ?? '') : 'compiles';
  rows.push({ what, ms, cpuMs, said });
  process.stderr.write(`${String(ms).padStart(6)} ms  ${String(cpuMs).padStart(6)} ms CPU  ${what}\n`);
}
await workers.close();
const cost = ({ ms, cpuMs }: (typeof rows)[number]): number => Math.min(ms, cpuMs);
const slowest = rows.reduce((a, b) => (cost(a) > cost(b) ? a : b));
report('yang-bombs', cost(slowest) <= LIMIT_MS, {
  bombs: rows.length,
  slowest,
  limitMs: LIMIT_MS,
  stall,
});
