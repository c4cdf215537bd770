import type { CancelSignal } from '../lib/cancel-signal.js';
import type { AddressedCall } from './access-decision.js';
import type { CallBinding } from './adapter-method.js';
import type { Deprecation, Method } from './deprecation.js';
import type { Principal, Role } from './principal.js';
import type { ProblemCode } from './problem-codes.js';
import type { JsonSchema } from './schema.js';
import type { CallSpan } from './trace.js';

/** Topics of change events. */
export type EventType = 'adapters' | 'profiles' | 'forms' | 'tasks' | 'secrets' | 'deprecations';

/** One request to an operation, authenticated, parsed and validated. */
export interface Call<Body = unknown> {
  /** Path parameters by name, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Body, valid against the operation's `body` schema; `undefined` if the operation accepts no body. */
  readonly body: Body;
  /** Text of the member that `keepsText` of the operation names; undefined for a call that is no JSON over HTTP. */
  readonly bodyText?: string | undefined;
  /** Absent only for public operations, unless they have `optionalToken`. */
  readonly principal?: Principal | undefined;
  readonly requestId: string;
  /** The peer's IP address. */
  readonly address: string;
  /** Returns one value of a request header, by lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Fires when the caller leaves. */
  readonly signal: CancelSignal;
  /** Span of the call, for requests to other servers. */
  readonly span?: CallSpan | undefined;
  /** What a person has approved: the handler throws `proposal_outdated` if it has changed. */
  readonly bound?: CallBinding | undefined;
}

/** A JSON document that is forwarded byte for byte, so that no number loses a digit. */
export interface RawJson {
  /** The document in UTF-8. */
  readonly rawJson: Buffer;
}

/** A JSON document that is sent in pieces, because it may be too large for memory. An error after the start aborts the response. */
export interface JsonStream {
  /** Pieces of text, or of UTF-8. */
  readonly jsonPieces: AsyncIterable<string | Uint8Array>;
}

/** A text that is sent while it is generated, for an operation with a `replyType`. Each piece is sent immediately. */
export interface LiveText {
  readonly livePieces: AsyncIterable<string>;
}

/**
 * Result of a handler. The status is 200, 303 with a location, or 304 if it is not modified. The body is sent as JSON; a {@link
 * RawJson}, {@link JsonStream} or {@link LiveText} is sent unchanged.
 */
export interface Reply {
  readonly body: unknown;
  /** Outcome for the audit record, for example the upstream's status. Never a secret. */
  readonly outcome?: string;
  /**
   * Why the orchestrator refused the call, in its own words, for the audit record and the access line. Secrets are
   * removed, and the length is limited, before it is stored.
   */
  readonly reason?: string;
  /** Caller whom a public operation has identified, for the audit record of a sign-in. */
  readonly caller?: Pick<Principal, 'subject' | 'issuer' | 'name'> | undefined;
  /** True if the call did nothing, so that an audited operation writes no audit record. */
  readonly didNothing?: true;
  /** Additional headers of the response, for example `etag`. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /**
   * URL to which the caller is redirected: the response is 303 without a body. Only for operations that
   * declare `redirects`.
   */
  readonly location?: string;
  /**
   * True if the caller has this document already, according to `If-None-Match`: the response is 304 without a
   * body. Only for operations that declare `conditional`.
   */
  readonly notModified?: true;
  /**
   * State before and after the call; undefined for a state that did not exist. The audit record contains only
   * digests of both.
   */
  readonly change?: { readonly before?: unknown; readonly after?: unknown };
  /** Throws the Problem of a caller who may not receive the rest of a {@link LiveText} any more; the roles are checked without it. */
  readonly requireAccess?: (principal: Principal | undefined) => void;
  /** Called once when the response has been sent or abandoned: frees what the body holds. */
  readonly onEnd?: () => void;
}

