import { isJsonObject, type JsonObject, memberOf } from '../json/json-object.js';
import { pointerTo, pointerTokens, valueAt } from '../json/pointer.js';

/**
 * Keyword of a schema whose members are left out. Such a schema has the annotations, the type and the required members
 * of the whole schema, and accepts every value that the whole schema accepts.
 */
export const SUBTREE = 'x-subtree';

/** One object of a JSON Schema, with the content of the objects below it left out. */
export interface SchemaSubtree {
  readonly pointer: string;
  readonly schema: JsonObject;
  /** The uiSchema of the object; absent without one. */
  readonly uiSchema?: JsonObject;
}

/** A JSON Schema and the uiSchema of its fields. */
export interface SchemaWithUi {
  readonly schema: unknown;
  readonly uiSchema: unknown;
}

export function isSubtreeLeftOut(schema: unknown): boolean {
  return isJsonObject(schema) && memberOf(schema, SUBTREE) === true;
}

/** Keywords that a schema keeps when its members are left out. */
const KEPT_KEYWORDS = [
  ...['type', 'title', 'description', 'required', 'readOnly', 'writeOnly', 'deprecated', 'x-yang'],
];

/** Returns a schema without its members. */
export function withoutMembers(schema: JsonObject): JsonObject {
  const kept = KEPT_KEYWORDS.flatMap((keyword) =>
    Object.hasOwn(schema, keyword) ? [[keyword, schema[keyword]] as const] : [],
  );
  return { ...Object.fromEntries(kept), [SUBTREE]: true };
}

const DEFINITIONS = new Set(['$defs', 'definitions']);

/**
 * Returns the path of a schema's uiSchema; `ui:definitions` has the uiSchemas of definitions by their `$ref`.
 */
export function uiPathOf(pointer: string): readonly string[] {
  const tokens = pointerTokens(pointer);
  const [keyword = '', name = ''] = tokens;
  const isDefinition = DEFINITIONS.has(keyword);
  const start = isDefinition ? ['ui:definitions', `#${pointerTo(pointerTo('', keyword), name)}`] : [];
  const path: string[] = [];
  for (let at = isDefinition ? 2 : 0; at < tokens.length; at += 1) {
    // A member is two tokens, `properties` and its name, and the entries of a list are one, `items`.
    if (tokens[at] === 'properties') at += 1;
    path.push(tokens[at] ?? '');
  }
  return [...start, ...path];
}

/**
 * Returns a schema and its uiSchema with subtrees added, where they are left out. Containers come before what they
 * contain. Subtrees that are there already stay.
 */
export function withSubtrees(form: SchemaWithUi, subtrees: readonly SchemaSubtree[]): SchemaWithUi {
  let { schema, uiSchema } = form;
  for (const subtree of subtrees) {
    const present = valueAt(schema, subtree.pointer);
    const isNew = present === undefined || isSubtreeLeftOut(present);
    if (!isNew || (present !== undefined && isSubtreeLeftOut(subtree.schema))) continue;
    schema = withValueAt(schema, pointerTokens(subtree.pointer), subtree.schema);
    if (subtree.uiSchema) uiSchema = withValueAt(uiSchema, uiPathOf(subtree.pointer), subtree.uiSchema);
  }
  return { schema, uiSchema };
}

/** Returns a copy of a document with a value at a path; creates the objects on the way. */
function withValueAt(document: unknown, path: readonly string[], value: JsonObject): JsonObject {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const members = isJsonObject(document) ? document : {};
  return { ...members, [name]: withValueAt(memberOf(members, name), rest, value) };
}
