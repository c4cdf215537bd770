import { isJsonObject, type JsonObject, ownMember } from '../core/json-object.js';
import type { MountLookup } from './mount-info.js';
import { encoded, readAddress, type Mount, type SecretPath } from './secret-path.js';
import type { VaultClient } from './vault.js';
import { VaultError } from './vault-error.js';
import type { WithToken } from './authenticated-request.js';

/** What can be known of a secret without its values. */
export interface SecretNames {
  /** Path that was asked, for messages; also the one that a policy has to allow. */
  readonly shown: string;
  readonly version: number | null;
  /** The fields; of KV version 2 every value is a stand-in. Null for an engine that makes a new secret for every read. */
  readonly fields: JsonObject | null;
}

/** Asks for one secret's names. Throws a {@link VaultError}. */
export type ReadNames = (path: SecretPath) => Promise<SecretNames>;

/** What every value looks like. */
const STAND_IN = 'set';

/** Reads `subkeys` of KV version 2, which have no values; KV version 1 has no such thing, and is read as it is. */
export function createNameReader(parts: {
  readonly client: Pick<VaultClient, 'read'>;
  readonly withToken: WithToken;
  readonly mounts: MountLookup;
}): ReadNames {
  const { client, withToken, mounts } = parts;
  return async (path) => {
    const mount = await mounts.find(path);
    const { url, shown } = readAddress(path, mount);
    if (mount.engine === 'other') return { shown, version: null, fields: null };
    const asked = mount.engine === 'kv2' ? subkeysUrl(path, mount) : url;
    const { data } = await withToken(asked, (token) => client.read(asked, token));
    if (mount.engine === 'kv1') return { shown, version: null, fields: data };
    return namesOf(data, subkeysUrl({ ...path, version: null }, mount));
  };
}

function subkeysUrl({ segments, version }: SecretPath, { length }: Mount): string {
  const url = encoded([...segments.slice(0, length), 'subkeys', ...segments.slice(length)]);
  return version === null ? url : `${url}?version=${version}`;
}

function namesOf(data: JsonObject, shown: string): SecretNames {
  const subkeys = ownMember(data, 'subkeys');
  const version = ownMember(ownMember(data, 'metadata'), 'version');
  if (isJsonObject(subkeys) && typeof version === 'number')
    return { shown, version, fields: withStandIns(subkeys) };
  throw new VaultError({
    code: 'VAULT_KV_VERSION_MISMATCH',
    message: `"${shown}" does not list the fields of a secret of KV version 2`,
    fix: 'Set vault.kvVersion to 1, or update Vault: it lists fields since version 1.10.',
  });
}

function withStandIns(subkeys: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(subkeys).map(([name, below]) => [
      name,
      isJsonObject(below) ? withStandIns(below) : STAND_IN,
    ]),
  );
}
