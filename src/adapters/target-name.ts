import type { AdapterInstance } from '../core/snapshot.js';
import { namingPeer } from '../core/transport-failure.js';

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

/**
 * Returns the reason of a failed connection with host and port in place of "the target", for example "10.0.0.5:443 refuses
 * connections on this port". An adapter with several base URLs keeps the general words, because the reason may concern any of them.
 */
export function withTargetName(reason: string, instance: Pick<AdapterInstance, 'upstreamStatus'>): string {
  const targets = instance.upstreamStatus?.().baseUrls.flatMap(({ url }) => targetOf(url) ?? []) ?? [];
  const [target] = new Set(targets);
  return target === undefined || new Set(targets).size > 1 ? reason : namingPeer(reason, target);
}

function targetOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (DEFAULT_PORTS[protocol] ?? '')}`;
}
