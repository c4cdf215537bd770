import { randomBytes } from 'node:crypto';
import { createIdleInstance, createInstance } from '../../adapters/instance.js';
import { connectOf, sendOf, transportOf, withFixedHeaders } from '../../adapters/plugin-transport.js';
import { createStartTurn } from '../../adapters/start-turn.js';
import { asAdapterSettings } from '../../config/adapter-schema.js';
import type { AdapterSettings } from '../../core/adapter-settings.js';
import type { SecretVersion } from '../../core/attempt.js';
import { errorPlace } from '../../core/error-place.js';
import { type Fault, faultAt, type LocatedFault } from '../../core/fault.js';
import type { Log } from '../../core/log.js';
import { callPlugin } from '../../core/plugin-call.js';
import { Problem } from '../../core/problem.js';
import { type Redactor, Secret } from '../../core/secret.js';
import type { AdapterInstance } from '../../core/snapshot.js';
import type { Upstream } from '../../core/upstream.js';
import { valueAt } from '../../json/pointer.js';
import { errorMessage } from '../../lib/error-message.js';
import type { SecretSource } from '../../secrets/open-secrets.js';
import type { BuildInput } from './active-snapshot.js';
import { type ConfigSection, locateFault } from './config-section.js';
import type { DesiredAdapter } from './desired-state.js';
import { escapingFiles } from './record-restrictions.js';
import type { ResolvedSection } from './resolve-sections.js';

/** An adapter that was built, or the faults that refuse the whole configuration. */
type BuiltAdapter = CreatedAdapter | { readonly faults: readonly Fault[] };

interface CreatedAdapter {
  readonly instance: AdapterInstance;
  /** Error of a plugin that failed to create the adapter. It can contain anything, for example a secret. */
  readonly pluginError?: unknown;
}

/** Builds the instance of an adapter. It is `DEAD` if a secret is missing or the plugin throws. Does not start it. */
export async function buildAdapter(
  desired: DesiredAdapter,
  resolved: ResolvedSection,
  input: BuildInput,
): Promise<BuiltAdapter> {
  const { id, plugin } = desired;
  if (!desired.runs) return { instance: createIdleInstance(id, plugin.type, { name: 'STOPPED' }) };
  if (desired.recordFault !== undefined)
    return { instance: markDeadForConfig(desired, desired.recordFault, input.log) };
  const [failure] = resolved.failures;
  if (failure) return { instance: markDeadForSecret(desired, failure, input.log) };
  const escaped = desired.record ? escapingFiles(resolved, desired.written) : [];
  if (escaped.length > 0) return failedBuild(desired, escaped, input.log);
  const settings = asAdapterSettings(resolved.value);
  const log = input.log.with({ adapter: id });
  const opened = await input.factories.openUpstream(settings, log, {
    openTargets: desired.openTargets,
    secretVersions: authSecrets(resolved),
  });
  if ('faults' in opened) return failedBuild(desired, opened.faults, input.log);
  return createOrMarkDead(desired, { settings, upstream: opened.value, log }, input);
}

/**
 * Returns the faults of an adapter of a file, which refuse the configuration. A registered adapter is `DEAD` instead, because
 * the author of the files cannot correct it.
 */
function failedBuild(desired: DesiredAdapter, faults: readonly LocatedFault[], log: Log): BuiltAdapter {
  if (!desired.record) return { faults: faults.map((fault) => locateFault(desired.written, fault)) };
  const reason = faults.map(({ pointer, message, code }) => `${pointer} ${message} [${code}]`).join(', ');
  return { instance: markDeadForConfig(desired, reason, log) };
}

/** Creates the instance of a registered adapter that was valid at its registration, but no longer is. */
function markDeadForConfig({ id, plugin }: DesiredAdapter, reason: string, log: Log): AdapterInstance {
  log.error('adapter is dead: its registration is no longer valid', { adapter: id, reason });
  return createIdleInstance(id, plugin.type, { name: 'DEAD', cause: 'fault', reason });
}

/** Creates the instance of an adapter whose secret is missing. Callers receive code and pointer; the log has the details. */
function markDeadForSecret({ id, plugin }: DesiredAdapter, failure: LocatedFault, log: Log): AdapterInstance {
  const { code, pointer, message, fix } = failure;
  log.error('adapter is dead: a secret is not available', {
    adapter: id,
    code,
    pointer,
    reason: message,
    fix,
  });
  return createIdleInstance(id, plugin.type, {
    name: 'DEAD',
    cause: 'secret',
    reason: `${code} at ${pointer}`,
  });
}

/** Returns a copy of options, whose document stays as it is if a plugin changes them. Secrets are not copied. */
function copyOf<T>(options: T): T {
  if (typeof options !== 'object' || options === null || options instanceof Secret) return options;
  if (Array.isArray(options)) return options.map(copyOf) as T;
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [name, copyOf(value)])) as T;
}

