import type { CancelSignal } from './cancel-signal.js';
import type { Secret } from './secret.js';

/** Reply headers by lower-case name; a repeated header has a list of values. */
export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>;

/** A complete outbound HTTP request; the client adds only framing and `host`. */
export interface HttpRequest {
  readonly method: string;
  /** Absolute http or https URL. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** A complete reply, collected up to the limit and decoded from any content coding. */
export interface HttpReply {
  readonly status: number;
  readonly headers: ReplyHeaders;
  readonly body: Buffer;
}

export interface HttpLimits {
  /** Maximum time from the call to the last byte of the reply, in milliseconds. */
  readonly totalMs: number;
  /** Maximum time from the last byte sent to the reply's headers, in milliseconds. */
  readonly firstByteMs?: number;
  /** Maximum size of a reply body after decoding, in bytes. */
  readonly replyBytes: number;
}

/**
 * Client for outbound requests to one kind of peer. Never follows redirects; the 3xx is the reply. Throws
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
  /** Certificates to trust instead of the system's. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: Secret;
  /** Name to request and to verify instead of the URL's host. */
  readonly serverName?: string;
  /** True accepts any certificate. */
  readonly insecure?: boolean;
}

export interface HttpClientOptions {
  readonly tls?: TlsMaterial;
  readonly connectMs?: number;
  /** Maximum number of concurrent connections per origin. */
  readonly connections?: number;
  /** URL of the HTTP proxy for every request. Proxies from environment variables are never used. */
  readonly proxy?: string;
}

export type OpenHttpClient = (options: HttpClientOptions) => HttpClient;
