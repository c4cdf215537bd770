import { type JsonObject, ownMember } from '../core/json-object.js';
import { VaultError, type VaultErrorCode, type VaultErrorFacts } from './vault-error.js';

/** The facts about a request that an error may contain. */
export interface VaultRequest {
  readonly method: string;
  /** `host:port` of Vault. */
  readonly host: string;
  /** Path below `/v1/`, without query. */
  readonly path: string;
}

/** The parts of a reply that determine its error. */
export interface RefusedReply {
  readonly status: number;
  /** The parsed JSON object, or undefined for any other body. */
  readonly body: JsonObject | undefined;
  readonly retryAfterMs?: number;
}

type ErrorRow = readonly [code: VaultErrorCode, what: string, fix: string];

const CHECK_VAULT = 'Check that Vault is up and that vault.address is right.';
const RETRY_LATER = 'Wait; the request is repeated when the configuration is next loaded.';

/**
 * Creates the error for a reply that is neither 200 nor 204. Of the body, it checks only the shape and
 * Vault's fixed phrases.
 */
export function replyError(exchange: VaultRequest, reply: RefusedReply): VaultError {
  const login = exchange.method === 'POST' && exchange.path.endsWith('/login');
  const [code, what, fix] = (login ? loginRow(reply) : undefined) ?? rowFor(reply, exchange);
  const message = `${what} "${exchange.path}" at ${exchange.host} (status ${reply.status})`;
  const version = reply.status === 404 ? deletedVersion(reply.body)?.number : undefined;
  const facts: VaultErrorFacts = {
    status: reply.status,
    ...(version !== undefined && { version }),
    ...(reply.retryAfterMs !== undefined && { retryAfterMs: reply.retryAfterMs }),
  };
  return new VaultError({ code, message, fix }, facts);
}

function loginRow({ status }: RefusedReply): ErrorRow | undefined {
  if (status === 400)
    return [
      'VAULT_LOGIN_FAILED',
      'Vault refused the credentials sent to',
      'Check the role id and the secret id in the files named in vault.auth; a secret id may have expired or been used up.',
    ];
  if (status === 403 || status === 404)
    return [
      status === 403 ? 'VAULT_LOCKED_OUT' : 'VAULT_LOGIN_FAILED',
      'Vault refused the login at',
      'Check vault.auth.mount; if it is right, too many failed logins have locked the role and Vault lifts the lock after 15 minutes.',
    ];
  return undefined;
}

const CONFLICT: ErrorRow = [
  'VAULT_WRITE_CONFLICT',
  'Another client wrote to the secret at the same time:',
  'Send the change again.',
];

const ENGINE_FAILED: ErrorRow = [
  'VAULT_ENGINE_FAILED',
  'Vault works, but the secrets engine failed behind',
  'Check what this engine connects to, for example its database, and read the log of Vault.',
];

function rowFor(reply: RefusedReply, { path }: VaultRequest): ErrorRow {
  switch (reply.status) {
    case 400:
      return isConflict(reply) ? CONFLICT : otherRow(400);
    case 500:
      return isEngineFailure(reply) ? ENGINE_FAILED : otherRow(500);
    case 403:
      return deniedRow(reply, path);
    case 404:
      return notFoundRow(reply);
    case 408:
      return ['VAULT_TIMEOUT', 'Vault timed out on', CHECK_VAULT];
    case 429:
      return ['VAULT_RATE_LIMITED', "Vault's rate limit stopped", RETRY_LATER];
    case 503:
      return isSealed(reply)
        ? ['VAULT_SEALED', 'Vault is sealed and did not answer', 'Unseal Vault.']
        : ['VAULT_UNAVAILABLE', 'Vault could not serve', CHECK_VAULT];
    default:
      return otherRow(reply.status);
  }
}

function deniedRow({ body }: RefusedReply, path: string): ErrorRow {
  const errors = stringsIn(ownMember(body, 'errors'));
  const policy = `Give the role a policy: path "${path}" { capabilities = ["read"] }.`;
  // OpenBao and older versions of Vault return no details for an expired token.
  if (errors.length === 1 && errors[0] === 'permission denied')
    return [
      'VAULT_DENIED',
      'Vault denied',
      `${policy} If it has one, the token has expired: write a valid token.`,
    ];
  if (!errors.some((text) => text.includes('invalid token'))) return ['VAULT_DENIED', 'Vault denied', policy];
  const fix = 'Write a valid token to the file or the variable that vault.auth names.';
  return ['VAULT_DENIED', 'The token has expired or was revoked, so Vault denied', fix];
}

function otherRow(status: number): ErrorRow {
  const down = status >= 500 || [412, 425, 472, 473, 474].includes(status);
  if (down) return ['VAULT_UNAVAILABLE', 'Vault could not serve', CHECK_VAULT];
  const fix = 'Check that vault.address is Vault itself, not a page, a proxy or a redirect in front of it.';
  return ['VAULT_BAD_RESPONSE', 'The reply does not come from Vault for', fix];
}

function notFoundRow({ body }: RefusedReply): ErrorRow {
  const version = deletedVersion(body);
  if (version?.destroyed)
    return ['VAULT_VERSION_DESTROYED', `Version ${version.number} is destroyed:`, 'Write the secret again.'];
  if (version)
    return [
      'VAULT_VERSION_DELETED',
      `Version ${version.number} was deleted at ${version.deleted}:`,
      'Restore it with "vault kv undelete", or write the secret again.',
    ];
  if (warnsOfVersion(body))
    return [
      'VAULT_KV_VERSION_MISMATCH',
      'The mount keeps versions (KV version 2), so Vault does not serve',
      'Set vault.kvVersion to 2.',
    ];
  return [
    'VAULT_NOT_FOUND',
    'Vault has no secret',
    'Correct the path of the reference, check vault.mount and vault.kvVersion, or write the secret.',
  ];
}

function deletedVersion(
  body: RefusedReply['body'],
): { number: number; destroyed: boolean; deleted: string } | undefined {
  const metadata = ownMember(ownMember(body, 'data'), 'metadata');
  const number = ownMember(metadata, 'version');
  const deleted = ownMember(metadata, 'deletion_time');
  if (typeof number !== 'number' || typeof deleted !== 'string') return undefined;
  // The text is printed, so only a plausible time is accepted.
  const shown = /^[\dTZ:.+-]+$/.test(deleted) ? deleted : 'an unknown time';
  return { number, destroyed: ownMember(metadata, 'destroyed') === true, deleted: shown };
}

function warnsOfVersion(body: RefusedReply['body']): boolean {
  return stringsIn(ownMember(body, 'warnings')).some((text) =>
    text.startsWith('Invalid path for a versioned K/V'),
  );
}

function isConflict({ body }: RefusedReply): boolean {
  return stringsIn(ownMember(body, 'errors')).some((text) =>
    text.includes('did not match the current version'),
  );
}

/** Returns true for a 500 of Vault itself that is not about its own node: an engine could not do its work. */
function isEngineFailure({ body }: RefusedReply): boolean {
  const errors = stringsIn(ownMember(body, 'errors'));
  return (
    errors.length > 0 && !errors.some((text) => /\bnode not active\b|\bactive cluster node\b/.test(text))
  );
}

function isSealed({ body }: RefusedReply): boolean {
  return stringsIn(ownMember(body, 'errors')).some((text) => text.includes('is sealed'));
}

function stringsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}
