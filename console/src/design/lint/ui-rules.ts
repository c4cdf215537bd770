import { isJsonObject, type JsonObject, ownMember } from '../../../../src/json/json-object.js';
import { pointerTo } from '../../../../src/json/pointer.js';
import { calculationsIn } from '../../form/model/index.js';
import { memberOf, membersOf } from '../branches.js';
import { text } from '../designer-text.js';
import type { FormDraft } from '../draft.js';
import { expressionFaults } from '../expressions.js';
import { fieldAt } from '../field-location.js';
import { groupNameLists } from '../field-order.js';
import { objectAt, textsAt } from '../json-edit.js';
import { containerOf } from '../outline.js';
import { unknownPlaceholders, valueFields } from '../placeholders.js';
import { fault, type Finding, type Rule, warning } from './each-schema.js';
import { nearWord } from './suggest-keyword.js';

/** Keys of a uiSchema that define how a field is shown (those of rjsf, and those of gatehouse). */
const UI_KEYS = (
  'ui:order ui:widget ui:placeholder ui:disabled ui:readonly ui:title ui:description ui:help ui:enumNames ' +
  'ui:pages ui:defaults ui:hiddenValues ui:translations ui:calculate ui:sections ui:columns ui:errors ui:enumDescriptions ui:options ui:field ui:autofocus ui:autocomplete ui:emptyValue ui:rootFieldId ui:classNames ui:style ' +
  'ui:hideError ui:enumDisabled ui:inputType ui:submitButtonOptions ui:choices ui:rule ui:label ui:fieldReplacesAnyOrOneOf ' +
  'ui:ObjectFieldTemplate ui:ArrayFieldTemplate ui:FieldTemplate ui:duplicateKeySuffixSeparator ui:globalOptions ui:definitions'
).split(' ');

/** Reports uiSchema entries of fields that do not exist, and entries without effect. */
export const uiMismatch: Rule = (draft) =>
  uiFindings(draft, { ui: draft.uiSchema, uiPointer: '', field: '' });

/** A part of the uiSchema, and the schema of its field. */
interface UiPart {
  readonly ui: JsonObject;
  readonly uiPointer: string;
  readonly field: string;
}

function* uiFindings(draft: FormDraft, part: UiPart): Iterable<Finding> {
  const { ui, uiPointer, field } = part;
  yield* keyFindings(part);
  const schema = objectAt(draft.schema, field);
  if (isIndirect(schema)) return;
  yield* orderFindings(draft, { ...part, field: containerOf(schema, field) ?? field });
  const names = Object.keys(objectAt(schema, '/properties'));
  for (const [name, value] of Object.entries(ui)) {
    if (name.includes(':') || !isJsonObject(value)) continue;
    const pointer = pointerTo(uiPointer, name);
    if (isJsonObject(schema[name]) && /^(?:items|additionalProperties)$/.test(name))
      yield* uiFindings(draft, { ui: value, uiPointer: pointer, field: `${field}/${name}` });
    else if (names.includes(name))
      yield* uiFindings(draft, { ui: value, uiPointer: pointer, field: fieldAt(field, name) });
    else yield uiWarning({ pointer, message: unknownFieldText(name, names) });
  }
}

function uiWarning(about: Pick<Finding, 'pointer' | 'field' | 'message'>): Finding {
  return warning({ part: 'uiSchema', ...about });
}

/** A schema described elsewhere (`$ref`) or by alternatives may have members that are not visible here. */
function isIndirect(schema: JsonObject): boolean {
  const keywords = [
    '$ref',
    'allOf',
    'anyOf',
    'oneOf',
    'then',
    'else',
    'dependencies',
    'dependentSchemas',
    'patternProperties',
  ];
  return keywords.some((keyword) => Object.hasOwn(schema, keyword));
}

function unknownFieldText(name: string, names: readonly string[]): string {
  const suggestion = nearWord(name, names);
  return suggestion === undefined
    ? text('lint.uiUnknown', { name })
    : text('lint.uiUnknownSuggestion', { name, suggestion });
}

function* keyFindings({ ui, uiPointer, field }: UiPart): Iterable<Finding> {
  for (const key of Object.keys(ui)) {
    const suggestion = key.startsWith('ui') ? nearWord(key, UI_KEYS) : undefined;
    if (suggestion === undefined) continue;
    const message = text('lint.uiKey', { key, suggestion });
    yield uiWarning({ pointer: pointerTo(uiPointer, key), field, message });
  }
}

