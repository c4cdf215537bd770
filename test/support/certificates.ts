import { generate } from 'selfsigned';

/** A key and a certificate in PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

interface CertificateOptions {
  readonly dns?: string;
  readonly ip?: string;
  readonly uri?: string;
  readonly email?: string;
  /** Absent: the DNS name, the IP address, or `test`. */
  readonly commonName?: string;
  /** Absent: the year 2020, before the time of every test clock. */
  readonly notBefore?: Date;
  /** Absent: the year 2040. */
  readonly notAfter?: Date;
  /** Absent: a key on the curve P-256. */
  readonly rsaBits?: number;
  /** Issues the certificate; absent: the certificate is signed with its own key. */
  readonly ca?: Certificate;
  readonly isCa?: boolean;
}

/** Creates a certificate (EC P-256) for a DNS name or an IP address. */
export async function makeCertificate(options: CertificateOptions): Promise<Certificate> {
  const { dns, ip, rsaBits, ca, isCa = false } = options;
  const altNames = altNamesOf(options);
  const name = options.commonName ?? dns ?? ip ?? 'test';
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
    ...(rsaBits === undefined
      ? { keyType: 'ec' as const, curve: 'P-256' as const }
      : { keyType: 'rsa' as const, keySize: rsaBits }),
    algorithm: 'sha256',
    notBeforeDate: options.notBefore ?? new Date(Date.UTC(2020, 0, 1)),
    notAfterDate: options.notAfter ?? new Date(Date.UTC(2040, 0, 1)),
    ...(ca && { ca }),
    extensions: [
      ...(altNames.length > 0 ? [{ name: 'subjectAltName' as const, altNames }] : []),
      ...(isCa ? CA_EXTENSIONS : []),
    ],
  });
  return { key, cert };
}

const CA_EXTENSIONS = [
  { name: 'basicConstraints' as const, cA: true, critical: true },
  { name: 'keyUsage' as const, keyCertSign: true, cRLSign: true, critical: true },
];

function altNamesOf({ dns, ip, uri, email }: CertificateOptions) {
  return [
    ...(dns === undefined ? [] : [{ type: 2 as const, value: dns }]),
    ...(ip === undefined ? [] : [{ type: 7 as const, ip }]),
    ...(uri === undefined ? [] : [{ type: 6 as const, value: uri }]),
    ...(email === undefined ? [] : [{ type: 1 as const, value: email }]),
  ];
}