/** Creates the instance with the plugin. If the plugin throws, only this adapter is `DEAD`. */
async function createOrMarkDead(
  { id, plugin }: DesiredAdapter,
  { settings, upstream, log: adapterLog }: { settings: AdapterSettings; upstream: Upstream; log: Log },
  { factories, clock }: BuildInput,
): Promise<CreatedAdapter> {
  const { type } = plugin;
  try {
    const startTurn = createStartTurn(factories.startSlots, settings.timeouts.startMs);
    const connectCache = factories.connectCache(id, settings.cache);
    const context = {
      name: id,
      log: adapterLog,
      send: sendOf(connectCache(upstream)),
      connect: connectOf(upstream),
      starts: startTurn,
    };
    const adapter = callPlugin({ plugin: type, adapter: id, method: 'create' }, () =>
      plugin.create(copyOf(settings.options), context),
    );
    if (!hasTranslate(adapter)) throw new Problem('adapter_unavailable', NO_TRANSLATE);
    const instance = createInstance({
      id,
      type,
      adapter,
      upstream: connectCache(transportOf(adapter, withFixedHeaders(adapter, upstream), settings)),
      health: settings.health,
      log: adapterLog,
      scheduler: clock,
      startTurn,
      probeSlots: factories.probeSlots,
      random: Math.random,
    });
    return { instance: factories.overall?.(instance) ?? instance };
  } catch (error) {
    await upstream.close();
    adapterLog.error('adapter is dead: its plugin failed to create it', { error, ...placeField(error) });
    // Other errors can contain anything, for example a secret.
    const reason = error instanceof Problem ? error.message : 'its plugin failed to create it';
    const instance = createIdleInstance(id, type, { name: 'DEAD', cause: 'fault', reason });
    return { instance, ...(!(error instanceof Problem) && { pluginError: error }) };
  }
}

function placeField(error: unknown): { readonly place?: string } {
  const place = errorPlace(error);
  return place === undefined ? {} : { place };
}

/** Returns true for an object with the function `translate`, because a plugin may be written without types. */
function hasTranslate(adapter: unknown): boolean {
  return (
    typeof adapter === 'object' &&
    adapter !== null &&
    'translate' in adapter &&
    typeof adapter.translate === 'function'
  );
}

const NO_TRANSLATE =
  'what create() of its plugin returns has no function "translate"; write translate(call), which returns the requests';

/** Input of {@link tryAdapter}. */
interface TrialInput extends BuildInput {
  /**
   * Masks the secrets of the adapter in the error of a plugin, which a fault for the operator repeats. Absent: faults do not
   * repeat such an error.
   */
  readonly redactor?: Pick<Redactor, 'add' | 'redact'>;
}

/** Builds an adapter and closes it. Returns all faults that can be found without a connection. */
export async function tryAdapter(
  adapter: DesiredAdapter,
  resolved: ResolvedSection,
  input: TrialInput,
): Promise<readonly Fault[]> {
  const built = await buildAdapter(adapter, resolved, input);
  if ('faults' in built) return built.faults;
  const state = built.instance.state();
  await built.instance.close();
  if (state.name !== 'DEAD') return [];
  if (built.pluginError === undefined) return [deadFault(adapter, state.reason)];
  const error = input.redactor
    ? withoutSecrets(pluginErrorText(built.pluginError), secretsOf(adapter, resolved), input.redactor)
    : 'the log of the server has the error';
  return [pluginFailedFault(adapter, `${state.reason}: ${error}`)];
}

/** Returns the first line of a plugin's error, with the file and the line of its code. */
function pluginErrorText(error: unknown): string {
  const [line = ''] = errorMessage(error).split('\n');
  const place = errorPlace(error);
  return place === undefined ? line : `${line} (${place})`;
}

/** Returns the secrets of the authentication, each once; undefined if none of its values is from Vault. */
function authSecrets({ versions }: ResolvedSection): readonly SecretVersion[] | undefined {
  const used = [...versions].filter(([pointer]) => pointer.startsWith('/auth/')).map(([, secret]) => secret);
  const byText = new Map(used.map((secret) => [`${secret.path} ${secret.version ?? ''}`, secret]));
  return byText.size === 0 ? undefined : [...byText.values()];
}

/** Returns the secrets of an adapter: those in its file, and those from Vault. */
function secretsOf({ written }: DesiredAdapter, { fromVault }: ResolvedSection): readonly string[] {
  const literals = written.secrets.flatMap((pointer) => {
    const literal = valueAt(written.value, pointer);
    return typeof literal === 'string' ? [literal] : [];
  });
  return [...fromVault, ...literals].filter((secret) => secret !== '');
}

function withoutSecrets(
  text: string,
  secrets: readonly string[],
  redactor: Pick<Redactor, 'add' | 'redact'>,
): string {
  redactor.add(secrets);
  // The redactor leaves short values, which occur in too many texts.
  return secrets.reduce((masked, secret) => masked.replaceAll(secret, '[redacted]'), redactor.redact(text));
}

function pluginFailedFault({ written, plugin }: DesiredAdapter, message: string): Fault {
  const fix = `Correct the code of the plugin "${plugin.type}", or the options that it does not expect.`;
  return faultAt(written.document, `${written.at}/plugin`, { code: 'plugin_failed', message, fix });
}

/** Removes the faults of placeholder secrets, because only the real values can be checked. */
export function withoutPlaceholders<F extends Fault>(
  { written, references }: ConfigSection,
  faults: readonly F[],
): readonly F[] {
  const placeholders = new Set(references.map(({ pointer }) => written.at + pointer));
  return faults.filter(({ pointer }) => !placeholders.has(pointer));
}

function deadFault({ written, plugin, pluginFault }: DesiredAdapter, reason: string): Fault {
  const isBroken = pluginFault !== undefined || reason === NO_TRANSLATE;
  const fix = isBroken
    ? `Correct the plugin "${plugin.type}", or install another version; "npm install" in its folder installs the packages that it needs.`
    : `Compare the options with the README of the plugin "${plugin.type}".`;
  return faultAt(written.document, `${written.at}/plugin`, { code: 'plugin', message: reason, fix });
}

/** A source for checks that resolves every reference to a random text. The text satisfies rules about secret strength. */
export const placeholderSecrets: Pick<SecretSource, 'resolve' | 'close'> = {
  resolve: (references) =>
    Promise.resolve(
      new Map(references.map(({ pointer }) => [pointer, { value: randomBytes(64).toString('base64url') }])),
    ),
  close: () => Promise.resolve(),
};
