import type { generate as generateCertificate } from 'selfsigned';

const DAY_MS = 86_400_000;

/** A certificate for localhost with its key, and the CA that signed it. Texts are PEM. */
interface LocalCertificate {
  readonly cert: string;
  readonly key: string;
  /** Certificate of the CA; absent for a self-signed certificate. */
  readonly ca?: string;
}

/** Creates a key and a certificate (EC P-256) for localhost, valid for a year: self-signed, or signed by a new CA. */
export async function createCertificate(caName?: string): Promise<LocalCertificate> {
  const { generate } = await import('selfsigned');
  // The key of the CA is used once and not kept: it can sign no other certificate.
  const ca = caName === undefined ? undefined : await generate(...termsOfCa(caName));
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    ...COMMON,
    ...validity(),
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
      ...(ca ? [{ name: 'extKeyUsage', serverAuth: true } as const] : []),
    ],
    ...(ca && { ca: { key: ca.private, cert: ca.cert } }),
  });
  return { key, cert, ...(ca && { ca: ca.cert }) };
}

const COMMON = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

function validity(): { readonly notBeforeDate: Date; readonly notAfterDate: Date } {
  return { notBeforeDate: new Date(Date.now() - DAY_MS), notAfterDate: new Date(Date.now() + 365 * DAY_MS) };
}

function termsOfCa(name: string): Parameters<typeof generateCertificate> {
  return [
    [{ name: 'commonName', value: name }],
    {
      ...COMMON,
      ...validity(),
      extensions: [
        { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
        { name: 'keyUsage', keyCertSign: true, critical: true },
      ],
    },
  ];
}

/** A store of trusted CAs, with the commands that add a CA and remove it. */
interface TrustStore {
  readonly of: string;
  readonly trust: string;
  readonly remove: string;
}

/** Returns how people trust a CA on their system, and how they undo it. `file` and `name` are those of the CA. */
export function trustSteps(file: string, name: string, platform: NodeJS.Platform): string {
  const quoted = platform === 'win32' ? file : file.replaceAll("'", String.raw`'\''`);
  const stores = (STORES[platform] ?? linuxStores)(quoted, name);
  const lines = (word: 'trust' | 'remove'): string =>
    stores.map((store) => `  ${store.of}:\n    ${store[word]}\n`).join('');
  return `
The certificate is signed by a CA of its own, ${file}. Nothing trusts it yet. Its key no longer exists:
it can sign nothing else. To let browsers and programs of this machine trust it, run:
${lines('trust')}
Restart the browser then. Firefox: Settings, Certificates, Authorities, Import. The way back:
${lines('remove')}`;
}

const STORES: Readonly<Record<string, (file: string, name: string) => readonly TrustStore[]>> = {
  darwin: (file, name) => [
    {
      of: 'Keychain (Safari, Chrome)',
      trust: `security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db '${file}'`,
      remove: `security delete-certificate -c '${name}' -t ~/Library/Keychains/login.keychain-db`,
    },
  ],
  win32: (file, name) => [
    {
      of: 'Windows (Edge, Chrome)',
      trust: `certutil -user -addstore Root "${file}"`,
      remove: `certutil -user -delstore Root "${name}"`,
    },
  ],
};

function linuxStores(file: string, name: string): readonly TrustStore[] {
  const copy = `/usr/local/share/ca-certificates/${name.replaceAll(' ', '-')}.crt`;
  return [
    {
      of: 'Chrome, Chromium (certutil is in libnss3-tools or nss-tools)',
      trust: `mkdir -p $HOME/.pki/nssdb && certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n '${name}' -i '${file}'`,
      remove: `certutil -d sql:$HOME/.pki/nssdb -D -n '${name}'`,
    },
    {
      of: 'Debian and Ubuntu (curl and other programs)',
      trust: `sudo install -m 644 '${file}' ${copy} && sudo update-ca-certificates`,
      remove: `sudo rm ${copy} && sudo update-ca-certificates`,
    },
    {
      of: 'Fedora and RHEL',
      trust: `sudo trust anchor '${file}'`,
      remove: `sudo trust anchor --remove '${file}'`,
    },
  ];
}
