// What the author of a plugin imports as `gatehouse/plugin`. Everything here is a promise to others.

export {
  type Adapter,
  type AdapterContext,
  type AdapterPlugin,
  headerOf,
  type OutboundRequest,
  type RestCall,
  type UpstreamErrorInfo as UpstreamComplaint,
  type UpstreamReply,
} from './domain/adapter.js';
export type { Connection } from './domain/connection.js';
export { headerNamePattern } from './domain/header.js';
export type { ReplyHeaders } from './domain/http.js';
export type { Log, LogFields, LogLevel } from './domain/log.js';
export { pointerTo, valueAt } from './domain/pointer.js';
export { Problem, type RequestError } from './domain/problem.js';
export type { ProblemCode } from './domain/problem-codes.js';
export type { JsonSchema } from './domain/schema.js';
export { Secret } from './domain/secret.js';
export { type JsonResult, parseJson } from './domain/strict-json.js';
