import { createIdleInstance, createInstance } from '../../adapters/instance.js';
import { connectOf, sendOf, transportOf, withFixedHeaders } from '../../adapters/plugin-transport.js';
import { createStartTurn } from '../../adapters/start-turn.js';
import { proveSession } from '../../adapters/test-session.js';
import { asAdapterSettings } from '../../config/adapter-schema.js';
import { callPlugin } from '../../core/adapter-method.js';
import type { Adapter } from '../../core/adapter.js';
import type { SecretVersion } from '../../core/attempt.js';
import { errorPlace } from '../../core/error-place.js';
import type { Fault, LocatedFault } from '../../core/fault.js';
import type { Log } from '../../core/log.js';
import { Problem } from '../../core/problem.js';
import { Secret } from '../../core/secret.js';
import type { AdapterInstance } from '../../core/snapshot.js';
import type { Upstream } from '../../core/upstream.js';
import type { AdapterSettings } from '../../settings/adapter.js';
import { type AdapterConfig, locateFault } from './configuration.js';
import type { OpenedMethods } from './factories.js';
import { escapingFiles } from './record-restrictions.js';
import type { ResolvedAdapterConfig, ResolvedSection } from './resolve.js';
import type { BuildDeps } from './snapshot.js';
import { targetDigest } from './target-digest.js';

/** An adapter that was built, or the faults that refuse the whole configuration. */
type BuiltAdapter =
  | {
      readonly instance: AdapterInstance;
      /** Error of a plugin that failed to create the adapter. It can contain anything, for example a secret. */
      readonly pluginError?: unknown;
      /** Probable mistakes in the OpenAPI document of the adapter; absent: none. */
      readonly warnings?: readonly Fault[];
      /** The files that the document refers to; absent: none. */
      readonly referenced?: readonly string[];
    }
  | { readonly faults: readonly Fault[] };

/** Builds the instance of an adapter. It is `DEAD` if a secret is missing or the plugin throws. Does not start it. */
export async function buildAdapter(config: ResolvedAdapterConfig, deps: BuildDeps): Promise<BuiltAdapter> {
  const { id, plugin, pluginFault, resolved } = config;
  if (!config.runs) return { instance: createIdleInstance(id, plugin.type, { name: 'STOPPED' }) };
  if (config.recordFault !== undefined)
    return { instance: markDeadForConfig(config, config.recordFault, deps.log) };
  const [failure] = resolved.failures;
  if (failure) return { instance: markDeadForSecret(config, failure, deps.log) };
  if (pluginFault !== undefined) {
    deps.log.error('plugin cannot be used', { adapter: id, reason: pluginFault });
    return {
      instance: createIdleInstance(id, plugin.type, { name: 'DEAD', cause: 'fault', reason: pluginFault }),
    };
  }
  const escaped = config.record ? escapingFiles(resolved, config.written) : [];
  if (escaped.length > 0) return failedBuild(config, escaped, deps.log);
  const settings = asAdapterSettings(resolved.value);
  const log = deps.log.with({ adapter: id });
  const methods = settings.openapi
    ? await deps.factories.openMethods(settings.openapi, settings, plugin)
    : undefined;
  if (methods && methods.faults.length > 0) return failedBuild(config, methods.faults, deps.log);
  const opened = await deps.factories.openUpstream(settings, log, {
    openTargets: config.openTargets,
    secretVersions: authSecrets(resolved),
  });
  if ('faults' in opened) return failedBuild(config, opened.faults, deps.log);
  const parts = { settings, upstream: opened.value, methods, log, target: targetDigest(config) };
  const built = await createOrMarkDead(config, parts, deps);
  return methods ? { ...built, ...fromDocument(config, methods, log) } : built;
}

/** Returns what a build says about the document of an adapter, and logs the first of its warnings. */
function fromDocument(
  { written }: AdapterConfig,
  { files, warnings }: OpenedMethods,
  log: Log,
): { readonly warnings: readonly Fault[]; readonly referenced: readonly string[] } {
  const located = warnings.map((warning) => withPlace(written, warning));
  const [first] = located;
  if (first) {
    const { file, line, pointer, message, fix } = first;
    const fields = { file, line, pointer, reason: message, fix, warnings: located.length };
    log.warn('OpenAPI document has a probable mistake', fields);
  }
  return { warnings: located, referenced: files };
}

