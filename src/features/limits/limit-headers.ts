import type { LimitRule } from '../../core/limits.js';
import type { CallerAccount } from './caller-accounts.js';
import type { NamedLimit } from './limit-matcher.js';

/** A limit with the accounts of the caller of one call. */
export interface AppliedLimit extends NamedLimit {
  /** Items of the header `RateLimit-Policy`. */
  readonly policy: string;
  readonly accounts: readonly CallerAccount[];
}

/**
 * Returns the items of the header `RateLimit-Policy` for a rule: structured fields (RFC 9651) of
 * draft-ietf-httpapi-ratelimit-headers-10. Names of limits need no escaping.
 */
export function policyOf(name: string, rule: LimitRule): string {
  const { requests, periodSeconds, concurrent } = rule;
  const rate = requests === null ? [] : [`"${name}";q=${requests};w=${periodSeconds}`];
  const slots =
    concurrent === null ? [] : [`"${concurrentName(name)}";q=${concurrent};qu="concurrent-requests"`];
  return [...rate, ...slots].join(', ');
}

function concurrentName(name: string): string {
  return `${name}-concurrent`;
}

/** Returns the headers of a reply, after the call was counted. */
export function limitHeaders(applied: readonly AppliedLimit[]): Readonly<Record<string, string>> {
  return {
    ratelimit: applied.flatMap(statesOf).join(', '),
    'ratelimit-policy': applied.map(({ policy }) => policy).join(', '),
  };
}

/** Returns the items of the header `RateLimit` for a limit; of several roles, the one with the fewest calls left. */
function statesOf({ name, rule, accounts }: AppliedLimit): readonly string[] {
  const rates = accounts.flatMap(({ allowance }) => {
    const remaining = allowance.remaining();
    return remaining === undefined ? [] : [{ remaining, seconds: Math.ceil(allowance.resetMs() / 1000) }];
  });
  const [least] = rates.sort((one, other) => one.remaining - other.remaining);
  const running = Math.max(...accounts.map((account) => account.running));
  const { concurrent } = rule;
  return [
    ...(least ? [`"${name}";r=${least.remaining};t=${least.seconds}`] : []),
    ...(concurrent === null ? [] : [`"${concurrentName(name)}";r=${Math.max(0, concurrent - running)}`]),
  ];
}
