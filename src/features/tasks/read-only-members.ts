import { isJsonObject, type JsonObject, ownMember } from '../../json/json-object.js';
import { valueAt } from '../../json/pointer.js';
import type { Question } from './task.js';

/** Maximum depth of members that are compared. */
const MAX_DEPTH = 64;

/** Maximum number of schemas of one member that are looked at. */
const MAX_PARTS = 100;

/** A reference to a place in the same document, without percent-encoding. */
const LOCAL_REFERENCE = /^#(?:\/[^%]*)?$/;

/** A schema and its presentation at one place of a form. */
interface Place {
  readonly schema: unknown;
  readonly uiSchema: unknown;
}

/** The value of the requester and that of a draft at one place. */
interface Values {
  readonly given: unknown;
  readonly sent: unknown;
}

/**
 * Returns data with the values that the requester gave to read-only members (`readOnly` of the schema, `ui:readonly` and
 * `ui:disabled` of the presentation), so that a draft cannot change what a person reads and cannot edit. A read-only member
 * without a value of the requester may have any value, for example its default. Members of the entries of a list are not
 * compared, because entries move.
 */
export function withReadOnlyMembers(
  data: unknown,
  { schema, uiSchema, formData }: Pick<Question, 'schema' | 'uiSchema' | 'formData'>,
): unknown {
  const keep = (place: Place, { given, sent }: Values, depth: number): unknown => {
    if (given === undefined || depth > MAX_DEPTH) return sent;
    const parts = schemasOf(place.schema, schema);
    if (isReadOnly(parts, place.uiSchema)) return given;
    if (!isJsonObject(given) || !isJsonObject(sent)) return sent;
    const changed = new Map<string, unknown>();
    for (const [name, value] of Object.entries(given)) {
      const members = parts.flatMap((part) => ownMember(ownMember(part, 'properties'), name) ?? []);
      const at = { schema: { allOf: members }, uiSchema: ownMember(place.uiSchema, name) };
      const before = ownMember(sent, name);
      const after = keep(at, { given: value, sent: before }, depth + 1);
      if (after !== before) changed.set(name, after);
    }
    return changed.size === 0 ? sent : Object.fromEntries([...Object.entries(sent), ...changed]);
  };
  return keep({ schema, uiSchema }, { given: formData, sent: data }, 0);
}

/** Returns a schema, and the schemas that it includes by `$ref` to the same document and by `allOf`. */
function schemasOf(schema: unknown, root: unknown): readonly JsonObject[] {
  const found = new Set<JsonObject>();
  const add = (part: unknown): void => {
    if (isJsonObject(part) && found.size < MAX_PARTS) found.add(part);
  };
  add(schema);
  // A set also visits what is added to it meanwhile.
  for (const part of found) {
    const reference = ownMember(part, '$ref');
    if (typeof reference === 'string' && LOCAL_REFERENCE.test(reference))
      add(valueAt(root, reference.slice(1)));
    const all = ownMember(part, 'allOf');
    if (Array.isArray(all)) all.forEach(add);
  }
  return [...found];
}

function isReadOnly(schemas: readonly JsonObject[], uiSchema: unknown): boolean {
  if (schemas.some((schema) => ownMember(schema, 'readOnly') === true)) return true;
  const options = ownMember(uiSchema, 'ui:options');
  return ['readonly', 'disabled'].some(
    (name) => ownMember(uiSchema, `ui:${name}`) === true || ownMember(options, name) === true,
  );
}