function* orderFindings({ schema }: FormDraft, { ui, uiPointer, field }: UiPart): Iterable<Finding> {
  const names = membersOf(schema, field).map(({ name }) => name);
  for (const list of ['/ui:order', ...groupNameLists(ui)])
    for (const [index, name] of textsAt(ui, list).entries())
      if (name !== '*' && !names.includes(name)) {
        const message = text('lint.orderUnknown', { key: list.split('/')[1] ?? '', name });
        yield uiWarning({ pointer: `${uiPointer}${list}/${index}`, field, message });
      }
  const order = textsAt(ui, '/ui:order');
  if (order.length === 0) return;
  const at = `${uiPointer}/ui:order`;
  const missing = order.includes('*') ? [] : names.filter((name) => !order.includes(name));
  for (const name of missing)
    yield uiWarning({ pointer: at, field, message: text('lint.orderMissing', { name }) });
}

/** Reports calculated values whose expression has unknown operations, or names without a field. */
export const expressionRule: Rule = function* (draft) {
  const calculations = calculationsIn(draft);
  const fields = calculations.length === 0 ? [] : valueFields(draft);
  for (const calculation of calculations) {
    const field = fields.find(({ path }) => path === calculation.path)?.pointer;
    for (const message of expressionFaults(draft, calculation))
      yield fault({
        part: 'uiSchema',
        pointer: calculation.at,
        ...(field !== undefined && { field }),
        message,
      });
  }
};

/** Reports bindings of fields that do not exist, without a target, or that depend on unknown fields. */
export const bindingMismatch: Rule = function* ({ schema, uiSchema, bindingSchema }) {
  const names = membersOf(schema, '').map(({ name }) => name);
  for (const [name, binding] of Object.entries(objectAt(bindingSchema, '/properties'))) {
    const place = { part: 'bindingSchema', pointer: pointerTo('/properties', name) } as const;
    const field = memberOf(schema, '', name)?.pointer ?? fieldAt('', name);
    const links = ownMember(ownMember(binding, 'binding:hyperSchema'), 'links');
    if (!names.includes(name)) yield fault({ ...place, message: text('lint.bindingUnknown', { name }) });
    else if (!Array.isArray(links) || !links.some((link) => typeof ownMember(link, 'href') === 'string'))
      yield warning({ ...place, field, message: text('lint.bindingWithoutLink', { name }) });
    else
      for (const placeholder of unknownPlaceholders({ schema, uiSchema }, field, binding))
        yield fault({ ...place, field, message: text('lint.unknownPlaceholder', { name, placeholder }) });
  }
};

/**
 * Reports fields that only the schema or only the struct has. The designer of the platform shows the struct.
 */
export const structMismatch: Rule = function* ({ schema, struct }) {
  const items = struct['items'];
  if (!Array.isArray(items) || items.length === 0) return;
  const names = Object.keys(objectAt(schema, '/properties'));
  const known = items.map(itemNames);
  for (const [index, itemKeys] of known.entries())
    if (itemKeys.length > 0 && !itemKeys.some((name) => names.includes(name)))
      yield warning({
        part: 'struct',
        pointer: `/items/${index}`,
        message: text('lint.structUnknown', { name: itemKeys[0] ?? '' }),
      });
  const structNames = new Set(known.flat());
  for (const name of names)
    if (!structNames.has(name))
      yield warning({
        part: 'struct',
        pointer: '/items',
        field: fieldAt('', name),
        message: text('lint.structMissing', { name }),
      });
};

/** Returns the names that a struct item can have in the schema: its own key, or its title in camel case. */
function itemNames(item: unknown): readonly string[] {
  const key = ownMember(item, 'customKey');
  const title = ownMember(item, 'title');
  const named = typeof key === 'string' && key !== '' ? [key] : [];
  return typeof title === 'string' ? [...named, title, camelCase(title)] : named;
}

function camelCase(title: string): string {
  const [first = '', ...rest] = title.split(/[^A-Za-z0-9]+/).filter(Boolean);
  const upper = (keyword: string): string => keyword.charAt(0).toUpperCase() + keyword.slice(1);
  return first.charAt(0).toLowerCase() + first.slice(1) + rest.map(upper).join('');
}
