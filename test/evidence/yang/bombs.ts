import { YangWorkers } from '../../../src/yang/compile-in-worker.js';
import { YANG_BOMBS } from '../../support/yang-bombs.js';
import { report } from '../report.js';

// What each text that is made to harm costs, from the request to the answer of its thread.

/**
 * Longest that one may take, in milliseconds: by the clock, which counts what else runs on the machine, or by the processor,
 * which counts helping threads as if one came after the other, whichever is less.
 */
const LIMIT_MS = 1000;

const workers = new YangWorkers({ kept: 0 });
const rows: { readonly what: string; readonly ms: number; readonly cpuMs: number; readonly said: string }[] =
  [];
for (const [what, text] of YANG_BOMBS) {
  const cpu = process.cpuUsage();
  const before = performance.now();
  const compiled = await workers.compile({
    ...{ sources: [{ file: 'bomb.yang', text }], directories: [], texts: [], features: {} },
    ...{ deviations: [], draft: '2020-12', content: 'config', limits: {} },
  });
  const ms = Math.round(performance.now() - before);
  const cpuMs = Math.round(process.cpuUsage(cpu).user / 1000);
  const said = 'faults' in compiled ? (compiled.faults[0]?.message ?? '') : 'compiles';
  rows.push({ what, ms, cpuMs, said });
  process.stderr.write(`${String(ms).padStart(6)} ms  ${String(cpuMs).padStart(6)} ms CPU  ${what}\n`);
}
await workers.close();
const cost = ({ ms, cpuMs }: (typeof rows)[number]): number => Math.min(ms, cpuMs);
const slowest = rows.reduce((a, b) => (cost(a) > cost(b) ? a : b));
report('yang-bombs', cost(slowest) <= LIMIT_MS, { bombs: rows.length, slowest, limitMs: LIMIT_MS });
