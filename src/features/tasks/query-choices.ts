import { checkAccess } from '../../core/access-decision.js';
import type { AdapterPolicy } from '../../core/access-policy.js';
import { adapterNotFound } from '../../core/adapter-names.js';
import { isJsonStream, isRawJson } from '../../core/decode-reply.js';
import { callerKey } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import type { AdmitQuery } from '../../http/limit-caller.js';
import { hasMoreValues } from '../../json/json-size.js';
import { readStoredJson } from '../../json/strict-json.js';
import { jsonText } from '../../json/write-json.js';
import { BoundedMap } from '../../lib/bounded-map.js';
import { type Clock, elapsedSince } from '../../lib/clock.js';
import { createTokenBucket, type TokenBucket } from '../../lib/token-bucket.js';
import type { OrchestratorManagerDeps } from '../orchestrator/execute-call.js';
import { restQuery } from '../orchestrator/operations.js';
import type { QueryChoices } from './deps.js';

/** Time for which an answer is kept, in milliseconds. */
const MAX_AGE_MS = 10_000;

/** Maximum number of answers in memory, and their maximum total size in bytes. */
const CACHE_LIMITS = { maxEntries: 256, maxWeight: 16_777_216 };

/** Maximum size of a reply with choices, in bytes, and the maximum number of its members and elements. */
const MAX_REPLY_BYTES = 2_097_152;
const MAX_REPLY_VALUES = 50_000;

/** Queries of one caller: 60 at once, then one a second. */
const QUERY_LIMITS = { capacity: 60, refillMs: 1000 };

/** Maximum number of callers whose queries are counted. */
const MAX_CALLERS = 10_000;

interface Answer {
  /** JSON: its value may take ten times as much memory. */
  readonly json: Buffer;
  readonly at: number;
}

/** Creates the function that sends the queries of bound fields through adapters. They count for the limits of the person who asks. */
export function createQueryChoices(
  orchestrator: OrchestratorManagerDeps,
  clock: Clock,
  admitQuery: AdmitQuery,
): QueryChoices {
  const answers = new BoundedMap<string, Answer>(CACHE_LIMITS);
  const buckets = new BoundedMap<string, TokenBucket>({ maxEntries: MAX_CALLERS });
  const countQuery = (caller: string): void => {
    const bucket = buckets.get(caller) ?? createTokenBucket(clock, QUERY_LIMITS);
    buckets.set(caller, bucket);
    const waitMs = bucket.take();
    if (waitMs === 0) return;
    const headers = { 'retry-after': String(Math.ceil(waitMs / 1000)) };
    throw new Problem('too_many_requests', 'You asked for the choices of too many fields.', { headers });
  };
  return async ({ adapterId, params, sender }, call) => {
    // The access rules of the adapter depend on the roles of the sender.
    const key = JSON.stringify([callerKey(sender), sender.roles, adapterId, params.path, params.accept]);
    const known = answers.get(key);
    if (known && elapsedSince(clock, known.at) < MAX_AGE_MS) {
      // The access rules may have changed since the query.
      const { signal } = call;
      const check = (policy: AdapterPolicy): void => {
        const { path } = params;
        checkAccess(policy, { operation: 'orchestrator-manager.restQuery', method: 'GET', path }, sender);
      };
      await orchestrator.leaseAdapter(adapterId, { signal, check }, (_instance, policy) => {
        check(policy);
        return Promise.resolve();
      });
      return parse(known.json);
    }
    countQuery(callerKey(call.principal));
    const end = await admitQuery(adapterId, call);
    const query = {
      ...call,
      params: { adapterId },
      query: new URLSearchParams(),
      body: { params },
      principal: sender,
    };
    const json = await withoutSuggestion(adapterId, () => jsonOfQuery(query, orchestrator)).finally(end);
    if (hasMoreValues(json, MAX_REPLY_VALUES)) throw tooLarge(`has more than ${MAX_REPLY_VALUES} values`);
    answers.set(key, { json, at: clock.now() }, json.length);
    return parse(json);
  };
}

async function jsonOfQuery(
  query: Parameters<typeof restQuery.handle>[0],
  orchestrator: OrchestratorManagerDeps,
): Promise<Buffer> {
  const { body, onEnd } = await restQuery.handle(query, orchestrator);
  return jsonOf(body).finally(() => onEnd?.());
}

/** Runs a query. The person who fills in the form may not see the adapters that the sender sees, so no error suggests one. */
async function withoutSuggestion<T>(adapterId: string, query: () => T | Promise<T>): Promise<T> {
  try {
    return await query();
  } catch (error) {
    throw error instanceof Problem && error.code === 'adapter_not_found' ? adapterNotFound(adapterId) : error;
  }
}

function parse(json: Buffer): unknown {
  return readStoredJson(json.toString());
}

function tooLarge(excess: string): Problem {
  const detail = `the reply with the choices ${excess}; the binding needs a narrower path`;
  return new Problem('upstream_bad_reply', detail);
}

/** Returns the JSON of a reply. Throws `upstream_bad_reply` for one that is too large for choices. */
async function jsonOf(body: unknown): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  const add = (piece: string | Uint8Array): void => {
    length += piece.length;
    if (length > MAX_REPLY_BYTES) throw tooLarge(`is larger than ${MAX_REPLY_BYTES} bytes`);
    pieces.push(Buffer.from(piece));
  };
  if (isJsonStream(body)) for await (const piece of body.jsonPieces) add(piece);
  else add(isRawJson(body) ? body.rawJson : jsonText(body));
  return Buffer.concat(pieces);
}
