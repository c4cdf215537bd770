import type { Log } from '../../core/log.js';
import { Secret } from '../../core/secret.js';
import { ownMember } from '../../json/json-object.js';
import { SecretError } from '../secret-error.js';
import type { TokenCalls } from './client.js';

interface UnwrapOptions {
  readonly calls: TokenCalls;
  readonly log: Log;
  readonly namespace: string | null;
  /** Path that must have created the reply; absent or null for any path. */
  readonly creationPath?: string | null;
  /** True for a command beside the server: it looks the wrapping token up, and leaves the reply wrapped. */
  readonly keepsCredentials: boolean;
  readonly extract: (reply: unknown) => unknown;
}

export type Unwrap = (content: Secret) => Promise<Secret>;

/**
 * Creates a function that unwraps the content of a file: a wrapping token, or `wrap_info` as JSON. The
 * credential is requested once and then kept in memory, because Vault unwraps it only once. Throws
 * `VAULT_WRAP_INVALID` if the wrapping token was already used, has expired or was created at another path, and
 * logs a security event, because another party may have the credential or may have replaced it. The same
 * content is then never tried again. With `keepsCredentials` it throws `VAULT_STILL_WRAPPED` for a valid token.
 */
export function createUnwrap(options: UnwrapOptions): Unwrap {
  let previous: { readonly content: string; readonly result: Secret | SecretError } | undefined;
  return async (content) => {
    if (previous?.content !== content.reveal()) {
      const result = await unwrapOnce(wrappingTokenIn(content), options);
      previous = { content: content.reveal(), result };
    }
    if (previous.result instanceof SecretError) throw previous.result;
    return previous.result;
  };
}

/** Returns the credential, or an error that a retry cannot change. Throws transient errors. */
async function unwrapOnce(wrapping: Secret, options: UnwrapOptions): Promise<Secret | SecretError> {
  const origin = await originOf(wrapping, options);
  if (origin instanceof SecretError) return reported(origin, options.log);
  const { creationPath, keepsCredentials, calls, namespace } = options;
  if (creationPath !== undefined && creationPath !== null && origin !== creationPath)
    return reported(wrapInvalid(`The wrapping token was not created at "${creationPath}"`), options.log);
  if (keepsCredentials) return stillWrapped();
  try {
    const credential = options.extract(await calls.unwrap(wrapping, namespace));
    return typeof credential === 'string' && credential !== ''
      ? new Secret(credential)
      : otherContent(origin);
  } catch (error) {
    if (!(error instanceof SecretError) || !isInvalid(error)) throw error;
    // Somebody used the token since the lookup, or it expired; else Vault refused for a reason of its own.
    const now = await originOf(wrapping, options);
    if (now instanceof SecretError) return reported(now, options.log);
    throw error;
  }
}

/**
 * Returns the path that created the reply, or `VAULT_WRAP_INVALID` for a wrapping token that Vault does not
 * know. A lookup leaves the reply wrapped, so that a suspicious reply can be examined.
 */
async function originOf(
  wrapping: Secret,
  { calls, namespace }: UnwrapOptions,
): Promise<string | SecretError> {
  try {
    return await calls.lookUpWrapping(wrapping, namespace);
  } catch (error) {
    if (!(error instanceof SecretError) || !isInvalid(error)) throw error;
    return wrapInvalid('The wrapping token was already used, or it has expired', error.facts.status);
  }
}

function isInvalid({ facts }: SecretError): boolean {
  return facts.status !== undefined && [400, 403, 404].includes(facts.status);
}

/** Logs the security event of an invalid wrapping token. */
function reported(invalid: SecretError, log: Log): SecretError {
  log.error('vault credential may be stolen', {
    event: 'security',
    code: invalid.code,
    reason: invalid.message,
    fix: invalid.fix,
  });
  return invalid;
}

function wrapInvalid(message: string, status?: number): SecretError {
  const fix =
    'If no earlier run of this server used it, find out who did, and destroy the credential that it wraps. Deliver a new wrapping token.';
  const facts = { refused: true, ...(status !== undefined && { status }) } as const;
  return new SecretError({ code: 'VAULT_WRAP_INVALID', message, fix }, facts);
}

function otherContent(origin: string): SecretError {
  const message = `The reply that "${origin}" wrapped does not contain the credential that vault.auth needs`;
  const fix = 'Wrap the reply that has the credential, and deliver a new wrapping token.';
  return new SecretError({ code: 'VAULT_LOGIN_FAILED', message, fix }, { refused: true });
}

/** Line for a check that found a valid wrapping token. */
export const STILL_WRAPPED =
  'The wrapping token for Vault is valid. A check does not use it, so no secret was asked for.';

function stillWrapped(): SecretError {
  return new SecretError(
    {
      code: 'VAULT_STILL_WRAPPED',
      message: 'The wrapping token is valid, and this command does not use it: no secret was read',
      fix: 'Start the server, which unwraps the credential, or run the command with a credential that is not wrapped.',
    },
    { refused: true },
  );
}

/**
 * Returns the wrapping token of a file. Vault's command line and Vault Agent write JSON; other tools write
 * only the token.
 */
function wrappingTokenIn(content: Secret): Secret {
  let parsed: unknown;
  try {
    parsed = JSON.parse(content.reveal());
  } catch {
    return content;
  }
  const token = ownMember(ownMember(parsed, 'wrap_info') ?? parsed, 'token');
  return typeof token === 'string' ? new Secret(token) : content;
}
