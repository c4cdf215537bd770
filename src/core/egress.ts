import type { CancelSignal } from './cancel-signal.js';
import type { HttpReply } from './http.js';
import type { CallSpan } from './trace.js';

/** An outbound call to an address that the caller chose (specification section 2.1). */
export interface OutboundCall {
  /** URI as the caller sent it. */
  readonly uri: string;
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'PUT' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as HTTP Basic (RFC 7617), only to the URI's origin. */
  readonly credentials?: { readonly user: string; readonly password: string };
  readonly body?: Buffer;
  /** Span of the incoming call that caused this call. */
  readonly span?: CallSpan | undefined;
}

/**
 * Makes the outbound calls of `POST /tools/restCall`. Refuses destinations that the egress policy does not
 * allow, by the address actually connected to.
 */
export interface EgressCaller {
  /**
   * Makes a call. Throws `invalid_uri`, `invalid_header`, `egress_denied`, or the Problems of
   * `HttpClient.send`.
   */
  call(call: OutboundCall, signal: CancelSignal): Promise<HttpReply>;
}
