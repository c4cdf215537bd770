import type { CancelSignal } from './cancel-signal.js';
import type { Deprecation, Method } from './deprecation.js';
import type { Principal, Role } from './principal.js';
import type { JsonSchema } from './schema.js';
import type { CallSpan } from './trace.js';

/** One request to an operation, as the handler sees it: authenticated, parsed and valid. */
export interface Call<Body = unknown> {
  /** Path parameters by name, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Valid against the operation's `body` schema; `undefined` when the operation takes none. */
  readonly body: Body;
  /** Absent only for public operations. */
  readonly principal?: Principal | undefined;
  readonly requestId: string;
  /** The peer's IP address. */
  readonly address: string;
  /** One value of a request header, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** Fires when the caller leaves. */
  readonly signal: CancelSignal;
  /** On whose behalf requests to other servers are made. */
  readonly span?: CallSpan | undefined;
}

/** A JSON document that is passed on byte for byte, so that no number loses a digit on the way. */
export interface RawJson {
  readonly rawJson: Buffer;
}

/** A JSON document that is sent piece by piece, for answers too large to hold. Once it has begun, a failure breaks it off. */
export interface JsonStream {
  readonly jsonPieces: AsyncIterable<string>;
}

/** A text of an operation with a `replyType` that is sent while it comes about: each piece at once, until there are no more. */
export interface LiveText {
  readonly livePieces: AsyncIterable<string>;
}

/**
 * The answer of a handler: status 200 (303 with a location), and the value as JSON; a {@link RawJson}, {@link JsonStream} or {@link LiveText} goes
 * out as it is.
 */
export interface Reply {
  readonly body: unknown;
  /** What the audit record says of the outcome, for example the upstream's status. Never a secret. */
  readonly outcome?: string;
  /** More headers of the answer, for example `etag`. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** URL at which the caller goes on: the answer is 303 without a body. Only in rows that say so. */
  readonly location?: string;
  /** A state before and after the call, for the audit record, which keeps digests alone; undefined for what was not there. */
  readonly change?: { readonly before?: unknown; readonly after?: unknown };
}

/** One row of the API. Mounting, roles, validation, OpenAPI and the tests of completeness all read this. */
export interface Operation<Deps, Body = unknown> {
  /** Name of the operation as in the specification: `restAction`, `createForm`, ... */
  readonly id: string;
  /** One sentence for the API description. */
  readonly summary: string;
  readonly method: Method;
  /** Below the application's prefix, with `:name` for path parameters. */
  readonly path: string;
  /** Other paths of the same operation, which clients in the field use. */
  readonly aliases?: readonly string[];
  /** Who may call: `authenticated` is anyone with a valid token. There is no default, so that forgetting does not compile. */
  readonly roles: readonly [Role, ...Role[]] | 'authenticated' | 'public';
  /** Schema of the query, as an object of texts: it describes the parameters, and checks nothing. */
  readonly query?: JsonSchema;
  /** Schema of the JSON body; without it the operation takes none and ignores what is sent. */
  readonly body?: JsonSchema;
  /** True lets a request come without a body: the handler then sees `undefined`. */
  readonly bodyOptional?: true;
  /** True takes the body as `application/x-www-form-urlencoded` too: an object of texts. */
  readonly form?: true;
  /** True hands the bytes of the body over (as a `Buffer`), neither parsed nor checked: `body` only describes them. */
  readonly unparsed?: true;
  /** Schema of the answer. */
  readonly reply: JsonSchema;
  /** Media type of an answer that is a text and no JSON. */
  readonly replyType?: string;
  /** Headers of its own that the answer can have, by name in lower case, each with what it says. */
  readonly replyHeaders?: Readonly<Record<string, string>>;
  /** Set where answers are, or may be, a 303 that leads elsewhere. */
  readonly redirects?: 'always' | 'sometimes';
  /** True for a GET that changes something, as old clients ask for it; what comes by another method does anyway. */
  readonly changes?: true;
  /** True writes one audit record a call, before the reply. */
  readonly audited?: true;
  /** What a call is about, for its audit record: an adapter, a method, a path or URI without its query. Never a secret. */
  target?(call: Pick<Call<Body>, 'params' | 'body'>): string;
  /** Served by the fast door as well. */
  readonly hot?: true;
  /** When it goes out of use, and what to use instead; absent for what stays. */
  readonly deprecation?: Deprecation;
  /** Names of the operations that it works through: whoever may call all of them may call it. */
  readonly through?: readonly string[];
  /**
   * Called for every admitted caller before the body is read. What it returns are headers of the answer, whatever that
   * is; it throws the Problem of a call that is turned away.
   */
  beforeBody?(call: PreBodyCall, deps: Deps): Readonly<Record<string, string>>;
  handle(call: Call<Body>, deps: Deps): Promise<Reply> | Reply;
}

/** What is known of a call before its body is read. */
export type PreBodyCall = Pick<Call, 'params' | 'principal' | 'address'>;

/** Operations under one prefix, and the name under which config and audit speak of them. */
export interface Application<Deps> {
  /** Config name, for example `orchestrator-manager`. */
  readonly name: string;
  /** One sentence for the API description. */
  readonly summary: string;
  /** Name under which operators watch, stop and start it, for example `JsonForms`; absent for what always answers. */
  readonly component?: string;
  /** Path prefixes; the first is the specification's, the others are aliases that clients in the field use. */
  readonly prefixes: readonly [string, ...string[]];
  // The body type is the operation's own affair: its schema has proven it before the handler sees it.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly operations: readonly Operation<Deps, any>[];
}

/** An operation and where it stands: all that can be known without its dependencies. */
export interface DescribedOperation {
  /** `<application>.<id>`, as in the config key `roles`. */
  readonly name: string;
  /** Full path patterns; the first is the specification's. */
  readonly paths: readonly string[];
  readonly row: OperationRow;
  /** As in its application. */
  readonly component?: string;
  readonly applicationSummary: string;
}

/** A row without what it does. `ANY` is a row for all methods. */
export interface OperationRow extends Omit<Operation<never>, 'handle' | 'target' | 'beforeBody' | 'method'> {
  readonly method: Operation<never>['method'] | 'ANY';
}

/** An operation with its dependencies filled in: what the doors serve. */
export interface BoundOperation extends DescribedOperation {
  handle(call: Call): Promise<Reply> | Reply;
  /** As in the row; no headers when the row says nothing. */
  beforeBody?(call: PreBodyCall): Readonly<Record<string, string>>;
  /** As in the row; empty when the row says nothing. */
  target(call: Pick<Call, 'params' | 'body'>): string;
}

/** Names and places an application's operations. */
export function describeApplication<Deps>(application: Application<Deps>): readonly DescribedOperation[] {
  return application.operations.map((row) => describe(application, row));
}

/** Fills an application's dependencies in. */
export function bindApplication<Deps>(application: Application<Deps>, deps: Deps): readonly BoundOperation[] {
  return application.operations.map((row) => ({
    ...describe(application, row),
    handle: (call: Call) => row.handle(call, deps),
    ...(row.beforeBody && { beforeBody: (call: PreBodyCall) => row.beforeBody?.(call, deps) ?? {} }),
    target: (call) => row.target?.(call) ?? '',
  }));
}

function describe<Deps>(application: Application<Deps>, row: Operation<Deps>): DescribedOperation {
  return {
    name: `${application.name}.${row.id}`,
    paths: application.prefixes.flatMap((prefix) =>
      [row.path, ...(row.aliases ?? [])].map((path) => prefix + path),
    ),
    row,
    ...(application.component !== undefined && { component: application.component }),
    applicationSummary: application.summary,
  };
}
