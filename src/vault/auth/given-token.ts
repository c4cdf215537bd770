import { stat } from 'node:fs/promises';
import { ownMember } from '../../core/json-object.js';
import type { Scheduler } from '../../core/lib/clock.js';
import type { Log } from '../../core/log.js';
import { Secret } from '../../core/secret.js';
import type { VaultAuthSettings } from '../../core/settings.js';
import type { VaultLogin } from '../token-calls.js';
import { createUnwrap } from '../unwrap-token.js';
import { VaultError } from '../vault-error.js';
import { type Authentication, type AuthenticationDeps, missingCredential, readCredential } from './method.js';

type TokenSettings = Extract<VaultAuthSettings, { method: 'token' }>;

/**
 * Creates the authentication with a given token. The token is renewed if possible, and neither replaced nor
 * revoked.
 */
export function givenToken(
  { tokenFile, tokenEnv }: TokenSettings,
  { calls, env, log }: AuthenticationDeps,
): Authentication {
  return {
    ownsToken: false,
    logIn: async () => {
      const token =
        tokenFile === undefined ? tokenFrom(env, tokenEnv) : await readCredential(tokenFile, 'tokenFile');
      try {
        const login = await calls.lookUpSelf(token);
        if (!login.renewable) warnOfEnd(login, log);
        return login;
      } catch (error) {
        if (!isForbidden(error)) throw error;
        // A token may lack the policy for its own lookup. The first read shows whether the token is valid.
        log.warn('vault token lookup denied; the lifetime of the token is unknown');
        return { token, leaseSeconds: null, grantedSeconds: 0, renewable: false };
      }
    },
  };
}

function warnOfEnd({ leaseSeconds }: VaultLogin, log: Log): void {
  if (leaseSeconds !== 0)
    log.warn('vault token cannot be renewed; replace it before it expires', { leaseSeconds });
}

function isForbidden(error: unknown): boolean {
  return error instanceof VaultError && error.facts.status === 403;
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

const POLL_INTERVAL_MS = 5000;

/**
 * Creates the authentication with a token that another process, for example Vault Agent, keeps valid in a
 * file. The token is neither renewed nor revoked. The file is polled every 5 s; while it is empty or missing,
 * the last token stays in use.
 */
export function tokenFile(
  { file, namespace }: TokenFileSettings,
  { calls, log, scheduler, keepsCredentials }: AuthenticationDeps,
): Authentication {
  let seenFingerprint: string | undefined;
  let lastToken: Secret | undefined;
  const unwrap = createUnwrap({ calls, log, namespace, keepsCredentials, extract: wrappedToken });
  return {
    ownsToken: false,
    logIn: async () => {
      // Taken before the file is read, so that the next poll detects a change in between.
      seenFingerprint = await fingerprint(file);
      const content = await readTokenFile(file, lastToken);
      lastToken = content;
      const token = content.reveal().startsWith('{') ? await unwrap(content) : content;
      return { token, leaseSeconds: null, grantedSeconds: 0, renewable: false };
    },
    watch: (changed) =>
      repeat(POLL_INTERVAL_MS, scheduler, async () => {
        if ((await fingerprint(file)) !== seenFingerprint) changed();
      }),
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

/** Returns a text that changes when the file is written or replaced. */
async function fingerprint(file: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(file);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return 'none';
  }
}

function repeat(ms: number, scheduler: Scheduler, work: () => Promise<void>): () => void {
  let isStopped = false;
  let cancel: () => void = () => undefined;
  const arm = (): void => {
    if (!isStopped) cancel = scheduler.after(ms, () => void work().finally(arm));
  };
  arm();
  return () => {
    isStopped = true;
    cancel();
  };
}
