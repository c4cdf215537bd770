import { isJsonObject, type JsonObject, objectOf } from '../../json/json-object.js';
import type { Place } from './document-task.js';
import { below, type SourceFiles } from './read-document.js';

interface HiddenMembersTerms {
  readonly keyword: 'readOnly' | 'writeOnly';
  readonly source: Pick<SourceFiles, 'resolve'>;
}

/** Maximum depth of schemas in `allOf` of others. */
const MAX_DEPTH = 16;

/**
 * Returns the members of an object that are not part of a request (`readOnly`) or of a reply (`writeOnly`). They are so wherever its
 * schema says that: at the member, in the schema that the member refers to, or in a schema of `allOf`.
 */
export function hiddenMembersOf(
  schema: JsonObject,
  at: Place,
  { keyword, source }: HiddenMembersTerms,
): ReadonlySet<string> {
  const hidden = new Set<string>();
  const add = (value: JsonObject, place: Place, depth: number): void => {
    for (const [name, member] of Object.entries(objectOf(value['properties'])))
      if (isHidden(member, below(place, 'properties', name))) hidden.add(name);
    if (depth === MAX_DEPTH || !Array.isArray(value['allOf'])) return;
    for (const [index, branch] of value['allOf'].entries()) {
      const found = source.resolve(branch, below(place, 'allOf', index));
      if (found && isJsonObject(found.value)) add(found.value, found.at, depth + 1);
    }
  };
  const isHidden = (member: unknown, place: Place): boolean => {
    if (!isJsonObject(member)) return false;
    if (member[keyword] === true) return true;
    return '$ref' in member && objectOf(source.resolve(member, place)?.value)[keyword] === true;
  };
  add(schema, at, 0);
  return hidden;
}

/** Removes members from a converted schema, and from what the schemas in its `allOf` require. */
export function omitMembers(converted: Record<string, unknown>, names: ReadonlySet<string>): void {
  const { properties, required, allOf } = converted;
  if (isJsonObject(properties))
    converted['properties'] = Object.fromEntries(
      Object.entries(properties).filter(([name]) => !names.has(name)),
    );
  if (Array.isArray(required))
    converted['required'] = required.filter((name: unknown) => !names.has(String(name)));
  if (Array.isArray(allOf)) for (const branch of allOf) if (isJsonObject(branch)) omitMembers(branch, names);
}
