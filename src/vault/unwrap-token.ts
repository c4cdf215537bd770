import { ownMember } from '../core/json-object.js';
import type { Log } from '../core/log.js';
import { Secret } from '../core/secret.js';
import type { TokenCalls } from './token-calls.js';
import { VaultError } from './vault-error.js';

interface UnwrapOptions {
  readonly calls: Pick<TokenCalls, 'lookUpWrapping' | 'unwrap'>;
  readonly log: Log;
  readonly namespace: string | null;
  /** Path that must have created the reply; absent or null for any path. */
  readonly creationPath?: string | null;
  /** Extracts the credential from the reply. */
  readonly extract: (reply: unknown) => unknown;
}

/** Returns the wrapped credential. */
export type Unwrap = (content: Secret) => Promise<Secret>;

/**
 * Creates a function that unwraps the content of a file: a wrapping token, or `wrap_info` as JSON. The
 * credential is requested once and then kept in memory, because Vault unwraps it only once. Throws
 * `VAULT_WRAP_INVALID` and logs a security event if the wrapping token was already used or the reply was
 * created at another path. Another party may then have the credential, or may have replaced it. The same
 * content is never tried again.
 */
export function createUnwrap(options: UnwrapOptions): Unwrap {
  let previous: { readonly content: string; readonly result: Secret | VaultError } | undefined;
  return async (content) => {
    if (previous?.content !== content.reveal()) {
      const result = await unwrapOnce(wrappingTokenIn(content), options);
      previous = { content: content.reveal(), result };
    }
    if (previous.result instanceof VaultError) throw previous.result;
    return previous.result;
  };
}

/** Returns the credential, or an error that a retry cannot change. Throws transient errors. */
async function unwrapOnce(wrapping: Secret, options: UnwrapOptions): Promise<Secret | VaultError> {
  try {
    await checkOrigin(wrapping, options);
    const credential = options.extract(await options.calls.unwrap(wrapping, options.namespace));
    if (typeof credential === 'string' && credential !== '') return new Secret(credential);
    throw wrapInvalid('The wrapped reply does not contain the credential');
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    const final = error.code === 'VAULT_WRAP_INVALID' ? error : alreadyUsed(error);
    if (!final) throw error;
    options.log.error('vault credential may be stolen', {
      event: 'security',
      code: final.code,
      reason: final.message,
    });
    return final;
  }
}

/**
 * Checks the path that created the reply. A lookup leaves the reply wrapped, so that a reply from another
 * path can be examined.
 */
async function checkOrigin(
  wrapping: Secret,
  { calls, namespace, creationPath }: UnwrapOptions,
): Promise<void> {
  if (creationPath === undefined || creationPath === null) return;
  const actualPath = await calls.lookUpWrapping(wrapping, namespace);
  if (actualPath === creationPath) return;
  throw wrapInvalid(`The wrapping token was not created at "${creationPath}"`);
}

function alreadyUsed({ facts }: VaultError): VaultError | undefined {
  if (facts.status === undefined || ![400, 403, 404].includes(facts.status)) return undefined;
  return wrapInvalid('The wrapping token is not valid: it has expired or was already used', facts.status);
}

function wrapInvalid(message: string, status?: number): VaultError {
  const fix =
    'Find out who had the wrapping token, destroy the credential that it wraps, and deliver a new one.';
  const facts = { refused: true, ...(status !== undefined && { status }) } as const;
  return new VaultError({ code: 'VAULT_WRAP_INVALID', message, fix }, facts);
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
