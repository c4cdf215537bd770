import { isJsonObject, type JsonObject, ownMember } from '../../json/json-object.js';
import { SecretError } from '../secret-error.js';
import type { SecretPath } from '../secret-path.js';
import type { SecretData, ReportedTimes } from '../store.js';
import { type Engine, readAddress, type ReadAddress } from './address.js';
import type { VaultClient, VaultReply } from './client.js';
import { extractField } from './extract-field.js';
import type { OpenClient } from './open-client.js';
import type { TokenProvider } from './token-provider.js';

interface VaultSecret extends SecretData {
  readonly fields: JsonObject;
}

/** The parts of a connection that read secrets. */
export interface Reader extends Pick<OpenClient, 'mounts'> {
  readonly client: Pick<VaultClient, 'read'>;
  readonly tokens: Pick<TokenProvider, 'use'>;
}

/** Reads one secret. Throws a {@link SecretError}. */
export async function readSecret(path: SecretPath, { client, tokens, mounts }: Reader): Promise<VaultSecret> {
  const mount = await mounts.find(path);
  const address = readAddress(path, mount);
  try {
    const reply = await tokens.use(address.url, (token) => client.read(address.url, token));
    return secretOf(reply, address.shown, mount.engine);
  } catch (error) {
    if (mayHaveOtherEngine(error)) mounts.forget(path);
    throw withProbableReason(error, path, address);
  }
}

function mayHaveOtherEngine(error: unknown): boolean {
  if (!(error instanceof SecretError)) return false;
  return error.code === 'VAULT_NOT_FOUND' || error.code === 'VAULT_KV_VERSION_MISMATCH';
}

function secretOf(reply: VaultReply, shown: string, engine: Engine): VaultSecret {
  const { fields, version } =
    engine === 'kv2' ? versioned(reply, shown) : { fields: reply.data, version: null };
  return {
    fields,
    select: (reference) => extractField(fields, reference),
    version,
    lease: reply.lease ?? null,
    shown,
    requestId: reply.requestId,
    ...timesOf(engine, fields),
  };
}

function versioned({ data }: VaultReply, shown: string): Pick<VaultSecret, 'fields' | 'version'> {
  const fields = ownMember(data, 'data');
  const version = ownMember(ownMember(data, 'metadata'), 'version');
  if (isJsonObject(fields) && typeof version === 'number') return { fields, version };
  throw new SecretError({
    code: 'VAULT_KV_VERSION_MISMATCH',
    message: `"${shown}" is not a secret of KV version 2`,
    fix: 'Set vault.kvVersion to 1, or to "auto" when there are engines of several kinds.',
  });
}

/** Returns the times that the fields of a secret report for the next read. */
export function timesOf(engine: Engine, fields: JsonObject): ReportedTimes {
  const rotation = engine === 'kv2' ? undefined : rotationSeconds(fields);
  const reread = engine === 'kv1' ? hintSeconds(fields) : undefined;
  return {
    ...(rotation !== undefined && { rotationSeconds: rotation }),
    ...(reread !== undefined && { rereadSeconds: reread }),
  };
}

/**
 * Returns the remaining seconds of a password that the database engine rotates (`static-creds`); undefined
 * for any other secret.
 */
function rotationSeconds(fields: JsonObject): number | undefined {
  const ttl = ownMember(fields, 'ttl');
  const rotates = ownMember(fields, 'last_vault_rotation') !== undefined;
  return rotates && typeof ttl === 'number' ? ttl : undefined;
}

const SECONDS_BY_UNIT: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * Returns the seconds in the key `ttl` or `lease` of a KV version 1 secret. The author of the secret sets
 * this key to request a refresh interval.
 */
function hintSeconds(fields: JsonObject): number | undefined {
  const written = ownMember(fields, 'ttl') ?? ownMember(fields, 'lease');
  if (typeof written !== 'string' && typeof written !== 'number') return undefined;
  const text = String(written);
  if (/^\d{1,9}$/.test(text)) return Number(text) || undefined;
  if (!/^(?:\d{1,9}[smhd])+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+)([smhd])/g)];
  const seconds = parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * (SECONDS_BY_UNIT[unit ?? ''] ?? 0),
    0,
  );
  return seconds || undefined;
}

/** Adds the probable reason, as far as the reference shows it, to Vault's plain "not found" and "denied". */
function withProbableReason(error: unknown, path: SecretPath, { shorterPathFix }: ReadAddress): unknown {
  if (!(error instanceof SecretError)) return error;
  const isMissing = error.code === 'VAULT_NOT_FOUND';
  // A policy for the right path denies the wrong one, so that Vault does not say that nothing is there.
  if (!isMissing && !(error.code === 'VAULT_DENIED' && shorterPathFix !== undefined)) return error;
  const message =
    isMissing && path.version !== null ? `${error.message}, version ${path.version}` : error.message;
  const fix = shorterPathFix ?? error.fix;
  return new SecretError({ code: error.code, message, fix }, error.facts);
}
