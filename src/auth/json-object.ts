import { parseJson } from '../domain/strict-json.js';

export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object: not an array, not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses bytes strictly as one JSON object; throws an Error that says why not and quotes nothing. */
export function parseJsonObject(bytes: Uint8Array): JsonObject {
  const result = parseJson(bytes);
  if ('fault' in result) throw new Error(result.fault.message);
  if (!isJsonObject(result.value)) throw new Error('is not a JSON object');
  return result.value;
}
