import type { ProblemCode } from './problem-codes.js';

/** Hop at which the way to a peer failed: the proxy in front of it, its name, its address and port, TLS, or the login. */
export type Hop = 'proxy' | 'name' | 'address' | 'tls' | 'login';

export interface TransportFailure {
  readonly hop: Hop;
  /** Code of the system or of TLS, for example `ECONNREFUSED`. */
  readonly code: string;
  /** What failed, as a clause. */
  readonly words: string;
}

const UNKNOWN_AUTHORITY = [
  'tls',
  'the certificate of {peer} comes from an authority that is not trusted',
] as const;
const UNKNOWN_NAME = ['name', 'the host name{of} is not known'] as const;
const SILENT_NAME_SERVER = ['name', 'the name server does not answer'] as const;

/** Hop and words by the code of an error. */
const ROWS: Readonly<Partial<Record<string, readonly [Hop, string]>>> = {
  ECONNREFUSED: ['address', '{peer} refuses connections on this port'],
  EHOSTUNREACH: ['address', 'there is no route to {peer}'],
  ENETUNREACH: ['address', 'there is no route to the network of {peer}'],
  ETIMEDOUT: ['address', '{peer} does not answer connection attempts'],
  ENOTFOUND: UNKNOWN_NAME,
  EAI_AGAIN: SILENT_NAME_SERVER,
  CERT_HAS_EXPIRED: ['tls', 'the certificate of {peer} has expired'],
  CERT_NOT_YET_VALID: ['tls', 'the certificate of {peer} is not valid yet'],
  CERT_REVOKED: ['tls', 'the certificate of {peer} is revoked'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['tls', 'the certificate of {peer} is self-signed and not trusted'],
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID: ['tls', 'the certificate of {peer} is for another host name'],
  ERR_SSL_WRONG_VERSION_NUMBER: ['tls', '{peer} does not speak TLS on this port'],
};

/** Codes of failures that a library reports by their message alone, as the mail client does. */
const CODES_BY_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [/\bself-signed certificate in certificate chain\b/, 'SELF_SIGNED_CERT_IN_CHAIN'],
  [/\bself-signed certificate\b/, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  [
    /\bunable to (?:get local issuer certificate|verify the first certificate)\b/,
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ],
  [/\bcertificate has expired\b/, 'CERT_HAS_EXPIRED'],
  [/\bdoes not match certificate's altnames\b/, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  [/\bwrong version number\b/, 'ERR_SSL_WRONG_VERSION_NUMBER'],
];

/** Words for a peer without a name. */
const TARGET = 'the target';

/**
 * Returns which hop of a connection failed, and how; undefined for an error of another kind. All messages of failed connections
 * come from here. `peer` is the name of the other end in the words.
 */
export function transportFailureOf(error: Error, peer = TARGET): TransportFailure | undefined {
  const code = errorCodeOf(error);
  const row = ROWS[code] ?? otherRow(code, error);
  return row && failure(code, row, peer);
}

/** Returns the failure of the connection to a proxy in front of the target; undefined for an error of another kind. */
export function proxyFailure(error: Error): TransportFailure | undefined {
  const found = transportFailureOf(error, 'the proxy');
  return found && { ...found, hop: 'proxy', words: `${found.words}, so the target is unreachable` };
}

/** Returns the failure of a lookup by the code of the resolver. */
export function nameFailure(code: string): TransportFailure {
  if (/^(?:ENODATA|ENOTFOUND)$/.test(code)) return failure(code, UNKNOWN_NAME, TARGET);
  if (/^(?:ECANCELLED|ECONNREFUSED|ETIMEOUT|EAI_AGAIN)$/.test(code))
    return failure(code, SILENT_NAME_SERVER, TARGET);
  return failure(code, ['name', `the name server failed (${code})`], TARGET);
}

/** Returns the error of a connection to a peer with the hop that failed in its message; any other value unchanged. */
export function namingHop(error: unknown, peer: string): unknown {
  const failed = error instanceof Error ? transportFailureOf(error, peer) : undefined;
  if (!failed) return error;
  const { words, code } = failed;
  return new Error(words.includes(code) ? words : `${words} (${code})`, { cause: error });
}

/** Returns the words of a failure with the name of the peer in place of "the target". */
export function namingPeer(words: string, peer: string): string {
  return words
    .replaceAll(/\bthe target\b/g, peer)
    .replace(/\bhost name is not known\b/, `host name of ${peer} is not known`);
}

/** Returns true for the words of a failure whose certificate no trusted authority has signed. */
export function isUntrustedCertificate(words: string): boolean {
  return /\bcertificate of .* not trusted\b/.test(words);
}

/**
 * Returns the code of an error. Node reports several failed addresses as one error with a list; the first is
 * enough.
 */
export function errorCodeOf(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (ROWS[code]) return code;
  if (code === '' && error instanceof AggregateError && error.errors[0] instanceof Error)
    return errorCodeOf(error.errors[0]);
  const named = /\b(?:connect|getaddrinfo) (E[A-Z_]+)\b/.exec(error.message)?.[1];
  return named ?? CODES_BY_MESSAGE.find(([pattern]) => pattern.test(error.message))?.[1] ?? code;
}

function failure(code: string, [hop, words]: readonly [Hop, string], peer: string): TransportFailure {
  const of = peer === TARGET ? '' : ` of ${peer}`;
  return { hop, code, words: words.replace('{peer}', peer).replace('{of}', of) };
}

function otherRow(code: string, error: Error): readonly [Hop, string] | undefined {
  if (/^(?:ERR_SSL_|ERR_TLS_|EPROTO$|CERT_|UNABLE_TO_)/.test(code))
    return ['tls', `the TLS handshake with {peer} failed (${code})`];
  if (!('syscall' in error)) return undefined;
  return error.syscall === 'getaddrinfo'
    ? ['name', `the name server failed (${code})`]
    : ['address', `the connection to {peer} failed (${code})`];
}

/** Code and status of the Problem of an orchestrator's error. */
interface UpstreamErrorKind {
  readonly code: ProblemCode;
  readonly status: number;
}

/**
 * Returns the code and the status for a status of the orchestrator. Maps 401, 403 and 407 to 502: they concern the adapter's
 * credentials, not those of the caller.
 */
export function upstreamErrorKind(status: number): UpstreamErrorKind {
  if (status === 401 || status === 403 || status === 407) return { code: 'upstream_auth', status: 502 };
  if (status >= 400 && status < 500) return { code: 'upstream_rejected', status };
  return { code: 'upstream_failed', status: 502 };
}
