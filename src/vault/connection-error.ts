import type { Problem } from '../core/problem.js';
import type { VaultRequest } from './reply-error.js';
import { VaultError } from './vault-error.js';

// Names that Node's TLS gives its verification and handshake errors.
const TLS_CODE =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/;

// What happens before a connection stands.
const NO_CONNECTION = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

const SYSTEM_WORD = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*(?=: |$)/;
const MAX_DEPTH = 5;

/** The error for a request that got no reply. Of the cause it keeps the system's word for it (`ECONNREFUSED`) alone. */
export function connectionError(exchange: VaultRequest, problem: Problem): VaultError {
  const word = systemWord(problem);
  const target = `${exchange.method} "${exchange.path}" at ${exchange.host}`;
  if (word !== undefined && TLS_CODE.test(word)) {
    const what = {
      code: 'VAULT_TLS',
      message: `${target} failed: Vault's certificate is not trusted (${word})`,
      fix: 'Name the CA of Vault in vault.tls.caFile, and the name in its certificate in vault.tls.serverName.',
    } as const;
    return new VaultError(what, { unsent: true });
  }
  if (problem.code === 'upstream_timeout') {
    const fix = 'Check that Vault is up, or raise vault.request.deadlineMs.';
    return new VaultError({ code: 'VAULT_TIMEOUT', message: `${target} took too long`, fix });
  }
  if (problem.code === 'upstream_bad_reply' || problem.code === 'upstream_too_large') {
    const fix = 'Check what listens at vault.address.';
    return new VaultError({ code: 'VAULT_BAD_RESPONSE', message: `${target} had an unusable reply`, fix });
  }
  const what = {
    code: 'VAULT_UNAVAILABLE',
    message: `${target} failed: no connection${word === undefined ? '' : ` (${word})`}`,
    fix: 'Check that Vault is up and that vault.address is right.',
  } as const;
  return new VaultError(what, word !== undefined && NO_CONNECTION.test(word) ? { unsent: true } : {});
}

/** The system's word of the innermost error that has one: as its `code`, or at the head of its message. */
function systemWord(problem: Problem): string | undefined {
  let word: string | undefined;
  let error: unknown = problem.extras.cause;
  for (let depth = 0; depth < MAX_DEPTH && error instanceof Error; depth += 1) {
    const text = 'code' in error ? String(error.code) : error.message;
    word = SYSTEM_WORD.exec(text)?.[0] ?? word;
    error = error.cause;
  }
  return word;
}
