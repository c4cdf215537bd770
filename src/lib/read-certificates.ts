import { type KeyObject, X509Certificate } from 'node:crypto';

/** The parts of an X.509 certificate (RFC 5280) that operators see. Contains no key material. */
export interface CertificateFacts {
  /** Distinguished name, or the subject alternative name if the distinguished name is empty. */
  readonly subject: string;
  readonly serial: string;
  /** SHA-256 of the whole certificate. */
  readonly fingerprint: string;
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  /** Milliseconds since 1970. */
  readonly notAfter: number;
  /** Why the certificate is too weak to be used; absent if it is strong enough. */
  readonly weakness?: string;
}

const CERTIFICATE_BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Parses the certificates of a PEM text. Throws an Error if there is none, or if one is invalid. */
export function readCertificates(pem: string): readonly CertificateFacts[] {
  const blocks = pem.match(CERTIFICATE_BLOCK);
  if (!blocks) throw new TypeError('no certificate');
  return blocks.map((block) => describeCertificate(new X509Certificate(block)));
}

function describeCertificate(certificate: X509Certificate): CertificateFacts {
  const { subject, subjectAltName = '', serialNumber, validFrom, validTo } = certificate;
  const weakness = weaknessOf(certificate);
  return {
    // Node.js separates the parts of a distinguished name by line feeds.
    subject: (subject || subjectAltName).split('\n').join(', '),
    serial: serialNumber,
    fingerprint: certificate.fingerprint256,
    notBefore: Date.parse(validFrom),
    notAfter: Date.parse(validTo),
    ...(weakness !== undefined && { weakness }),
  };
}

const MIN_RSA_BITS = 2048;
const MIN_CURVE_BITS = 256;

/** Returns why a certificate is too weak (NIST SP 800-131A); undefined if it is strong enough. */
function weaknessOf(certificate: X509Certificate): string | undefined {
  const { asymmetricKeyType, asymmetricKeyDetails = {} } = keyOf(certificate) ?? {};
  const { modulusLength, namedCurve } = asymmetricKeyDetails;
  if (modulusLength !== undefined && modulusLength < MIN_RSA_BITS)
    return `its key has ${modulusLength} bits, and ${MIN_RSA_BITS} is the minimum`;
  if (asymmetricKeyType === 'dsa') return 'its key is a DSA key';
  // The names of curves contain their size, for example secp224r1 and prime256v1.
  const curveBits = Number(/\d+/.exec(namedCurve ?? '')?.[0] ?? MIN_CURVE_BITS);
  if (curveBits < MIN_CURVE_BITS)
    return `its key is on the curve ${namedCurve}, and P-${MIN_CURVE_BITS} is the minimum`;
  // Nothing relies on the signature of a certificate that is signed with its own key.
  if (certificate.issuer === certificate.subject) return undefined;
  const hash = WEAK_SIGNATURES.get(signatureAlgorithmOf(certificate.raw));
  return hash && `it is signed with ${hash}`;
}

/** Returns the public key; undefined for an algorithm that OpenSSL does not know, which a bundle may contain. */
function keyOf(certificate: X509Certificate): KeyObject | undefined {
  try {
    return certificate.publicKey;
  } catch {
    return undefined;
  }
}

/** Hash functions with known collisions, by the DER encoding of the object identifier of their signature algorithm. */
const WEAK_SIGNATURES: ReadonlyMap<string, string> = new Map([
  ['2a864886f70d010102', 'MD2'],
  ['2a864886f70d010103', 'MD4'],
  ['2a864886f70d010104', 'MD5'],
  ['2a864886f70d010105', 'SHA-1'],
  ['2b0e03021d', 'SHA-1'],
  ['2a8648ce380403', 'SHA-1'],
  ['2a8648ce3d0401', 'SHA-1'],
]);

/**
 * Returns the object identifier of the signature algorithm in hexadecimal. A certificate is a sequence of its content, the
 * algorithm and the signature (RFC 5280 section 4.1); Node.js 20 does not report the algorithm.
 */
function signatureAlgorithmOf(der: Buffer): string {
  const content = derElement(der, derElement(der, 0).start);
  const algorithm = derElement(der, derElement(der, content.end).start);
  return der.subarray(algorithm.start, algorithm.end).toString('hex');
}

function derElement(der: Buffer, offset: number): { readonly start: number; readonly end: number } {
  const length = der.readUInt8(offset + 1);
  if (length < 0x80) return { start: offset + 2, end: offset + 2 + length };
  const size = length & 0x7f;
  const start = offset + 2 + size;
  return { start, end: start + der.readUIntBE(offset + 2, size) };
}
