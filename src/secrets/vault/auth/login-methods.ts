import { rm } from 'node:fs/promises';
import { Secret } from '../../../core/secret.js';
import { ownMember } from '../../../json/json-object.js';
import type { AppRoleSettings, VaultAuthSettings } from '../../../settings/vault.js';
import { SecretError } from '../../secret-error.js';
import type { TokenCalls, VaultLogin } from '../client.js';
import { createUnwrap, type Unwrap } from '../unwrap-token.js';
import { type Authentication, type AuthenticationDeps, readCredential } from './method.js';

/** Creates the login with a role id and, if the role requires it, a secret id, wrapped or not. */
export function appRoleLogin(
  settings: AppRoleSettings,
  { calls, log, keepsCredentials }: AuthenticationDeps,
): Authentication {
  const secretId = createSecretId(settings, unwrapFor(settings, { calls, log, keepsCredentials }));
  return {
    ownsToken: true,
    logIn: async () => {
      const roleId = await readCredential(settings.roleIdFile, 'roleIdFile');
      const secret = await secretId();
      const login = await calls.login(settings, { role_id: roleId, ...(secret && { secret_id: secret }) });
      if (!keepsCredentials) await removeSecretIdFile(settings, log);
      return login;
    },
  };
}

function unwrapFor(
  { secretIdWrapped, secretIdWrapPath, namespace }: AppRoleSettings,
  deps: Pick<AuthenticationDeps, 'calls' | 'log' | 'keepsCredentials'>,
): Unwrap {
  if (!secretIdWrapped) return (content) => Promise.resolve(content);
  const extract = (reply: unknown): unknown => ownMember(ownMember(reply, 'data'), 'secret_id');
  return createUnwrap({ ...deps, namespace, creationPath: secretIdWrapPath, extract });
}

function createSecretId(
  { secretIdFile }: AppRoleSettings,
  unwrap: Unwrap,
): () => Promise<Secret | undefined> {
  let lastSecretId: Secret | undefined;
  return async () => {
    if (secretIdFile === undefined) return undefined;
    // The process that delivers the secret id may remove the file after the first login, as Vault Agent does.
    lastSecretId = await readCredential(secretIdFile, 'secretIdFile', lastSecretId);
    return unwrap(lastSecretId);
  };
}

async function removeSecretIdFile(
  { secretIdFile, removeSecretIdFile }: AppRoleSettings,
  log: AuthenticationDeps['log'],
): Promise<void> {
  if (!removeSecretIdFile || secretIdFile === undefined) return;
  try {
    await rm(secretIdFile, { force: true });
  } catch {
    log.warn('vault secret id file cannot be removed', { file: secretIdFile });
  }
}

type CertificateSettings = Extract<VaultAuthSettings, { method: 'cert' }>;

const CERTIFICATE_FIX =
  'Check vault.auth.mount and name, and that the role trusts the certificate in vault.tls.certFile, which may have expired.';

/**
 * Creates the login with the client certificate of the connection. A renewed certificate logs in anew, because
 * Vault renews a token only for the certificate that it was given to.
 */
export function certificateLogin(
  settings: CertificateSettings,
  { calls, tls }: AuthenticationDeps,
): Authentication {
  const name = settings.name === null ? {} : { name: new Secret(settings.name) };
  return {
    ownsToken: true,
    files: tls.files,
    logIn: async () => {
      await tls.reread();
      return withLoginFix(calls.login(settings, name), CERTIFICATE_FIX);
    },
  };
}

type JwtSettings = Extract<VaultAuthSettings, { method: 'jwt' | 'kubernetes' }>;

const JWT_FIXES = {
  kubernetes:
    'Check vault.auth.mount and role, and that the role is bound to the service account and the namespace of this pod.',
  jwt: 'Check vault.auth.mount and role, and that the token in vault.auth.jwtFile is still valid and meant for Vault.',
} as const;

/**
 * Creates the login with a JSON Web Token from a file. Kubernetes and other issuers renew the file in place,
 * so each login reads it.
 */
export function jwtLogin(settings: JwtSettings, calls: TokenCalls): Authentication {
  const role = settings.role === null ? {} : { role: new Secret(settings.role) };
  return {
    ownsToken: true,
    logIn: async () => {
      const jwt = await readCredential(settings.jwtFile, 'jwtFile');
      return withLoginFix(calls.login(settings, { ...role, jwt }), JWT_FIXES[settings.method]);
    },
  };
}

type UserSettings = Extract<VaultAuthSettings, { method: 'userpass' | 'ldap' }>;

const USER_FIXES = {
  userpass: 'Check vault.auth.mount and username, and the password in vault.auth.passwordFile.',
  ldap: 'Check vault.auth.mount and username, and the password in vault.auth.passwordFile; the log of Vault tells whether the LDAP server was reached.',
} as const;

/** Creates the login with a user name, and a password from a file that each login reads. */
export function userLogin(settings: UserSettings, calls: TokenCalls): Authentication {
  return {
    ownsToken: true,
    logIn: async () => {
      const password = await readCredential(settings.passwordFile, 'passwordFile');
      return withLoginFix(calls.login(settings, { password }), USER_FIXES[settings.method]);
    },
  };
}

/**
 * Awaits a login and replaces the fix of a refusal. The default fix describes AppRole and does not fit the
 * methods that Vault never locks.
 */
async function withLoginFix(login: Promise<VaultLogin>, fix: string): Promise<VaultLogin> {
  try {
    return await login;
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    if (error.code !== 'VAULT_LOCKED_OUT' && error.code !== 'VAULT_LOGIN_FAILED') throw error;
    if (error.facts.status === undefined) throw error;
    throw new SecretError({ code: 'VAULT_LOGIN_FAILED', message: error.message, fix }, error.facts);
  }
}
