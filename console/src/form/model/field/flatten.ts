import { isJsonObject } from '../../../../../src/core/json-object.js';
import { pointerTo } from '../../../../../src/core/pointer.js';
import { partOf, type SchemaDocument, type SchemaPart } from './schema-document.js';

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];

/** Name of the placeholder for a schema that cannot be shown: `false`, or a reference without a target. */
export const PUZZLE = 'form:puzzle';

/**
 * Returns the schemas that together describe a location: the schema itself, the schemas it refers to, and
 * those of `allOf`. Cycles are cut at the first repetition.
 */
export function flatten(
  document: SchemaDocument,
  schema: unknown,
  at: Omit<SchemaPart, 'schema'>,
): readonly SchemaPart[] {
  const parts: SchemaPart[] = [];
  const seen = new Set<unknown>();
  const add = (each: unknown, { place, ...around }: Omit<SchemaPart, 'schema'>): void => {
    if (each === false) parts.push({ schema: { [PUZZLE]: true }, place, ...around });
    if (!isJsonObject(each) || seen.has(each)) return;
    seen.add(each);
    const part = partOf(each, place, around);
    parts.push(part);
    for (const keyword of REFERENCES) if (typeof each[keyword] === 'string') follow(each[keyword], part);
    const all = Array.isArray(each['allOf']) ? (each['allOf'] as readonly unknown[]) : [];
    all.forEach((one, index) => {
      add(one, { ...part, place: pointerTo(`${place}/allOf`, index) });
    });
  };
  const follow = (reference: string, from: SchemaPart): void => {
    const target = document.refer(reference, from);
    if (target) add(target.schema, target);
    else parts.push({ ...from, schema: { [PUZZLE]: true } });
  };
  add(schema, at);
  return parts;
}
