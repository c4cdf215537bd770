import { asAdapterSettings } from '../../config/adapter-schema.js';
import type { Fault, LocatedFault } from '../../core/fault.js';
import type { Log } from '../../core/log.js';
import { Problem } from '../../core/problem.js';
import type { AdapterSettings } from '../../core/adapter-settings.js';
import type { AdapterInstance } from '../../core/snapshot.js';
import type { Upstream } from '../../core/upstream.js';
import { createIdleInstance, createInstance } from '../../adapters/instance.js';
import type { BuildInput } from './build-input.js';
import type { DesiredAdapter } from './desired-state.js';
import { escapingFiles } from './path-escapes.js';
import { sendOf, transportOf } from '../../adapters/plugin-transport.js';
import { locateFault } from './config-section.js';
import type { ResolvedSection } from './resolve-sections.js';

/** An adapter that was made, or the faults that refuse the configuration as a whole. */
export type BuiltAdapter = { readonly instance: AdapterInstance } | { readonly faults: readonly Fault[] };

/** Makes one adapter's instance, `DEAD` when a secret is missing or its plugin throws. Starts nothing. */
export async function buildAdapter(
  desired: DesiredAdapter,
  resolved: ResolvedSection,
  input: BuildInput,
): Promise<BuiltAdapter> {
  const { id, plugin } = desired;
  if (!desired.runs) return { instance: createIdleInstance(id, plugin.type, { name: 'STOPPED' }) };
  if (desired.spoilt !== undefined)
    return { instance: markDeadForConfig(desired, desired.spoilt, input.log) };
  const [failure] = resolved.failures;
  if (failure) return { instance: markDeadForSecret(desired, failure, input.log) };
  const escaped = desired.record ? escapingFiles(resolved, desired.written) : [];
  if (escaped.length > 0) return refused(desired, escaped, input.log);
  const settings = asAdapterSettings(resolved.value);
  const opened = await input.factories.openUpstream(settings, input.log.with({ adapter: id }));
  if ('faults' in opened) return refused(desired, opened.faults, input.log);
  return { instance: await createOrBury(desired, { settings, upstream: opened.value }, input) };
}

/** Faults in a file refuse the configuration; nobody sees those of a registered adapter there, so it alone is dead. */
function refused(desired: DesiredAdapter, faults: readonly LocatedFault[], log: Log): BuiltAdapter {
  if (!desired.record) return { faults: faults.map((fault) => locateFault(desired.written, fault)) };
  const reason = faults.map(({ pointer, message, code }) => `${pointer} ${message} [${code}]`).join(', ');
  return { instance: markDeadForConfig(desired, reason, log) };
}

/** A registered adapter that fitted once, and does not any more. */
function markDeadForConfig({ id, plugin }: DesiredAdapter, reason: string, log: Log): AdapterInstance {
  log.error('adapter is dead: what was registered does not fit any more', { adapter: id, reason });
  return createIdleInstance(id, plugin.type, { name: 'DEAD', cause: 'fault', reason });
}

/** An adapter whose secret is missing: the caller learns the code and the pointer, the log learns the rest. */
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

/** A plugin that throws takes its own adapter down and no other. */
async function createOrBury(
  { id, plugin }: DesiredAdapter,
  { settings, upstream }: { settings: AdapterSettings; upstream: Upstream },
  { factories, log, clock }: BuildInput,
): Promise<AdapterInstance> {
  const { type } = plugin;
  const own = log.with({ adapter: id });
  try {
    const adapter = plugin.create(settings.options, { name: id, log: own, send: sendOf(upstream) });
    if (typeof adapter.translate !== 'function')
      throw new TypeError('the adapter has no function "translate"');
    const instance = createInstance({
      id,
      type,
      adapter,
      upstream: transportOf(adapter, upstream, settings),
      health: settings.health,
      log: own,
      scheduler: clock,
    });
    return factories.overall?.(instance) ?? instance;
  } catch (error) {
    await upstream.close();
    own.error('adapter is dead: its plugin failed to create it', { error });
    // What is no Problem may hold anything, a secret for instance.
    const reason = error instanceof Problem ? error.message : 'its plugin failed to create it';
    return createIdleInstance(id, type, { name: 'DEAD', cause: 'fault', reason });
  }
}