/** One row of the API. Routing, roles, validation, the API description and tests read these rows. */
export interface Operation<Deps, Body = unknown> {
  /** Name of the operation as in the specification: `restAction`, `createForm`, ... */
  readonly id: string;
  /** One sentence for the API description. */
  readonly summary: string;
  /** What the operation does, needs and changes, in one or two sentences for the API description. */
  readonly description?: string;
  readonly method: Method;
  /** Path below the application's prefix, with `:name` for path parameters. */
  readonly path: string;
  /** Schemas of the path parameters by name; default: any text without control characters. */
  readonly pathParameters?: Readonly<Record<string, JsonSchema>>;
  /** Other paths of the same operation that existing clients use. */
  readonly aliases?: readonly OperationAlias[];
  /** Roles that may call the operation; `authenticated` is any caller with a valid token. An operation without roles does not compile. */
  readonly roles: readonly [Role, ...Role[]] | 'authenticated' | 'public';
  /** True for a public operation that replies with more to a caller with a valid token. An invalid token counts as none. */
  readonly optionalToken?: true;
  /** Schema of the query, as an object of strings. The schema documents the parameters; it validates nothing. */
  readonly query?: JsonSchema;
  /**
   * True for a list: the query may come as `queryOptions` in a JSON body, the default limit applies, and the response
   * has a `Link` to the next page. The reply is a `Listed`.
   */
  readonly list?: true;
  /** Schema of the JSON body. Without a schema, the operation accepts no body and ignores any body that is sent. */
  readonly body?: JsonSchema;
  /** True allows a request without a body; the handler then receives `undefined`. */
  readonly bodyOptional?: true;
  /** True also accepts the body as `application/x-www-form-urlencoded`: an object of strings. */
  readonly form?: true;
  /** True reads whole numbers of the body that a double does not keep as `bigint`; they are otherwise refused. */
  readonly exactNumbers?: true;
  /** Name of a member of the body whose text the call has as well, as the caller wrote it; of very many values, only that. */
  readonly keepsText?: string;
  /** True for a body with documents such as forms, which may have eight times as many values as other bodies. */
  readonly hasDocuments?: true;
  /** True for a body with texts of YANG modules, which may be larger than other bodies (`forms.yang.maxBytes`). */
  readonly hasYangTexts?: true;
  /** True passes the body as a `Buffer`, neither parsed nor validated; `body` only documents it. */
  readonly unparsed?: true;
  /** Schema of the response. */
  readonly reply: JsonSchema;
  /**
   * Problems for which the platform documents a sentence as the whole body. A client that accepts
   * `application/json` but no problem document gets the message as a JSON string.
   */
  readonly messageErrors?: readonly ProblemCode[];
  /** Media type of a text response that is not JSON. */
  readonly replyType?: string;
  /** Descriptions of additional headers of the response, by lower-case name. */
  readonly replyHeaders?: Readonly<Record<string, string>>;
  /** Descriptions of the request headers that the operation reads, by name. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /**
   * Codes of the problems that are particular to the operation. The API description lists their statuses;
   * those of authentication, of the body and of the audit trail follow from the other members.
   */
  readonly problems?: readonly ProblemCode[];
  /** Set if the response is always, or sometimes, a 303 redirect. */
  readonly redirects?: 'always' | 'sometimes';
  /** Topics of the events after which pages read this path, and the paths below it, again. */
  readonly topics?: readonly EventType[];
  /** True if a request with `If-None-Match` can get 304. */
  readonly conditional?: true;
  /** True for a GET that changes state, for old clients; other methods always count as changes. */
  readonly changes?: true;
  /** True writes one audit record per call, before the response is sent. */
  readonly audited?: true;
  /** True for an audited operation that only takes rights away: it runs also while the trail fails; its record follows. */
  readonly onlyRevokes?: true;
  /**
   * Returns the target of a call for its audit record: an adapter, a method, a path or URI without its query.
   * Never a secret.
   */
  target?(call: Pick<Call<Body>, 'params' | 'query' | 'body'>): string;
  /** True for an operation that monitors poll: its requests are logged and traced only if they fail. */
  readonly polled?: true;
  /**
   * True for an operation of an application without a component that calls orchestrators: an overload may delay or refuse it, unlike
   * other operations of management.
   */
  readonly sheddable?: true;
  /** True also serves the operation through the fast router. */
  readonly hot?: true;
  /** Lets the settings offer the operation as a tool to agents (MCP); absent: it never is a tool. */
  readonly tool?: ToolTraits;
  /** Deprecation of the operation; absent if the operation is not deprecated. */
  readonly deprecation?: Deprecation;
  /**
   * Names of the operations that this operation uses. A caller may call this operation if all of them admit
   * the caller.
   */
  readonly through?: readonly string[];
  /**
   * Checks an admitted call before its body is read. Returns headers for the response, also for an error.
   * Throws the Problem of a refused call.
   */
  beforeBody?(call: PreBodyCall, deps: Deps): Readonly<Record<string, string>>;
  handle(call: Call<Body>, deps: Deps): Promise<Reply> | Reply;
}

