import type { CancelSignal } from './cancel-signal.js';
import type { Principal } from './principal.js';
import type { DescribedOperation, Operation } from './operation.js';
import type { CallSpan } from './trace.js';

/** Header lines in order, one entry per line. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** A readable stream of bytes. */
export interface ByteStream extends NodeJS.ReadableStream {
  readonly destroyed: boolean;
  destroy(error?: Error): unknown;
}

/** A connection that both sides write to. */
export interface ByteTunnel extends ByteStream, NodeJS.WritableStream {}

/** A request body that is forwarded while it arrives. */
export interface StreamBody {
  /** Announced length in bytes; absent for a body of unknown length. */
  readonly length?: number;
  /** Requests the body from the caller. Called at most once, when the orchestrator is ready to receive it. */
  take(): NodeJS.ReadableStream;
}

/** A request that is forwarded to an orchestrator without being collected. */
export interface StreamRequest {
  readonly requestId: string;
  /** Upper case. */
  readonly method: string;
  /** Path and query below the base URL, as the caller wrote them. */
  readonly path: string;
  /** Headers as the caller sent them. The upstream omits those that must not be forwarded. */
  readonly headers: HeaderLines;
  readonly body?: StreamBody;
  /** Span of the call. */
  readonly span?: CallSpan | undefined;
  /** True requests an upgrade to WebSocket (RFC 6455). */
  readonly isUpgrade: boolean;
  /** Path under which the caller sees the orchestrator's base URL, for example `/proxy/nso1`. */
  readonly mount: string;
  /** Address, scheme and host of the caller's request. */
  readonly origin: { readonly address: string; readonly scheme: 'http' | 'https'; readonly host: string };
}

/** A reply whose head has arrived. */
export interface StreamReply {
  readonly status: number;
  /** Headers for the caller: no connection headers, no cookies, and redirects as seen from outside. */
  readonly headers: HeaderLines;
  /** Body, which must be read to its end or destroyed. It ends with an error if the reply was cut short. */
  readonly body: ByteStream;
  /** Connection for both directions; only with status 101. */
  readonly tunnel?: ByteTunnel;
}

/** A request to a stream operation, as its handler sees it: authenticated, with an unread body. */
export interface StreamCall {
  readonly adapterId: string;
  readonly request: StreamRequest;
  readonly principal?: Principal;
  /** Fires when the caller leaves. */
  readonly signal: CancelSignal;
}

/**
 * A row of the API at `<prefix>/:adapterId/*` that accepts any method and forwards bytes in both directions.
 */
export interface StreamOperation<Deps> extends Pick<Operation<Deps>, 'id' | 'summary' | 'roles'> {
  /** Name in the configuration and in audit records, before the id. */
  readonly application: string;
  /** One-sentence description of the application, for the API description. */
  readonly applicationSummary: string;
  readonly prefix: string;
  /**
   * Opens the stream. Resolves when the head of the reply has arrived; throws a Problem if no reply arrives.
   */
  open(call: StreamCall, deps: Deps): Promise<StreamReply>;
}

/** A stream operation with its dependencies bound. */
export interface BoundStream extends DescribedOperation {
  readonly prefix: string;
  open(call: StreamCall): Promise<StreamReply>;
}

/** Describes a stream operation without its dependencies. */
export function describeStream<Deps>(operation: StreamOperation<Deps>): DescribedOperation {
  const { application, applicationSummary, id, summary, prefix, roles } = operation;
  const path = '/:adapterId/*';
  return {
    name: `${application}.${id}`,
    paths: [prefix + path],
    row: { id, summary, roles, path, method: 'ANY', reply: {}, audited: true },
    applicationSummary,
  };
}

/** Binds a stream operation to its dependencies. */
export function bindStream<Deps>(operation: StreamOperation<Deps>, deps: Deps): BoundStream {
  return {
    ...describeStream(operation),
    prefix: operation.prefix,
    open: (call) => operation.open(call, deps),
  };
}
