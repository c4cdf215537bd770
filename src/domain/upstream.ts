import type { OutboundRequest, UpstreamReply } from './adapter.js';

/** The way to one adapter's orchestrator: confines, authenticates, sends under a deadline, collects up to the limit. */
export interface Upstream {
  /** Throws `invalid_path` before anything is sent, or the Problems of `HttpClient.send`. */
  send(request: OutboundRequest, signal: AbortSignal): Promise<UpstreamReply>;
  close(): Promise<void>;
}
