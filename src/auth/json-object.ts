import { isJsonObject, type JsonObject } from '../core/json-object.js';
import { parseJson } from '../core/strict-json.js';

/** Parses bytes strictly as one JSON object. Throws an Error that gives the reason and quotes nothing. */
export function parseJsonObject(bytes: Uint8Array): JsonObject {
  const result = parseJson(bytes);
  if ('fault' in result) throw new Error(result.fault.message);
  if (!isJsonObject(result.value)) throw new Error('is not a JSON object');
  return result.value;
}
