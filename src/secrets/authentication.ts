import { readFile } from 'node:fs/promises';
import { Secret } from '../domain/secret.js';
import type { VaultAuthSettings } from '../domain/settings.js';
import type { VaultClient, VaultLogin } from './vault.js';
import { VaultError } from './vault-error.js';

/** One way to get a token. */
export interface Authentication {
  /** Reads the credentials anew and trades them for a token; throws `VAULT_LOGIN_FAILED` or `VAULT_LOCKED_OUT`. */
  logIn(): Promise<VaultLogin>;
  /** True when the token is ours to revoke, because we asked for it. */
  readonly ownsToken: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The authentication that the settings ask for. Nothing is read before the first login. */
export function authenticationFor(
  settings: VaultAuthSettings,
  { client, env }: { readonly client: VaultClient; readonly env: Environment },
): Authentication {
  if (settings.method === 'approle') return appRole(settings, client);
  const { tokenFile, tokenEnv } = settings;
  return {
    ownsToken: false,
    logIn: async () => ({
      token:
        tokenFile === undefined ? tokenFrom(env, tokenEnv) : await credentialFrom(tokenFile, 'tokenFile'),
      leaseSeconds: 0,
    }),
  };
}

function appRole(
  settings: Extract<VaultAuthSettings, { method: 'approle' }>,
  client: VaultClient,
): Authentication {
  let lastSecretId: Secret | undefined;
  return {
    ownsToken: true,
    logIn: async () => {
      const roleId = await credentialFrom(settings.roleIdFile, 'roleIdFile');
      // Whoever delivers the secret id may remove its file after the first login, as Vault Agent does.
      lastSecretId = await credentialFrom(settings.secretIdFile, 'secretIdFile', lastSecretId);
      return client.login(settings.mount, { role_id: roleId, secret_id: lastSecretId });
    },
  };
}

function tokenFrom(env: Environment, name: string): Secret {
  const token = env[name]?.trim();
  if (token) return new Secret(token);
  throw missing(
    `The environment variable ${name} is not set`,
    `Set ${name}, or name a file in vault.auth.tokenFile.`,
  );
}

async function credentialFrom(file: string, setting: string, instead?: Secret): Promise<Secret> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'ENOENT' && instead) return instead;
    throw missing(
      `The file ${file} cannot be read (${code})`,
      `Write the credential to it, readable for this process, or correct vault.auth.${setting}.`,
    );
  }
  if (text.trim() === '') throw missing(`The file ${file} is empty`, 'Write the credential to it.');
  return new Secret(text.trim());
}

function missing(message: string, fix: string): VaultError {
  return new VaultError({ code: 'VAULT_LOGIN_FAILED', message, fix });
}
