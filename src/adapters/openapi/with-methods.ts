import type { MethodCall } from '../../core/adapter-method.js';
import {
  type Adapter,
  headerOf,
  type OutboundRequest,
  type RestCall,
  type UpstreamReply,
} from '../../core/adapter.js';
import { isRawJson, jsonOrText } from '../../core/decode-reply.js';
import type { Fault, LocatedFault } from '../../core/fault.js';
import { Problem } from '../../core/problem.js';
import type { CallTerms, Upstream } from '../../core/upstream.js';
import { pointerTo } from '../../json/pointer.js';
import { jsonText } from '../../json/write-json.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';
import type { AdapterSettings, OpenApiSettings } from '../../settings/adapter.js';
import { type DocumentMethods, openMethods } from './document-methods.js';
import type { DocumentReader } from './document-reader.js';
import type { DocumentResult, DocumentTask } from './document-task.js';
import { type MethodRequest, requestOf } from './request-of.js';

/** Returns the violations of a schema by a JSON text, as one sentence; undefined for a valid text. */
export type CheckReply = (schema: object, json: Buffer) => string | undefined;

interface MethodDeps {
  readonly adapter: Adapter;
  readonly upstream: Upstream;
  readonly methods: DocumentMethods;
  /** Absent: replies are not validated. */
  readonly checkReply?: CheckReply;
}

/**
 * Returns an upstream with the methods of a document. A call is a REST call that the plugin translates, and its requests are sent
 * like any other. The reply is that of the orchestrator as JSON; the caller judges its status.
 */
export function withMethods({ adapter, upstream, methods, checkReply }: MethodDeps): Upstream {
  const callMethod = async (
    { method, args }: MethodCall,
    signal: CancelSignal,
    terms?: CallTerms,
  ): Promise<UpstreamReply> => {
    const plan = methods.planOf(method);
    if (!plan) throw new Problem('adapter_method_not_found', `the adapter has no method "${method}"`);
    const request = await requestOf(plan, args);
    const reply = await sendAll(translated(adapter, request), (next) => upstream.send(next, signal, terms));
    if (reply.status >= 300) return reply;
    const body = bodyOf(reply);
    // A 204 has no content, also where the document describes all successes by 2XX.
    const schema = checkReply && reply.status !== 204 && methods.outputOf(method, reply.status);
    const violation = schema ? checkReply(schema, body) : undefined;
    if (violation !== undefined)
      throw new Problem(
        'upstream_bad_reply',
        `the reply is not what the OpenAPI document describes: ${violation}`,
      );
    return { ...reply, headers: { ...reply.headers, 'content-type': 'application/json' }, body };
  };
  return { ...upstream, methods: () => Promise.resolve(methods.methods), callMethod };
}

/** Sends requests in order until a reply refuses one. Returns the last reply. */
async function sendAll(
  [first, ...others]: readonly [OutboundRequest, ...OutboundRequest[]],
  send: (request: OutboundRequest) => Promise<UpstreamReply>,
): Promise<UpstreamReply> {
  let last = await send(first);
  for (const next of others) if (last.status < 400) last = await send(next);
  return last;
}

/** Methods that plugins translate. Others are translated as the nearest one. */
const TRANSLATED: ReadonlySet<string> = new Set(['GET', 'PATCH', 'PUT', 'POST', 'DELETE']);

/** Returns the requests of the plugin for a call, with the headers and cookies of the arguments. */
function translated(
  adapter: Adapter,
  { method, path, accept, contentType, body, headers, cookie }: MethodRequest,
): readonly [OutboundRequest, ...OutboundRequest[]] {
  const isRead = method === 'GET' || method === 'HEAD';
  const requests = adapter.translate({
    kind: isRead ? 'query' : 'action',
    method: (TRANSLATED.has(method) ? method : 'GET') as RestCall['method'],
    path,
    accept,
    ...(contentType !== undefined && { contentType }),
    ...(body && { body }),
  });
  const added = requests.map((request) => ({
    ...request,
    method: TRANSLATED.has(method) ? request.method : method,
    // Headers that the plugin sets are not for callers to change.
    headers: { ...headers, ...request.headers },
    ...(cookie !== undefined && { cookie }),
  }));
  return added as [OutboundRequest, ...OutboundRequest[]];
}

