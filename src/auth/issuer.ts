import type { Account } from '../core/login.js';
import type { IssuerSettings } from '../core/settings.js';
import type { Algorithm, VerificationKey } from './keys.js';

/**
 * The keys of an issuer at one moment. Changed keys are another object, so that a comparison of objects
 * detects the change.
 */
export interface KeySet {
  readonly keys: readonly VerificationKey[];
}

/** Source of an issuer's keys. */
export interface KeySource {
  /** Returns the keys that are usable now; `undefined` if they must be fetched first. Never waits. */
  held(): KeySet | undefined;
  /**
   * Fetches newer keys for a token that no held key fits. Rejects if no usable keys exist. Returns
   * `undefined` if there is nothing newer, or if it is too early for another request.
   */
  renew(): Promise<KeySet> | undefined;
  /** Fetches the keys before the first token arrives. Logs a failure and does not throw. */
  prepare(): Promise<void>;
  close(): Promise<void>;
}

/** Requirements for an issuer's tokens. */
export type IssuerRules = Pick<
  IssuerSettings,
  'issuer' | 'audience' | 'rolesClaim' | 'roleMap' | 'clockToleranceSeconds' | 'maxLifetimeSeconds'
> & {
  /**
   * Accounts by their marks; a token with the mark of another account is refused. If absent, marks are
   * ignored.
   */
  readonly accounts?: ReadonlyMap<string, Account>;
};

/** A trusted token issuer, ready for use. */
export interface Issuer {
  readonly rules: IssuerRules;
  readonly keys: KeySource;
}

/** A configured issuer, ready for use. */
export interface ConfiguredIssuer extends Issuer {
  readonly rules: IssuerSettings;
  /** Trusted CAs for connections to the issuer, as PEM text. */
  readonly ca?: string;
}

/** Returns a source of keys that never change. */
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
 * Returns the only key that may check a token: the key with its kid. If the token or the key has no kid, it
 * is the only key that fits the algorithm.
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

/**
 * Key sources that outlive a reload. A request for the same name returns the same source and the keys that it
 * holds.
 */
export interface SharedKeys {
  /** Returns the source of a name, opened on first use. The source closes when all users have closed it. */
  take(name: string, open: () => KeySource): KeySource;
}

export function shareKeys(): SharedKeys {
  const held = new Map<string, { readonly source: KeySource; users: number }>();
  return {
    take(name, open) {
      const entry = held.get(name) ?? { source: open(), users: 0 };
      held.set(name, entry);
      entry.users += 1;
      let isOpen = true;
      const close = async (): Promise<void> => {
        if (!isOpen) return;
        isOpen = false;
        entry.users -= 1;
        if (entry.users > 0) return;
        held.delete(name);
        await entry.source.close();
      };
      return { ...entry.source, close };
    },
  };
}
