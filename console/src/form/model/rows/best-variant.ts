import type { Field } from '../field/field.js';
import { isList, isMembers, type Json, type JsonMembers } from '../json/json.js';
import { plainValue } from '../json/plain-value.js';
import { sameJson } from '../json/same-json.js';
import { constantOf } from '../field/editor.js';
import { typesOf } from '../field/types-of.js';

/**
 * Returns the most likely alternative for a value: one of its type whose constants match and whose members it
 * has.
 */
export function likeliestVariant(variants: readonly Field[], value: Json): number | undefined {
  const scores = variants.map((variant) => likeness(variant, value));
  const best = Math.max(...scores);
  return best < 0 ? undefined : scores.indexOf(best);
}

function likeness(variant: Field, value: Json): number {
  const types = typesOf(variant.parts);
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) return -1;
  if (variant.kind === 'leaf') {
    const constant = constantOf(variant);
    return constant === undefined || sameJson(constant, value) ? 1 : -1;
  }
  return isMembers(value) ? memberLikeness(variant, value) : 1;
}

function memberLikeness(variant: Field, value: JsonMembers): number {
  const names = Object.keys(value);
  const clash = names.some((name) => {
    const constant = variant.describes(name) ? constantOf(variant.member(name)) : undefined;
    return constant !== undefined && !sameJson(constant, value[name]);
  });
  const missing = [...variant.required].filter((name) => !Object.hasOwn(value, name)).length;
  const known = names.filter((name) => variant.describes(name)).length;
  // Present members weigh more than missing ones.
  return clash ? 0 : 1 + known + 1 / (2 + missing);
}

function isOfType(value: Json, type: string): boolean {
  const plain = plainValue(value);
  if (type === 'array') return isList(value);
  if (type === 'object') return isMembers(value);
  if (type === 'null') return value === null;
  if (type === 'integer') return typeof plain === 'number' && Number.isInteger(plain);
  return typeof plain === type;
}
