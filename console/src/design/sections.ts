import { isJsonObject, type JsonObject } from '../../../src/json/json-object.js';
import { valueAt } from '../../../src/json/pointer.js';
import type { FormDraft } from './draft.js';
import { uiPointerOf } from './field-location.js';
import { withSortedSections } from './field-order.js';
import { textsAt, withMember, withoutEmpty } from './json-edit.js';

/** A titled part of an object's fields (`ui:sections`). */
export interface Section {
  readonly title: string;
  readonly description: string;
  /** Names of the fields, in display order. */
  readonly fields: readonly string[];
}

export function sectionsOf({ uiSchema }: Pick<FormDraft, 'uiSchema'>, container: string): readonly Section[] {
  return listOf(uiSchema, container).map((section) => ({
    title: textOr(section['title']),
    description: textOr(section['description']),
    fields: textsAt(section, '/fields'),
  }));
}

/** Adds a section without fields at the end. */
export function addSection(draft: FormDraft, container: string, title: string): FormDraft {
  return withList(draft, container, [...listOf(draft.uiSchema, container), { title, fields: [] }]);
}

/** Removes a section. Its fields stay, below the other sections. */
export function removeSection(draft: FormDraft, container: string, index: number): FormDraft {
  return withList(draft, container, listOf(draft.uiSchema, container).toSpliced(index, 1));
}

/** Moves a section by one position: -1 is up, 1 is down. */
export function moveSection(
  draft: FormDraft,
  container: string,
  { index, by }: { readonly index: number; readonly by: -1 | 1 },
): FormDraft {
  const list = listOf(draft.uiSchema, container);
  const section = list[index];
  const to = index + by;
  if (!section || to < 0 || to >= list.length) return draft;
  return withList(draft, container, list.toSpliced(index, 1).toSpliced(to, 0, section));
}

/** Sets the heading or the description of a section; an empty description is removed. */
export function setSectionText(
  draft: FormDraft,
  container: string,
  {
    index,
    part,
    text,
  }: { readonly index: number; readonly part: 'title' | 'description'; readonly text: string },
): FormDraft {
  const list = listOf(draft.uiSchema, container);
  return withList(
    draft,
    container,
    list.map((section, at) =>
      at === index
        ? withMember(section, `/${part}`, part === 'description' && text === '' ? undefined : text)
        : section,
    ),
  );
}

/** Puts a field into a section, and out of the others; into none if the index is undefined. */
export function setSection(
  draft: FormDraft,
  container: string,
  { name, index }: { readonly name: string; readonly index: number | undefined },
): FormDraft {
  const list = listOf(draft.uiSchema, container).map((section, at): JsonObject => {
    const others = textsAt(section, '/fields').filter((other) => other !== name);
    return { ...section, fields: at === index ? [...others, name] : others };
  });
  return withSortedSections(withList(draft, container, list), container);
}

function listOf(uiSchema: JsonObject, container: string): readonly JsonObject[] {
  const ui = uiPointerOf(container);
  const found = ui === undefined ? undefined : valueAt(uiSchema, `${ui}/ui:sections`);
  return Array.isArray(found) ? found.filter(isJsonObject) : [];
}

function withList(draft: FormDraft, container: string, list: readonly JsonObject[]): FormDraft {
  const ui = uiPointerOf(container);
  if (ui === undefined) return draft;
  const uiSchema = withMember(draft.uiSchema, `${ui}/ui:sections`, list.length === 0 ? undefined : list);
  return { ...draft, uiSchema: withoutEmpty(uiSchema, ui) };
}

function textOr(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
