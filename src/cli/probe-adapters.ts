import { type ConnectionStep, hasFailed } from '../core/connection-test.js';
import type { Fault } from '../core/fault.js';
import { silentLog } from '../core/log.js';
import { testAdapter } from '../features/adapters/test-connection.js';
import { Semaphore } from '../lib/semaphore.js';
import { type AdapterConfig, locateFault } from '../server/state/configuration.js';
import { createRedactor } from '../telemetry/log/redactor.js';

type ProbeDeps = Pick<Parameters<typeof testAdapter>[2], 'factories' | 'secrets' | 'clock'>;

/** The result of one base URL of an adapter. */
export interface ProbedTarget {
  readonly adapter: string;
  readonly baseUrl: string;
  readonly verdict: ConnectionStep['verdict'];
  /** What the decisive step found: the first one that failed, else the last one. */
  readonly message: string;
  /** The place of a failure or a warning in the configuration. Absent: the failure has no place. */
  readonly fault?: Fault;
}

/** Maximum number of orchestrators that are tried at the same time. */
const MAX_PROBES = 16;

/**
 * Tries the orchestrators of adapters: name, connection, certificate, login and first read of each base URL. Changes nothing there.
 * Each adapter is tried once, because a refused login may count towards a lock of the account.
 */
export async function probeAdapters(
  adapters: readonly AdapterConfig[],
  deps: ProbeDeps,
): Promise<readonly ProbedTarget[]> {
  const slots = new Semaphore(MAX_PROBES);
  const terms = { ...deps, redactor: createRedactor(), log: silentLog };
  const { signal } = new AbortController();
  const probed = adapters
    .filter(({ runs }) => runs)
    .map((adapter) =>
      slots.run(async () => {
        const { test } = await testAdapter(adapter, signal, terms);
        return test.targets.map(({ baseUrl, steps }) => resultOf(adapter, baseUrl, steps));
      }),
    );
  return (await Promise.all(probed)).flat();
}

function resultOf(
  { id, written }: AdapterConfig,
  baseUrl: string,
  steps: readonly ConnectionStep[],
): ProbedTarget {
  const { step, verdict, message, fix } = decisiveOf(steps);
  const result = { adapter: id, baseUrl, verdict, message: message.split('\n')[0] ?? '' };
  if (verdict !== 'failed' && verdict !== 'warning') return result;
  const place =
    step === 'login'
      ? { pointer: '/auth', code: 'adapter_denied' }
      : { pointer: '/baseUrl', code: 'adapter_unreachable' };
  const fault = locateFault(written, {
    ...place,
    message: `${hasFailed(steps) ? 'the test of the adapter failed' : 'the adapter works, with a remark'}: ${message}`,
    fix: fix ?? 'Correct the address, or start the orchestrator.',
  });
  return { ...result, fault };
}

/** Returns the first step that failed, else the first with a warning, else the last one that was made. */
function decisiveOf(
  steps: readonly ConnectionStep[],
): Pick<ConnectionStep, 'step' | 'verdict' | 'message' | 'fix'> {
  const made = steps.filter(({ ms }) => ms !== null);
  const found =
    steps.find(({ verdict }) => verdict === 'failed') ??
    steps.find(({ verdict }) => verdict === 'warning') ??
    made.at(-1) ??
    steps[0];
  return found ?? { step: 'name', verdict: 'skipped', message: '', fix: null };
}
