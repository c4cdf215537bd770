import { callerKey } from '../../core/principal.js';
import type { LimitedCall, LimitRule } from '../../core/limits.js';
import { networkOf } from '../../core/network-of.js';
import type { Allowance } from './allowance.js';

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

export interface CallerAccountsOptions {
  readonly rule: LimitRule;
  readonly createAllowance: (identity: { readonly key: string }) => Allowance;
  /** Maximum number of accounts, except those with running calls. */
  readonly maxAccounts: number;
}

/** Number of oldest accounts that are looked at when an account is added. */
const MAX_LOOKED_AT = 16;

/**
 * Creates the accounts of a limit. Each new account removes up to two old accounts that are as good as new. At the maximum, the
 * account that was used least recently is removed, unless its calls run.
 */
export function createCallerAccounts(options: CallerAccountsOptions): CallerAccounts {
  return new Accounts(options);
}

class Accounts implements CallerAccounts {
  readonly #options: CallerAccountsOptions;
  // A Map iterates in insertion order, so the first account is the least recently used.
  readonly #accounts = new Map<string, CallerAccount>();

  constructor(options: CallerAccountsOptions) {
    this.#options = options;
  }

  of(call: LimitedCall): readonly CallerAccount[] {
    return identitiesOf(this.#options.rule, call).map((identity) => this.#account(identity));
  }

  all(): Iterable<CallerAccount> {
    return this.#accounts.values();
  }

  size(): number {
    return this.#accounts.size;
  }

  #account(identity: Identity): CallerAccount {
    const known = this.#accounts.get(identity.key);
    if (known) {
      this.#accounts.delete(identity.key);
      this.#accounts.set(identity.key, known);
      return known;
    }
    this.#makeRoom();
    const allowance = this.#options.createAllowance(identity);
    const account = { ...identity, allowance, running: 0, refused: 0 };
    this.#accounts.set(identity.key, account);
    return account;
  }

  #makeRoom(): void {
    const { maxAccounts } = this.#options;
    let lookedAt = 0;
    let removed = 0;
    for (const account of this.#accounts.values()) {
      if (removed >= 2 || (lookedAt >= MAX_LOOKED_AT && this.#accounts.size < maxAccounts)) return;
      lookedAt += 1;
      if (account.running > 0) continue;
      if (account.allowance.resetMs() > 0 && this.#accounts.size < maxAccounts) return;
      this.#accounts.delete(account.key);
      removed += 1;
    }
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
