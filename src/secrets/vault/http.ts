import { open as openFile } from 'node:fs/promises';
import { type CertificateFile, certificateFaults, certificateFields } from '../../core/certificate.js';
import type { HttpClient, OpenHttpClient, TlsMaterial } from '../../core/http.js';
import type { Log } from '../../core/log.js';
import { Secret } from '../../core/secret.js';
import type { Scheduler } from '../../lib/clock.js';
import { isPrivateMode, privateModeAdvice } from '../../lib/private-file.js';
import { readCertificates } from '../../lib/read-certificates.js';
import type { VaultSettings } from '../../settings/vault.js';
import { failureOf, SecretError } from '../secret-error.js';
import { FilePoll } from './auth/file-poll.js';

/** HTTP client whose TLS files can change while it is open. */
export interface VaultHttp extends HttpClient {
  readonly files: FilePoll;
  /** Reads the TLS files again; later requests use them. Logs a warning and keeps the former ones if they are unusable. */
  reread(): Promise<void>;
  readonly certificates: () => VaultCertificates;
}

export interface VaultCertificates {
  readonly files: readonly CertificateFile[];
  /** Why the files that the settings name now are not used; absent while they are in use. */
  readonly refusal?: string;
}

interface VaultHttpDeps {
  readonly openHttpClient: OpenHttpClient;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

type Options = Pick<VaultSettings, 'tls' | 'proxy' | 'request'>;

/**
 * Opens an HTTP client with the configured CA, client certificate and proxy. Throws `VAULT_TLS` for an
 * unusable file.
 */
export async function openVaultHttp(
  settings: Options,
  { openHttpClient: open, scheduler, log }: VaultHttpDeps,
): Promise<VaultHttp> {
  const { caFile, certFile, keyFile } = settings.tls;
  const files = new FilePoll(
    [caFile, certFile, keyFile].filter((file) => file !== null),
    scheduler,
  );
  await files.mark();
  let current = await openOnce(settings, open);
  let refusal: string | undefined;
  const replace = async (): Promise<void> => {
    const next = await openOnce(settings, open);
    const isChanged = next.text !== current.text;
    const [fault] = isChanged ? next.files.flatMap((file) => certificateFaults(file, scheduler.now())) : [];
    const unused = isChanged && !fault ? current : next;
    // Not awaited: running requests of this client finish first.
    void unused.client.close();
    if (fault) throw tlsError(fault.message, fault.fix);
    if (!isChanged) return;
    current = next;
    for (const file of next.files)
      log.info('certificates of vault replaced', { setting: file.pointer, ...certificateFields(file) });
  };
  return {
    send: (...request) => current.client.send(...request),
    files,
    async reread() {
      await files.mark();
      try {
        await replace();
        refusal = undefined;
      } catch (error) {
        refusal = error instanceof Error ? error.message : 'unknown error';
        log.warn('vault certificate files not used; the former ones stay in use', { ...failureOf(error) });
      }
    },
    certificates: () => ({ files: current.files, ...(refusal !== undefined && { refusal }) }),
    close: () => current.client.close(),
  };
}

interface OpenedHttp {
  readonly client: HttpClient;
  /** Contents of the files, for comparison. */
  readonly text: string;
  readonly files: readonly CertificateFile[];
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
    const files = [
      ...certificateFile({ setting: 'caFile', file: tls.caFile, pem: ca }),
      ...certificateFile({ setting: 'certFile', file: tls.certFile, pem: cert }),
    ];
    return { client: open(options), text: `${ca ?? ''}${cert ?? ''}${key ?? ''}`, files };
  } catch {
    throw tlsError('The certificates and the key in vault.tls do not match', 'Correct vault.tls.');
  }
}

interface PemText {
  readonly setting: 'caFile' | 'certFile';
  readonly file: string | null;
  readonly pem: string | undefined;
}

function certificateFile({ setting, file, pem }: PemText): readonly CertificateFile[] {
  if (pem === undefined) return [];
  const kind = setting === 'caFile' ? 'authority' : 'own';
  return [{ pointer: `/vault/tls/${setting}`, file, kind, certificates: readCertificates(pem) }];
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

function tlsError(message: string, fix: string): SecretError {
  return new SecretError({ code: 'VAULT_TLS', message, fix });
}
