import { asAdapterSettings } from '../config/adapter-schema.js';
import type { Fault, PlacedFault } from '../domain/fault.js';
import type { Log } from '../domain/log.js';
import { Problem } from '../domain/problem.js';
import type { AdapterSettings } from '../domain/adapter-settings.js';
import type { AdapterInstance } from '../domain/snapshot.js';
import type { Upstream } from '../domain/upstream.js';
import { createIdleInstance, createInstance } from './adapter-instance.js';
import type { BuildInput } from './build-input.js';
import { type DesiredAdapter, isEnabled } from './desired.js';
import { transportOf } from './own-transport.js';
import { placeFault } from './piece.js';
import type { ResolvedPiece } from './resolve-pieces.js';

/** An adapter that was made, or the faults that refuse the configuration as a whole. */
export type BuiltAdapter = { readonly instance: AdapterInstance } | { readonly faults: readonly Fault[] };

/** Makes one adapter's instance, `DEAD` when a secret is missing or its plugin throws. Starts nothing. */
export async function buildAdapter(
  desired: DesiredAdapter,
  resolved: ResolvedPiece,
  input: BuildInput,
): Promise<BuiltAdapter> {
  const { id, plugin, written } = desired;
  if (!isEnabled(desired)) {
    return { instance: createIdleInstance(id, plugin.type, { name: 'STOPPED' }) };
  }
  const [failure] = resolved.failures;
  if (failure) return { instance: bury(desired, failure, input.log) };
  const settings = asAdapterSettings(resolved.value);
  const opened = await input.rooms.openUpstream(settings, input.log.with({ adapter: id }));
  if ('faults' in opened) return { faults: opened.faults.map((fault) => placeFault(written, fault)) };
  return { instance: await createOrBury(desired, { settings, upstream: opened.value }, input) };
}

/** An adapter whose secret is missing: the caller learns the code and the pointer, the log learns the rest. */
function bury({ id, plugin }: DesiredAdapter, failure: PlacedFault, log: Log): AdapterInstance {
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
  { log, clock }: BuildInput,
): Promise<AdapterInstance> {
  const { type } = plugin;
  const own = log.with({ adapter: id });
  try {
    const send: Upstream['send'] = (request, signal) => upstream.send(request, signal);
    const adapter = plugin.create(settings.options, { name: id, log: own, send });
    if (typeof adapter.translate !== 'function')
      throw new TypeError('the adapter has no function "translate"');
    return createInstance({
      id,
      type,
      adapter,
      upstream: transportOf(adapter, upstream, settings),
      health: settings.health,
      log: own,
      scheduler: clock,
    });
  } catch (error) {
    await upstream.close();
    own.error('adapter is dead: its plugin failed to create it', { error });
    // What is no Problem may hold anything, a secret for instance.
    const reason = error instanceof Problem ? error.message : 'its plugin failed to create it';
    return createIdleInstance(id, type, { name: 'DEAD', cause: 'fault', reason });
  }
}