/** What agents, and the people who confirm their calls, must know about an operation that is a tool. */
export interface ToolTraits {
  /** True if the operation may change something; a call may then destroy data, and a repetition has another effect. */
  readonly changes: boolean;
  /** True if the operation calls orchestrators, and not gatehouse alone. */
  readonly callsOrchestrators: boolean;
  /** How to ask for less if the result is larger than the limit, as one sentence. */
  readonly narrow: string;
  /** Returns the call that the operation sends, which a person approves; absent: it changes nothing. */
  readonly addressedCall?: (call: Call) => AddressedCall;
}

/** Another path of an operation, with an id of its own in the API description. */
interface OperationAlias {
  readonly path: string;
  readonly id: string;
}

/** The part of a call that is available before its body is read. */
export type PreBodyCall = Pick<Call, 'params' | 'principal' | 'address'>;

/** A group of operations with a common path prefix. */
export interface Application<Deps> {
  /** Name in the configuration and in audit records, for example `orchestrator-manager`. */
  readonly name: string;
  /** One sentence for the API description. */
  readonly summary: string;
  /**
   * Name of the component that operators monitor, stop and start, for example `JsonForms`; absent if the
   * application always runs.
   */
  readonly component?: string;
  /** True for an application that people wait for: during an overload it has a share of its own. */
  readonly isInteractive?: true;
  /** Path prefixes. The first is from the specification, the others are aliases that existing clients use. */
  readonly prefixes: readonly [string, ...string[]];
  // Each operation has another body type, and its schema validates the body before the handler runs.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly operations: readonly Operation<Deps, any>[];
}

/** An operation with its name and paths, without its dependencies. */
export interface DescribedOperation {
  /** `<application>.<id>`, as in the setting `roles`. */
  readonly name: string;
  /** Full path patterns; the first is from the specification. */
  readonly paths: readonly string[];
  readonly row: OperationRow;
  /** Component of the application. */
  readonly component?: string;
  /** As in the application. */
  readonly isInteractive?: true;
  readonly applicationSummary: string;
  readonly example?: OperationExample;
}

/** A request body and the JSON reply to it, from a call that a test makes. */
export interface OperationExample {
  readonly body?: unknown;
  readonly reply?: unknown;
}

/** A row without its handlers. `ANY` matches all methods. */
export interface OperationRow extends Omit<Operation<never>, 'handle' | 'target' | 'beforeBody' | 'method'> {
  readonly method: Operation<never>['method'] | 'ANY';
}

/** An operation with bound dependencies, as the routers serve it. */
export interface BoundOperation extends DescribedOperation {
  handle(call: Call): Promise<Reply> | Reply;
  /** `beforeBody` of the row; absent if the row has no such method. */
  beforeBody?(call: PreBodyCall): Readonly<Record<string, string>>;
  /** `target` of the row; returns an empty string if the row has no such method. */
  target(call: Pick<Call, 'params' | 'query' | 'body'>): string;
}

/** Returns the names and paths of an application's operations. */
export function describeApplication<Deps>(application: Application<Deps>): readonly DescribedOperation[] {
  return application.operations.map((row) => describe(application, row));
}

/** Binds an application's operations to its dependencies. */
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
      [row, ...(row.aliases ?? [])].map(({ path }) => prefix + path),
    ),
    row,
    ...(application.component !== undefined && { component: application.component }),
    ...(application.isInteractive && { isInteractive: true }),
    applicationSummary: application.summary,
  };
}
