import type { Log } from '../../../core/log.js';
import { Secret } from '../../../core/secret.js';
import { ownMember } from '../../../json/json-object.js';
import type { VaultAuthSettings } from '../../../settings/vault.js';
import { SecretError } from '../../secret-error.js';
import type { VaultLogin } from '../client.js';
import { createUnwrap } from '../unwrap-token.js';
import { FilePoll } from './file-poll.js';
import { type Authentication, type AuthenticationDeps, missingCredential, readCredential } from './method.js';

type TokenSettings = Extract<VaultAuthSettings, { method: 'token' }>;

/**
 * Creates the authentication with a given token. The token is renewed if possible, and neither replaced nor
 * revoked; a new token in the file takes its place within two seconds. Throws `VAULT_LOGIN_FAILED` for a token
 * that has ended.
 */
export function givenToken(
  { tokenFile, tokenEnv }: TokenSettings,
  { calls, env, log, scheduler }: AuthenticationDeps,
): Authentication {
  const files = tokenFile === undefined ? undefined : new FilePoll([tokenFile], scheduler);
  const read = async (): Promise<Secret> => {
    await files?.mark();
    return tokenFile === undefined ? tokenFrom(env, tokenEnv) : readCredential(tokenFile, 'tokenFile');
  };
  return {
    ownsToken: false,
    ...(files && { files }),
    logIn: async () => {
      const token = await read();
      try {
        const login = await calls.lookUpSelf(token);
        if (!login.renewable) warnOfEnd(login, log);
        return login;
      } catch (error) {
        if (!isForbidden(error)) throw error;
        if (error.facts.tokenRefused) throw endedToken(tokenFile ?? tokenEnv, error);
        // A token may lack the policy for its own lookup.
        log.warn('vault token lookup denied; the lifetime of the token is unknown');
        return { token, leaseSeconds: null, grantedSeconds: 0, renewable: false };
      }
    },
  };
}

function endedToken(place: string, { facts }: SecretError): SecretError {
  return new SecretError(
    {
      code: 'VAULT_LOGIN_FAILED',
      message: `The token in ${place} has ended, was revoked, or belongs to another namespace`,
      fix: `Write a new token to ${place}.`,
    },
    facts,
  );
}

function warnOfEnd({ leaseSeconds }: VaultLogin, log: Log): void {
  if (leaseSeconds !== 0)
    log.warn('vault token cannot be renewed; replace it before it expires', { leaseSeconds });
}

function isForbidden(error: unknown): error is SecretError {
  return error instanceof SecretError && error.facts.status === 403;
}

function tokenFrom(env: AuthenticationDeps['env'], name: string): Secret {
  const token = env[name]?.trim();
  if (token) return new Secret(token);
  throw missingCredential(
    `The environment variable ${name} is not set`,
    `Set ${name}, or name a file in vault.auth.tokenFile.`,
  );
}

type TokenFileSettings = Extract<VaultAuthSettings, { method: 'token_file' }>;

/**
 * Creates the authentication with a token that another process, for example Vault Agent, keeps valid in a
 * file. The token is neither renewed nor revoked. The file is polled every second; while it is empty or missing,
 * the last token stays in use.
 */
export function tokenFile(
  { file, namespace }: TokenFileSettings,
  { calls, log, scheduler, keepsCredentials }: AuthenticationDeps,
): Authentication {
  const files = new FilePoll([file], scheduler);
  let lastToken: Secret | undefined;
  const unwrap = createUnwrap({ calls, log, namespace, keepsCredentials, extract: wrappedToken });
  return {
    ownsToken: false,
    files,
    logIn: async () => {
      await files.mark();
      const content = await readTokenFile(file, lastToken);
      lastToken = content;
      const token = content.reveal().startsWith('{') ? await unwrap(content) : content;
      return { token, leaseSeconds: null, grantedSeconds: 0, renewable: false };
    },
  };
}

async function readTokenFile(file: string, lastToken: Secret | undefined): Promise<Secret> {
  try {
    return await readCredential(file, 'file', lastToken);
  } catch (error) {
    // The writer of the file may empty it first.
    if (lastToken) return lastToken;
    throw error;
  }
}

/**
 * Extracts the token from an unwrapped reply. Vault Agent wraps only its token; a wrapped login reply has the
 * token in `auth`.
 */
function wrappedToken(reply: unknown): unknown {
  return ownMember(ownMember(reply, 'data'), 'token') ?? ownMember(ownMember(reply, 'auth'), 'client_token');
}
