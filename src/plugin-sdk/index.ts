// Public API for plugin authors, imported as `gatehouse-proxy/plugin`. No export is removed or changed
// incompatibly.

export {
  type Adapter,
  type AdapterContext,
  type AdapterPlugin,
  type AdapterStream,
  type ConnectTarget,
  headerOf,
  type OutboundRequest,
  type RestCall,
  type StartSlots,
  type UpstreamErrorInfo,
  type UpstreamErrorInfo as UpstreamComplaint,
  type UpstreamReply,
} from '../core/adapter.js';
export type { Connection } from '../core/adapter.js';
export type { AdapterMethod, MethodCall } from '../core/adapter-method.js';
export { headerNamePattern } from '../core/header.js';
export type { ReplyHeaders } from '../core/http.js';
export type { Log, LogFields, LogLevel } from '../core/log.js';
export type { RawJson } from '../core/operation.js';
export type { PagingBounds, PagingRule } from '../core/paging.js';
export { pointerTo, valueAt } from '../json/pointer.js';
export { Problem, type RequestError } from '../core/problem.js';
export type { ProblemCode } from '../core/problem-codes.js';
export type { JsonSchema } from '../core/schema.js';
export { Secret } from '../core/secret.js';
export { type JsonResult, parseJson } from '../json/strict-json.js';
export { pageThrough, type PageTerms } from './page-through.js';
export { workerExecArgv } from './worker-exec-argv.js';
