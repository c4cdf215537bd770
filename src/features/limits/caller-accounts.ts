import type { LimitedCall, LimitRule } from '../../core/limits.js';
import { callerKey } from '../../core/principal.js';
import { type Clock, elapsedSince } from '../../lib/clock.js';
import { networkOf } from '../../lib/network-of.js';
import { type Allowance, bucketLimits } from './allowance.js';

/** Counts of one caller at one limit. */
export interface CallerAccount {
  /** Key of the caller; the nodes of a cluster share it. */
  readonly key: string;
  /** Name of the caller for people. */
  readonly caller: string;
  readonly issuer: string;
  readonly allowance: Allowance;
  /** Calls that run now. */
  running: number;
  /** Refused calls. */
  refused: number;
}

/** Identity of a caller at a limit. */
type Identity = Pick<CallerAccount, 'key' | 'caller' | 'issuer'>;

/** Accounts of the callers of one limit, of a limited number. */
export interface CallerAccounts {
  /** Returns the accounts of the caller, which count as used last. Several only for `per: role`. */
  of(call: LimitedCall): readonly CallerAccount[];
  all(): Iterable<CallerAccount>;
  size(): number;
}

interface CallerAccountsOptions {
  readonly rule: LimitRule;
  readonly clock: Clock;
  readonly createAllowance: (identity: { readonly key: string }) => Allowance;
  /** Maximum number of accounts, except those with running calls. */
  readonly maxAccounts: number;
}

/** Minimum time for which an account is kept after its last call, in milliseconds. */
const MIN_KEPT_MS = 60_000;

/**
 * Creates the accounts of a limit. An account without running calls is removed when it is as good as new, or, at the maximum,
 * when many other callers were seen since its last call.
 */
export function createCallerAccounts(options: CallerAccountsOptions): CallerAccounts {
  return new Accounts(options);
}

/**
 * Keeps two generations of accounts, so that no removal searches for the oldest account: a used account moves to the recent
 * generation, and the accounts that were not used in a whole generation are removed together.
 */
class Accounts implements CallerAccounts {
  readonly #options: CallerAccountsOptions;
  #recent = new Map<string, CallerAccount>();
  #older = new Map<string, CallerAccount>();
  #startedAt: number;
  /** Time after which the rate permits a full burst to every caller, in milliseconds. */
  readonly #keptMs: number;

  constructor(options: CallerAccountsOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
    const { capacity, refillMs } = bucketLimits(options.rule) ?? { capacity: 0, refillMs: 0 };
    this.#keptMs = Math.max(MIN_KEPT_MS, capacity * refillMs);
  }

  of(call: LimitedCall): readonly CallerAccount[] {
    const age = elapsedSince(this.#options.clock, this.#startedAt);
    if (age >= this.#keptMs || this.#recent.size >= this.#options.maxAccounts / 2) this.#startGeneration();
    return identitiesOf(this.#options.rule, call).map((identity) => this.#account(identity));
  }

  *all(): Generator<CallerAccount> {
    yield* this.#recent.values();
    yield* this.#older.values();
  }

  size(): number {
    return this.#recent.size + this.#older.size;
  }

  #account(identity: Identity): CallerAccount {
    const recent = this.#recent.get(identity.key);
    if (recent) return recent;
    const account = this.#older.get(identity.key) ?? this.#create(identity);
    this.#older.delete(identity.key);
    this.#recent.set(identity.key, account);
    return account;
  }

  #create(identity: Identity): CallerAccount {
    return { ...identity, allowance: this.#options.createAllowance(identity), running: 0, refused: 0 };
  }

  #startGeneration(): void {
    const running = [...this.#older].filter(([, account]) => account.running > 0);
    this.#older = this.#recent;
    this.#recent = new Map(running);
    this.#startedAt = this.#options.clock.now();
  }
}

function identitiesOf({ per, roles }: LimitRule, call: LimitedCall): readonly Identity[] {
  const { principal, address } = call;
  if (per === 'role')
    return (principal?.roles ?? [])
      .filter((role, at, all) => roles.includes(role) && all.indexOf(role) === at)
      .map((role) => ({ key: role, caller: role, issuer: '' }));
  if (per === 'address' || !principal) {
    const network = networkOf(address);
    return [{ key: network, caller: network, issuer: '' }];
  }
  const { subject, issuer, client, name } = principal;
  // A token that names no client counts by its subject, so that no caller escapes the limit.
  if (per === 'client' && client !== undefined)
    return [{ key: `client ${callerKey({ subject: client, issuer })}`, caller: client, issuer }];
  return [{ key: callerKey(principal), caller: name ?? subject, issuer }];
}
