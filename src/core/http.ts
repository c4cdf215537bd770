import type { CancelSignal } from './cancel-signal.js';
import type { Secret } from './secret.js';

/** Reply headers: lower-case names; a name that came several times has a list. */
export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>;

/** One outbound HTTP request, complete: nothing is added to it but framing and `host`. */
export interface HttpRequest {
  readonly method: string;
  /** Absolute http or https URL. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** A whole reply, collected up to the limit and decoded from any content coding. */
export interface HttpReply {
  readonly status: number;
  readonly headers: ReplyHeaders;
  readonly body: Buffer;
}

export interface HttpLimits {
  /** From the call to the last byte of the reply, in milliseconds; never exceeded. */
  readonly totalMs: number;
  /** From the last byte sent to the reply's headers, in milliseconds. */
  readonly firstByteMs?: number;
  /** Largest reply body, in bytes, after decoding. */
  readonly replyBytes: number;
}

/**
 * A way out of the process to one kind of peer. Redirects are never followed: the 3xx is the reply.
 * Throws `upstream_unreachable`, `upstream_timeout`, `upstream_bad_reply`, `upstream_too_large`, `egress_denied`,
 * or `caller_gone` when the signal fires; in every case the connection is destroyed.
 */
export interface HttpClient {
  send(request: HttpRequest, limits: HttpLimits, signal?: CancelSignal): Promise<HttpReply>;
  /** Ends idle connections, waits for running calls. */
  close(): Promise<void>;
}

/** TLS material as PEM text. */
export interface TlsMaterial {
  /** Certificates to trust instead of the system's. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: Secret;
  /** Name to ask for and to check instead of the URL's host. */
  readonly serverName?: string;
  /** True accepts any certificate. */
  readonly insecure?: boolean;
}

export interface HttpClientOptions {
  readonly tls?: TlsMaterial;
  readonly connectMs?: number;
  /** Most connections to one origin at a time. */
  readonly connections?: number;
  /** URL of an HTTP proxy that every request goes through; those that the environment names are never used. */
  readonly proxy?: string;
}

export type OpenHttpClient = (options: HttpClientOptions) => HttpClient;