/** Returns a fault in its file: that of the document, or that of the adapter. */
function withPlace(written: AdapterConfig['written'], fault: Fault | LocatedFault): Fault {
  return 'file' in fault ? fault : locateFault(written, fault);
}

/**
 * Returns the faults of an adapter of a file, which refuse the configuration. A registered adapter is `DEAD` instead, because
 * the author of the files cannot correct it.
 */
function failedBuild(
  config: AdapterConfig,
  faults: readonly (Fault | LocatedFault)[],
  log: Log,
): BuiltAdapter {
  if (!config.record) return { faults: faults.map((fault) => withPlace(config.written, fault)) };
  const reason = faults.map(({ pointer, message, code }) => `${pointer} ${message} [${code}]`).join(', ');
  return { instance: markDeadForConfig(config, reason, log) };
}

/** Creates the instance of a registered adapter that was valid at its registration, but no longer is. */
function markDeadForConfig({ id, plugin }: AdapterConfig, reason: string, log: Log): AdapterInstance {
  log.error('adapter is dead: its registration is no longer valid', { adapter: id, reason });
  return createIdleInstance(id, plugin.type, { name: 'DEAD', cause: 'fault', reason });
}

/** Creates the instance of an adapter whose secret is missing. Callers receive code and pointer; the log has the details. */
function markDeadForSecret({ id, plugin }: AdapterConfig, failure: LocatedFault, log: Log): AdapterInstance {
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

interface AdapterParts {
  readonly settings: AdapterSettings;
  readonly upstream: Upstream;
  /** The methods of its OpenAPI document. */
  readonly methods: OpenedMethods | undefined;
  readonly log: Log;
  /** Digest of the target of the adapter. */
  readonly target: string;
}

/** Creates the instance with the plugin. If the plugin throws, only this adapter is `DEAD`. */
async function createOrMarkDead(
  { id, plugin }: AdapterConfig,
  { settings, upstream, methods, log: adapterLog, target }: AdapterParts,
  { factories, clock }: BuildDeps,
): Promise<BuiltAdapter> {
  const { type } = plugin;
  try {
    const startTurn = createStartTurn(factories.startSlots, settings.timeouts.startMs);
    const connectCache = factories.connectCache(id, settings.cache);
    const context = {
      name: id,
      log: adapterLog,
      send: sendOf(connectCache(upstream)),
      ...(upstream.linkedPath && { linkedPath: upstream.linkedPath }),
      connect: connectOf(upstream),
      starts: startTurn,
      replyBytes: settings.replyBytes,
    };
    const adapter = callPlugin({ plugin: type, adapter: id, method: 'create' }, () =>
      plugin.create(copyOf(settings.options), context),
    );
    if (!hasTranslate(adapter)) throw new Problem('adapter_unavailable', NO_TRANSLATE);
    if (methods) requireTranslation(adapter);
    const instance = createInstance({
      id,
      type,
      adapter,
      connectMethods: methods?.connect,
      target,
      methodDigests: methods?.digests,
      upstream: connectCache(transportOf(adapter, withFixedHeaders(adapter, upstream), settings)),
      health: settings.health,
      log: adapterLog,
      scheduler: clock,
      startTurn,
      probeSlots: factories.probeSlots,
      random: Math.random,
      ...(!settings.stub && {
        prove: (transport, signal, onRefusal) =>
          proveSession({ settings, adapter, upstream, transport, signal }, onRefusal),
      }),
    });
    return { instance };
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

/** Throws for an adapter whose methods cannot come from a document. */
function requireTranslation(adapter: Adapter): void {
  if ('send' in adapter || 'methods' in adapter) throw new Problem('adapter_unavailable', NO_DOCUMENT);
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

const NO_DOCUMENT =
  'its plugin sends requests or has methods of its own, so that the setting openapi has no effect; remove it, or use another plugin';

export const NO_TRANSLATE =
  'what create() of its plugin returns has no function "translate"; write translate(call), which returns the requests';

/** Returns the secrets of the authentication, each once; undefined if none of its values is from Vault. */
function authSecrets({ versions }: ResolvedSection): readonly SecretVersion[] | undefined {
  const used = [...versions].filter(([pointer]) => pointer.startsWith('/auth/')).map(([, secret]) => secret);
  const byText = new Map(used.map((secret) => [`${secret.path} ${secret.version ?? ''}`, secret]));
  return byText.size === 0 ? undefined : [...byText.values()];
}
