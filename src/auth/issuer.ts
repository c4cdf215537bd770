import type { CertificateFile } from '../core/certificate.js';
import type { Account } from '../core/login.js';
import type { IssuerSettings } from '../settings/settings.js';
import type { Algorithm, VerificationKey } from './keys.js';

/**
 * The keys of an issuer. Changed keys are a new object, so that a comparison of objects detects the change.
 */
export interface KeySet {
  readonly keys: readonly VerificationKey[];
}

/** The part of a token that selects the key. */
export interface TokenHeader {
  readonly alg: Algorithm;
  readonly kid: string | undefined;
}

export interface KeySource {
  /** Returns the usable keys without waiting; `undefined` if the source must fetch the keys first. */
  current(): KeySet | undefined;
  /**
   * Fetches newer keys for a token that fits no current key. Rejects with `issuer_unavailable` if the keys cannot be
   * fetched. Returns `undefined` if the keys never change, or if a fetch did not find the key shortly before.
   */
  renew(token: TokenHeader): Promise<KeySet> | undefined;
  /** Fetches the keys again, as after a reload. Tokens wait for the result. */
  refresh(): void;
  /** Fetches the keys before the first token arrives. Logs a failure and does not throw. */
  prepare(): Promise<void>;
  close(): Promise<void>;
}

export type IssuerRules = Pick<
  IssuerSettings,
  | 'issuer'
  | 'audience'
  | 'rolesClaim'
  | 'roleMap'
  | 'claimRoles'
  | 'requiredClaims'
  | 'clockToleranceSeconds'
  | 'maxLifetimeSeconds'
> &
  Partial<Pick<IssuerSettings, 'nameClaim' | 'acceptIdTokens'>> & {
    /**
     * Accounts by `mark`, their credential fingerprint. A token with an unknown mark is invalid. If absent,
     * marks have no effect.
     */
    readonly accounts?: { readonly get: (mark: string) => Account | undefined };
  };

/** A trusted token issuer with its keys. */
export interface Issuer {
  readonly rules: IssuerRules;
  readonly keys: KeySource;
}

/** A trusted issuer of the configuration. */
export interface ConfiguredIssuer extends Issuer {
  readonly rules: IssuerSettings;
  /** Trusted CAs for connections to the issuer, as PEM text. */
  readonly ca?: string;
  /** The same certificates, by the setting that names them. */
  readonly certificates?: readonly CertificateFile[];
}

/** Creates a source of keys that never change. */
export function fixedKeys(keys: readonly VerificationKey[]): KeySource {
  const set = { keys };
  return {
    current: () => set,
    renew: () => undefined,
    refresh: () => undefined,
    prepare: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/**
 * Returns the key that must verify a token. This is the key with the token's kid, else the only key without a
 * kid. For a token without a kid, this is the only key that fits the algorithm. Returns `undefined` if there
 * is no such key.
 */
export function pickKey({ keys }: KeySet, { alg, kid }: TokenHeader): VerificationKey | undefined {
  const fitting = keys.filter((key) => key.algorithms.includes(alg));
  const keyWithKid = kid === undefined ? undefined : fitting.find((key) => key.kid === kid);
  if (keyWithKid) return keyWithKid;
  const candidates = kid === undefined ? fitting : fitting.filter((key) => key.kid === undefined);
  return candidates.length === 1 ? candidates[0] : undefined;
}

/** Key sources that outlive a reload. The same name always returns the same source, with its current keys. */
export interface SharedKeys {
  /** Returns the source with a name; opens the source on first use. The source closes with its last user. */
  acquire(name: string, open: () => KeySource): KeySource;
}

/** Creates an empty set of shared key sources. */
export function shareKeys(): SharedKeys {
  const entries = new Map<string, { readonly source: KeySource; users: number }>();
  return {
    acquire(name, open) {
      const entry = entries.get(name) ?? { source: open(), users: 0 };
      entries.set(name, entry);
      entry.users += 1;
      let isOpen = true;
      const close = async (): Promise<void> => {
        if (!isOpen) return;
        isOpen = false;
        entry.users -= 1;
        if (entry.users > 0) return;
        entries.delete(name);
        await entry.source.close();
      };
      return { ...entry.source, close };
    },
  };
}
