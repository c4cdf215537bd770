import { asAdapterSettings } from '../config/adapter-schema.js';
import type { Adapter } from '../domain/adapter.js';
import type { Fault } from '../domain/fault.js';
import { Problem } from '../domain/problem.js';
import type { AdapterSettings } from '../domain/settings.js';
import type { AdapterInstance } from '../domain/snapshot.js';
import type { Upstream } from '../domain/upstream.js';
import { createIdleInstance, createInstance } from './adapter-instance.js';
import type { BuildInput } from './build-input.js';
import type { DesiredAdapter } from './desired.js';
import { placeFault } from './piece.js';
import type { ResolvedPiece } from './resolve-pieces.js';

interface BuiltAdapter {
  readonly instance: AdapterInstance;
  readonly faults: readonly Fault[];
}

/** Makes one adapter's instance, `DEAD` when a secret is missing or its plugin throws. Starts nothing. */
export async function buildAdapter(
  desired: DesiredAdapter,
  resolved: ResolvedPiece,
  { rooms, log, clock }: BuildInput,
): Promise<BuiltAdapter> {
  const { id, plugin, written } = desired;
  const dead = (cause: 'secret' | 'fault', reason: string): BuiltAdapter => ({
    instance: createIdleInstance(id, plugin.type, { name: 'DEAD', cause, reason }),
    faults: [],
  });
  const [failure] = resolved.failures;
  if (failure) {
    log.error('adapter is dead: a secret is not available', { adapter: id, ...failure });
    return dead('secret', `${failure.code} at ${failure.pointer}`);
  }
  const settings = asAdapterSettings(resolved.value);
  if (!settings.enabled)
    return { instance: createIdleInstance(id, plugin.type, { name: 'STOPPED' }), faults: [] };
  const upstream = await rooms.openUpstream(settings);
  const faults = upstream.faults.map((fault) => placeFault(written, fault));
  const own = log.with({ adapter: id });
  try {
    const adapter = create(desired, settings, { upstream: upstream.value, log: own });
    return {
      instance: createInstance({ id, type: plugin.type, adapter, upstream: upstream.value, log: own, clock }),
      faults,
    };
  } catch (error) {
    await upstream.value.close();
    own.error('adapter is dead: its plugin failed to create it', { error });
    // What is no Problem may hold anything, a secret for instance.
    return {
      ...dead('fault', error instanceof Problem ? error.message : 'its plugin failed to create it'),
      faults,
    };
  }
}

function create(
  { id, plugin }: DesiredAdapter,
  { options }: AdapterSettings,
  { upstream, log }: { upstream: Upstream; log: BuildInput['log'] },
): Adapter {
  return plugin.create(options, { name: id, log, send: (request, signal) => upstream.send(request, signal) });
}
