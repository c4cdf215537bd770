import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ClientCertificate } from '../core/certificate.js';

/** Maximum length of all names of a certificate, in characters. Processes of this server send them in a header. */
const MAX_NAMES_LENGTH = 2048;

/** Certificates by connection, because they do not change after the handshake. */
const certificates = new WeakMap<Socket, ClientCertificate | undefined>();

/** Returns the certificate that the client of a connection has presented; undefined if there is none. */
export function presentedCertificate(socket: Socket): ClientCertificate | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  if (!certificates.has(socket)) certificates.set(socket, readCertificate(socket));
  return certificates.get(socket);
}

function readCertificate(socket: TLSSocket): ClientCertificate | undefined {
  const certificate = socket.getPeerX509Certificate();
  if (!certificate) return undefined;
  // The reason is a code of OpenSSL, for example CERT_HAS_EXPIRED, although the type says Error.
  if (!socket.authorized) return { refusal: String(socket.authorizationError) };
  return describeClient(certificate);
}

/** The subject of a certificate as Node.js parses it; a repeated part has a list of values. */
interface LegacySubject {
  readonly CN?: string | readonly string[];
}

/** Returns the names of a certificate that the listener has verified. */
export function describeClient(certificate: X509Certificate): ClientCertificate {
  const { subjectAltName = '', validTo } = certificate;
  // An empty subject is undefined, although the type says string.
  const subject = (certificate.subject as string | undefined) ?? '';
  if (subject.length + subjectAltName.length > MAX_NAMES_LENGTH)
    return { refusal: `its names are longer than ${MAX_NAMES_LENGTH} characters` };
  const alternatives = parseAltNames(subjectAltName);
  const alternativesOf = (type: string): readonly string[] =>
    alternatives.flatMap((entry) => (entry.type === type ? [entry.value] : []));
  const { CN: commonName = [] } = (certificate.toLegacyObject().subject as LegacySubject | undefined) ?? {};
  return {
    names: {
      cn: [commonName].flat(),
      // RFC 4514: the parts in reverse order. Node.js separates them by line feeds, and escapes those in values.
      dn: subject === '' ? [] : [subject.split('\n').reverse().join(',')],
      uri: alternativesOf('URI'),
      dns: alternativesOf('DNS'),
      email: alternativesOf('email'),
    },
    notAfter: Date.parse(validTo),
  };
}

interface AltName {
  readonly type: string;
  readonly value: string;
}

/** One entry of Node's text: a type and a value, which is a JSON string if it has special characters. */
const ALT_NAME = /([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^,"]*)(?:, |$)/y;

/** Parses the subject alternative names in the form of Node.js. Returns none if a part does not have this form. */
function parseAltNames(text: string): readonly AltName[] {
  const entries: AltName[] = [];
  for (let at = 0; at < text.length; at = ALT_NAME.lastIndex) {
    ALT_NAME.lastIndex = at;
    const [, type = '', value = ''] = ALT_NAME.exec(text) ?? [];
    if (type === '') return [];
    entries.push({ type, value: value.startsWith('"') ? unquote(value) : value });
  }
  return entries;
}

/** Returns the text of a JSON string; an empty text, which is no usable name, for any other quoting. */
function unquote(value: string): string {
  try {
    return String(JSON.parse(value));
  } catch {
    return '';
  }
}
