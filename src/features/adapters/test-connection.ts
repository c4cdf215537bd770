import { connectOf, sendOf, transportOf, withFixedHeaders } from '../../adapters/plugin-transport.js';
import { runWithTimeout } from '../../adapters/run-within.js';
import { createStartTurn } from '../../adapters/start-turn.js';
import { testSession } from '../../adapters/test-session.js';
import { asAdapterSettings } from '../../config/adapter-schema.js';
import { requireUsable } from '../../core/access-decision.js';
import type { AdapterPolicy } from '../../core/access-policy.js';
import type { AdapterDocument } from '../../core/adapter-document.js';
import { callPlugin } from '../../core/adapter-method.js';
import {
  asSentence,
  type ConnectionStep,
  hasFailed,
  skippedStep,
  CONNECTION_STEPS,
} from '../../core/connection-test.js';
import type { LocatedFault } from '../../core/fault.js';
import type { Log } from '../../core/log.js';
import { Problem } from '../../core/problem.js';
import type { Redactor } from '../../core/secret.js';
import { abortSignalOf } from '../../lib/cancel-signal.js';
import { monotonic, type Scheduler } from '../../lib/clock.js';
import { createCooldown } from '../../lib/cooldown.js';
import { omit } from '../../lib/omit.js';
import { Semaphore } from '../../lib/semaphore.js';
import type { SecretResolver } from '../../secrets/open-secrets.js';
import type { AdapterConfig } from '../../server/state/configuration.js';
import { type AdapterFactories, faultsOf } from '../../server/state/factories.js';
import { escapingFiles } from '../../server/state/record-restrictions.js';
import { redactedSecrets, type ResolvedSection, resolveSections } from '../../server/state/resolve.js';
import { placeholderSecrets } from '../../server/state/try-adapter.js';
import type { AdapterSettings } from '../../settings/adapter.js';
import { targetHosts } from '../../upstream/adapter-targets.js';
import { writtenBaseUrls } from '../../upstream/endpoint.js';
import type { ConnectionTest, ConnectionTester, FinishedTest, TargetTest, TestCaller } from './deps.js';

/** Returns the test of a base URL with every step; a missing step counts as skipped. */
function completeTest(baseUrl: string, steps: readonly ConnectionStep[]): TargetTest {
  const found = new Map(steps.map((step) => [step.step, step]));
  return { baseUrl, steps: CONNECTION_STEPS.map((step) => found.get(step) ?? skippedStep(step)) };
}

interface TestDeps {
  /** The factories of the running adapters, which know the addresses of this server and the redactor. */
  readonly factories: AdapterFactories;
  readonly secrets: SecretResolver;
  readonly redactor: Redactor;
  readonly clock: Scheduler;
  readonly log: Log;
}

interface ConnectionTestDeps extends TestDeps {
  /** Returns a document that a client sent as an adapter. Throws `invalid_request` with its faults. */
  readonly readUnsaved: (document: AdapterDocument) => Promise<AdapterConfig>;
  readonly findSaved: (name: string) => AdapterConfig | undefined;
  /** Returns the access rules of an adapter, saved or not, of which each policy must admit the caller. */
  readonly policiesOf: (adapter: AdapterConfig) => readonly AdapterPolicy[];
}

/** Maximum number of concurrent tests; further tests wait. */
const MAX_TESTS = 4;
/** Maximum number of tests that one caller runs or waits for, so that the others find a slot. */
const MAX_TESTS_OF_CALLER = 2;
/** Minimum interval between two tests of an adapter in milliseconds: refused credentials may lock the account. */
const TEST_INTERVAL_MS = 2_000;
/** After this time no further base URL is tested, in milliseconds. */
const MAX_TEST_MS = 60_000;
/** Time limit for stopping a plugin after a test, in milliseconds. */
const STOP_MS = 5_000;

/**
 * Creates the tester. A test opens an upstream and a plugin of its own, and closes both; it registers nothing and touches no
 * running adapter.
 */
