import type { Clock } from '../domain/clock.js';
import type { Secret } from '../domain/secret.js';
import { isPlainObject, ownMember, type PlainObject } from './plain-object.js';
import type { SecretPath } from './secret-path.js';
import type { TokenSource } from './token-source.js';
import type { VaultClient, VaultReply } from './vault.js';
import { VaultError } from './vault-error.js';

/** All fields of a secret, from one reply. */
export interface SecretData {
  readonly fields: PlainObject;
  /** Version that was read; null where the engine keeps none. */
  readonly version: number | null;
  readonly requestId: string;
}

export interface ReaderOptions {
  readonly client: VaultClient;
  readonly tokens: TokenSource;
  readonly kvVersion: 1 | 2;
  readonly clock: Clock;
}

/** A path that stays denied asks for a new token no more often than this. */
const RELOGIN_EVERY_MS = 60_000;

/** Reads one secret; a token that Vault refuses is replaced once. Throws a {@link VaultError}. */
export type ReadSecret = (path: SecretPath) => Promise<SecretData>;

export function createSecretReader({ client, tokens, kvVersion, clock }: ReaderOptions): ReadSecret {
  const relogins = new Map<string, number>();
  return async (path) => {
    if (kvVersion === 1 && path.version !== null) throw keepsNoVersions(path);
    const token = await tokens.current();
    try {
      return dataOf(await client.read(path.key, token), path, kvVersion);
    } catch (error) {
      if (!isDenied(error)) throw explained(error, path);
      return dataOf(await readAgain(path, token, error), path, kvVersion);
    }
  };

  async function readAgain(path: SecretPath, token: Secret, denied: VaultError): Promise<VaultReply> {
    if (clock.now() - (relogins.get(path.key) ?? -Infinity) < RELOGIN_EVERY_MS) throw denied;
    relogins.set(path.key, clock.now());
    tokens.drop(token);
    const fresh = await tokens.current();
    if (fresh.reveal() === token.reveal()) throw denied;
    return client.read(path.key, fresh);
  }
}

function isDenied(error: unknown): error is VaultError {
  return error instanceof VaultError && error.code === 'VAULT_DENIED';
}

function dataOf({ data, requestId }: VaultReply, path: SecretPath, kvVersion: 1 | 2): SecretData {
  if (kvVersion === 1) return { fields: data, version: null, requestId };
  const fields = ownMember(data, 'data');
  const version = ownMember(ownMember(data, 'metadata'), 'version');
  if (isPlainObject(fields) && typeof version === 'number') return { fields, version, requestId };
  throw new VaultError({
    code: 'VAULT_KV_VERSION_MISMATCH',
    message: `"${path.shown}" is not a secret of KV version 2`,
    fix: 'Set vault.kvVersion to 1.',
  });
}

/** Adds to Vault's bare "not found" what the reference shows about the reason. */
function explained(error: unknown, path: SecretPath): unknown {
  if (!(error instanceof VaultError) || error.code !== 'VAULT_NOT_FOUND') return error;
  const message = path.version === null ? error.message : `${error.message}, version ${path.version}`;
  const fix = path.namesData ? 'Leave "data/" out of the path: it is added for KV version 2.' : error.fix;
  return new VaultError({ code: error.code, message, fix }, error.facts);
}

function keepsNoVersions(path: SecretPath): VaultError {
  return new VaultError({
    code: 'VAULT_KV_VERSION_MISMATCH',
    message: `"${path.shown}" is pinned to version ${path.version ?? ''}, but KV version 1 keeps no versions`,
    fix: 'Leave "?version=" out of the reference, or set vault.kvVersion to 2.',
  });
}
