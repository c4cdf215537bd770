import { isJsonObject, type JsonObject, ownMember } from '../../json/json-object.js';
import { SecretError } from '../secret-error.js';
import { type Engine, readAddress, type ReadAddress, type SecretPath, WITHOUT_DATA } from '../secret-path.js';
import type { Lease, VaultClient, VaultReply } from './client.js';
import type { MountLookup } from './mount-info.js';
import type { WithToken } from './token-provider.js';

/** All fields of a secret, from one reply. */
export interface SecretData {
  readonly fields: JsonObject;
  /** Engine that the fields are from; null for a file. */
  readonly engine: Engine | null;
  /** Version that was read; null if the engine keeps no versions. */
  readonly version: number | null;
  /** Lease of the fields; null for a secret that Vault stores. */
  readonly lease: Lease | null;
  /** Path that was read, for messages. */
  readonly shown: string;
  /** Request id of Vault; empty for a file. */
  readonly requestId: string;
}

interface ReaderOptions {
  readonly client: Pick<VaultClient, 'read'>;
  readonly withToken: WithToken;
  readonly mounts: MountLookup;
}

/** Reads one secret. Throws a {@link SecretError}. */
export type ReadSecret = (path: SecretPath) => Promise<SecretData>;

export function createSecretReader({ client, withToken, mounts }: ReaderOptions): ReadSecret {
  return async (path) => {
    const mount = await mounts.find(path);
    const address = readAddress(path, mount);
    try {
      const reply = await withToken(address.url, (token) => client.read(address.url, token));
      return dataOf(reply, address.shown, mount.engine);
    } catch (error) {
      if (mayHaveOtherEngine(error)) mounts.forget(path);
      throw withProbableReason(error, path, address);
    }
  };
}

function mayHaveOtherEngine(error: unknown): boolean {
  if (!(error instanceof SecretError)) return false;
  return error.code === 'VAULT_NOT_FOUND' || error.code === 'VAULT_KV_VERSION_MISMATCH';
}

function dataOf({ data, requestId, lease }: VaultReply, shown: string, engine: Engine): SecretData {
  const common = { engine, lease: lease ?? null, shown, requestId };
  if (engine !== 'kv2') return { fields: data, version: null, ...common };
  const fields = ownMember(data, 'data');
  const version = ownMember(ownMember(data, 'metadata'), 'version');
  if (isJsonObject(fields) && typeof version === 'number') return { fields, version, ...common };
  throw new SecretError({
    code: 'VAULT_KV_VERSION_MISMATCH',
    message: `"${shown}" is not a secret of KV version 2`,
    fix: 'Set vault.kvVersion to 1, or to "auto" when there are engines of several kinds.',
  });
}

/** Adds the probable reason, as far as the reference shows it, to Vault's plain "not found" and "denied". */
function withProbableReason(error: unknown, path: SecretPath, { namesData }: ReadAddress): unknown {
  if (!(error instanceof SecretError)) return error;
  const isMissing = error.code === 'VAULT_NOT_FOUND';
  // A policy for the right path denies the wrong one, so that Vault does not say that nothing is there.
  if (!isMissing && !(error.code === 'VAULT_DENIED' && namesData)) return error;
  const message =
    isMissing && path.version !== null ? `${error.message}, version ${path.version}` : error.message;
  const fix = namesData ? WITHOUT_DATA : error.fix;
  return new SecretError({ code: error.code, message, fix }, error.facts);
}
