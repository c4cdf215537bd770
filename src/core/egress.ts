import type { CancelSignal } from './cancel-signal.js';
import type { HttpReply } from './http.js';
import type { CallSpan } from './trace.js';

/** One outbound call to an address that the caller chose (specification section 2.1). */
export interface OutboundCall {
  /** As the caller sent it. */
  readonly uri: string;
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'PUT' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as HTTP Basic (RFC 7617) to the URI's origin, and nowhere else. */
  readonly credentials?: { readonly user: string; readonly password: string };
  readonly body?: Buffer;
  /** On whose behalf it is made. */
  readonly span?: CallSpan | undefined;
}

/** The way out for `POST /tools/restCall`: refuses what the egress policy does not allow, on the address actually connected to. */
export interface EgressCaller {
  /** Throws `invalid_uri`, `invalid_header`, `egress_denied`, or the Problems of `HttpClient.send`. */
  call(call: OutboundCall, signal: CancelSignal): Promise<HttpReply>;
}
