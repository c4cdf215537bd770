import { isJsonObject, type JsonObject } from '../../../src/json/json-object.js';
import { pointerTo } from '../../../src/json/pointer.js';
import { decodeUri } from '../../../src/lib/decode-uri.js';
import type { FormDraft } from './draft.js';
import { bindingPointerOf } from './field-location.js';
import { objectAt, textOr, withMember, withoutEmpty } from './json-edit.js';

/** Choices of a field from a query through an adapter (wire 4.1), as the designer edits them. */
export interface QueryBinding {
  readonly adapter: string;
  /** Path of the query on the orchestrator. */
  readonly path: string;
  /** Pointer to the list of choices in the reply; empty for the reply itself. */
  readonly values: string;
  /** Pointers, within each entry of the list, to the value and to its label. */
  readonly value: string;
  readonly label: string;
}

/** A binding without a query, to start from. */
export const EMPTY_BINDING: QueryBinding = {
  adapter: '',
  path: '',
  values: '',
  value: '/name',
  label: '/name',
};

/** Returns the body of the query: choices are read from JSON. */
export function queryOf({ path }: QueryBinding): JsonObject {
  return { params: { path, accept: 'application/yang-data+json' } };
}

/** Returns true if the query can be sent. */
export function isComplete({ adapter, path }: QueryBinding): boolean {
  return adapter !== '' && path !== '';
}

/**
 * Returns how the choices of a field are defined: by the field itself (`fixed`), by a query, or by a binding that
 * the designer does not edit (`other`).
 */
export function choicesOf(draft: FormDraft, pointer: string): QueryBinding | 'fixed' | 'other' {
  const members = bindingMembers(draft, pointer);
  if (Object.keys(members).length === 0) return 'fixed';
  const read = bindingIn(members);
  return isSame(members, membersOf(read)) ? read : 'other';
}

/** Sets the query of a field's choices; `undefined` removes it. Bindings of nested fields stay. */
export function setChoices(draft: FormDraft, pointer: string, binding: QueryBinding | undefined): FormDraft {
  const at = bindingPointerOf(pointer);
  if (at === undefined) return draft;
  const nested = Object.entries(objectAt(draft.bindingSchema, at)).filter(([name]) => !isBindingMember(name));
  const members = { ...Object.fromEntries(nested), ...(binding && membersOf(binding)) };
  const bindingSchema = withMember(draft.bindingSchema, at, members);
  return { ...draft, bindingSchema: withoutEmpty(bindingSchema, at) };
}

function isBindingMember(name: string): boolean {
  return name.startsWith('binding:');
}

function bindingMembers(draft: FormDraft, pointer: string): JsonObject {
  const at = bindingPointerOf(pointer);
  const all = at === undefined ? {} : objectAt(draft.bindingSchema, at);
  return Object.fromEntries(Object.entries(all).filter(([name]) => isBindingMember(name)));
}

const HREF = 'restQuery/';

function membersOf(binding: QueryBinding): JsonObject {
  const { adapter, values, value, label } = binding;
  return {
    'binding:method': 'POST',
    'binding:link': 'collection',
    'binding:target': '/enum',
    'binding:hyperSchema': {
      base: '/orchestrator_manager/',
      links: [{ rel: 'collection', href: HREF + encodeURIComponent(adapter), variables: queryOf(binding) }],
    },
    'binding:source': { propertyPointer: values, keyPointer: value, labelKeyPointer: label },
  };
}

function bindingIn(members: JsonObject): QueryBinding {
  const link = '/binding:hyperSchema/links/0';
  const { href } = objectAt(members, link);
  const { path } = objectAt(members, `${link}/variables/params`);
  const { propertyPointer, keyPointer, labelKeyPointer } = objectAt(members, '/binding:source');
  return {
    adapter: typeof href === 'string' ? decodeUri(href.slice(HREF.length)) : '',
    path: textOr(path),
    values: textOr(propertyPointer),
    value: textOr(keyPointer, '/value'),
    label: textOr(labelKeyPointer, textOr(keyPointer, '/value')),
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one, sortedMembers) === JSON.stringify(other, sortedMembers);
}

function sortedMembers(_name: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A list in a reply: its pointer, its first entries, and the scalar members of its first entry. */
export interface ReplyList {
  readonly pointer: string;
  readonly entries: readonly unknown[];
  /** Pointers within an entry; empty if the entries are scalars. */
  readonly members: readonly { readonly pointer: string; readonly example: string }[];
}

/** Depth in a reply at which lists are still found. */
const MAX_DEPTH = 6;

/** Returns the lists of a reply that can be choices, outermost first. */
export function listsIn(reply: unknown, pointer = '', depth = 0): readonly ReplyList[] {
  if (Array.isArray(reply)) {
    const entries: readonly unknown[] = reply;
    return entries.length === 0 ? [] : [{ pointer, entries, members: scalarMembers(entries[0]) }];
  }
  if (!isJsonObject(reply) || depth >= MAX_DEPTH) return [];
  return Object.entries(reply).flatMap(([name, member]) =>
    listsIn(member, pointerTo(pointer, name), depth + 1),
  );
}

function scalarMembers(entry: unknown): ReplyList['members'] {
  if (!isJsonObject(entry)) return [];
  return Object.entries(entry)
    .filter(([, value]) => value !== null && typeof value !== 'object')
    .map(([name, value]) => ({ pointer: pointerTo('', name), example: String(value) }));
}
