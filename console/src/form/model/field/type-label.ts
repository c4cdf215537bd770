import type { Field } from './field.js';
import { textKeyword, typesOf } from './keywords.js';

const LABELS: Readonly<Record<string, string>> = {
  container: 'container',
  presence: 'container',
  variants: 'one of',
  list: 'list',
  json: 'json',
};

/** Returns a short word for the type of a field: the YANG type if known, otherwise the JSON Schema type. */
export function typeLabel(field: Field): string {
  const { yang, kind } = field;
  if (yang.leafref !== undefined) return 'leafref';
  if (kind === 'leaf-list') return typeLabel(field.item(0));
  return LABELS[kind] ?? yang.type ?? leafLabel(field);
}

function leafLabel(field: Field): string {
  if (field.keyword('const') !== undefined) return 'constant';
  if (field.keyword('enum') !== undefined) return 'enumeration';
  return textKeyword(field.parts, 'format') ?? (scalarTypes(field).join(' | ') || 'any');
}

/** Returns the types that a leaf's value may have; for a union, those of its members in order. */
export function scalarTypes(field: Field): readonly string[] {
  const { parts, variants } = field;
  const types = typesOf(parts);
  return types.length > 0 || variants.length === 0 ? types : [...new Set(variants.flatMap(scalarTypes))];
}
