import { readFile } from 'node:fs/promises';
import type { Log } from '../../../core/log.js';
import { Secret } from '../../../core/secret.js';
import type { Scheduler } from '../../../lib/clock.js';
import { SecretError } from '../../secret-error.js';
import type { TokenCalls, VaultLogin } from '../client.js';
import type { VaultHttp } from '../http.js';
import type { FilePoll } from './file-poll.js';

export interface Authentication {
  /**
   * Reads the credentials again and exchanges them for a token. Throws `VAULT_LOGIN_FAILED` or
   * `VAULT_LOCKED_OUT`.
   */
  logIn(): Promise<VaultLogin>;
  /** True if the gateway requested the token, and therefore replaces and revokes it. */
  readonly ownsToken: boolean;
  /** Files whose change asks for a new login. */
  readonly files?: FilePoll;
}

export interface AuthenticationDeps {
  readonly calls: TokenCalls;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** Files of the TLS block. */
  readonly tls: VaultHttp;
  /** True for a command beside the server: it unwraps nothing and removes no file, which the server needs. */
  readonly keepsCredentials: boolean;
}

/**
 * Reads a credential from a file, without white space around it. `setting` is its name in `vault.auth`, for
 * the message. Returns `fallback`, if given, for a missing file. Throws `VAULT_LOGIN_FAILED`.
 */
export async function readCredential(file: string, setting: string, fallback?: Secret): Promise<Secret> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'ENOENT' && fallback) return fallback;
    throw missingCredential(
      `The file ${file} cannot be read (${code})`,
      `Write the credential to it, readable for this process, or correct vault.auth.${setting}.`,
    );
  }
  if (text.trim() === '') throw missingCredential(`The file ${file} is empty`, 'Write the credential to it.');
  return new Secret(text.trim());
}

export function missingCredential(message: string, fix: string): SecretError {
  return new SecretError({ code: 'VAULT_LOGIN_FAILED', message, fix });
}
