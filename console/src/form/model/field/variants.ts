import type { JsonObject } from '../../../../../src/json/json-object.js';
import { UNION_KEYWORDS } from './conditions.js';
import type { FieldKind } from './field-kind.js';
import { isScalarType, textKeyword, typesOf } from './keywords.js';
import { below, declaredNames, itemParts } from './members.js';
import type { FieldSource, SchemaDocument, SchemaPart } from './schema-document.js';

/** Maximum number of alternatives of a field. Nested alternatives multiply; the rest is left out. */
const MAX_VARIANTS = 100;
/** Maximum number of unions of a field. */
const MAX_UNIONS = 20;
/** Maximum number of members in the label of an alternative without a title. */
const MAX_LABEL_MEMBERS = 3;
const MAX_NESTING = 8;

/** A field that may have alternatives, which are fields of the same type. */
interface AlternativeField<F> {
  readonly source: FieldSource;
  readonly parts: readonly SchemaPart[];
  readonly kind: FieldKind;
  with(changes: Partial<FieldSource>): F;
}

/** The alternatives of one `oneOf` or `anyOf`. */
export interface Union<F> {
  /** Title of the schema that has the union, if it is a part of the field; otherwise the labels. */
  readonly title: string;
  /** Label of each alternative; no two are equal. */
  readonly labels: readonly string[];
  readonly variants: readonly F[];
}

/** An `oneOf` or `anyOf` of a schema. */
interface WrittenUnion {
  readonly part: SchemaPart;
  readonly keyword: (typeof UNION_KEYWORDS)[number];
  /** The branches as they are written, which identify the union. */
  readonly written: readonly unknown[];
}

/**
 * Returns the unions of a field whose alternatives differ in shape. Each has one field for each alternative;
 * unions inside of an alternative replace the alternative that contains them.
 */
export function unionsOf<F extends AlternativeField<F>>(field: F): readonly Union<F>[] {
  const types = typesOf(field.parts);
  if (types.length > 0 && types.every(isScalarType)) return [];
  return openUnions(field, field.parts)
    .slice(0, MAX_UNIONS)
    .map((union) => {
      const variants = variantsFrom(field, union);
      const labels = labelsOf(variants.map(({ source }) => source.alternative ?? []));
      const { schema } = union.part;
      const title = schema === field.parts[0]?.schema ? undefined : textKeyword([union.part], 'title');
      return { title: title ?? labels.join(' / '), labels, variants };
    });
}

/** Returns the field with an alternative of each union, or without one; `chosen` are their indexes. */
export function withAlternatives<F extends AlternativeField<F>>(
  field: F,
  unions: readonly Union<F>[],
  chosen: readonly (number | undefined)[],
): F {
  const variants = unions.flatMap((union, at) => union.variants[chosen[at] ?? -1] ?? []);
  const branches = variants.flatMap(({ parts }) => parts.slice(0, parts.length - field.parts.length));
  const written = openUnions(field, field.parts).map((union) => union.written);
  const resolved = [field, ...variants].flatMap(({ source }) => [...(source.resolvedUnions ?? [])]);
  return field.with({ ...partsWith(field, branches), resolvedUnions: new Set([...resolved, ...written]) });
}

/** Returns the unresolved unions of some schemas of a field whose branches add a shape. */
function openUnions<F extends AlternativeField<F>>(
  { source: { document, resolvedUnions = new Set() }, parts }: F,
  candidates: readonly SchemaPart[],
): readonly WrittenUnion[] {
  const all = candidates.flatMap((part) =>
    UNION_KEYWORDS.flatMap((keyword): readonly WrittenUnion[] => {
      const written = part.schema[keyword];
      return Array.isArray(written) && !resolvedUnions.has(written) ? [{ part, keyword, written }] : [];
    }),
  );
  if (all.length === 0 || resolvedUnions.size > MAX_NESTING) return [];
  const base = parts.filter(
    ({ schema }) => !UNION_KEYWORDS.some((keyword) => resolvedUnions.has(schema[keyword])),
  );
  return all.filter((union) =>
    branchesOf(document, union).some((branch) => addsShape(document, branch, base)),
  );
}

/** Returns the fields of all alternatives, up to the maximum. */
function variantsFrom<F extends AlternativeField<F>>(field: F, union: WrittenUnion): readonly F[] {
  const found: F[] = [];
  for (const branch of branchesOf(field.source.document, union)) {
    if (found.length >= MAX_VARIANTS) break;
    found.push(...innermost(fieldOf(field, union, branch), branch));
  }
  return found.slice(0, MAX_VARIANTS);
}

/** Returns the alternatives of the unions in the schemas of an alternative, or the alternative itself. */
function innermost<F extends AlternativeField<F>>(variant: F, branch: readonly SchemaPart[]): readonly F[] {
  const [union] = openUnions(variant, branch);
  if (!union) return [variant];
  const variants: F[] = [];
  for (const inner of branchesOf(variant.source.document, union)) {
    if (variants.length >= MAX_VARIANTS) break;
    variants.push(...innermost(fieldOf(variant, union, inner), [...inner, ...branch]));
  }
  return variants.some(({ kind }) => kind !== 'leaf') ? variants : [variant];
}

function branchesOf(
  document: SchemaDocument,
  { part, keyword, written }: WrittenUnion,
): readonly (readonly SchemaPart[])[] {
  return written.map((schema, at) => below(document, part, { schema, tokens: [keyword, at] }));
}

/** Returns the labels of alternatives. Equal labels get those of the alternatives that contain them, or a number. */
function labelsOf(paths: readonly (readonly string[])[]): readonly string[] {
  const short = paths.map((path, at) => labelOrNumber(path.at(-1), at));
  const long = short.map((label, at) => (isTwice(label, short) ? (paths[at] ?? []).join(' / ') : label));
  return long.map((label, at) => (isTwice(label, long) ? `${label} (${at + 1})` : label));
}

function labelOrNumber(label: string | undefined, at: number): string {
  return label === undefined || label === '' ? `#${at + 1}` : label;
}

function isTwice(label: string, labels: readonly string[]): boolean {
  return labels.indexOf(label) !== labels.lastIndexOf(label);
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
  return UNION_KEYWORDS.some((keyword) => Array.isArray(schema[keyword]))
    ? { ...schema, oneOf: undefined, anyOf: undefined }
    : schema;
}

function fieldOf<F extends AlternativeField<F>>(
  field: F,
  { written }: WrittenUnion,
  branch: readonly SchemaPart[],
): F {
  const { resolvedUnions = [], alternative = [] } = field.source;
  return field.with({
    ...partsWith(field, branch),
    resolvedUnions: new Set([...resolvedUnions, written]),
    alternative: [...alternative, nameOf(branch)],
  });
}

/** The alternative's own keywords take precedence over those of the common schema, whose members come first. */
function partsWith<F extends AlternativeField<F>>({ source, parts }: F, branch: readonly SchemaPart[]) {
  return { parts: [...branch, ...parts], orderedParts: [...(source.orderedParts ?? parts), ...branch] };
}

function nameOf(branch: readonly SchemaPart[]): string {
  const title = textKeyword(branch, 'title');
  if (title !== undefined) return title;
  const constants = branch.flatMap(({ schema }) => constantsOf(schema));
  const reference = textKeyword(branch, '$ref')?.split('/').at(-1);
  const members = declaredNames(branch).slice(0, MAX_LABEL_MEMBERS).join(', ');
  return constants[0] ?? reference ?? (members === '' ? typesOf(branch).join(' or ') : members);
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
