import type { CancelSignal } from '../lib/cancel-signal.js';
import type { DescribedOperation } from './operation.js';
import type { Principal } from './principal.js';
import type { CallSpan } from './trace.js';

/** Header lines of a message in their original order. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** Returns the header lines of Node's list of alternating names and values. */
export function headerLinesOf(rawHeaders: readonly string[]): HeaderLines {
  const lines: [string, string][] = [];
  for (let at = 0; at < rawHeaders.length; at += 2)
    lines.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  return lines;
}

/** A readable stream of bytes. */
export interface ByteStream extends NodeJS.ReadableStream {
  readonly destroyed: boolean;
  /** Number of bytes that have arrived and are unread. */
  readonly readableLength: number;
  destroy(error?: Error): unknown;
}

/** A stream of bytes in both directions. */
export interface ByteTunnel extends ByteStream, NodeJS.WritableStream {}

/** A request body that is forwarded while it is received. */
export interface StreamBody {
  /** Declared length in bytes; absent for a body of unknown length. */
  readonly length?: number;
  /**
   * Starts to read the body from the caller. Called at most once, when the orchestrator is ready to receive.
   */
  take(): NodeJS.ReadableStream;
}

/** A request whose body is forwarded to an orchestrator without buffering. */
export interface StreamRequest {
  readonly requestId: string;
  /** Identifies the caller, who gets a share of the adapter's slots; absent for an unknown caller. */
  readonly caller?: string | undefined;
  /** HTTP method in upper case. */
  readonly method: string;
  /** Path and query below the base URL, as the caller wrote them. */
  readonly path: string;
  /** Headers as the caller sent them. The upstream omits headers that must not be forwarded. */
  readonly headers: HeaderLines;
  /** Headers of the adapter by lower-case name, in place of the caller's headers with these names. */
  readonly fixedHeaders?: Readonly<Record<string, string>>;
  readonly body?: StreamBody | undefined;
  readonly span?: CallSpan | undefined;
  /** True requests an upgrade to WebSocket (RFC 6455). */
  readonly isUpgrade: boolean;
  /** Path under which the caller sees the orchestrator's base URL, for example `/proxy/nso1`. */
  readonly mount: string;
  /** Address, scheme and host of the caller's request. */
  readonly origin: { readonly address: string; readonly scheme: 'http' | 'https'; readonly host: string };
}

/** A reply whose status and headers have arrived. */
export interface StreamReply {
  readonly status: number;
  /** Headers for the caller: without connection headers and cookies, and with redirects to the mount path. */
  readonly headers: HeaderLines;
  /** Body, which the receiver must read to its end or destroy. Emits an error if the reply was truncated. */
  readonly body: ByteStream;
  /** Connection after an upgrade; only with status 101. */
  readonly tunnel?: ByteTunnel | undefined;
}

/** An authenticated request to a stream operation, with an unread body. */
export interface StreamCall {
  readonly adapterId: string;
  readonly request: StreamRequest;
  readonly principal?: Principal | undefined;
  /** Fires when the caller disconnects, or loses the right to the call before the reply. */
  readonly signal: CancelSignal;
}

/** Who sends which request through which adapter. */
export type StreamTarget = Pick<StreamCall, 'adapterId' | 'principal'> & {
  readonly request: StreamRequest;
};

export interface BoundStream extends DescribedOperation {
  readonly prefix: string;
  requireAccess(call: StreamTarget): void;
  open(call: StreamCall): Promise<StreamReply>;
}
