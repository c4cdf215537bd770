import type { AdapterContext } from '../core/adapter.js';
import { Problem } from '../core/problem.js';
import { transportFailureOf } from '../core/transport-failure.js';
import type { Scheduler } from '../lib/clock.js';
import { oneLine } from '../lib/one-line.js';
import { dial, type InspectConnection } from './connect.js';

/**
 * Creates the function by which a plugin's own transport opens TCP connections. It checks the address of the connection itself, so
 * that no second lookup can lead elsewhere. Throws `adapter_unavailable` for an adapter with a proxy, which the connections would
 * bypass.
 */
export function createPluginConnect({
  inspect,
  scheduler,
  proxy = null,
}: {
  readonly inspect?: InspectConnection | undefined;
  readonly scheduler?: Scheduler | undefined;
  readonly proxy?: string | null;
}): AdapterContext['connect'] {
  return async ({ host, port, connectMs }, signal) => {
    if (proxy !== null)
      throw new Problem(
        'adapter_unavailable',
        'the connections of this plugin cannot go through an HTTP proxy: remove "proxy" from the adapter',
      );
    const target = { hostname: host, port, isSecure: false };
    const inspected = inspect && {
      inspect: ({ remoteAddress = '' }: { readonly remoteAddress?: string | undefined }) =>
        inspect(target, remoteAddress),
    };
    try {
      return await dial({ address: host, port, ...inspected }, { connectMs, scheduler, signal });
    } catch (cause) {
      if (cause instanceof Problem) throw cause;
      if (signal.aborted && signal.reason instanceof Problem) throw signal.reason;
      const failed = cause instanceof Error ? transportFailureOf(cause) : undefined;
      const reason = failed?.words ?? oneLine(cause instanceof Error ? cause.message : String(cause), 200);
      throw new Problem('upstream_unreachable', `no connection to ${host}:${port}: ${reason}`, {
        cause,
        ...(failed && { hop: failed.hop }),
      });
    }
  };
}
