import { isSubtreeLeftOut } from '../../../../../src/form-model/schema-subtrees.js';
import { isScalarType, typesOf } from './keywords.js';
import { declaredNames, isClosed, isTuple, namePatterns, takesAnyName, tupleLength } from './members.js';
import { type FieldSource, type SchemaPart, UNSUPPORTED } from './schema-document.js';
import { uiWidget } from './ui.js';
import type { YangFacts } from './yang.js';

/**
 * Kind of a field, independent of data. `variants` means several possible shapes; the data determines the shape.
 */
export type FieldKind = 'container' | 'presence' | 'list' | 'leaf' | 'leaf-list' | 'variants' | 'json';

/** The properties of a field that determine its kind. */
interface KindSource {
  readonly source: Pick<FieldSource, 'ui' | 'choices'>;
  readonly parts: readonly SchemaPart[];
  readonly yang: YangFacts;
  readonly variants: readonly { readonly kind: FieldKind }[];
  keyword(name: string): unknown;
  item(index: number): { readonly parts: readonly SchemaPart[]; readonly kind: FieldKind };
}

/** Determines the kind of a field. Unsupported schemas are `json`. */
export function kindOf(field: KindSource): FieldKind {
  const { parts } = field;
  if (uiWidget(field.source.ui) === 'json' || parts.some(({ schema }) => UNSUPPORTED in schema))
    return 'json';
  if (parts.some(({ schema }) => isSubtreeLeftOut(schema)))
    return field.yang.presence ? 'presence' : 'container';
  const types = typesOf(parts);
  if ((types.length > 0 && types.every(isScalarType)) || hasFixedValues(field)) return 'leaf';
  const [main, ...others] = types.filter((type) => type !== 'null');
  if (others.length > 0) return 'json';
  const { variants } = field;
  if (variants.length > 0) return variants.every(({ kind }) => kind === 'leaf') ? 'leaf' : 'variants';
  return structureKind(field, main);
}

function hasFixedValues(field: KindSource): boolean {
  if (field.source.choices !== undefined) return true;
  return isEmptyLeaf(field) || field.keyword('enum') !== undefined || field.keyword('const') !== undefined;
}

function structureKind(field: KindSource, type: string | undefined): FieldKind {
  if (type === 'object') return objectKind(field);
  return type === 'array' ? arrayKind(field) : 'json';
}

/** YANG `empty`: `[null]` or absent. */
export function isEmptyLeaf(field: KindSource): boolean {
  const listed: unknown = field.keyword('enum');
  const values: readonly unknown[] = Array.isArray(listed) ? listed : [];
  const value = field.keyword('const') ?? (values.length === 1 ? values[0] : undefined);
  if (Array.isArray(value)) return value.length === 1 && value[0] === null;
  if (tupleLength(field.parts) !== 1 || field.keyword('maxItems') !== 1) return false;
  return typesOf(field.item(0).parts).join() === 'null';
}

function objectKind(field: KindSource): FieldKind {
  const { parts } = field;
  const hasShape = declaredNames(parts).length > 0 || isClosed(parts) || takesAnyName(parts);
  if (!hasShape && !hasOwnPatterns(parts)) return 'json';
  return field.yang.presence ? 'presence' : 'container';
}

function hasOwnPatterns(parts: readonly SchemaPart[]): boolean {
  return namePatterns(parts).some((pattern) => pattern !== '^@');
}

function arrayKind(field: KindSource): FieldKind {
  if (isTuple(field.parts)) return 'list';
  if (field.item(0).parts.length === 0) return 'json';
  return field.item(0).kind === 'leaf' ? 'leaf-list' : 'list';
}
