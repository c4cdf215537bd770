import { readFile } from 'node:fs/promises';
import { Secret } from '../core/secret.js';
import { VaultError } from './vault-error.js';

/**
 * Reads a credential from a file, without white space around it. `setting` is its name in `vault.auth`, for
 * the message. Returns `instead`, if given, for a missing file. Throws `VAULT_LOGIN_FAILED`.
 */
export async function readCredential(file: string, setting: string, instead?: Secret): Promise<Secret> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'ENOENT' && instead) return instead;
    throw missingCredential(
      `The file ${file} cannot be read (${code})`,
      `Write the credential to it, readable for this process, or correct vault.auth.${setting}.`,
    );
  }
  if (text.trim() === '') throw missingCredential(`The file ${file} is empty`, 'Write the credential to it.');
  return new Secret(text.trim());
}

/** Creates the error for a missing credential. */
export function missingCredential(message: string, fix: string): VaultError {
  return new VaultError({ code: 'VAULT_LOGIN_FAILED', message, fix });
}
