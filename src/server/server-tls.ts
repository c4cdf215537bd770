import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { JudgeCertificates, OpenedListenerTls } from '../core/certificate.js';
import type { LocatedFault } from '../core/fault.js';
import type { PemFile } from '../core/secret.js';
import type { ServerSettings } from '../settings/settings.js';
import { readTlsMaterial } from '../upstream/tls-material.js';

type Tls = NonNullable<ServerSettings['tls']>;

/** The files of `server.tls`, and their faults. */
interface ServerTlsReading {
  /** Absent if there are faults. */
  readonly value?: OpenedListenerTls;
  /** Pointers are relative to the main file. */
  readonly faults: readonly LocatedFault[];
}

/**
 * Reads the certificate and the key of the listener, and the CA certificates and revocation lists of callers. Returns every
 * fault, and those of the certificates that `judge` refuses.
 */
export async function readServerTls(tls: Tls, judge: JudgeCertificates): Promise<ServerTlsReading> {
  const { certFile, keyFile, clientCaFile, clientCrlFile, clientCertificates, hsts } = tls;
  const common = { serverName: null, insecure: false };
  const own = await readTlsMaterial({ ...common, certFile, keyFile, caFile: null }, judge);
  const clients = await readTlsMaterial(
    { ...common, caFile: clientCaFile, certFile: null, keyFile: null },
    judge,
  );
  const crl = await readCrl(clientCrlFile);
  const certificates = [
    ...own.certificates.map((file) => ({ ...file, pointer: '/server/tls/certFile' })),
    ...clients.certificates.map((file) => ({ ...file, pointer: '/server/tls/clientCaFile' })),
  ];
  const faults = [
    ...own.faults.map((fault) => ({ ...fault, pointer: `/server${fault.pointer}` })),
    ...clients.faults.map((fault) => ({ ...fault, pointer: '/server/tls/clientCaFile' })),
    ...('fault' in crl ? [crl.fault] : []),
    ...clientSettingsFaults(tls),
  ];
  const { cert, key } = own.material;
  if (faults.length > 0 || cert === undefined || key === undefined) return { faults };
  const clientCa = clients.material.ca;
  const material = {
    cert,
    key,
    hsts,
    clientCertificates,
    ...(clientCa !== undefined && { clientCa }),
    ...('lists' in crl && crl.lists.length > 0 && { clientCrl: crl.lists }),
  };
  return { value: { material, certificates, files: filesOf(tls) }, faults };
}

function filesOf({ certFile, keyFile, clientCaFile, clientCrlFile }: Tls): readonly string[] {
  return [certFile, keyFile, clientCaFile, clientCrlFile].filter((file) => typeof file === 'string');
}

/** Returns the faults of settings for client certificates that contradict each other. */
function clientSettingsFaults({
  clientCertificates,
  clientCaFile,
  clientCrlFile,
}: Tls): readonly LocatedFault[] {
  const fault = (member: string, message: string, fix: string): LocatedFault => ({
    pointer: `/server/tls/${member}`,
    code: 'tls',
    message,
    fix,
  });
  if (clientCertificates !== 'none' && clientCaFile === null)
    return [
      fault(
        'clientCaFile',
        `is missing: server.tls.clientCertificates is ${clientCertificates}`,
        'Name a PEM file with the CA certificates that client certificates must come from.',
      ),
    ];
  const [unused] = [
    ...(clientCaFile === null ? [] : ['clientCaFile']),
    ...(clientCrlFile === null ? [] : ['clientCrlFile']),
  ];
  if (clientCertificates !== 'none' || unused === undefined) return [];
  return [
    fault(
      unused,
      'has no effect: server.tls.clientCertificates is none',
      'Set server.tls.clientCertificates to optional or required, or remove the file.',
    ),
  ];
}

const CRL_BLOCK = /-----BEGIN X509 CRL-----[^-]+-----END X509 CRL-----/g;

/** Reads revocation lists. */
async function readCrl(
  file: PemFile | null,
): Promise<{ readonly lists: readonly string[] } | { readonly fault: LocatedFault }> {
  if (file === null) return { lists: [] };
  const pointer = '/server/tls/clientCrlFile';
  const fix = 'Name a PEM file with one revocation list (X509 CRL) for each CA of the client certificates.';
  try {
    const lists =
      (typeof file === 'string' ? await readFile(file, 'utf8') : file.reveal()).match(CRL_BLOCK) ?? [];
    createSecureContext({ crl: lists });
    if (lists.length > 0) return { lists };
    return { fault: { pointer, code: 'tls', message: 'is not PEM of the expected kind', fix } };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { fault: { pointer, code: 'tls', message: `names a file that cannot be read (${code})`, fix } };
  }
}
