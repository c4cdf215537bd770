import { isJsonObject, type JsonObject, ownMember } from '../../json/json-object.js';
import { SecretError } from '../secret-error.js';
import { encoded, type SecretPath } from '../secret-path.js';
import type { SecretOutline } from '../store.js';
import { type Mount, readAddress, WITHOUT_DATA } from './address.js';
import { extractField } from './extract-field.js';
import type { OpenClient } from './open-client.js';

const PLACEHOLDER = 'set';

/**
 * Returns the outline of a secret. Reads `subkeys` of KV version 2, which contain no values, and asks whether the token
 * may read the secret. KV version 1 has no equivalent, so the secret itself is read. A secret of another engine is new
 * for every read, so it is not read. Throws a {@link SecretError}.
 */
export async function lookUpSecret(path: SecretPath, parts: OpenClient): Promise<SecretOutline> {
  const { client, tokens, mounts } = parts;
  const mount = await mounts.find(path);
  const { url: secretUrl, shown, namesData } = readAddress(path, mount);
  if (mount.engine !== 'kv1') await assertReadable(shown, namesData, parts);
  if (mount.engine === 'other')
    return { shown, version: null, names: [], asked: false, hasValues: false, select: () => PLACEHOLDER };
  const url = mount.engine === 'kv2' ? subkeysUrl(path, mount) : secretUrl;
  const { data } = await tokens.use(url, (token) => client.read(url, token));
  return mount.engine === 'kv1'
    ? {
        shown,
        version: null,
        ...namesOf(data),
        hasValues: true,
        select: (reference) => extractField(data, reference),
      }
    : outlineOf(data, subkeysUrl({ ...path, version: null }, mount));
}

function namesOf(fields: JsonObject): Pick<SecretOutline, 'names' | 'asked'> {
  return { names: Object.keys(fields).sort(), asked: true };
}

const CAPABILITIES = 'sys/capabilities-self';

/**
 * Throws `VAULT_DENIED` if the policies of the token do not let the server read the path. A token whose policies
 * do not answer this question passes.
 */
async function assertReadable(
  path: string,
  namesData: boolean,
  { client, tokens }: OpenClient,
): Promise<void> {
  let reply: unknown;
  try {
    reply = await tokens.use(CAPABILITIES, (token) => client.write(CAPABILITIES, { paths: [path] }, token));
  } catch (error) {
    if (error instanceof SecretError && [403, 404].includes(error.facts.status ?? 0)) return;
    throw error;
  }
  const granted = ownMember(reply, 'capabilities');
  if (!Array.isArray(granted) || granted.some((one) => one === 'read' || one === 'root')) return;
  throw new SecretError({
    code: 'VAULT_DENIED',
    message: `The policies of the token do not let the server read "${path}"`,
    fix: namesData ? WITHOUT_DATA : `Give the role a policy: path "${path}" { capabilities = ["read"] }.`,
  });
}

function subkeysUrl({ segments, version }: SecretPath, { length }: Mount): string {
  const url = encoded([...segments.slice(0, length), 'subkeys', ...segments.slice(length)]);
  return version === null ? url : `${url}?version=${version}`;
}

function outlineOf(data: JsonObject, shown: string): SecretOutline {
  const subkeys = ownMember(data, 'subkeys');
  const version = ownMember(ownMember(data, 'metadata'), 'version');
  if (isJsonObject(subkeys) && typeof version === 'number') {
    const fields = withPlaceholders(subkeys);
    // Placeholders reveal nothing about the encoding.
    const select: SecretOutline['select'] = (reference) =>
      extractField(fields, { ...reference, encoding: 'utf8' });
    return { shown, version, ...namesOf(fields), hasValues: false, select };
  }
  throw new SecretError({
    code: 'VAULT_KV_VERSION_MISMATCH',
    message: `"${shown}" does not list the fields of a secret of KV version 2`,
    fix: 'Set vault.kvVersion to 1, or update Vault: it lists fields since version 1.10.',
  });
}

function withPlaceholders(subkeys: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(subkeys).map(([name, nested]) => [
      name,
      isJsonObject(nested) ? withPlaceholders(nested) : PLACEHOLDER,
    ]),
  );
}