/** Returns a successful reply as JSON: JSON as it is, nothing as null, a text as a text, and other bytes as base64. */
function bodyOf(reply: UpstreamReply): Buffer {
  if (reply.body.length === 0) return Buffer.from('null');
  const contentType = headerOf(reply.headers, 'content-type') ?? '';
  if (isBinary(contentType))
    return Buffer.from(jsonText({ contentType, base64: reply.body.toString('base64') }));
  const value = jsonOrText(reply);
  return isRawJson(value) ? value.rawJson : Buffer.from(jsonText(value));
}

const TEXT_TYPE =
  /^(?:text\/|application\/(?:.*\+)?(?:json|xml|yaml|x-yaml|javascript|x-www-form-urlencoded)\b)/i;

function isBinary(contentType: string): boolean {
  return contentType !== '' && !TEXT_TYPE.test(contentType);
}

/** A document that was read for an adapter. Pointers of faults without a file are relative to the settings of the adapter. */
interface OpenedDocument {
  readonly methods: DocumentMethods;
  readonly faults: readonly (Fault | LocatedFault)[];
  readonly warnings: readonly (Fault | LocatedFault)[];
  /** The files that the document refers to, besides itself. */
  readonly files: readonly string[];
}

interface AdapterTerms {
  readonly baseUrl?: AdapterSettings['baseUrl'];
  readonly baseUrls?: AdapterSettings['baseUrls'];
  readonly ownNames: DocumentTask['ownNames'];
  readonly movesPaths?: boolean | undefined;
}

/** Reads the document of an adapter, and opens the methods that its settings choose. */
export async function openDocument(
  { file, methods }: OpenApiSettings,
  adapter: AdapterTerms,
  reader: DocumentReader,
): Promise<OpenedDocument> {
  const result = await reader.read({ file, methods, ownNames: adapter.ownNames });
  const faults = result.faults.filter(({ isWarning = false }) => !isWarning);
  const unmatched = faults.length > 0 ? [] : result.unmatched.map(unmatchedFault);
  return {
    methods: openMethods(result),
    faults: [...faults, ...unmatched],
    warnings: [...result.faults.filter(({ isWarning }) => isWarning), ...serverWarning(result, adapter)],
    files: result.files.filter((one) => one !== file),
  };
}

function unmatchedFault({ at, suggestion }: DocumentResult['unmatched'][number]): LocatedFault {
  return {
    pointer: pointerTo('/openapi/methods', at),
    code: 'openapi',
    message: `names no method of the document${suggestion === '' ? '' : `; did you mean "${suggestion}"?`}`,
    fix: 'Use a name of "gatehouse adapter from-openapi FILE --list", or remove the line.',
  };
}

/** Warns of a path in the server of the document that the base URL lacks: the paths of the document begin after it. */
function serverWarning(
  { info }: DocumentResult,
  { baseUrl, baseUrls, movesPaths = false }: AdapterTerms,
): readonly LocatedFault[] {
  const path = serverPath(info.servers[0] ?? '');
  const [pointer, url = ''] = baseUrl === undefined ? ['/baseUrls/0', baseUrls?.[0]] : ['/baseUrl', baseUrl];
  if (movesPaths || path === '' || url.replace(/\/+$/, '').endsWith(path)) return [];
  const message = `does not end with "${path}", the path of the server in the OpenAPI document`;
  const fix = `Add "${path}" to the URL if the orchestrator has its interface there: the paths of methods begin after the URL.`;
  return [{ pointer, code: 'openapi', message, fix }];
}

/** Returns the path of the URL of a server, without a slash at its end. An empty text for a path with variables. */
function serverPath(url: string): string {
  const [, path = ''] = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/[^/]*)?(\/[^?#]*)?/i.exec(url) ?? [];
  return path.includes('{') ? '' : path.replace(/\/+$/, '');
}
