import type { Log } from '../core/log.js';
import { Secret } from '../core/secret.js';
import { ownMember } from '../core/json-object.js';
import type { TokenCalls } from './token-calls.js';
import { VaultError } from './vault-error.js';

export interface UnwrapOptions {
  readonly calls: Pick<TokenCalls, 'lookUpWrapping' | 'unwrap'>;
  readonly log: Log;
  readonly namespace: string | null;
  /** Where the reply must have been made; absent for anywhere. */
  readonly creationPath?: string | null;
  /** Takes the credential out of the reply. */
  readonly pick: (reply: unknown) => unknown;
}

/** Gives the credential that is wrapped. */
export type Unwrap = (content: Secret) => Promise<Secret>;

/**
 * Unwraps what a file holds: a wrapping token, or `wrap_info` as JSON. It is asked for once and then kept in memory,
 * because a second time is not possible. Throws `VAULT_WRAP_INVALID`, and writes it as a security event, when the
 * wrapping token was used already or the reply was made elsewhere: somebody else may have the credential, or have
 * put another in its place. The same content is then never tried again.
 */
export function createUnwrap(options: UnwrapOptions): Unwrap {
  let known: { readonly content: string; readonly outcome: Secret | VaultError } | undefined;
  return async (content) => {
    if (known?.content !== content.reveal()) {
      const outcome = await unwrapOnce(wrappingTokenIn(content), options);
      known = { content: content.reveal(), outcome };
    }
    if (known.outcome instanceof VaultError) throw known.outcome;
    return known.outcome;
  };
}

/** The credential, or the error that no other try can change; throws what may pass. */
async function unwrapOnce(wrapping: Secret, options: UnwrapOptions): Promise<Secret | VaultError> {
  try {
    await checkOrigin(wrapping, options);
    const credential = options.pick(await options.calls.unwrap(wrapping, options.namespace));
    if (typeof credential === 'string' && credential !== '') return new Secret(credential);
    throw invalid('The wrapped reply does not hold the credential');
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    const final = error.code === 'VAULT_WRAP_INVALID' ? error : spent(error);
    if (!final) throw error;
    options.log.error('vault credential may be stolen', {
      event: 'security',
      code: final.code,
      reason: final.message,
    });
    return final;
  }
}

/** A lookup leaves the reply wrapped, so that what was made elsewhere can be examined. */
async function checkOrigin(
  wrapping: Secret,
  { calls, namespace, creationPath }: UnwrapOptions,
): Promise<void> {
  if (creationPath === undefined || creationPath === null) return;
  const made = await calls.lookUpWrapping(wrapping, namespace);
  if (made === creationPath) return;
  throw invalid(`The wrapping token was not made at "${creationPath}"`);
}

function spent({ facts }: VaultError): VaultError | undefined {
  if (facts.status === undefined || ![400, 403, 404].includes(facts.status)) return undefined;
  return invalid('The wrapping token is not valid: it has ended or was used already', facts.status);
}

function invalid(message: string, status?: number): VaultError {
  const fix =
    'Find out who else had the wrapping token, destroy the credential that it wraps, and deliver a new one.';
  const facts = { refused: true, ...(status !== undefined && { status }) } as const;
  return new VaultError({ code: 'VAULT_WRAP_INVALID', message, fix }, facts);
}

/** Vault's command line and Vault Agent write JSON, others the token alone. */
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
