import { type JsonObject, ownMember } from '../../json/json-object.js';
import { SecretError, type SecretErrorCode, type SecretErrorFacts } from '../secret-error.js';
import { policyPath } from '../secret-path.js';

/** The facts about a request that an error may contain. */
export interface VaultRequest {
  /** `LIST` for a GET that lists a folder. */
  readonly method: string;
  /** `host:port` of Vault. */
  readonly host: string;
  /** Path below `/v1/`, without query. */
  readonly path: string;
}

/** The parts of a reply that determine its error. */
interface RefusedReply {
  readonly status: number;
  /** The parsed JSON object, or undefined for any other body. */
  readonly body: JsonObject | undefined;
  /** Beginning of a body that is no JSON object. */
  readonly text?: string;
  readonly retryAfterMs?: number;
}

type ErrorRow = readonly [code: SecretErrorCode, what: string, fix: string];

const CHECK_VAULT = 'Check that Vault is up and that vault.address is right.';
const SLOWED_DOWN =
  'Wait: gatehouse sends its requests more slowly, and repeats this one. If that takes too long, raise the quota (sys/quotas/rate-limit) for the path or the role of gatehouse.';

/**
 * Creates the error for a reply that is neither 200 nor 204. Of the body, it checks only the shape and
 * Vault's fixed phrases.
 */
export function replyError(exchange: VaultRequest, reply: RefusedReply): SecretError {
  const [code, what, fix] =
    setupRow(reply, exchange) ?? (isLogin(exchange) ? loginRow(reply) : undefined) ?? rowFor(reply, exchange);
  const message = `${what} "${exchange.path}" at ${exchange.host} (status ${reply.status})`;
  const version = reply.status === 404 ? deletedVersion(reply.body)?.number : undefined;
  const facts: SecretErrorFacts = {
    status: reply.status,
    ...(version !== undefined && { version }),
    ...(isNothing(reply) && { isNothing: true as const }),
    ...(reply.status === 403 && isTokenRefused(reply) && { tokenRefused: true }),
    ...(reply.retryAfterMs !== undefined && { retryAfterMs: reply.retryAfterMs }),
  };
  return new SecretError({ code, message, fix }, facts);
}

/** Returns true for `{"errors":[]}`, with which Vault answers for a secret or a folder that does not exist. */
function isNothing({ status, body }: RefusedReply): boolean {
  const errors = ownMember(body, 'errors');
  return status === 404 && Array.isArray(errors) && errors.length === 0;
}

function isLogin({ method, path }: VaultRequest): boolean {
  return method === 'POST' && /^auth\/.+\/login(?:\/[^/]+)?$/.test(path);
}

