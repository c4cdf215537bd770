import type { VaultSettings } from '../domain/settings.js';
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
  return [
    ...misplacedReferences(settings),
    ...addressFaults(settings),
    ...pathFaults('/mount', settings.mount),
    ...(settings.auth.method === 'approle' ? pathFaults('/auth/mount', settings.auth.mount) : []),
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

function addressFaults({ address, allowInsecure }: VaultSettings): readonly VaultSettingsFault[] {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    const fix = 'Write scheme, host and port only, for example "https://vault.example.net:8200".';
    return [{ pointer: '/address', code: 'VAULT_ADDRESS', message: 'The address is not an origin', fix }];
  }
  if (url.protocol === 'https:' || allowInsecure || isLoopback(url.hostname)) return [];
  return [
    {
      pointer: '/address',
      code: 'VAULT_INSECURE',
      message: 'The address is http, so the token and every secret would cross the network in the clear',
      fix: 'Use https; "allowInsecure: true" permits http where the network itself is protected.',
    },
  ];
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function pathFaults(pointer: string, path: string): readonly VaultSettingsFault[] {
  const parsed = parsePath(path);
  if ('value' in parsed && parsed.value.join('/') === path) return [];
  const wrong = 'wrong' in parsed ? parsed.wrong : 'has a percent-escape';
  const fix =
    'Write the mount as "vault secrets list" or "vault auth list" shows it, without slashes around it.';
  return [{ pointer, code: 'VAULT_MOUNT', message: `The mount ${wrong}`, fix }];
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
