import { rm } from 'node:fs/promises';
import type { Log } from '../../../core/log.js';
import { Secret } from '../../../core/secret.js';
import { ownMember } from '../../../json/json-object.js';
import type { AppRoleSettings, VaultAuthSettings } from '../../../settings/vault.js';
import { SecretError } from '../../secret-error.js';
import type { TokenCalls, VaultLogin } from '../client.js';
import { createUnwrap, type Unwrap } from '../unwrap-token.js';
import { FilePoll } from './file-poll.js';
import { type Authentication, type AuthenticationDeps, readCredential, missingCredential } from './method.js';

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
