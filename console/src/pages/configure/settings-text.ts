import { jsonFrom, type Json, readJson, writeJson } from '../../form/model/index.js';
import { prettyJson } from '../../kit/json-text.js';

/** Where the settings of a form are in a document. */
export interface SettingsPlace {
  /** Names of the members that lead to the settings; empty if the document is the settings. */
  readonly path: readonly string[];
  /** Names of the settings that the form has; absent for all. */
  readonly members?: readonly string[];
  /** True if a list or object that the form has emptied is left out, so that it has its default again. */
  readonly omitsEmptied?: boolean;
}

/** Returns the settings in a document as text, with all digits of their numbers; `{}` if the document has none. */
export function settingsIn(document: string, { path, members }: SettingsPlace): string {
  let value: Json | undefined = readJson(document);
  for (const name of path) value = memberOf(value, name);
  if (value === undefined) return '{}';
  return writeJson(members && isObject(value) ? selected(value, (name) => members.includes(name)) : value);
}

/** Returns a document with other settings. All other members keep their text and their order. */
export function withSettings(document: string, place: SettingsPlace, settings: string): string {
  const { path, members, omitsEmptied = false } = place;
  const next = (value: Json | undefined, [name, ...rest]: readonly string[]): Json => {
    if (name !== undefined)
      return jsonFrom({ ...(isObject(value) && value), [name]: next(memberOf(value, name), rest) });
    const entered = readJson(settings);
    const written = omitsEmptied ? withoutEmptied(value, entered) : entered;
    return members && isObject(value) && isObject(written) ? merged(value, written, members) : written;
  };
  return prettyJson(writeJson(next(readJson(document), path)));
}

/** Returns an object whose members of a form are those of `written`; a member that is in both keeps its place. */
function merged(value: JsonMembers, written: JsonMembers, members: readonly string[]): Json {
  const kept = selected(value, (name) => !members.includes(name) || Object.hasOwn(written, name));
  return jsonFrom({ ...(kept as JsonMembers), ...written });
}

/** Returns settings without the lists and objects that are empty, unless the document has them empty already. */
function withoutEmptied(before: Json | undefined, after: Json): Json {
  if (!isObject(after)) return after;
  const kept = Object.entries(after).map(([name, value]) => {
    const earlier = memberOf(before, name);
    return { name, earlier, value: withoutEmptied(earlier, value) };
  });
  const filled = kept.filter(({ earlier, value }) => !isEmpty(value) || (earlier && isEmpty(earlier)));
  return jsonFrom(Object.fromEntries(filled.map(({ name, value }) => [name, value])));
}

function isEmpty(value: Json): boolean {
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

type JsonMembers = Readonly<Record<string, Json>>;

function selected(value: JsonMembers, isSelected: (name: string) => boolean): Json {
  return jsonFrom(Object.fromEntries(Object.entries(value).filter(([name]) => isSelected(name))));
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isObject(value: Json | undefined): value is JsonMembers {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Segment of the path of a reference that names the adapter. */
const OWN_PATH = /(\$VAULT_adapters\/)([^#"/\\]+)(?=[#/])/g;

/** Returns text whose references to `adapters/<from>` are references to `adapters/<to>`; without `from`, all of them. */
export function withOwnReferences(text: string, to: string, from?: string): string {
  return text.replaceAll(OWN_PATH, (whole, begin: string, name: string) =>
    from === undefined || name === segmentOf(from) ? `${begin}${segmentOf(to)}` : whole,
  );
}

function segmentOf(name: string): string {
  return name === '' ? 'name' : name.replaceAll(/["\\/#]/g, '-');
}
