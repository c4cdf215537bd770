import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ClientCertificate } from '../core/certificate.js';
import { clientAddress, type IsTrustedProxy, peerAddress } from './client-address.js';

/** Address and scheme of a request's client. */
export interface CallerOrigin {
  /** The client's IP address; empty if it is not known. */
  readonly address: string;
  readonly scheme: 'http' | 'https';
}

/** Origins that trusted proxies have reported. */
const forwardedOrigins = new WeakMap<IncomingMessage, CallerOrigin>();

/** Returns the origin of the request's client, also for a request that a trusted proxy forwarded. */
export function callerOrigin(req: IncomingMessage): CallerOrigin {
  return forwardedOrigins.get(req) ?? { address: peerAddress(req.socket), scheme: connectionScheme(req) };
}

/** Returns the certificate that the request's client has presented; undefined if there is none. */
export function clientCertificateOf(req: IncomingMessage): ClientCertificate | undefined {
  // A certificate on a connection of a trusted proxy is that of the proxy, not of the client.
  return forwardedOrigins.has(req) ? undefined : presentedCertificate(req.socket);
}

function connectionScheme({ socket }: IncomingMessage): CallerOrigin['scheme'] {
  return 'encrypted' in socket ? 'https' : 'http';
}

/**
 * Stores the origin that a trusted proxy reports: the client in `X-Forwarded-For`, and the scheme in
 * `X-Forwarded-Proto`. Ignores the headers of any other peer.
 */
export function readProxyHeaders(req: IncomingMessage, isTrusted: IsTrustedProxy): void {
  if (!isTrusted(peerAddress(req.socket))) return;
  const scheme = forwardedScheme(req) ?? connectionScheme(req);
  forwardedOrigins.set(req, { address: clientAddress(req, isTrusted), scheme });
}

/** Returns the scheme in `X-Forwarded-Proto`; of several values, the first is that of the client. */
function forwardedScheme({ headers }: IncomingMessage): CallerOrigin['scheme'] | undefined {
  const [value] = String(headers['x-forwarded-proto'] ?? '').split(',', 1);
  return SCHEMES.get(value?.trim().toLowerCase() ?? '');
}

/** Schemes by the values of `X-Forwarded-Proto`; some proxies report `wss` for a WebSocket. */
const SCHEMES: ReadonlyMap<string, CallerOrigin['scheme']> = new Map([
  ['http', 'http'],
  ['https', 'https'],
  ['ws', 'http'],
  ['wss', 'https'],
]);

/** Maximum length of all names of a certificate, in characters. Processes of this server send them in a header. */
const MAX_NAMES_LENGTH = 2048;

/** Certificates by connection, because they do not change after the handshake. */
const certificates = new WeakMap<Socket, ClientCertificate | undefined>();

/** Returns the certificate that the client of a connection has presented; undefined if there is none. */
function presentedCertificate(socket: Socket): ClientCertificate | undefined {
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
