import CachePolicy from 'http-cache-semantics';
import { headerOf, type OutboundRequest, type UpstreamReply } from '../../core/adapter.js';
import type { CacheRule } from '../../core/read-cache.js';
import type { Clock } from '../../lib/clock.js';

/** How long a stored reply may be used (RFC 9111). */
export interface Freshness {
  readonly policy: CachePolicy;
  /** Time of the reply or of its confirmation, in milliseconds since 1970. */
  readonly confirmedAt: number;
}

/** Decides about replies at the time of a clock. */
export interface FreshnessRules {
  /** Returns the freshness of a reply; undefined if it must not be stored. */
  of(request: OutboundRequest, reply: UpstreamReply, rule: CacheRule): Freshness | undefined;
  /** Returns true if callers who asked at the same time may get the same reply (RFC 9111 section 5.2.2.5). */
  mayShare(reply: UpstreamReply): boolean;
  /** Returns the seconds for which the reply stays fresh; 0 or less if it is stale. */
  secondsLeft(freshness: Freshness, rule: CacheRule): number;
  /** Returns true if the rule and the reply allow the use of the reply while the orchestrator fails (RFC 5861 section 4). */
  mayServeStale(freshness: Freshness, rule: CacheRule): boolean;
  /** Returns the age of the reply, in whole seconds. */
  age(freshness: Freshness): number;
}

/** A reply that varies by so much is not worth a place. */
const MAX_VARY_LENGTH = 1024;

/** Creates the rules. The cache is a shared one: it serves several callers, so that `private` is not stored. */
export function createFreshnessRules(clock: Clock): FreshnessRules {
  const Policy = policyWith(clock);
  const limitedSeconds = ({ policy, confirmedAt }: Freshness, { maxSeconds }: CacheRule): number =>
    Math.min(policy.maxAge() - policy.age(), maxSeconds - (clock.now() - confirmedAt) / 1000);
  return {
    of(request, reply, rule) {
      const { headers, status } = reply;
      if (status !== 200 && !(status === 404 && rule.notFound)) return undefined;
      if (headers['set-cookie'] !== undefined) return undefined;
      const vary = joined(headers['vary']);
      if (vary.includes('*') || vary.length > MAX_VARY_LENGTH) return undefined;
      const { method, path, headers: sent } = request;
      const policy = new Policy(
        { method, url: path, headers: { ...sent } },
        { status, headers: withDefaultTtl(headers, rule) },
        { shared: true, cacheHeuristic: 0, immutableMinTimeToLive: 0 },
      );
      return policy.storable() ? { policy, confirmedAt: clock.now() } : undefined;
    },
    mayShare: ({ headers }) =>
      headers['set-cookie'] === undefined && !hasNoStore(joined(headers['cache-control'])),
    secondsLeft: limitedSeconds,
    mayServeStale(freshness, rule) {
      const { 'cache-control': control = '' } = freshness.policy.responseHeaders();
      if (/(?:^|[\s,])(?:must|proxy)-revalidate(?:$|[\s,])/i.test(String(control))) return false;
      const named = /(?:^|[\s,])stale-if-error="?(\d{1,10})/i.exec(String(control))?.[1];
      const allowed = Math.min(rule.staleIfErrorSeconds, named === undefined ? Infinity : Number(named));
      return allowed > 0 && -limitedSeconds(freshness, rule) < allowed;
    },
    age: ({ policy }) => Math.max(0, Math.floor(policy.age())),
  };
}

function policyWith(clock: Clock): typeof CachePolicy {
  return class extends CachePolicy {
    now(): number {
      return clock.now();
    }
  };
}

/** Freshness and prohibitions of a reply (RFC 9111 section 5.2.2). */
const NAMES_FRESHNESS = /(?:^|[\s,])(?:no-store|no-cache|private|max-age|s-maxage)(?:$|[\s,=])/i;

/**
 * Returns the headers that decide about freshness, with the freshness of the rule if the reply names none. An age that is no
 * number of seconds does not make a reply younger.
 */
function withDefaultTtl(
  headers: UpstreamReply['headers'],
  { ttlSeconds, overridesReplies }: CacheRule,
): Record<string, string> {
  // The package compares names of directives by their letters, which RFC 9111 section 5.2 does not.
  const control = joined(headers['cache-control']).toLowerCase();
  if (overridesReplies && !hasNoStore(control)) return { 'cache-control': `max-age=${ttlSeconds}` };
  const isSilent =
    !NAMES_FRESHNESS.test(control) &&
    headers['expires'] === undefined &&
    !/no-cache/i.test(joined(headers['pragma']));
  const age = joined(headers['age']).trim();
  const cacheControl = isSilent ? [control, `max-age=${ttlSeconds}`].filter(Boolean).join(', ') : control;
  return {
    ...present('vary', joined(headers['vary'])),
    ...present('expires', headerOf(headers, 'expires') ?? ''),
    ...present('date', headerOf(headers, 'date') ?? ''),
    ...present('pragma', joined(headers['pragma'])),
    ...present('cache-control', cacheControl),
    ...(/^\d{1,10}$/.test(age) && { age }),
  };
}

function hasNoStore(control: string): boolean {
  return /(?:^|[\s,])no-store(?:$|[\s,=])/i.test(control);
}

function present(name: string, value: string): Record<string, string> {
  return value === '' ? {} : { [name]: value };
}

function joined(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : (value ?? []).join(', ');
}