export function createConnectionTester(deps: ConnectionTestDeps): ConnectionTester {
  const slots = new Semaphore(MAX_TESTS);
  const cooldown = createCooldown(deps.clock, TEST_INTERVAL_MS);
  const running = new Map<string, number>();
  const test = async (adapter: AdapterConfig, { id, roles, signal }: TestCaller): Promise<FinishedTest> => {
    for (const policy of deps.policiesOf(adapter)) requireUsable(policy, roles);
    const count = running.get(id) ?? 0;
    if (count >= MAX_TESTS_OF_CALLER) throw tooManyTests();
    requireInterval(adapter.id, cooldown(adapter.id));
    running.set(id, count + 1);
    try {
      await slots.acquire(signal);
      try {
        return await testAdapter(adapter, abortSignalOf(signal), deps);
      } finally {
        slots.release();
      }
    } finally {
      const left = (running.get(id) ?? 1) - 1;
      if (left > 0) running.set(id, left);
      else running.delete(id);
    }
  };
  return {
    testUnsaved: async (document, caller) => test(await deps.readUnsaved(document), caller),
    async testSaved(name, caller) {
      const adapter = deps.findSaved(name);
      return adapter && test(adapter, caller);
    },
  };
}

function tooManyTests(): Problem {
  return new Problem(
    'too_many_requests',
    `${MAX_TESTS_OF_CALLER} connection tests of yours are running; wait until one of them ends`,
    { headers: { 'retry-after': '5' } },
  );
}

function requireInterval(name: string, waitMs: number): void {
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1000);
  const detail = `the adapter "${name}" was tested a moment ago; try again in ${seconds} s`;
  throw new Problem('too_many_requests', detail, { headers: { 'retry-after': String(seconds) } });
}

/** Tests all base URLs of an adapter, without limits for callers. */
export async function testAdapter(
  adapter: AdapterConfig,
  signal: AbortSignal,
  deps: TestDeps,
): Promise<FinishedTest> {
  if (adapter.recordFault !== undefined) throw new Problem('adapter_unavailable', adapter.recordFault);
  const secrets = redactedSecrets(deps.secrets, deps.redactor);
  try {
    const resolved = (await resolveSections([adapter], secrets))(adapter);
    requireOwnFiles(adapter, resolved);
    const [missing] = resolved.failures;
    // The network can be tested without the secret, unless the secret is part of the connection.
    const value =
      missing && !isOfNetwork(missing)
        ? (await resolveSections([adapter], placeholderSecrets))(adapter).value
        : resolved.value;
    const settings = asAdapterSettings(value);
    const hosts = targetHosts(value);
    if (missing && isOfNetwork(missing)) return { test: onlyMissing(adapter, missing), hosts };
    const targets = await testBaseUrls({ adapter, settings, missing, signal }, deps);
    return { test: { ok: !targets.some(({ steps }) => hasFailed(steps)), targets }, hosts };
  } finally {
    await secrets.close();
  }
}

/**
 * Tests one base URL after the other. Credentials that one of them refused are not sent to the next, because each refusal may
 * count towards a lock of the account.
 */
async function testBaseUrls(
  terms: Omit<TargetTerms, 'baseUrl' | 'withheld'>,
  deps: TestDeps,
): Promise<readonly TargetTest[]> {
  const clock = monotonic(deps.clock);
  const startedAt = clock.now();
  const targets: TargetTest[] = [];
  for (const { text: baseUrl } of writtenBaseUrls(terms.settings)) {
    const isLate = clock.now() - startedAt > MAX_TEST_MS;
    const settings = settingsForTest(terms.settings, baseUrl);
    const isRefused = targets.some(({ steps }) => steps.some(isFailedLogin));
    const withheld = isRefused ? 'Not tested, because another base URL refused the login.' : undefined;
    const steps = isLate ? [LATE_STEP] : await stepsOf({ ...terms, settings, baseUrl, withheld }, deps);
    targets.push(completeTest(baseUrl, steps));
  }
  return targets;
}

const LATE_STEP = skippedStep('name', 'Not tested, because the tests of the other base URLs took a minute.');

function isFailedLogin({ step, verdict }: ConnectionStep): boolean {
  return step === 'login' && verdict === 'failed';
}

/**
 * Throws `adapter_unavailable` if an adapter of the API names a file outside of the folder of the configuration, as a value
 * of Vault may: the start refuses it too.
 */
function requireOwnFiles({ openTargets, written }: AdapterConfig, resolved: ResolvedSection): void {
  const [escaped] = openTargets ? escapingFiles(resolved, written) : [];
  if (escaped) throw new Problem('adapter_unavailable', `${escaped.pointer} ${escaped.message}`);
}

