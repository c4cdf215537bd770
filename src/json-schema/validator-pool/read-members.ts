import { pointerTo } from '../../core/pointer.js';
import type { RequestError } from '../../core/problem.js';
import { parseJson } from '../../core/strict-json.js';
import { isJsonObject } from '../../core/json-object.js';
import { schemaProblem } from './schema-problem.js';

/** Names of members; true for those that must be there. */
type Members = Readonly<Record<string, boolean>>;

/** The members of an object that is sent as JSON. Throws `invalid_json`, or `invalid_request` with every fault. */
export function readMembers<const M extends Members>(
  bytes: Uint8Array,
  members: M,
): Readonly<Record<keyof M & string, unknown>> {
  const value = readJson(bytes);
  if (!isJsonObject(value))
    throw schemaProblem('invalid_request', [{ pointer: '', message: 'must be an object' }]);
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(members, name));
  const missing = Object.keys(members).filter((name) => members[name] && !Object.hasOwn(value, name));
  const known = Object.keys(members).join(', ');
  const [first, ...others] = [
    ...unknown.map((name) => fault(name, `is not known here; known: ${known}`)),
    ...missing.map((name) => fault(name, 'is missing')),
  ];
  if (first) throw schemaProblem('invalid_request', [first, ...others]);
  return value;
}

/** A JSON document. Throws `invalid_json`. */
export function readJson(bytes: Uint8Array): unknown {
  const parsed = parseJson(bytes);
  if ('fault' in parsed) throw schemaProblem('invalid_json', [parsed.fault]);
  return parsed.value;
}

function fault(name: string, message: string): RequestError {
  return { pointer: pointerTo('', name), message };
}
