import type { CancelSignal } from '../lib/cancel-signal.js';
import type { Secret } from './secret.js';

/** Reply headers by lower-case name; a repeated header has a list of values. */
export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>;

/** An outbound HTTP request. The client adds only framing headers and `host`. */
export interface HttpRequest {
  readonly method: string;
  /** Absolute http or https URL. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** A complete reply, with its body decoded from any content coding. */
export interface HttpReply {
  readonly status: number;
  readonly headers: ReplyHeaders;
  readonly body: Buffer;
}

/** Limits of one request. */
export interface HttpLimits {
  /** Maximum time from the call of `send` to the last byte of the reply, in milliseconds. */
  readonly totalMs: number;
  /** Maximum time from the last byte of the request to the headers of the reply, in milliseconds. */
  readonly firstByteMs?: number;
  /** Maximum size of a reply body after decoding, in bytes. */
  readonly replyBytes: number;
}

/**
 * Client for outbound requests. Never follows redirects, but returns the 3xx reply. Throws
 * `upstream_unreachable`, `upstream_timeout`, `upstream_bad_reply`, `upstream_too_large`, `egress_denied`, or
 * `caller_gone` when the signal fires. Every failure destroys the connection.
 */
export interface HttpClient {
  send(request: HttpRequest, limits: HttpLimits, signal?: CancelSignal): Promise<HttpReply>;
  /** Closes idle connections and waits for running calls. */
  close(): Promise<void>;
}

/** TLS material as PEM text. */
export interface TlsMaterial {
  /** CA certificates to trust instead of those of the system. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: Secret;
  /** Server name for SNI and for certificate verification, instead of the URL's host. */
  readonly serverName?: string;
  /** True accepts any certificate. */
  readonly insecure?: boolean;
}

/** Options of an HTTP client. */
export interface HttpClientOptions {
  readonly tls?: TlsMaterial;
  /** Maximum time to connect, in milliseconds. */
  readonly connectMs?: number;
  /** Maximum number of concurrent connections per origin. */
  readonly connections?: number;
  /** URL of the HTTP proxy for all requests. Proxies from environment variables are never used. */
  readonly proxy?: string;
}

/** Creates an HTTP client. */
export type OpenHttpClient = (options: HttpClientOptions) => HttpClient;

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Returns true for a method, in upper case, that changes nothing (RFC 9110 section 9.2.1). False for TRACE, which the server
 * accepts from no client.
 */
export function isSafeMethod(method: string): boolean {
  return SAFE_METHODS.has(method);
}
