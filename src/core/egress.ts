import type { CancelSignal } from './cancel-signal.js';
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
  /** Span of the incoming call that caused this call. */
  readonly span?: CallSpan | undefined;
}

/**
 * Client for the outbound calls of `POST /tools/restCall`. Checks the egress policy against the IP address of
 * the connection.
 */
export interface EgressCaller {
  /**
   * Sends a call. Throws `invalid_uri`, `invalid_header`, `egress_denied`, or the Problems of
   * `HttpClient.send`.
   */
  call(call: OutboundCall, signal: CancelSignal): Promise<HttpReply>;
}
