import { rm } from 'node:fs/promises';
import type { Secret } from '../../core/secret.js';
import type { AppRoleSettings } from '../../core/settings.js';
import { ownMember } from '../../core/json-object.js';
import type { Authentication, AuthenticationDeps } from './method.js';
import { readCredential } from '../credential-file.js';
import { createUnwrap, type Unwrap } from '../unwrap-token.js';

/** Creates the login with a role id and, if the role requires it, a secret id, wrapped or not. */
export function appRole(settings: AppRoleSettings, { calls, log }: AuthenticationDeps): Authentication {
  const secretId = createSecretId(settings, unwrapFor(settings, { calls, log }));
  return {
    ownsToken: true,
    logIn: async () => {
      const roleId = await readCredential(settings.roleIdFile, 'roleIdFile');
      const secret = await secretId();
      const login = await calls.login(settings, { role_id: roleId, ...(secret && { secret_id: secret }) });
      await removeFile(settings, log);
      return login;
    },
  };
}

function unwrapFor(
  { secretIdWrapped, secretIdWrapPath, namespace }: AppRoleSettings,
  deps: Pick<AuthenticationDeps, 'calls' | 'log'>,
): Unwrap {
  if (!secretIdWrapped) return (content) => Promise.resolve(content);
  const pick = (reply: unknown): unknown => ownMember(ownMember(reply, 'data'), 'secret_id');
  return createUnwrap({ ...deps, namespace, creationPath: secretIdWrapPath, pick });
}

function createSecretId(
  { secretIdFile }: AppRoleSettings,
  unwrap: Unwrap,
): () => Promise<Secret | undefined> {
  let last: Secret | undefined;
  return async () => {
    if (secretIdFile === undefined) return undefined;
    // The process that delivers the secret id may remove the file after the first login, as Vault Agent does.
    last = await readCredential(secretIdFile, 'secretIdFile', last);
    return unwrap(last);
  };
}

async function removeFile(
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
