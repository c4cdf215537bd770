import { isJsonObject, type JsonObject, memberOf } from '../../../../../src/core/json-object.js';
import { objectOf } from './keywords.js';

/** Widgets that a uiSchema may ask for; any other name is as good as none. */
const WIDGETS: ReadonlySet<string> = new Set([
  ...['text', 'textarea', 'password', 'updown', 'range', 'select', 'radio', 'checkbox', 'checkboxes'],
  ...['date', 'datetime', 'date-time', 'time', 'color', 'file', 'hidden', 'json', 'email', 'uri'],
]);

/** A `ui:` key, or the same under `ui:options`. */
export function uiKey(ui: JsonObject, name: string): unknown {
  return memberOf(ui, `ui:${name}`) ?? memberOf(objectOf(ui['ui:options']), name);
}

/** The same, when it is a text that is not empty. */
export function uiText(ui: JsonObject, name: string): string | undefined {
  const value = uiKey(ui, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The widget that is asked for, if it is one of those that are known. */
export function uiWidget(ui: JsonObject): string | undefined {
  const widget = uiText(ui, 'widget');
  return widget !== undefined && WIDGETS.has(widget) ? widget : undefined;
}

/** The uiSchema of a member. */
export function uiMember(ui: JsonObject, name: string): JsonObject {
  return objectOf(name.startsWith('ui:') ? undefined : memberOf(ui, name));
}

/** The uiSchema of an item. */
export function uiItem(ui: JsonObject, index: number): JsonObject {
  const items = memberOf(ui, 'items');
  if (Array.isArray(items)) return objectOf(items[index] ?? memberOf(ui, 'additionalItems'));
  return isJsonObject(items) ? items : {};
}

/** Names as `ui:order` wants them: `*` stands for all that it does not name; without it they come last. */
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
