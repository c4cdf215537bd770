import { schemaFiles, SCHEMA_FILES } from '../../src/config/schema-files.js';
import type { JsonSchema } from '../../src/core/schema.js';
import { isJsonObject } from '../../src/json/json-object.js';

/** Keywords for editors, which Helm does not show and which would make each release larger. */
const FOR_EDITORS: ReadonlySet<string> = new Set([
  '$schema',
  '$defs',
  'title',
  'description',
  'default',
  'examples',
  'errorMessage',
  'patternErrorMessage',
]);

/** Keywords whose value has names of members, which are no keywords. */
const WITH_NAMES: ReadonlySet<string> = new Set(['properties', 'patternProperties']);

/**
 * Returns the schemas of the configuration files as definitions of `values.schema.json`, in JSON Schema draft 07, which every
 * version of Helm 3 knows. Patterns that Go cannot compile are left out: the server checks them at its start.
 */
export function chartDefinitions(): Readonly<Record<string, unknown>> {
  const files = schemaFiles();
  const [main, adapter] = [files[SCHEMA_FILES.main] ?? {}, files[SCHEMA_FILES.adapter] ?? {}];
  const texts = { ...(main['$defs'] as JsonSchema), ...(adapter['$defs'] as JsonSchema) };
  return {
    main: convert(main),
    adapter: convert(adapter),
    ...Object.fromEntries(Object.entries(texts).map(([name, schema]) => [name, convert(schema)])),
  };
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([keyword]) => !FOR_EDITORS.has(keyword));
  const { $ref, ...own } = Object.fromEntries(entries.flatMap(convertKeyword));
  if (typeof $ref !== 'string') return own;
  const ref = { $ref: definitionOf($ref) };
  if (Object.keys(own).length === 0) return ref;
  // Draft 07 ignores the keywords beside a reference.
  return { ...own, allOf: [ref, ...((own['allOf'] ?? []) as readonly unknown[])] };
}

function convertKeyword([keyword, value]: readonly [string, unknown]): readonly (readonly [
  string,
  unknown,
])[] {
  if (keyword === 'pattern') {
    const pattern = patternForGo(String(value));
    return pattern === undefined ? [] : [[keyword, pattern]];
  }
  if (keyword === 'enum' || keyword === 'const') return [[keyword, value]];
  if (!WITH_NAMES.has(keyword) || !isJsonObject(value)) return [[keyword, convert(value)]];
  return [[keyword, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, convert(one)]))]];
}

function definitionOf(reference: string): string {
  return reference === SCHEMA_FILES.adapter
    ? '#/definitions/adapter'
    : reference.replace('#/$defs/', '#/definitions/');
}

/** Maximum count of a repetition in a pattern of Go. */
const MAX_REPETITIONS = 1000;

/** Returns a pattern that Go and JavaScript read in the same way; `undefined` for one that Go cannot compile. */
function patternForGo(pattern: string): string | undefined {
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].flatMap(([, least, most]) => [least, most]);
  if (/\(\?[!=<]/.test(pattern) || counts.some((count) => Number(count) > MAX_REPETITIONS)) return undefined;
  return pattern.replaceAll(/\\u([0-9a-f]{4})/gi, (_escape, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
