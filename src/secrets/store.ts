import type { VaultSettings } from '../settings/vault.js';
import type { Reference } from './reference.js';
import { SecretError, type SecretFailure } from './secret-error.js';
import type { SecretPath } from './secret-path.js';
import type { SecretValue } from './secret-value.js';

export interface Lease {
  readonly id: string;
  /** Seconds from now. */
  readonly seconds: number;
  readonly renewable: boolean;
}

/** When a secret changes, as its store reports. */
export interface ReportedTimes {
  /** Remaining seconds of a password that the store rotates; absent for any other secret. */
  readonly rotationSeconds?: number;
  /** Seconds until the next read, as the author of the secret requests; absent without a request. */
  readonly rereadSeconds?: number;
}

/** A secret with all of its fields, from one read. */
export interface SecretData extends ReportedTimes {
  /** Returns the value that a reference names. Throws a {@link SecretError} if no usable value exists. */
  readonly select: (reference: Reference) => SecretValue;
  /** Version that was read; null if the store keeps no versions. */
  readonly version: number | null;
  /** Lease of the fields; null for a secret that the store keeps. */
  readonly lease: Lease | null;
  /** Path that was read, for messages. */
  readonly shown: string;
  /** Request id of Vault; empty for a file. */
  readonly requestId: string;
}

/** What a store returns about a secret, without its values if the store can list fields without them. */
export interface SecretOutline extends Pick<SecretData, 'select' | 'shown' | 'version'> {
  /** Names of the existing fields, sorted. */
  readonly names: readonly string[];
  /** False for a secret that is new for every read: it was not read. */
  readonly asked: boolean;
  /** True if the values were read, so that `select` checks them; otherwise it checks only that the fields exist. */
  readonly hasValues: boolean;
  /** True for a file that every user of the system may read. */
  readonly isWorldReadable?: boolean;
}

/** When the secrets of a store are read again. */
export interface RefreshTerms extends Pick<
  VaultSettings['refresh'],
  'intervalSeconds' | 'jitter' | 'maxStaleSeconds'
> {
  /** Reads after a refusal by an orchestrator; `limited` keeps a minimum time between those of a secret. */
  readonly afterRefusal: 'never' | 'limited' | 'always';
  /**
   * Milliseconds after which a secret is read again when a refresh or a refusal found the same values: a copy of the store may
   * answer with earlier values for a while.
   */
  readonly confirmMs: readonly number[];
  /** True if the changes of one refresh are announced together, after its last read. */
  readonly announcesTogether: boolean;
}

/** `content`: secrets in use may have changed. `token`: leases and failures of the former token are outdated. */
export type StoreChange = 'content' | 'token';

/**
 * A store of secrets: Vault, files, or another one. A new store needs a syntax in `src/secrets/reference.ts`, a member of
 * {@link StoreName}, an implementation of this interface, and an entry in `test/contracts/secret-store-contract.ts`.
 */
export interface SecretStore {
  readonly refresh: RefreshTerms;
  /** Reads a secret. Throws a {@link SecretError}. */
  read(path: SecretPath): Promise<SecretData>;
  /** Returns the outline of a secret. Throws a {@link SecretError}. */
  lookUp(path: SecretPath): Promise<SecretOutline>;
  /** Sets the secrets in use, whose changes the store reports if it can. */
  watch?(paths: readonly SecretPath[]): void;
  /** Calls back after a change that is not the result of a read. */
  onChange(listener: (change: StoreChange) => void): void;
  /** Uses a credential of the store that changed. Does not reject. */
  rereadCredential?(): Promise<void>;
  /** Releases what the store holds, and revokes these leases if they are its own. */
  close(leases: readonly string[]): Promise<void>;
}

/** Name of a store, as references select it by their syntax. */
type StoreName = SecretPath['store'];

export type SecretStores = Readonly<Record<StoreName, SecretStore>>;

/** Block of the main file that configures a store. */
export type StoreBlock = 'vault' | 'secrets.files';

/** Returns the failure of a store that was not configured at the start. */
export function unconfigured(
  failure: SecretFailure,
  block: StoreBlock,
  isConfigured: ((block: StoreBlock) => boolean) | undefined,
): SecretFailure {
  if (!isConfigured?.(block)) return failure;
  const { code, message } = failure;
  const restart = `the block ${block} takes effect at the next start`;
  return { code, message: message.replace(/(?<=, and ).*$/, restart), fix: 'Restart gatehouse.' };
}

/** Creates a store that refuses every read with the failure of that moment, because it is not configured. */
export function refusedStore(failure: () => SecretFailure): SecretStore {
  const refuse = (): Promise<never> => Promise.reject(new SecretError(failure()));
  return {
    refresh: {
      intervalSeconds: 60,
      jitter: 0,
      maxStaleSeconds: Infinity,
      afterRefusal: 'never',
      confirmMs: [],
      announcesTogether: false,
    },
    read: refuse,
    lookUp: refuse,
    onChange: () => undefined,
    close: () => Promise.resolve(),
  };
}
