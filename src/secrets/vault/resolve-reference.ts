import type { VaultSettings } from '../../core/vault-settings.js';
import { isJsonObject, type JsonObject, ownMember } from '../../json/json-object.js';
import { Semaphore } from '../../lib/semaphore.js';
import { singleFlight } from '../../lib/single-flight.js';
import type { LocatedReference } from '../find-references.js';
import type { Reference } from '../reference.js';
import { failureOf, SecretError, type SecretFailure } from '../secret-error.js';
import {
  encoded,
  type Mount,
  readAddress,
  secretPath,
  type SecretPath,
  WITHOUT_DATA,
} from '../secret-path.js';
import type { VaultClient } from './client.js';
import { extractField } from './extract-field.js';
import { detectMounts, configuredMounts, type MountLookup } from './mount-info.js';
import { type ClientDeps, openClient } from './open-client.js';
import { createWithToken, type WithToken } from './token-provider.js';

/** Field names of a secret; KV version 2 lists them without the values. */
interface SecretNames {
  /** Requested path, for messages; a policy has to allow the same path. */
  readonly shown: string;
  readonly version: number | null;
  /**
   * The fields; for KV version 2 every value is a placeholder. Null for an engine that creates a new secret
   * for every read.
   */
  readonly fields: JsonObject | null;
}

/** Reads the field names of one secret. Throws a {@link SecretError}. */
type ReadNames = (path: SecretPath) => Promise<SecretNames>;

/** Placeholder for a value. */
const PLACEHOLDER = 'set';

interface NameReaderParts {
  readonly client: Pick<VaultClient, 'read' | 'write'>;
  readonly withToken: WithToken;
  readonly mounts: MountLookup;
}

/**
 * Creates a reader of field names. It reads `subkeys` of KV version 2, which contain no values, and asks whether
 * the token may read the secret. KV version 1 has no equivalent, so the reader reads the secret itself.
 */
function createNameReader(parts: NameReaderParts): ReadNames {
  const { client, withToken, mounts } = parts;
  return async (path) => {
    const mount = await mounts.find(path);
    const { url: secretUrl, shown, namesData } = readAddress(path, mount);
    if (mount.engine !== 'kv1') await assertReadable(shown, namesData, parts);
    if (mount.engine === 'other') return { shown, version: null, fields: null };
    const url = mount.engine === 'kv2' ? subkeysUrl(path, mount) : secretUrl;
    const { data } = await withToken(url, (token) => client.read(url, token));
    if (mount.engine === 'kv1') return { shown, version: null, fields: data };
    return secretNamesOf(data, subkeysUrl({ ...path, version: null }, mount));
  };
}

const CAPABILITIES = 'sys/capabilities-self';

/**
 * Throws `VAULT_DENIED` if the policies of the token do not let the server read the path. A token whose policies
 * do not answer this question passes.
 */
async function assertReadable(
  path: string,
  namesData: boolean,
  { client, withToken }: NameReaderParts,
): Promise<void> {
  let reply: unknown;
  try {
    reply = await withToken(CAPABILITIES, (token) => client.write(CAPABILITIES, { paths: [path] }, token));
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

function secretNamesOf(data: JsonObject, shown: string): SecretNames {
  const subkeys = ownMember(data, 'subkeys');
  const version = ownMember(ownMember(data, 'metadata'), 'version');
  if (isJsonObject(subkeys) && typeof version === 'number')
    return { shown, version, fields: withPlaceholders(subkeys) };
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

/** Result of the check of one reference. It contains no value. */
export interface LookupResult {
  readonly pointer: string;
  /** Requested path, with the mount. */
  readonly path: string;
  readonly version: number | null;
  readonly field: string | null;
  /** Names of the existing fields, sorted. */
  readonly names: readonly string[];
  /** False for an engine that creates a new secret for every read: the check did not read it. */
  readonly asked: boolean;
  /** Why the reference cannot be resolved. */
  readonly failure?: SecretFailure;
}

/**
 * Checks for every reference whether its field exists in Vault. Reads no values if the engine can list fields
 * without them (KV version 2). Logs in, reads each path once, and logs out. Rejects only on a bug.
 */
export async function resolveReferences(
  references: readonly LocatedReference[],
  settings: VaultSettings,
  deps: ClientDeps,
): Promise<readonly LookupResult[]> {
  try {
    const opened = await openClient(settings, deps);
    const { client, tokens } = opened;
    const withToken = createWithToken(tokens, deps.scheduler);
    const { kvVersion, mount, request } = settings;
    const mounts = kvVersion === 'auto' ? detectMounts(client, withToken) : configuredMounts(kvVersion);
    const requests = new Semaphore(request.concurrency);
    const readPath = createNameReader({ client, withToken, mounts });
    const readNames = singleFlight(
      (path: SecretPath) => requests.run(() => readPath(path)),
      ({ key }) => key,
    );
    try {
      return await Promise.all(references.map((located) => resolveReference(located, mount, readNames)));
    } finally {
      await opened.close();
    }
  } catch (error) {
    const failure = failureOf(error);
    return references.map((located) => ({ ...uncheckedResult(located, settings.mount), failure }));
  }
}

async function resolveReference(
  located: LocatedReference,
  mount: string,
  readNames: ReadNames,
): Promise<LookupResult> {
  const unchecked = uncheckedResult(located, mount);
  try {
    const secret = await readNames(secretPath(located.reference, mount));
    const { shown: path, version, fields } = secret;
    const failure = fieldFailure(secret, located.reference);
    const checked = { path, version, names: Object.keys(fields ?? {}).sort(), asked: fields !== null };
    return { ...unchecked, ...checked, ...(failure && { failure }) };
  } catch (error) {
    return { ...unchecked, failure: failureOf(error) };
  }
}

function uncheckedResult({ pointer, reference }: LocatedReference, mount: string): LookupResult {
  const { key: path, version } = secretPath(reference, mount);
  return { pointer, path: path.replace(/\?.*/, ''), version, field: reference.field, names: [], asked: true };
}

/**
 * Returns why the field is unusable; undefined if it is usable. Placeholders of KV version 2 reveal nothing
 * about the encoding, so the encoding is not checked.
 */
function fieldFailure({ fields, version }: SecretNames, reference: Reference): SecretFailure | undefined {
  if (fields === null) return undefined;
  try {
    extractField(fields, version === null ? reference : { ...reference, encoding: 'utf8' });
    return undefined;
  } catch (error) {
    return failureOf(error);
  }
}
