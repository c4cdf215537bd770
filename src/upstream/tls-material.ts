import { createPrivateKey } from 'node:crypto';
import { open } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { CertificateFile, JudgeCertificates } from '../core/certificate.js';
import type { LocatedFault } from '../core/fault.js';
import type { TlsMaterial } from '../core/http.js';
import { type PemFile, Secret } from '../core/secret.js';
import { isPrivateMode, privateModeAdvice } from '../lib/private-file.js';
import { readCertificates } from '../lib/read-certificates.js';
import type { AdapterSettings } from '../settings/adapter.js';
import { wrongPem } from './pem-kind.js';

type TlsFiles = AdapterSettings['tls'];
type Member = 'caFile' | 'certFile' | 'keyFile';

/** Result of reading the TLS files. */
interface TlsReading {
  readonly material: TlsMaterial;
  /** The certificates of the material. */
  readonly certificates: readonly CertificateFile[];
  /** Pointers start with `/tls`. If there are faults, the material must not be used. */
  readonly faults: readonly LocatedFault[];
}

/**
 * Reads the PEM files of an adapter. Returns a fault for each file that is unreadable or has the wrong
 * content, and for each certificate that `judge` refuses. Without a judge, every valid PEM is accepted.
 */
export async function readTlsMaterial(tls: TlsFiles, judge?: JudgeCertificates): Promise<TlsReading> {
  const faults: LocatedFault[] = [];
  const read = async (member: Member, check: (pem: string) => unknown) => {
    const result = await readPem(tls[member], { check, isKey: member === 'keyFile' });
    if ('problem' in result) faults.push(fault(member, result.problem, result.fix));
    return 'pem' in result ? result.pem : undefined;
  };
  const [ca, cert, key] = [
    await read('caFile', readCertificates),
    await read('certFile', readCertificates),
    await read('keyFile', createPrivateKey),
  ];
  faults.push(...pairFaults(tls, { cert, key }));
  const certificates = [...certificateFile(tls, 'caFile', ca), ...certificateFile(tls, 'certFile', cert)];
  if (judge) faults.push(...certificates.flatMap(judge));
  const material: TlsMaterial = {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key: new Secret(key) }),
    ...(tls.serverName !== null && { serverName: tls.serverName }),
    ...(tls.insecure && { insecure: true }),
  };
  return { material, certificates, faults };
}

function certificateFile(
  tls: TlsFiles,
  member: 'caFile' | 'certFile',
  pem: string | undefined,
): readonly CertificateFile[] {
  if (pem === undefined) return [];
  const source = tls[member];
  return [
    {
      pointer: `/tls/${member}`,
      file: typeof source === 'string' ? source : null,
      kind: member === 'caFile' ? 'authority' : 'own',
      certificates: readCertificates(pem),
    },
  ];
}

type Pem =
  | { readonly pem: string }
  | { readonly problem: string; readonly fix?: string }
  | { readonly none: true };

interface PemKind {
  /** Throws if the text is not of this kind. */
  readonly check: (pem: string) => unknown;
  readonly isKey: boolean;
}

async function readPem(file: PemFile | null, { check, isKey }: PemKind): Promise<Pem> {
  if (file === null) return { none: true };
  let pem: string;
  try {
    const read = typeof file === 'string' ? await readFile(file) : { text: file.reveal(), isPrivate: true };
    if (isKey && !read.isPrivate)
      return { problem: 'names a file that others may read or write', fix: privateModeAdvice(String(file)) };
    pem = read.text;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { problem: `names a file that cannot be read (${code})` };
  }
  try {
    check(pem);
    return { pem };
  } catch {
    return wrongPem(pem, isKey ? 'key' : 'certificate');
  }
}

async function readFile(file: string): Promise<{ readonly text: string; readonly isPrivate: boolean }> {
  const handle = await open(file);
  try {
    return { isPrivate: isPrivateMode(await handle.stat()), text: await handle.readFile('utf8') };
  } finally {
    await handle.close();
  }
}

function pairFaults(
  tls: TlsFiles,
  { cert, key }: { cert: string | undefined; key: string | undefined },
): readonly LocatedFault[] {
  if ((tls.certFile === null) !== (tls.keyFile === null)) {
    const missing = tls.certFile === null ? 'certFile' : 'keyFile';
    return [fault(missing, 'is missing: a client certificate needs both files')];
  }
  if (cert === undefined || key === undefined || belongTogether(cert, key)) return [];
  return [fault('keyFile', 'names a key that does not belong to the certificate')];
}

function belongTogether(cert: string, key: string): boolean {
  try {
    createSecureContext({ cert, key });
    return true;
  } catch {
    return false;
  }
}

function fault(member: Member, message: string, fix?: string): LocatedFault {
  const holds = member === 'keyFile' ? 'a private key without a pass phrase' : 'certificates';
  return {
    pointer: `/tls/${member}`,
    code: 'tls',
    message,
    fix: fix ?? `Name a PEM file with ${holds} that the service may read.`,
  };
}
