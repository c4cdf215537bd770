/** Why a text is not the expected PEM, and the next step. */
interface WrongPem {
  readonly problem: string;
  readonly fix: string;
}

/** Returns why a text cannot be used as certificates or as a private key. Never repeats the text. */
export function wrongPem(text: string, expected: 'certificate' | 'key'): WrongPem {
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
