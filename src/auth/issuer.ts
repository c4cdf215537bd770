import type { Account } from '../core/login.js';
import type { IssuerSettings } from '../core/settings.js';
import type { Algorithm } from './algorithms.js';
import type { VerificationKey } from './keys.js';

/** The keys of an issuer at one moment. Another moment's keys are another object, which is how a change is told. */
export interface KeySet {
  readonly keys: readonly VerificationKey[];
}

/** Where an issuer's keys come from. */
export interface KeySource {
  /** The keys that may be used right now; `undefined` when they must be fetched first. Never waits. */
  held(): KeySet | undefined;
  /**
   * Newer keys, for a token that no held key fits. Rejects when there are none that may be used;
   * `undefined` when there is nothing newer to be had, or it is too early to ask again.
   */
  renew(): Promise<KeySet> | undefined;
  /** Fetches the keys ahead of the first token. A failure is logged and does not throw. */
  prepare(): Promise<void>;
  close(): Promise<void>;
}

/** What an issuer's tokens must say. */
export type IssuerRules = Pick<
  IssuerSettings,
  'issuer' | 'audience' | 'rolesClaim' | 'roleMap' | 'clockToleranceSeconds' | 'maxLifetimeSeconds'
> & {
  /** By their marks: a token with the mark of another account is refused. Absent: no token has a mark. */
  readonly accounts?: ReadonlyMap<string, Account>;
};

/** A trusted token issuer, ready for use. */
export interface Issuer {
  readonly rules: IssuerRules;
  readonly keys: KeySource;
}

/** An issuer of the configuration, ready for use. */
export interface ConfiguredIssuer extends Issuer {
  readonly rules: IssuerSettings;
  /** CAs to trust on the way to it, as PEM text. */
  readonly ca?: string;
}

/** A source of keys that never change. */
export function fixedKeys(keys: readonly VerificationKey[]): KeySource {
  const set = { keys };
  return {
    held: () => set,
    renew: () => undefined,
    prepare: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/**
 * The one key that a token may be checked with: the key of its kid, or, where the token or the key has no kid,
 * the only key that fits the algorithm.
 */
export function pickKey(
  { keys }: KeySet,
  { alg, kid }: { readonly alg: Algorithm; readonly kid: string | undefined },
): VerificationKey | undefined {
  const fitting = keys.filter((key) => key.algorithms.includes(alg));
  const named = kid === undefined ? undefined : fitting.find((key) => key.kid === kid);
  if (named) return named;
  const free = kid === undefined ? fitting : fitting.filter((key) => key.kid === undefined);
  return free.length === 1 ? free[0] : undefined;
}
