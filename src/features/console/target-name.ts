import type { AdapterInstance } from '../../core/snapshot.js';

const REFUSED = 'the target refuses connections on this port';
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

/**
 * Returns the reason of a failed connection with host and port in place of "the target", for example "10.0.0.5:443 refused
 * the connection". An adapter with several base URLs keeps the general words, because the reason may concern any of them.
 */
export function withTargetName(reason: string, instance: Pick<AdapterInstance, 'upstreamStatus'>): string {
  const targets = instance.upstreamStatus?.().baseUrls.flatMap(({ url }) => targetOf(url) ?? []) ?? [];
  const [target] = new Set(targets);
  if (target === undefined || new Set(targets).size > 1) return reason;
  return reason.startsWith(REFUSED)
    ? `${target} refused the connection${reason.slice(REFUSED.length)}`
    : reason.replace(/^the target\b/, target);
}

function targetOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (DEFAULT_PORTS[protocol] ?? '')}`;
}
