import { Problem } from '../src/core/problem.js';
import { openSchemaValidator } from '../src/features/forms/schema-validator.js';
import { compileSchema } from '../src/json-schema/engine/index.js';
import { createCompiler } from '../src/json-schema/validator-pool/compile.js';
import { performTask } from '../src/json-schema/validator-pool/run-task.js';
import { systemScheduler } from '../src/lib/clock.js';
import { BOMBS } from '../test/json-schema/validator-pool/schema-bombs.js';
import { watchLoop } from './loop-watch.js';
import { report, SABOTAGED } from './report.js';

// F2: every bomb ends with a verdict or a refusal within the limits of an ordinary installation, and the main
// loop turns. `npm run evidence -- bombs [KIND]`: only those of a kind.
const KIND = process.argv[2] ?? '';
/**
 * Maximum time of one request, in milliseconds. It applies to the smaller of wall time, which includes other
 * programs of the machine, and CPU time.
 */
const MOST_MS = 1_000;
const MOST_STALL_MS = 50;
const judge = openSchemaValidator({ maxBytes: 1_048_576, validateTimeoutMs: 250, validateMemoryMb: 64, scheduler: systemScheduler }); // prettier-ignore
const compiler = createCompiler(compileSchema, {});
const apply = SABOTAGED ? applyInMainThread : applyInLimits;
const outcomes: Record<string, number> = {};
const unexpected: string[] = [];
let longest = { ms: 0, onTheClockMs: 0, bomb: '' };
let stall = { ms: 0, bomb: '' };
const bombs = BOMBS.filter(({ kind }) => kind.includes(KIND));
for (const { kind, size, body } of bombs) {
  const bytes = body();
  // Collects the garbage of preparing the body before the measurement starts.
  globalThis.gc?.();
  const watch = watchLoop();
  const cpu = process.cpuUsage();
  const started = performance.now();
  const outcome = await apply(bytes);
  const onTheClockMs = Math.round(performance.now() - started);
  const ms = Math.min(onTheClockMs, Math.round(process.cpuUsage(cpu).user / 1000));
  const { ownMs } = await watch.stop();
  if (ownMs > stall.ms) stall = { ms: ownMs, bomb: `${kind} ${size}` };
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  if (!/^(verdict|schema_invalid|schema_too_costly|invalid_json|body_too_large)$/.test(outcome))
    unexpected.push(`${kind} ${size}: ${outcome}`);
  if (ms > longest.ms) longest = { ms, onTheClockMs, bomb: `${kind} ${size}` };
}
await judge.close();
const isInLimits = longest.ms <= MOST_MS && stall.ms <= MOST_STALL_MS;
report('bombs', bombs.length > 0 && unexpected.length === 0 && isInLimits, {
  bombs: bombs.length,
  outcomes,
  unexpected,
  longest,
  stall,
});

function applyInLimits(body: Buffer): Promise<string> {
  return judge.validateData(body, { signal: new AbortController().signal }).then(
    () => 'verdict',
    (error: unknown) => (error instanceof Problem ? error.code : String(error)),
  );
}

/** Validates without threads and their limits, to show what they prevent. */
async function applyInMainThread(body: Buffer): Promise<string> {
  await Promise.resolve();
  const outcome = performTask({ kind: 'validateData', body }, compiler);
  return 'problem' in outcome ? outcome.problem.code : 'verdict';
}
