import { isJsonObject, type JsonObject, ownMember } from '../../../../src/json/json-object.js';
import { pointerTo } from '../../../../src/json/pointer.js';
import { textOf } from '../../text/text.js';
import { memberOf, membersOf } from '../branches.js';
import type { FormDraft } from '../draft.js';
import { fieldAt } from '../field-location.js';
import { objectAt, textsAt } from '../json-edit.js';
import { containerOf } from '../outline.js';
import { unknownPlaceholders } from '../placeholders.js';
import type { Finding, Rule } from './each-schema.js';
import { nearWord } from './suggest-keyword.js';

const text = textOf('designer');

/** Keys of a uiSchema that define how a field is shown (those of rjsf, and those of gatehouse). */
const UI_KEYS = (
  'ui:order ui:widget ui:placeholder ui:disabled ui:readonly ui:title ui:description ui:help ui:enumNames ' +
  'ui:pages ui:defaults ui:hiddenValues ui:translations ui:calculate ui:sections ui:columns ui:errors ui:enumDescriptions ui:options ui:field ui:autofocus ui:autocomplete ui:emptyValue ui:rootFieldId ui:classNames ui:style ' +
  'ui:hideError ui:enumDisabled ui:inputType ui:submitButtonOptions ui:choices ui:rule ui:label ui:fieldReplacesAnyOrOneOf ' +
  'ui:ObjectFieldTemplate ui:ArrayFieldTemplate ui:FieldTemplate ui:duplicateKeySuffixSeparator ui:globalOptions ui:definitions'
).split(' ');

/** Reports uiSchema entries of fields that do not exist, and entries without effect. */
export const uiMismatch: Rule = (draft) => {
  const findings: Finding[] = [];
  const visit = (ui: JsonObject, uiPointer: string, field: string): void => {
    findings.push(...keyFindings(ui, uiPointer, field));
    const schema = objectAt(draft.schema, field);
    if (isIndirect(schema)) return;
    const container = containerOf(schema, field) ?? field;
    findings.push(...orderFindings(draft, { ui, uiPointer, container }));
    for (const [name, value] of Object.entries(ui)) {
      if (name.includes(':') || !isJsonObject(value)) continue;
      const pointer = pointerTo(uiPointer, name);
      if (isJsonObject(schema[name]) && /^(?:items|additionalProperties)$/.test(name))
        visit(value, pointer, `${field}/${name}`);
      else if (Object.hasOwn(objectAt(schema, '/properties'), name))
        visit(value, pointer, fieldAt(field, name));
      else findings.push(unknownFieldFinding(pointer, name, Object.keys(objectAt(schema, '/properties'))));
    }
  };
  visit(draft.uiSchema, '', '');
  return findings;
};

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

function unknownFieldFinding(pointer: string, name: string, names: readonly string[]): Finding {
  const suggestion = nearWord(name, names);
  return {
    kind: 'warning',
    part: 'uiSchema',
    pointer,
    message:
      suggestion === undefined
        ? text('lint.uiUnknown', { name })
        : text('lint.uiUnknownSuggestion', { name, suggestion }),
  };
}

function keyFindings(ui: JsonObject, uiPointer: string, field: string): readonly Finding[] {
  return Object.keys(ui).flatMap((key) => {
    const suggestion = key.startsWith('ui') ? nearWord(key, UI_KEYS) : undefined;
    if (suggestion === undefined) return [];
    return [
      {
        kind: 'warning' as const,
        part: 'uiSchema' as const,
        pointer: pointerTo(uiPointer, key),
        field,
        message: text('lint.uiKey', { key, suggestion }),
      },
    ];
  });
}

function orderFindings(
  { schema }: FormDraft,
  {
    ui,
    uiPointer,
    container,
  }: { readonly ui: JsonObject; readonly uiPointer: string; readonly container: string },
): readonly Finding[] {
  const order = textsAt(ui, '/ui:order');
  if (order.length === 0) return [];
  const names = membersOf(schema, container).map(({ name }) => name);
  const at = `${uiPointer}/ui:order`;
  const missing = order.includes('*') ? [] : names.filter((name) => !order.includes(name));
  const finding = (kind: Finding['kind'], pointer: string, message: string): Finding => ({
    kind,
    part: 'uiSchema',
    pointer,
    field: container,
    message,
  });
  return [
    ...order.flatMap((name, index) =>
      name === '*' || names.includes(name)
        ? []
        : [finding('warning', `${at}/${index}`, text('lint.orderUnknown', { name }))],
    ),
    ...missing.map((name) => finding('warning', at, text('lint.orderMissing', { name }))),
  ];
}

/** Reports bindings of fields that do not exist, without a target, or that depend on unknown fields. */
export const bindingMismatch: Rule = ({ schema, uiSchema, bindingSchema }) => {
  const names = membersOf(schema, '').map(({ name }) => name);
  return Object.entries(objectAt(bindingSchema, '/properties')).flatMap(
    ([name, binding]): readonly Finding[] => {
      const pointer = pointerTo('/properties', name);
      if (!names.includes(name))
        return [
          {
            kind: 'error',
            part: 'bindingSchema',
            pointer,
            message: text('lint.bindingUnknown', { name }),
          },
        ];
      const field = memberOf(schema, '', name)?.pointer ?? fieldAt('', name);
      const links = ownMember(ownMember(binding, 'binding:hyperSchema'), 'links');
      if (Array.isArray(links) && links.some((link: unknown) => typeof ownMember(link, 'href') === 'string'))
        return unknownPlaceholders({ schema, uiSchema }, field, binding).map((placeholder) => ({
          kind: 'error',
          part: 'bindingSchema',
          pointer,
          field,
          message: text('lint.unknownPlaceholder', { name, placeholder }),
        }));
      return [
        {
          kind: 'warning',
          part: 'bindingSchema',
          pointer,
          field,
          message: text('lint.bindingWithoutLink', { name }),
        },
      ];
    },
  );
};

/**
 * Reports fields that only the schema or only the struct has. The designer of the platform shows the struct.
 */
export const structMismatch: Rule = ({ schema, struct }) => {
  const items = struct['items'];
  if (!Array.isArray(items) || items.length === 0) return [];
  const names = Object.keys(objectAt(schema, '/properties'));
  const known = items.map((item: unknown) => itemNames(item));
  const unknownItems = known.flatMap((itemKeys, index): readonly Finding[] =>
    itemKeys.length === 0 || itemKeys.some((name) => names.includes(name))
      ? []
      : [
          {
            kind: 'warning',
            part: 'struct',
            pointer: `/items/${index}`,
            message: text('lint.structUnknown', { name: itemKeys[0] ?? '' }),
          },
        ],
  );
  const structNames = new Set(known.flat());
  const missing = names
    .filter((name) => !structNames.has(name))
    .map((name): Finding => ({
      kind: 'warning',
      part: 'struct',
      pointer: '/items',
      field: fieldAt('', name),
      message: text('lint.structMissing', { name }),
    }));
  return [...unknownItems, ...missing];
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
