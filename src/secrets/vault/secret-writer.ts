import type { Secret } from '../../core/secret.js';
import { type JsonObject, ownMember } from '../../json/json-object.js';
import { SecretError, type SecretErrorFacts } from '../secret-error.js';
import { policyPath, type SecretPath } from '../secret-path.js';
import { type Mount, readAddress, type ReadAddress } from './address.js';
import type { OpenClient } from './open-client.js';
import { readSecret } from './read-secret.js';

export type SecretFields = ReadonlyMap<string, Secret>;

/** Maximum number of attempts for one write; a concurrent writer causes each repetition. */
const MAX_ATTEMPTS = 4;

/**
 * Sets fields of a secret in a KV engine and keeps its other fields. Returns the version that has them, or null if the
 * engine keeps no versions. Writes nothing if the secret already has these values. Version 2 accepts a write only for
 * the version that was read before (check-and-set), so that no concurrent change is lost. Version 1 has no such check.
 * Throws a {@link SecretError}.
 */
export async function writeSecret(
  path: SecretPath,
  fields: SecretFields,
  opened: OpenClient,
): Promise<number | null> {
  const mount = await opened.mounts.find(path);
  const address = readAddress(path, mount);
  if (mount.engine === 'other') throw unsupportedEngine(address);
  for (let retriesLeft = MAX_ATTEMPTS - 1; ; retriesLeft -= 1) {
    try {
      return await writeOnce({ path, fields, mount, address }, opened);
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      if (error.code !== 'VAULT_WRITE_CONFLICT' || retriesLeft === 0) throw withWritePolicy(error, address);
    }
  }
}

interface WriteRequest {
  readonly path: SecretPath;
  readonly fields: SecretFields;
  readonly mount: Mount;
  readonly address: ReadAddress;
}

async function writeOnce(request: WriteRequest, opened: OpenClient): Promise<number | null> {
  const { path, fields, mount, address } = request;
  const existing = await readExisting(readSecret(path, opened));
  const added = Object.fromEntries([...fields].map(([name, value]) => [name, value.reveal()]));
  if (Object.entries(added).every(([name, text]) => ownMember(existing.fields, name) === text))
    return existing.version;
  const merged = { ...existing.fields, ...added };
  if (hasRoundedNumber(merged)) throw roundedNumber(address);
  const isV2 = mount.engine === 'kv2';
  const body = isV2 ? { data: merged, options: { cas: existing.version ?? 0 } } : merged;
  const reply = await opened.tokens.use(address.url, (token) =>
    opened.client.write(address.url, body, token),
  );
  const version = ownMember(reply, 'version');
  if (!isV2) return null;
  if (typeof version === 'number') return version;
  throw unversionedReply(address);
}

interface ExistingSecret {
  readonly fields: JsonObject;
  /** Current version; 0 if the secret never had a version, null if the engine keeps none. */
  readonly version: number | null;
}

/** Returns the fields that a write must keep: none if the secret does not exist or is deleted. */
async function readExisting(reading: ReturnType<typeof readSecret>): Promise<ExistingSecret> {
  try {
    const { fields, version } = await reading;
    return { fields, version };
  } catch (error) {
    if (!(error instanceof SecretError) || error.facts.status !== 404) throw error;
    if (error.code === 'VAULT_KV_VERSION_MISMATCH') throw error;
    return { fields: {}, version: error.facts.version ?? 0 };
  }
}

/** Returns true if a value contains a number that JSON rounds. Such a number must not be written back. */
function hasRoundedNumber(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasRoundedNumber);
}

/** Replaces the fix of a denied write: a write needs more capabilities than a read. */
function withWritePolicy(error: SecretError, { shown }: ReadAddress): SecretError {
  if (error.code !== 'VAULT_DENIED') return error;
  const path = policyPath(shown.replace(/[^/]+$/, '*'));
  const policy = `path "${path}" { capabilities = ["create", "update", "read"] }`;
  const fix = `Give the role a policy: ${policy}. If it has one, the token has expired: write a valid token.`;
  return failure([error.code, error.message, fix], error.facts);
}

function unsupportedEngine({ shown }: ReadAddress): SecretError {
  const fix = 'Set vault.mount to a KV engine, or vault.writeLiterals to false.';
  return failure(['VAULT_KV_VERSION_MISMATCH', `"${shown}" is in an engine that stores no secrets`, fix]);
}

function unversionedReply({ shown }: ReadAddress): SecretError {
  const fix = 'Set vault.kvVersion to 1, or to "auto", and remove the secret that was written there.';
  return failure(['VAULT_KV_VERSION_MISMATCH', `"${shown}" is not in a KV engine of version 2`, fix]);
}

function roundedNumber({ shown }: ReadAddress): SecretError {
  const fix = 'Store that number as a string.';
  const message = `"${shown}" has a number that JSON rounds, so the secret cannot be written back unchanged`;
  return failure(['VAULT_FIELD_NOT_SCALAR', message, fix]);
}

function failure(
  [code, message, fix]: readonly [SecretError['code'], string, string],
  facts: SecretErrorFacts = {},
): SecretError {
  return new SecretError({ code, message, fix }, facts);
}
