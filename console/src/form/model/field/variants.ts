import type { JsonObject } from '../../../../../src/core/json-object.js';
import type { FieldKind } from './field-kind.js';
import { isScalarType, textKeyword, typesOf } from './keywords.js';
import { below, declaredNames, itemParts } from './members.js';
import type { FieldSource, SchemaDocument, SchemaPart } from './schema-document.js';

/** Maximum number of alternatives of a field. Nested alternatives multiply; the rest is left out. */
const MAX_VARIANTS = 100;
/** Maximum nesting of alternatives. */
const MAX_NESTING = 8;

/** A field that may have alternatives, which are fields of the same type. */
interface AlternativeField<F> {
  readonly source: FieldSource;
  readonly parts: readonly SchemaPart[];
  readonly kind: FieldKind;
  readonly variants: readonly F[];
  with(changes: Partial<FieldSource>): F;
}

/**
 * Returns one field for each alternative of `oneOf` and `anyOf`. Nested alternatives replace the alternative
 * that contains them.
 */
export function variantsOf<F extends AlternativeField<F>>(field: F): readonly F[] {
  const { parts, resolvedUnions = new Set<JsonObject>() } = field.source;
  if (!parts.some(({ schema }) => hasBranches(schema) && !resolvedUnions.has(schema))) return [];
  const types = typesOf(parts);
  if ((types.length > 0 && types.every(isScalarType)) || resolvedUnions.size > MAX_NESTING) return [];
  const base = parts.filter(({ schema }) => !resolvedUnions.has(schema) || !hasBranches(schema));
  for (const part of parts) {
    if (resolvedUnions.has(part.schema)) continue;
    const branches = branchesOf(field.source.document, part);
    if (!branches.some((branch) => addsShape(field.source.document, branch, base))) continue;
    return variantsFrom(field, part, branches);
  }
  return [];
}

/** Returns the fields of all alternatives, up to the maximum. */
function variantsFrom<F extends AlternativeField<F>>(
  field: F,
  part: SchemaPart,
  branches: readonly (readonly SchemaPart[])[],
): readonly F[] {
  const found: F[] = [];
  for (const branch of branches) {
    if (found.length >= MAX_VARIANTS) break;
    found.push(...innermost(fieldOf(field, part, branch)));
  }
  return found.slice(0, MAX_VARIANTS);
}

function innermost<F extends AlternativeField<F>>(variant: F): readonly F[] {
  const { variants } = variant;
  return variants.length > 0 && variants.some(({ kind }) => kind !== 'leaf') ? variants : [variant];
}

function hasBranches(schema: JsonObject): boolean {
  return Array.isArray(schema['oneOf']) || Array.isArray(schema['anyOf']);
}

function branchesOf(document: SchemaDocument, part: SchemaPart): readonly (readonly SchemaPart[])[] {
  const keyword = Array.isArray(part.schema['oneOf']) ? 'oneOf' : 'anyOf';
  const branches = part.schema[keyword];
  if (!Array.isArray(branches)) return [];
  return branches.map((schema, at) => below(document, part, { schema, tokens: [keyword, at] }));
}

/** Keywords that alone do not make an alternative: rules, annotations, and keywords checked separately. */
const RULE_KEYWORDS: ReadonlySet<string> = new Set([
  ...[
    'required',
    'not',
    'minProperties',
    'maxProperties',
    'minItems',
    'maxItems',
    'dependentRequired',
    'title',
  ],
  ...[
    'description',
    '$comment',
    'type',
    'properties',
    'anyOf',
    'oneOf',
    'allOf',
    'if',
    'then',
    'else',
    'contains',
  ],
]);

/**
 * Returns true if an alternative describes more than the base schema: new members, items, a type or other
 * keywords.
 */
function addsShape(
  document: SchemaDocument,
  branch: readonly SchemaPart[],
  base: readonly SchemaPart[],
): boolean {
  const known = new Set(declaredNames(base));
  if (declaredNames(branch).some((name) => !known.has(name))) return true;
  const untyped =
    typesOf(base.map((part) => ({ ...part, schema: withoutBranches(part.schema) }))).length === 0;
  if (untyped && typesOf(branch).length > 0) return known.size === 0;
  const inBase = itemParts(document, base, 0).length > 0;
  if (!inBase && itemParts(document, branch, 0).length > 0) return true;
  return (
    known.size === 0 &&
    untyped &&
    branch.some(({ schema }) => Object.keys(schema).some((name) => !RULE_KEYWORDS.has(name)))
  );
}

function withoutBranches(schema: JsonObject): JsonObject {
  return hasBranches(schema) ? { ...schema, oneOf: undefined, anyOf: undefined } : schema;
}

function fieldOf<F extends AlternativeField<F>>(
  field: F,
  part: SchemaPart,
  branch: readonly SchemaPart[],
): F {
  const resolvedUnions = new Set([...(field.source.resolvedUnions ?? []), part.schema]);
  // The alternative's own keywords take precedence over those of the common schema.
  const parts = [...branch, ...field.parts];
  return field.with({ parts, resolvedUnions, alternative: nameOf(branch) });
}

function nameOf(branch: readonly SchemaPart[]): string {
  const title = textKeyword(branch, 'title');
  if (title !== undefined) return title;
  const constants = branch.flatMap(({ schema }) => constantsOf(schema));
  const reference = textKeyword(branch, '$ref')?.split('/').at(-1);
  return constants[0] ?? reference ?? typesOf(branch).join(' or ');
}

/** Returns the values of members with one constant value, which often distinguish alternatives. */
function constantsOf(schema: JsonObject): readonly string[] {
  const properties = Object.values((schema['properties'] ?? {}) as JsonObject) as readonly (
    | JsonObject
    | undefined
  )[];
  return properties.flatMap((member) => {
    const [value] = [member?.['const'] ?? member?.['enum']].flat() as readonly unknown[];
    const isSingle =
      member?.['const'] !== undefined || (Array.isArray(member?.['enum']) && member['enum'].length === 1);
    return isSingle && ['string', 'number', 'boolean'].includes(typeof value) ? [String(value)] : [];
  });
}
