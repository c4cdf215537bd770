import { isLoopbackHost } from '../../lib/loopback.js';
import type { VaultSettings } from '../../settings/vault.js';
import { findReferences } from '../find-references.js';
import { parsePath } from '../reference.js';
import type { SecretFailure } from '../secret-error.js';

/** A fault in the vault block; its pointer is relative to the block. */
interface VaultSettingsFault extends SecretFailure {
  readonly pointer: string;
}

/**
 * Returns the settings of the vault block that are unsafe or can never work, without network or file access.
 * These are http beyond this host, disabled TLS verification, unsafe mount paths, and references inside the
 * block. `findReferences` reports strings that are faults everywhere (`$ENC`).
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
    message: 'The settings that are needed to reach Vault contain a reference to Vault',
    fix: 'Take the value from a file or from an environment variable.',
  }));
}

function pathFaults(pointer: string, path: string): readonly VaultSettingsFault[] {
  const parsed = parsePath(path);
  if ('value' in parsed && parsed.value.join('/') === path) return [];
  const reason = 'fault' in parsed ? parsed.fault : 'has a percent-escape';
  const fix =
    'Write the mount as "vault secrets list" or "vault auth list" shows it, without slashes around it.';
  return [{ pointer, code: 'VAULT_MOUNT', message: `The mount ${reason}`, fix }];
}

function loginFaults({ auth, tls, address }: VaultSettings): readonly VaultSettingsFault[] {
  if (auth.method === 'approle' && auth.secretIdWrapped) {
    const missing = (['secretIdFile', 'secretIdWrapPath'] as const).filter((name) => !auth[name]);
    const fix = 'Set both: the file of the wrapping token, and the path that must have created the token.';
    return missing.map((name) =>
      settingFault(`/auth/${name}`, 'A wrapped secret id needs this setting', fix),
    );
  }
  if (auth.method !== 'cert') return [];
  const fix = 'Name the client certificate and its key in vault.tls.certFile and vault.tls.keyFile.';
  const isPlaintext = address.some((entry) => !entry.toLowerCase().startsWith('https:'));
  return [
    ...(tls.certFile === null
      ? [settingFault('/tls/certFile', 'The login with a certificate needs this setting', fix)]
      : []),
    ...(isPlaintext
      ? [settingFault('/address', 'A client certificate can be sent over https only', 'Use https.')]
      : []),
  ];
}

function certificateFaults({ tls: { certFile, keyFile } }: VaultSettings): readonly VaultSettingsFault[] {
  if ((certFile === null) === (keyFile === null)) return [];
  const pointer = certFile === null ? '/tls/certFile' : '/tls/keyFile';
  const message = 'A client certificate needs both files, the certificate and its key';
  return [settingFault(pointer, message, 'Set both, or neither.')];
}

function settingFault(pointer: string, message: string, fix: string): VaultSettingsFault {
  return { pointer, code: 'VAULT_SETTINGS', message, fix };
}

/**
 * Rejects VAULT_SKIP_VERIFY. Vault's own tools take any text in this variable, even "false", as a request not
 * to check certificates.
 */
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

/**
 * Returns the faults of addresses that are not origins or that would send the token in the clear. Pointers
 * are relative to the vault block.
 */
function addressFaults({ address, allowInsecure }: VaultSettings): readonly VaultSettingsFault[] {
  return address.flatMap((entry, index) => {
    // A single address may have been written without a list.
    const pointer = address.length === 1 ? '/address' : `/address/${index}`;
    const url = originOf(entry, /^https?:$/);
    if (!url) return [notAnOrigin(pointer, 'https://vault.example.net:8200')];
    return url.protocol === 'https:' || allowInsecure || isLoopbackHost(url.hostname)
      ? []
      : [plaintextFault(pointer)];
  });
}

/** Returns the faults of a proxy that is not an origin or that could read requests to an http address. */
function proxyFaults({ proxy, address, allowInsecure }: VaultSettings): readonly VaultSettingsFault[] {
  if (proxy === null) return [];
  const url = originOf(proxy, /^http:$/);
  if (!url) return [notAnOrigin('/proxy', 'http://proxy.example.net:3128')];
  const isPlaintext = address.some((entry) => originOf(entry, /^http:$/));
  return isPlaintext && !allowInsecure && !isLoopbackHost(url.hostname) ? [plaintextFault('/proxy')] : [];
}

function originOf(text: string, scheme: RegExp): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && scheme.test(url.protocol) && url.href === `${url.origin}/` ? url : undefined;
}

function notAnOrigin(pointer: string, example: string): VaultSettingsFault {
  const fix = `Write scheme, host and port only, for example "${example}".`;
  return { pointer, code: 'VAULT_ADDRESS', message: 'The address is not an origin', fix };
}

function plaintextFault(pointer: string): VaultSettingsFault {
  return {
    pointer,
    code: 'VAULT_INSECURE',
    message: 'The address is http, so the token and every secret would cross the network in the clear',
    fix: 'Use https; "allowInsecure: true" permits http where the network itself is protected.',
  };
}
