import type { CancelSignal } from '../lib/cancel-signal.js';
import type { HttpReply } from './http.js';
import type { CallSpan } from './trace.js';

/** An outbound call to an address that the caller chose (specification section 2.1). */
export interface OutboundCall {
  /** URI exactly as the caller sent it. */
  readonly uri: string;
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'PUT' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** Credentials for HTTP Basic (RFC 7617), sent only to the origin of the URI. */
  readonly credentials?: { readonly user: string; readonly password: string };
  readonly body?: Buffer;
  /** The caller, with the issuer of its token: each caller has a share of the concurrent calls. */
  readonly subject: string;
  /** Span of the incoming call that caused this call. */
  readonly span?: CallSpan | undefined;
}

/** A reply that occupies memory until the caller releases it. */
export interface OutboundReply extends HttpReply {
  /** Maximum size of the reply, and of a copy of it, in bytes. */
  readonly maxBytes: number;
  /** Frees the place of the call. Must be called once the reply is no longer in use; later calls do nothing. */
  readonly release: () => void;
}

/** An address that this server itself uses, and that no outbound call may reach. */
export interface OwnAddress {
  /** Words for the caller, for example `Vault`. */
  readonly name: string;
  /** Host name in lower case or IP address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** True if other sites may share the address: then https calls to another name are not denied. */
  readonly isShared?: true;
}

/**
 * Client for the outbound calls of `POST /tools/restCall`. Checks the egress policy against the IP address of
 * the connection.
 */
export interface EgressCaller {
  /**
   * Sends a call. Throws `too_many_requests` and `egress_busy` if nothing was sent, `invalid_uri`,
   * `invalid_header`, `egress_denied`, or the Problems of `HttpClient.send`.
   */
  call(call: OutboundCall, signal: CancelSignal): Promise<OutboundReply>;
  /** Denies calls to the listener at this URL, also in later snapshots. */
  denyListener(url: string): void;
}
