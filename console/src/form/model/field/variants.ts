import type { JsonObject } from '../../../../../src/core/json-object.js';
import type { FieldKind } from './field-kind.js';
import { isScalarType, textKeyword, typesOf } from './keywords.js';
import { below, declaredNames, itemParts } from './members.js';
import type { FieldSource, SchemaDocument, SchemaPart } from './schema-document.js';

/**
 * Maximum number of alternatives of a field; nested lists of alternatives multiply. Further ones are left
 * out.
 */
const MOST = 100;
/** Maximum nesting of alternatives. */
const DEPTH = 8;

/** A field that may have alternatives, which are fields of the same type. */
interface AlternativeField<F> {
  readonly source: FieldSource;
  readonly parts: readonly SchemaPart[];
  readonly kind: FieldKind;
  readonly variants: readonly F[];
  with(changes: Partial<FieldSource>): F;
}

/**
 * Returns the fields that a value may have, one for each alternative of `oneOf` and `anyOf`; nested
 * alternatives replace the one that contains them.
 */
export function variantsOf<F extends AlternativeField<F>>(field: F): readonly F[] {
  const { parts, decided = new Set<JsonObject>() } = field.source;
  if (!parts.some(({ schema }) => hasBranches(schema) && !decided.has(schema))) return [];
  const types = typesOf(parts);
  if ((types.length > 0 && types.every(isScalarType)) || decided.size > DEPTH) return [];
  const base = parts.filter(({ schema }) => !decided.has(schema) || !hasBranches(schema));
  for (const part of parts) {
    if (decided.has(part.schema)) continue;
    const branches = branchesOf(field.source.document, part);
    if (!branches.some((branch) => addsShape(field.source.document, branch, base))) continue;
    return expanded(field, part, branches);
  }
  return [];
}

/** Returns the fields of all alternatives, with nested ones in place; creates no more than are shown. */
function expanded<F extends AlternativeField<F>>(
  field: F,
  part: SchemaPart,
  branches: readonly (readonly SchemaPart[])[],
): readonly F[] {
  const found: F[] = [];
  for (const branch of branches) {
    if (found.length >= MOST) break;
    found.push(...inner(fieldOf(field, part, branch)));
  }
  return found.slice(0, MOST);
}

function inner<F extends AlternativeField<F>>(variant: F): readonly F[] {
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

const RULES: ReadonlySet<string> = new Set([
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

/** True if an alternative does more than require members that are known already. */
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
    branch.some(({ schema }) => Object.keys(schema).some((name) => !RULES.has(name)))
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
  const decided = new Set([...(field.source.decided ?? []), part.schema]);
  // The alternative's own keywords take precedence over those of the common schema.
  const parts = [...branch, ...field.parts];
  return field.with({ parts, decided, alternative: nameOf(branch) });
}

function nameOf(branch: readonly SchemaPart[]): string {
  const title = textKeyword(branch, 'title');
  if (title !== undefined) return title;
  const constants = branch.flatMap(({ schema }) => constantsOf(schema));
  const reference = textKeyword(branch, '$ref')?.split('/').at(-1);
  return constants[0] ?? reference ?? typesOf(branch).join(' or ');
}

/** Alternatives often differ in a member with one constant value. */
function constantsOf(schema: JsonObject): readonly string[] {
  const properties = Object.values((schema['properties'] ?? {}) as JsonObject) as readonly (
    JsonObject | undefined
  )[];
  return properties.flatMap((member) => {
    const [value] = [member?.['const'] ?? member?.['enum']].flat() as readonly unknown[];
    const isOne =
      member?.['const'] !== undefined || (Array.isArray(member?.['enum']) && member['enum'].length === 1);
    return isOne && ['string', 'number', 'boolean'].includes(typeof value) ? [String(value)] : [];
  });
}
