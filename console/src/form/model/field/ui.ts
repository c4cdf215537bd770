import { isJsonObject, type JsonObject, memberOf, objectOf } from '../../../../../src/json/json-object.js';

/** Widgets that a uiSchema may request; other names are ignored. */
const WIDGETS: ReadonlySet<string> = new Set([
  ...['text', 'textarea', 'password', 'updown', 'range', 'select', 'radio', 'checkbox', 'checkboxes'],
  ...[
    'date',
    'datetime',
    'date-time',
    'time',
    'color',
    'file',
    'hidden',
    'json',
    'email',
    'uri',
    'matrix',
    'signature',
  ],
]);

/** Returns a `ui:` key, or the same key under `ui:options`. */
export function uiKey(ui: JsonObject, name: string): unknown {
  return memberOf(ui, `ui:${name}`) ?? memberOf(objectOf(ui['ui:options']), name);
}

/** Same as {@link uiKey}, for a non-empty string. */
export function uiText(ui: JsonObject, name: string): string | undefined {
  const value = uiKey(ui, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the requested widget, if it is supported. */
export function uiWidget(ui: JsonObject): string | undefined {
  const widget = uiText(ui, 'widget');
  return widget !== undefined && WIDGETS.has(widget) ? widget : undefined;
}

export function uiMember(ui: JsonObject, name: string): JsonObject {
  return objectOf(name.startsWith('ui:') ? undefined : memberOf(ui, name));
}

export function uiItem(ui: JsonObject, index: number): JsonObject {
  const items = memberOf(ui, 'items');
  if (Array.isArray(items)) return objectOf(items[index] ?? memberOf(ui, 'additionalItems'));
  return isJsonObject(items) ? items : {};
}

/**
 * Returns the uiSchema of a location: its own, and for what it does not say that of the definitions whose schemas apply
 * there, by their `$ref` (react-jsonschema-form 6).
 */
export function withUiDefinitions(
  ui: JsonObject,
  definitions: JsonObject | undefined,
  parts: readonly { readonly pointer: string }[],
): JsonObject {
  if (!definitions) return ui;
  return parts
    .map(({ pointer }) => memberOf(definitions, `#${pointer}`))
    .filter(isJsonObject)
    .reduce((merged, definition) => mergedUi(definition, merged), ui);
}

function mergedUi(base: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const known = memberOf(base, name);
    merged[name] = isJsonObject(known) && isJsonObject(value) ? mergedUi(known, value) : value;
  }
  return merged;
}

/** Sorts names by `ui:order`, in which `*` means all other names; without `*` the other names come last. */
export function inUiOrder(names: readonly string[], ui: JsonObject): readonly string[] {
  const order = uiKey(ui, 'order');
  if (!Array.isArray(order)) return names;
  const known = new Set(names);
  const first = [...new Set(order.filter((name): name is string => typeof name === 'string'))];
  const named = new Set(first);
  const rest = names.filter((name) => !named.has(name));
  const sorted = first.flatMap((name) =>
    name === '*' && !known.has('*') ? rest : known.has(name) ? [name] : [],
  );
  return named.has('*') ? sorted : [...sorted, ...rest];
}