/** Returns the row of a reply that names the wrong setting, for any request. */
function setupRow(reply: RefusedReply, exchange: VaultRequest): ErrorRow | undefined {
  if (reply.text?.includes('HTTP request to an HTTPS server'))
    return [
      'VAULT_TLS',
      'Vault expects https, and got a request over http for',
      'Write https:// in vault.address, and name the CA of Vault in vault.tls.caFile.',
    ];
  if (reply.status !== 404 || !errorsOf(reply).includes('namespace not found')) return undefined;
  return [
    isLogin(exchange) ? 'VAULT_LOGIN_FAILED' : 'VAULT_NOT_FOUND',
    'Vault has no namespace as configured for',
    'Correct vault.namespace; vault.auth.namespace is the namespace of the login.',
  ];
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

const LOGIN_METHOD_FAILED: ErrorRow = [
  'VAULT_LOGIN_UNAVAILABLE',
  'Vault works, but its login method failed at',
  'Check what this method connects to, for example the API of Kubernetes or an LDAP server, and the credential that it gets; the log of Vault has the reason.',
];

const UNKNOWN_ROLE: ErrorRow = [
  'VAULT_NOT_FOUND',
  'The secrets engine has no role as named in',
  'Correct the role in the reference; "vault list MOUNT/roles" and "vault list MOUNT/static-roles" show the roles.',
];

const NOT_PROCESSED: ErrorRow = [
  'VAULT_BAD_RESPONSE',
  'Vault cannot process the request for',
  'Correct the path of the reference, or the settings of its engine; the log of Vault has the reason.',
];

function badRequestRow(reply: RefusedReply): ErrorRow {
  if (isConflict(reply)) return CONFLICT;
  const errors = errorsOf(reply);
  if (errors.some((text) => text.includes('unknown role'))) return UNKNOWN_ROLE;
  return errors.length > 0 ? NOT_PROCESSED : otherRow(400);
}

function rowFor(reply: RefusedReply, exchange: VaultRequest): ErrorRow {
  switch (reply.status) {
    case 400:
      return badRequestRow(reply);
    case 500:
      return failedRow(reply, exchange);
    case 403:
      return deniedRow(reply, exchange);
    case 404:
      return notFoundRow(reply);
    case 408:
      return ['VAULT_TIMEOUT', 'Vault timed out on', CHECK_VAULT];
    case 429:
      return ['VAULT_RATE_LIMITED', 'Vault works, but a quota for requests refused', SLOWED_DOWN];
    case 503:
      return isSealed(reply)
        ? ['VAULT_SEALED', 'Vault is sealed and did not answer', 'Unseal Vault.']
        : ['VAULT_UNAVAILABLE', 'Vault could not serve', CHECK_VAULT];
    default:
      return otherRow(reply.status);
  }
}

/** Returns the row of a 500: a failed login method, a failed engine, or a Vault that cannot serve. */
function failedRow(reply: RefusedReply, { path }: VaultRequest): ErrorRow {
  if (!isEngineFailure(reply)) return otherRow(500);
  if (/^(?:auth|sys\/wrapping)\//.test(path)) return LOGIN_METHOD_FAILED;
  return /^sys\/(?!leases\/)/.test(path) ? otherRow(500) : ENGINE_FAILED;
}

function deniedRow(reply: RefusedReply, exchange: VaultRequest): ErrorRow {
  const paths = policyPath(exchange.method === 'LIST' ? `${exchange.path}*` : exchange.path);
  const policy = `Give the role a policy: path "${paths}" { capabilities = [${capabilitiesFor(exchange)}] }.`;
  const errors = errorsOf(reply);
  if (errors.some((text) => text.includes('invalid token'))) {
    const fix = 'Write a valid token to the file or the variable that vault.auth names.';
    return ['VAULT_DENIED', 'The token has expired or was revoked, so Vault denied', fix];
  }
  const fix = isTokenRefused(reply)
    ? `${policy} If it has one, the token has expired: write a valid token.`
    : policy;
  return ['VAULT_DENIED', 'Vault denied', fix];
}

/** Returns the capabilities that a request needs, as a policy lists them. */
function capabilitiesFor({ method, path }: VaultRequest): string {
  if (method === 'GET') return '"read"';
  if (method === 'LIST') return '"list"';
  return /^(?:auth|sys)\//.test(path) ? '"update"' : '"create", "update"';
}

/** Returns true if Vault does not know the token; OpenBao and older versions of Vault give no details. */
function isTokenRefused(reply: RefusedReply): boolean {
  const errors = errorsOf(reply);
  const isWithoutDetails = errors.length === 1 && errors[0] === 'permission denied';
  return isWithoutDetails || errors.some((text) => text.includes('invalid token'));
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

function isConflict(reply: RefusedReply): boolean {
  return errorsOf(reply).some((text) => text.includes('did not match the current version'));
}

/** Returns true for a 500 of Vault itself that is not about its own node: an engine or a login method could not do its work. */
function isEngineFailure(reply: RefusedReply): boolean {
  const errors = errorsOf(reply);
  return (
    errors.length > 0 && !errors.some((text) => /\bnode not active\b|\bactive cluster node\b/.test(text))
  );
}

function isSealed(reply: RefusedReply): boolean {
  return errorsOf(reply).some((text) => text.includes('is sealed'));
}

function errorsOf({ body }: RefusedReply): readonly string[] {
  return stringsIn(ownMember(body, 'errors'));
}

function stringsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}