function isOfNetwork({ pointer }: LocatedFault): boolean {
  return !/^\/(?:auth|options)(?:\/|$)/.test(pointer);
}

/** Returns the result for an adapter whose certificate or key, for example, is not available. */
function onlyMissing({ written }: AdapterConfig, missing: LocatedFault): ConnectionTest {
  const { value } = written;
  const baseUrl = writtenBaseUrls(asAdapterSettings(value))[0]?.text ?? '';
  return { ok: false, targets: [completeTest(baseUrl, [missingStep('tls', missing)])] };
}

function missingStep(step: 'tls' | 'login', { pointer, message, fix }: LocatedFault): ConnectionStep {
  return { step, verdict: 'failed', ms: null, message: `${pointer}: ${asSentence(message)}`, fix };
}

/** Returns settings for one base URL, without retries, recordings and probes. */
function settingsForTest(settings: AdapterSettings, baseUrl: string): AdapterSettings {
  return {
    ...omit(settings, 'baseUrls'),
    baseUrl,
    record: false,
    retry: { ...settings.retry, attempts: 1 },
    queue: { ...settings.queue, concurrent: 1 },
  };
}

interface TargetTerms {
  readonly adapter: AdapterConfig;
  readonly settings: AdapterSettings;
  readonly baseUrl: string;
  readonly missing: LocatedFault | undefined;
  /** Why the login is not tested; undefined if it is. */
  readonly withheld: string | undefined;
  readonly signal: AbortSignal;
}

async function stepsOf(terms: TargetTerms, deps: TestDeps): Promise<readonly ConnectionStep[]> {
  const { adapter, settings, baseUrl, missing, withheld, signal } = terms;
  if (settings.stub) return [skippedStep('name', 'This adapter answers from recordings and never connects.')];
  const { openTargets } = adapter;
  const network = await deps.factories.testNetwork(settings, baseUrl, { openTargets, signal });
  if (hasFailed(network)) return network;
  if (missing) return [...network, missingStep('login', missing)];
  if (withheld !== undefined) return [...network, skippedStep('login', withheld)];
  return [...network, ...(await sessionSteps(terms, deps))];
}

/** Creates the adapter as a start would, tests its login and its first read, and closes it. */
async function sessionSteps(
  { adapter: { id, plugin, openTargets }, settings, signal }: TargetTerms,
  { factories, clock, log }: TestDeps,
): Promise<readonly ConnectionStep[]> {
  const testLog = log.with({ adapter: id, test: 'connection' });
  const opened = await factories.openUpstream(settings, testLog, { openTargets });
  if ('faults' in opened) return [faultyStep(faultsOf(opened))];
  const upstream = opened.value;
  try {
    const starts = createStartTurn(factories.startSlots, settings.timeouts.startMs);
    const context = { name: id, log: testLog, send: sendOf(upstream), connect: connectOf(upstream), starts };
    const created = callPlugin({ plugin: plugin.type, adapter: id, method: 'create' }, () =>
      plugin.create(settings.options, context),
    );
    const transport = transportOf(created, withFixedHeaders(created, upstream), settings);
    try {
      const terms = { settings, adapter: created, upstream, transport, scheduler: monotonic(clock), signal };
      return await testSession(terms);
    } finally {
      await stop(created.stop?.bind(created), testLog);
    }
  } catch (error) {
    if (error instanceof Problem && error.code !== 'caller_gone') return [pluginStep(error)];
    throw error;
  } finally {
    await upstream.close();
  }
}

async function stop(work: ((signal: AbortSignal) => Promise<void>) | undefined, log: Log): Promise<void> {
  try {
    if (work) await runWithTimeout(STOP_MS, work);
  } catch (error) {
    log.warn('the plugin failed to stop its adapter after a test', { error });
  }
}

function faultyStep(faults: readonly LocatedFault[]): ConnectionStep {
  const message = faults.map(({ pointer, message: text }) => `${pointer} ${text}`).join('. ');
  return {
    step: 'login',
    verdict: 'failed',
    ms: null,
    message: asSentence(message),
    fix: faults[0]?.fix ?? null,
  };
}

function pluginStep({ message }: Problem): ConnectionStep {
  const fix = 'Compare the options with the README of the plugin.';
  return { step: 'login', verdict: 'failed', ms: null, message: asSentence(message), fix };
}
