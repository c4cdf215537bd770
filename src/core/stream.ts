import type { CancelSignal } from './cancel-signal.js';
import type { Principal } from './principal.js';
import type { DescribedOperation, Operation } from './operation.js';
import type { CallSpan } from './trace.js';

/** Header lines in their order, one entry for each line. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** Bytes that are read as they come. */
export interface ByteStream extends NodeJS.ReadableStream {
  readonly destroyed: boolean;
  destroy(error?: Error): unknown;
}

/** A connection that both sides write to. */
export interface ByteTunnel extends ByteStream, NodeJS.WritableStream {}

/** A body that is passed on while it arrives. */
export interface StreamBody {
  /** Bytes as announced; absent for a body of unknown length. */
  readonly length?: number;
  /** Asks the caller for it. Called once at most, when the orchestrator is ready to take it. */
  take(): NodeJS.ReadableStream;
}

/** A request that is passed on to an orchestrator without being collected. */
export interface StreamRequest {
  readonly requestId: string;
  /** Upper case. */
  readonly method: string;
  /** Path and query below the base URL, as the caller wrote them. */
  readonly path: string;
  /** As the caller sent them; the way out leaves out what must not go on. */
  readonly headers: HeaderLines;
  readonly body?: StreamBody;
  /** On whose behalf it is passed on. */
  readonly span?: CallSpan | undefined;
  /** True asks to change to WebSocket (RFC 6455). */
  readonly isUpgrade: boolean;
  /** Where the caller sees what the orchestrator has at its base URL, for example `/proxy/nso1`. */
  readonly mount: string;
  /** Where the request came from. */
  readonly origin: { readonly address: string; readonly scheme: 'http' | 'https'; readonly host: string };
}

/** A reply whose head has come. */
export interface StreamReply {
  readonly status: number;
  /** As the caller may see them: nothing of the connection, no cookies, redirects as seen from outside. */
  readonly headers: HeaderLines;
  /** To be read to its end or destroyed; it ends with an error when the reply was cut short. */
  readonly body: ByteStream;
  /** With status 101 alone: the connection, for both directions. */
  readonly tunnel?: ByteTunnel;
}

/** A request to a stream operation, as its handler sees it: authenticated, and nothing of its body read. */
export interface StreamCall {
  readonly adapterId: string;
  readonly request: StreamRequest;
  readonly principal?: Principal;
  /** Fires when the caller leaves. */
  readonly signal: CancelSignal;
}

/** A row of the API at `<prefix>/:adapterId/*` that answers any method and passes bytes on in both directions. */
export interface StreamOperation<Deps> extends Pick<Operation<Deps>, 'id' | 'summary' | 'roles'> {
  /** Name under which config and audit speak of it, before the id. */
  readonly application: string;
  /** One sentence on that application for the API description. */
  readonly applicationSummary: string;
  readonly prefix: string;
  /** Resolves when the head of the reply has come; throws a Problem when none does. */
  open(call: StreamCall, deps: Deps): Promise<StreamReply>;
}

/** A stream operation with its dependencies filled in. */
export interface BoundStream extends DescribedOperation {
  readonly prefix: string;
  open(call: StreamCall): Promise<StreamReply>;
}

/** Tells what can be known of a stream operation without its dependencies. */
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

/** Fills a stream operation's dependencies in. */
export function bindStream<Deps>(operation: StreamOperation<Deps>, deps: Deps): BoundStream {
  return {
    ...describeStream(operation),
    prefix: operation.prefix,
    open: (call) => operation.open(call, deps),
  };
}
