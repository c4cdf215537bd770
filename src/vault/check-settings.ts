import type { VaultSettings } from '../core/settings.js';
import { addressFaults, proxyFaults } from './check-address.js';
import { findReferences } from './find-references.js';
import { parsePath } from './reference-parts.js';
import type { VaultFailure } from './vault-error.js';

/** A fault of the vault block; its pointer counts from the block. */
export interface VaultSettingsFault extends VaultFailure {
  readonly pointer: string;
}

/**
 * Everything about the vault block that would be unsafe or could never work, without any network or file access:
 * http beyond this machine, switched-off TLS checks, paths that lead elsewhere, references inside the block itself.
 * Strings that are faults by themselves (`$ENC`) are for `findReferences` to report.
 */
export function checkVaultSettings(
  settings: VaultSettings,
  env: Readonly<Record<string, string | undefined>>,
): readonly VaultSettingsFault[] {
  const { auth } = settings;
  return [
    ...misplacedReferences(settings),
    ...addressFaults(settings),
    ...proxyFaults(settings),
    ...pathFaults('/mount', settings.mount),
    ...('mount' in auth ? pathFaults('/auth/mount', auth.mount) : []),
    ...loginFaults(settings),
    ...certificateFaults(settings),
    ...environmentFaults(env),
  ];
}

function misplacedReferences(settings: VaultSettings): readonly VaultSettingsFault[] {
  return findReferences(settings).references.map(({ pointer }) => ({
    pointer,
    code: 'VAULT_REF_MISPLACED',
    message: 'A reference to Vault stands in the settings that are needed to reach Vault',
    fix: 'Take the value from a file or from an environment variable.',
  }));
}

function pathFaults(pointer: string, path: string): readonly VaultSettingsFault[] {
  const parsed = parsePath(path);
  if ('value' in parsed && parsed.value.join('/') === path) return [];
  const wrong = 'wrong' in parsed ? parsed.wrong : 'has a percent-escape';
  const fix =
    'Write the mount as "vault secrets list" or "vault auth list" shows it, without slashes around it.';
  return [{ pointer, code: 'VAULT_MOUNT', message: `The mount ${wrong}`, fix }];
}

/** What the login cannot do without. */
function loginFaults({ auth, tls, address }: VaultSettings): readonly VaultSettingsFault[] {
  if (auth.method === 'approle' && auth.secretIdWrapped) {
    const missing = (['secretIdFile', 'secretIdWrapPath'] as const).filter((name) => !auth[name]);
    const fix = 'Add it: the file of the wrapping token, and the path at which that must have been made.';
    return missing.map((name) => settingFault(`/auth/${name}`, 'A wrapped secret id needs it', fix));
  }
  if (auth.method !== 'cert') return [];
  const fix = 'Name the client certificate and its key in vault.tls.certFile and vault.tls.keyFile.';
  const plain = address.some((one) => !one.toLowerCase().startsWith('https:'));
  return [
    ...(tls.certFile === null
      ? [settingFault('/tls/certFile', 'The login with a certificate needs it', fix)]
      : []),
    ...(plain ? [settingFault('/address', 'A certificate can be shown over https only', 'Use https.')] : []),
  ];
}

function certificateFaults({ tls: { certFile, keyFile } }: VaultSettings): readonly VaultSettingsFault[] {
  if ((certFile === null) === (keyFile === null)) return [];
  const pointer = certFile === null ? '/tls/certFile' : '/tls/keyFile';
  const message = 'A client certificate needs both files, the certificate and its key';
  return [settingFault(pointer, message, 'Name both, or none.')];
}

function settingFault(pointer: string, message: string, fix: string): VaultSettingsFault {
  return { pointer, code: 'VAULT_SETTINGS', message, fix };
}

/** Vault's own tools take any text in this variable, even "false", to mean that certificates are not checked. */
function environmentFaults(env: Readonly<Record<string, string | undefined>>): readonly VaultSettingsFault[] {
  if (env['VAULT_SKIP_VERIFY'] === undefined) return [];
  return [
    {
      pointer: '',
      code: 'VAULT_INSECURE',
      message:
        "The environment variable VAULT_SKIP_VERIFY is set; Vault's certificate is always verified here",
      fix: 'Unset VAULT_SKIP_VERIFY and name the CA of Vault in vault.tls.caFile.',
    },
  ];
}
