import { createPrivateKey, X509Certificate } from 'node:crypto';
import { open } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { CertificateFile, JudgeCertificates } from '../core/certificate.js';
import type { LocatedFault } from '../core/fault.js';
import type { TlsMaterial } from '../core/http.js';
import { type PemFile, Secret } from '../core/secret.js';
import { isPrivateMode, privateModeAdvice } from '../lib/private-file.js';
import { readCertificates } from '../lib/read-certificates.js';
import type { AdapterSettings } from '../settings/adapter.js';

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
  const certificates = [...certificateFile(tls, 'caFile', ca), ...certificateFile(tls, 'certFile', cert)];
  const refused = judge ? certificates.flatMap(judge) : [];
  faults.push(...pairFaults(tls, { cert, key, refused }), ...refused);
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

/** A certificate with its key, and the faults of the certificate that are known already. */
interface Pair {
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly refused: readonly LocatedFault[];
}

function pairFaults(tls: TlsFiles, { cert, key, refused }: Pair): readonly LocatedFault[] {
  if ((tls.certFile === null) !== (tls.keyFile === null)) {
    const missing = tls.certFile === null ? 'certFile' : 'keyFile';
    return [fault(missing, 'is missing: a client certificate needs both files')];
  }
  if (cert === undefined || key === undefined) return [];
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
    return [
      fault(
        'keyFile',
        'names a key that does not belong to the certificate',
        'Name the key of the certificate.',
      ),
    ];
  // OpenSSL refuses weak certificates, which the judge has reported.
  if (refused.some(({ pointer }) => pointer === '/tls/certFile')) return [];
  const problem = refusalByOpenSsl(cert, key);
  return problem === undefined ? [] : [fault('certFile', problem, REPLACE_CERTIFICATES)];
}

const REPLACE_CERTIFICATES =
  'Write certificates with keys of at least 2048 bits (RSA) or 256 bits (EC) that are signed with SHA-256 or better.';

/** Returns why OpenSSL does not use certificates, for example a weak one in the chain; `undefined` if it uses them. */
function refusalByOpenSsl(cert: string, key: string): string | undefined {
  try {
    createSecureContext({ cert, key });
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return `names certificates that OpenSSL does not accept (${code})`;
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

/** Why a text is not the expected PEM, and the next step. */
interface WrongPem {
  readonly problem: string;
  readonly fix: string;
}

/** Returns why a text cannot be used as certificates or as a private key. Never repeats the text. */
function wrongPem(text: string, expected: 'certificate' | 'key'): WrongPem {
  if (!text.includes('-----BEGIN ')) return NOT_PEM[expected];
  const isKey = /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/.test(text);
  if (expected === 'certificate')
    return isKey && !text.includes('-----BEGIN CERTIFICATE-----') ? KEY_INSTEAD : BROKEN_CERTIFICATE;
  if (text.includes('ENCRYPTED')) return PASS_PHRASE;
  return !isKey && text.includes('-----BEGIN CERTIFICATE-----') ? CERTIFICATE_INSTEAD : BROKEN_KEY;
}

const NOT_PEM: Readonly<Record<'certificate' | 'key', WrongPem>> = {
  certificate: {
    problem: 'is not PEM: it has no line "-----BEGIN CERTIFICATE-----"',
    fix: 'Convert a certificate in DER to PEM: openssl x509 -inform der -in FILE -out FILE.pem.',
  },
  key: {
    problem: 'is not PEM: it has no line "-----BEGIN PRIVATE KEY-----"',
    fix: 'Convert a key in DER to PEM: openssl pkey -inform der -in FILE -out FILE.pem.',
  },
};

const PASS_PHRASE: WrongPem = {
  problem: 'is a private key with a pass phrase',
  fix: 'Name a PEM file with a key without a pass phrase: openssl pkey -in FILE -out NEWFILE, and chmod 600 NEWFILE.',
};

const KEY_INSTEAD: WrongPem = {
  problem: 'is a private key, not a certificate',
  fix: 'Name the PEM file of the certificate; certFile and keyFile may be interchanged.',
};

const CERTIFICATE_INSTEAD: WrongPem = {
  problem: 'is a certificate, not a private key',
  fix: 'Name the PEM file of the private key; certFile and keyFile may be interchanged.',
};

const BROKEN_CERTIFICATE: WrongPem = {
  problem: 'is not a valid certificate in PEM',
  fix: 'Name a PEM file with complete certificates; "openssl x509 -noout -text -in FILE" must print the first.',
};

const BROKEN_KEY: WrongPem = {
  problem: 'is not a valid private key in PEM',
  fix: 'Name a PEM file with a complete private key; "openssl pkey -noout -in FILE" must accept it.',
};
