import { jsonFrom, type Json, readJson, writeJson } from '../../form/model/index.js';
import { prettyJson } from '../../kit/json-text.js';

/** Names of the members that lead from a document to its settings; empty if the document is the settings. */
export type SettingsPath = readonly string[];

/** Returns the settings in a document as text, with all digits of their numbers; `{}` if the document has none. */
export function settingsIn(document: string, path: SettingsPath): string {
  let value: Json | undefined = readJson(document);
  for (const name of path) value = memberOf(value, name);
  return value === undefined ? '{}' : writeJson(value);
}

/** Returns a document with other settings. All other members keep their text and their order. */
export function withSettings(document: string, path: SettingsPath, settings: string): string {
  return prettyJson(writeJson(replaced(readJson(document), path, readJson(settings))));
}

function replaced(value: Json | undefined, [name, ...rest]: SettingsPath, settings: Json): Json {
  if (name === undefined) return settings;
  const members = isObject(value) ? value : {};
  return jsonFrom({ ...members, [name]: replaced(memberOf(value, name), rest, settings) });
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isObject(value: Json | undefined): value is Readonly<Record<string, Json>> {
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
