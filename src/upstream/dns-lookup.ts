import { Resolver } from 'node:dns/promises';
import { Problem } from '../core/problem.js';
import { nameFailure } from '../core/transport-failure.js';
import { type Scheduler, systemScheduler } from '../lib/clock.js';

/**
 * Resolves a host name to all its IP addresses. The signal cancels the lookup. Throws `upstream_unreachable`,
 * or the reason of the signal.
 */
export type Lookup = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

interface DnsLookupOptions {
  /** Name servers as `address:port`; absent: those of the system. */
  readonly servers?: readonly string[];
  readonly scheduler?: Scheduler;
}

/** Maximum time of one lookup, in milliseconds. */
const LOOKUP_MS = 5_000;

/** Time for the first answer of one name server, in milliseconds. */
const QUERY_MS = 1_500;

/**
 * Creates a lookup that asks the name servers itself (c-ares). The resolver of the operating system would run
 * in the thread pool, where two names without an answer delay the lookups of adapters, Vault, the database and
 * the issuers, and cannot be cancelled. Reads neither `/etc/hosts` nor search domains.
 */
export function createDnsLookup({ servers, scheduler = systemScheduler }: DnsLookupOptions = {}): Lookup {
  return async (hostname, signal) => {
    signal.throwIfAborted();
    // RFC 6761 section 6.3; no name server needs to know it.
    if (/(?:^|\.)localhost$/.test(hostname)) return ['127.0.0.1', '::1'];
    // A resolver of its own, because `cancel` ends all queries of a resolver.
    const resolver = new Resolver({ timeout: QUERY_MS, tries: 2 });
    if (servers) resolver.setServers(servers);
    const cancel = (): void => {
      resolver.cancel();
    };
    const stopTimer = scheduler.after(LOOKUP_MS, cancel);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      signal.throwIfAborted();
      return addressesOf(answers);
    } finally {
      stopTimer();
      signal.removeEventListener('abort', cancel);
    }
  };
}

/** Returns the addresses of the answers, IPv4 first. Throws if there is no address. */
function addressesOf(answers: readonly PromiseSettledResult<readonly string[]>[]): readonly string[] {
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const codes = answers.map((answer) => (answer.status === 'rejected' ? codeOf(answer.reason) : 'ENODATA'));
  const failed = codes.find((code) => !MISSING.has(code)) ?? 'ENOTFOUND';
  const { hop, words } = nameFailure(failed);
  throw new Problem('upstream_unreachable', words, { hop });
}

const MISSING: ReadonlySet<string> = new Set(['ENODATA', 'ENOTFOUND']);

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'EUNKNOWN';
}
