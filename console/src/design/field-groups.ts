import { isJsonObject, type JsonObject } from '../../../src/json/json-object.js';
import { valueAt } from '../../../src/json/pointer.js';
import type { FormDraft } from './draft.js';
import { uiPointerOf } from './field-location.js';
import { GROUP_KEYS, type GroupKind, withSortedGroups } from './field-order.js';
import { textOr, textsAt, withMember, withoutEmpty } from './json-edit.js';

/** A titled list of an object's fields: a section, or a page of the form. */
export interface FieldGroup {
  readonly title: string;
  readonly description: string;
  /** Names of the fields, in display order. */
  readonly fields: readonly string[];
}

/** The groups of one kind that an object has. */
export interface GroupList {
  readonly kind: GroupKind;
  /** Pointer of the object's schema. */
  readonly container: string;
}

export function groupsOf({ uiSchema }: Pick<FormDraft, 'uiSchema'>, of: GroupList): readonly FieldGroup[] {
  return listOf(uiSchema, of).map((group) => ({
    title: textOr(group['title']),
    description: textOr(group['description']),
    fields: textsAt(group, '/fields'),
  }));
}

/** Adds a group without fields at the end. */
export function addGroup(draft: FormDraft, of: GroupList, title: string): FormDraft {
  return withList(draft, of, [...listOf(draft.uiSchema, of), { title, fields: [] }]);
}

/** Removes a group. Its fields stay, below the other groups. */
export function removeGroup(draft: FormDraft, of: GroupList, index: number): FormDraft {
  return withList(draft, of, listOf(draft.uiSchema, of).toSpliced(index, 1));
}

/** Moves a group by one position: -1 is up, 1 is down. */
export function moveGroup(
  draft: FormDraft,
  of: GroupList,
  { index, by }: { readonly index: number; readonly by: -1 | 1 },
): FormDraft {
  const list = listOf(draft.uiSchema, of);
  const group = list[index];
  const to = index + by;
  if (!group || to < 0 || to >= list.length) return draft;
  return withList(draft, of, list.toSpliced(index, 1).toSpliced(to, 0, group));
}

/** Sets the heading or the description of a group; an empty description is removed. */
export function setGroupText(
  draft: FormDraft,
  of: GroupList,
  {
    index,
    part,
    text,
  }: { readonly index: number; readonly part: 'title' | 'description'; readonly text: string },
): FormDraft {
  const list = listOf(draft.uiSchema, of);
  return withList(
    draft,
    of,
    list.map((group, at) =>
      at === index
        ? withMember(group, `/${part}`, part === 'description' && text === '' ? undefined : text)
        : group,
    ),
  );
}

/** Puts a field into a group, and out of the others; into none if the index is undefined. */
export function setGroup(
  draft: FormDraft,
  of: GroupList,
  { name, index }: { readonly name: string; readonly index: number | undefined },
): FormDraft {
  const list = listOf(draft.uiSchema, of).map((group, at): JsonObject => {
    const others = textsAt(group, '/fields').filter((other) => other !== name);
    return { ...group, fields: at === index ? [...others, name] : others };
  });
  return withSortedGroups(withList(draft, of, list), of.container);
}

function listOf(uiSchema: JsonObject, of: GroupList): readonly JsonObject[] {
  const at = pointerOf(uiSchema, of);
  const found = at === undefined ? undefined : valueAt(uiSchema, at);
  return Array.isArray(found) ? found.filter(isJsonObject) : [];
}

/** Returns where an object's groups are written, or would be written. */
function pointerOf(uiSchema: JsonObject, { kind, container }: GroupList): string | undefined {
  const ui = uiPointerOf(container);
  if (ui === undefined) return undefined;
  const pointers = GROUP_KEYS[kind].map((key) => `${ui}/${key}`);
  return pointers.find((at) => valueAt(uiSchema, at) !== undefined) ?? pointers[0];
}

function withList(draft: FormDraft, of: GroupList, list: readonly JsonObject[]): FormDraft {
  const at = pointerOf(draft.uiSchema, of);
  if (at === undefined) return draft;
  const uiSchema = withMember(draft.uiSchema, at, list.length === 0 ? undefined : list);
  return { ...draft, uiSchema: withoutEmpty(uiSchema, at.slice(0, at.lastIndexOf('/'))) };
}
