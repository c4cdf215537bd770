import { WANTS_CREDENTIALS } from '../adapters/test-session.js';
import type { Written } from '../config/check-written.js';
import type { ConnectionStep } from '../core/connection-test.js';
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
  /** What the decisive step found: the first one that failed, else the last one with a warning, else the last one. */
  readonly message: string;
  /** The steps that failed, with their places in the configuration. */
  readonly failures: readonly Fault[];
  /** The steps that passed and have something to do. */
  readonly remarks: readonly Fault[];
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
  const noted = steps.filter(
    ({ verdict, fix }) => verdict === 'warning' || (verdict === 'ok' && fix !== null),
  );
  const { verdict, message } = decisiveOf(steps);
  return {
    adapter: id,
    baseUrl,
    verdict,
    message: message.split('\n')[0] ?? '',
    failures: steps.filter((step) => step.verdict === 'failed').map((step) => failureOf(written, step)),
    remarks: noted.map((step) => remarkOf(written, step)),
  };
}

function failureOf(written: Written, { step, message, fix }: ConnectionStep): Fault {
  return locateFault(written, {
    ...placeOfFailure(step, message),
    message: `the test of the adapter failed: ${message}`,
    fix: fix ?? 'Correct the address, or start the orchestrator.',
  });
}

function placeOfFailure(
  step: ConnectionStep['step'],
  message: string,
): { readonly pointer: string; readonly code: string } {
  if (step === 'login' || message.startsWith(WANTS_CREDENTIALS))
    return { pointer: '/auth', code: 'adapter_denied' };
  return { pointer: message.startsWith('The proxy ') ? '/proxy' : '/baseUrl', code: 'adapter_unreachable' };
}

function remarkOf(written: Written, { step, message, fix }: ConnectionStep): Fault {
  return locateFault(written, {
    pointer: REMARK_POINTERS[step],
    code: 'adapter_remark',
    message: `the test of the adapter has a remark: ${message}`,
    fix: fix ?? 'Check whether this is intended.',
  });
}

/** Settings that the remarks of the steps are about. */
const REMARK_POINTERS: Readonly<Record<ConnectionStep['step'], string>> = {
  name: '/baseUrl',
  tcp: '/baseUrl',
  tls: '/baseUrl',
  login: '/auth',
  read: '/health/path',
};

/** Returns the first step that failed, else the last one with a warning, else the last one that was made. */
function decisiveOf(steps: readonly ConnectionStep[]): Pick<ConnectionStep, 'verdict' | 'message'> {
  const made = steps.filter(({ ms }) => ms !== null);
  const found =
    steps.find(({ verdict }) => verdict === 'failed') ??
    steps.findLast(({ verdict }) => verdict === 'warning') ??
    made.at(-1) ??
    steps[0];
  return found ?? { verdict: 'skipped', message: '' };
}
