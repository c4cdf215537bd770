import { open as openFile } from 'node:fs/promises';
import type { HttpClient, OpenHttpClient, TlsMaterial } from '../core/http.js';
import { isPrivateMode, privateModeAdvice } from '../core/private-file.js';
import { Secret } from '../core/secret.js';
import type { VaultSettings } from '../core/vault-settings.js';
import { VaultError } from './vault-error.js';

/** HTTP client whose TLS files can change while it is open. */
export interface VaultHttp extends HttpClient {
  /** Reads the TLS files again. If they changed, later requests use them. Throws `VAULT_TLS`. */
  reread(): Promise<void>;
}

type Options = Pick<VaultSettings, 'tls' | 'proxy' | 'request'>;

/**
 * Opens an HTTP client with the configured CA, client certificate and proxy. Throws `VAULT_TLS` for an
 * unusable file.
 */
export async function openVaultHttp(settings: Options, open: OpenHttpClient): Promise<VaultHttp> {
  let current = await openOnce(settings, open);
  return {
    send: (...request) => current.client.send(...request),
    reread: async () => {
      const next = await openOnce(settings, open);
      const unused = next.text === current.text ? next : current;
      if (unused !== next) current = next;
      // Not awaited: running requests of this client finish first.
      void unused.client.close();
    },
    close: () => current.client.close(),
  };
}

interface OpenedHttp {
  readonly client: HttpClient;
  /** Contents of the files, for comparison. */
  readonly text: string;
}

async function openOnce({ tls, proxy, request }: Options, open: OpenHttpClient): Promise<OpenedHttp> {
  const ca = await readPem(tls.caFile, 'caFile');
  const cert = await readPem(tls.certFile, 'certFile');
  const key = await readPem(tls.keyFile, 'keyFile');
  const material: TlsMaterial = {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key: new Secret(key) }),
    ...(tls.serverName !== null && { serverName: tls.serverName }),
  };
  const options = {
    tls: material,
    connections: request.concurrency,
    // A connection that takes longer than the deadline is useless to every request.
    connectMs: request.deadlineMs,
    ...(proxy !== null && { proxy }),
  };
  try {
    return { client: open(options), text: `${ca ?? ''}${cert ?? ''}${key ?? ''}` };
  } catch {
    throw tlsError('The certificates and the key in vault.tls do not match', 'Correct vault.tls.');
  }
}

const PEM_FILES = {
  caFile: ['-----BEGIN CERTIFICATE-----', 'the CA certificate of Vault'],
  certFile: ['-----BEGIN CERTIFICATE-----', 'the client certificate'],
  keyFile: ['PRIVATE KEY-----', 'the key of the client certificate'],
} as const;

/**
 * Reads a PEM file and checks its kind. Node silently accepts a CA text without certificates and then trusts
 * no server. Throws `VAULT_TLS`.
 */
async function readPem(file: string | null, setting: keyof typeof PEM_FILES): Promise<string | undefined> {
  if (file === null) return undefined;
  const [marker, content] = PEM_FILES[setting];
  const { text, isPrivate } = await readFile(file).catch(() => ({ text: '', isPrivate: true }));
  if (setting === 'keyFile' && !isPrivate)
    throw tlsError(`Others may read or write the file ${file}`, privateModeAdvice(file));
  if (text.includes(marker)) return text;
  throw tlsError(
    `The file ${file} cannot be read or holds no PEM ${setting === 'keyFile' ? 'key' : 'certificate'}`,
    `Write ${content} to it, or correct vault.tls.${setting}.`,
  );
}

async function readFile(file: string): Promise<{ readonly text: string; readonly isPrivate: boolean }> {
  const handle = await openFile(file);
  try {
    return { isPrivate: isPrivateMode(await handle.stat()), text: await handle.readFile('utf8') };
  } finally {
    await handle.close();
  }
}

function tlsError(message: string, fix: string): VaultError {
  return new VaultError({ code: 'VAULT_TLS', message, fix });
}
