import { omit } from '../core/lib/omit.js';
import { type AdapterFactories, faultsOf } from '../adapters/factories.js';
import { sendOf, transportOf, withFixedHeaders } from '../adapters/plugin-transport.js';
import { runWithTimeout } from '../adapters/run-within.js';
import { createStartTurn } from '../adapters/start-turn.js';
import { testSession } from '../adapters/test-session.js';
import { asAdapterSettings } from '../config/adapter-schema.js';
import type { AdapterDocument } from '../core/adapter-document.js';
import type { AdapterSettings } from '../core/adapter-settings.js';
import { type CancelSignal, abortSignalOf } from '../core/cancel-signal.js';
import {
  asSentence,
  completeTest,
  type ConnectionStep,
  type ConnectionTest,
  type ConnectionTester,
  hasFailed,
  skippedStep,
} from '../core/connection-test.js';
import type { LocatedFault } from '../core/fault.js';
import { monotonic, type Scheduler } from '../core/lib/clock.js';
import { Semaphore } from '../core/lib/semaphore.js';
import type { Log } from '../core/log.js';
import { callPlugin } from '../core/plugin-call.js';
import { Problem } from '../core/problem.js';
import type { Redactor } from '../core/secret.js';
import { writtenBaseUrls } from '../upstream/endpoint.js';
import type { SecretSource } from '../vault/open-secrets.js';
import { placeholderSecrets } from './reload/build-adapter.js';
import type { AdapterConfig } from './reload/desired-state.js';
import { escapingFiles } from './reload/record-restrictions.js';
import { redactedSecrets, type ResolvedSection, resolveSections } from './reload/resolve-sections.js';

export interface ConnectionTestDeps {
  /** The factories of the running adapters, which know the addresses of this server and the redactor. */
  readonly factories: Pick<AdapterFactories, 'openUpstream' | 'testNetwork' | 'startSlots'>;
  readonly secrets: Pick<SecretSource, 'resolve'>;
  readonly redactor: Pick<Redactor, 'add'>;
  readonly clock: Scheduler;
  readonly log: Log;
  /** Returns a document that a client sent as an adapter. Throws `invalid_request` with its faults. */
  readonly readUnsaved: (document: AdapterDocument) => Promise<AdapterConfig>;
  /** Returns an adapter of the configuration. */
  readonly findSaved: (name: string) => AdapterConfig | undefined;
}

/** Maximum number of concurrent tests; further tests wait. */
const MAX_TESTS = 4;
/** Time limit for stopping a plugin after a test, in milliseconds. */
const STOP_MS = 5_000;

/**
 * Creates the tester. A test opens an upstream and a plugin of its own, and closes both; it registers nothing and touches no
 * running adapter.
 */
export function createConnectionTester(deps: ConnectionTestDeps): ConnectionTester {
  const slots = new Semaphore(MAX_TESTS);
  const test = async (adapter: AdapterConfig, caller: CancelSignal): Promise<ConnectionTest> => {
    await slots.acquire(caller);
    try {
      return await testAdapter(adapter, abortSignalOf(caller), deps);
    } finally {
      slots.release();
    }
  };
  return {
    testUnsaved: async (document, signal) => test(await deps.readUnsaved(document), signal),
    async testSaved(name, signal) {
      const adapter = deps.findSaved(name);
      return adapter && test(adapter, signal);
    },
  };
}

async function testAdapter(
  adapter: AdapterConfig,
  signal: AbortSignal,
  deps: ConnectionTestDeps,
): Promise<ConnectionTest> {
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
    const written = asAdapterSettings(value);
    if (missing && isOfNetwork(missing)) return onlyMissing(adapter, missing);
    const targets = await Promise.all(
      writtenBaseUrls(written).map(async ({ text }) => {
        const settings = settingsForTest(written, text);
        return completeTest(text, await stepsOf({ adapter, settings, baseUrl: text, missing, signal }, deps));
      }),
    );
    return { ok: !targets.some(({ steps }) => hasFailed(steps)), targets };
  } finally {
    await secrets.close();
  }
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
  readonly signal: AbortSignal;
}

async function stepsOf(terms: TargetTerms, deps: ConnectionTestDeps): Promise<readonly ConnectionStep[]> {
  const { adapter, settings, baseUrl, missing, signal } = terms;
  if (settings.stub) return [skippedStep('name', 'This adapter answers from recordings and never connects.')];
  const { openTargets } = adapter;
  const network = await deps.factories.testNetwork(settings, baseUrl, { openTargets, signal });
  if (hasFailed(network)) return network;
  if (missing) return [...network, missingStep('login', missing)];
  return [...network, ...(await sessionSteps(terms, deps))];
}

/** Creates the adapter as a start would, tests its login and its first read, and closes it. */
async function sessionSteps(
  { adapter: { id, plugin, openTargets }, settings, signal }: TargetTerms,
  { factories, clock, log }: ConnectionTestDeps,
): Promise<readonly ConnectionStep[]> {
  const testLog = log.with({ adapter: id, test: 'connection' });
  const opened = await factories.openUpstream(settings, testLog, openTargets);
  if ('faults' in opened) return [faultyStep(faultsOf(opened))];
  const upstream = opened.value;
  try {
    const starts = createStartTurn(factories.startSlots, settings.timeouts.startMs);
    const context = { name: id, log: testLog, send: sendOf(upstream), starts };
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
