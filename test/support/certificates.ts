import { generate } from 'selfsigned';

/** A key and a certificate in PEM, signed with itself, for a DNS name or an IP address. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface CertificateOptions {
  readonly dns?: string;
  readonly ip?: string;
  /** Absent: tomorrow. */
  readonly notAfter?: Date;
}

const DAY_MS = 86_400_000;

/** Creates a certificate (EC P-256) that is valid since two days ago. */
export async function makeCertificate({ dns, ip, notAfter }: CertificateOptions): Promise<Certificate> {
  const altNames = [
    ...(dns === undefined ? [] : [{ type: 2 as const, value: dns }]),
    ...(ip === undefined ? [] : [{ type: 7 as const, ip }]),
  ];
  const { private: key, cert } = await generate([{ name: 'commonName', value: dns ?? ip ?? 'test' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - 2 * DAY_MS),
    notAfterDate: notAfter ?? new Date(Date.now() + DAY_MS),
    extensions: [{ name: 'subjectAltName', altNames }],
  });
  return { key, cert };
}
