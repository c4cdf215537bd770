import type { JsonObject } from '../../../src/json/json-object.js';
import { type PlainKeyOf } from '../text/text.js';
import { text } from './designer-text.js';
import { isConstantList, typedChoice } from './fixed-choices.js';

type TextKey = PlainKeyOf<'designer'>;

/**
 * Input of a property: a line, several lines (one value each), a number, a checkbox, a selection, or JSON.
 */
type PropertyKind = 'line' | 'lines' | 'number' | 'tick' | 'select' | 'json';

export interface PropertySpec {
  readonly keyword: string;
  readonly label: TextKey;
  readonly kind: PropertyKind;
  /** The document that contains the property. */
  readonly part: 'schema' | 'uiSchema';
  readonly help?: TextKey;
  readonly options?: readonly string[];
  /** True if an empty input is a fault. */
  readonly isRequired?: boolean;
}

/** Properties that belong together. */
interface PropertyGroup {
  readonly title: TextKey;
  readonly specs: readonly PropertySpec[];
}

type SpecTuple = readonly [keyword: string, label: TextKey, kind: PropertyKind, help?: TextKey];

const spec =
  (part: PropertySpec['part']) =>
  ([keyword, label, kind, help]: SpecTuple): PropertySpec => ({
    keyword,
    label,
    kind,
    part,
    ...(help !== undefined && { help }),
  });

const inSchema = spec('schema');
const inUi = spec('uiSchema');

const STRING_FORMATS = [
  'date',
  'time',
  'date-time',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uuid',
  'regex',
];

const RULES: Readonly<Record<string, readonly PropertySpec[]>> = {
  string: [
    { keyword: 'format', label: 'format', kind: 'select', part: 'schema', options: STRING_FORMATS },
    inSchema(['pattern', 'pattern', 'line', 'patternHelp']),
    inSchema(['minLength', 'minLength', 'number']),
    inSchema(['maxLength', 'maxLength', 'number']),
  ],
  number: [
    inSchema(['minimum', 'minimum', 'number']),
    inSchema(['maximum', 'maximum', 'number']),
    inSchema(['multipleOf', 'multipleOf', 'number']),
  ],
  array: [
    inSchema(['minItems', 'minItems', 'number']),
    inSchema(['maxItems', 'maxItems', 'number']),
    inSchema(['uniqueItems', 'uniqueItems', 'tick']),
  ],
  object: [inSchema(['additionalProperties', 'additionalProperties', 'json'])],
};

const WIDGETS: Readonly<Record<string, readonly string[]>> = {
  string: ['textarea', 'password', 'color', 'radio', 'select', 'file', 'hidden'],
  integer: ['updown', 'range', 'radio', 'hidden'],
  number: ['updown', 'range', 'radio', 'hidden'],
  boolean: ['checkbox', 'radio', 'select', 'hidden'],
  array: ['checkboxes', 'select', 'hidden'],
};

/** Returns the properties that apply to a field with this schema, in display order. */
export function propertyGroups(schema: JsonObject): readonly PropertyGroup[] {
  const type = typeof schema['type'] === 'string' ? schema['type'] : '';
  const rules = RULES[type === 'integer' ? 'number' : type] ?? [];
  const isScalar = /^(?:string|integer|number)$/.test(type);
  const groups: readonly PropertyGroup[] = [
    {
      title: 'general',
      specs: [
        inSchema(['title', 'titleLabel', 'line', 'titleHelp']),
        inSchema(['description', 'description', 'lines']),
        ...(type === 'object' ? [] : [inSchema(['default', 'default', isScalar ? 'line' : 'json'])]),
      ],
    },
    { title: 'validation', specs: rules },
    {
      title: 'appearance',
      specs: [
        ...widgets(type),
        ...(type === 'object' ? [inUi(['ui:columns', 'columns', 'number', 'columnsHelp'])] : []),
        ...(isScalar ? [inUi(['ui:placeholder', 'placeholder', 'line'])] : []),
        inUi(['ui:help', 'help', 'line', 'helpHelp']),
        inSchema(['readOnly', 'readOnly', 'tick']),
      ],
    },
  ];
  return groups.filter(({ specs }) => specs.length > 0);
}

function widgets(type: string): readonly PropertySpec[] {
  const options = WIDGETS[type];
  return options
    ? [{ keyword: 'ui:widget', label: 'widget', kind: 'select', part: 'uiSchema', options }]
    : [];
}

/** Returns a property as text for editing. */
export function propertyText({ kind }: PropertySpec, value: unknown): string {
  if (value === undefined) return '';
  if (kind === 'json') return JSON.stringify(value, null, 2);
  if (kind === 'lines' && Array.isArray(value)) return value.map(plainText).join('\n');
  return plainText(value);
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Parses the edited text of a property: returns the value, `undefined` to remove the property, or the reason
 * why the text is invalid.
 */
export function propertyValue(
  { keyword, kind, isRequired = false }: PropertySpec,
  typed: string,
  type: unknown,
): { readonly value: unknown } | { readonly fault: string } {
  if (typed.trim() === '' && !(keyword === 'default' && type === 'string' && typed !== ''))
    return isRequired ? { fault: text('enterNumber') } : { value: undefined };
  if (kind === 'json') return parsedJson(typed);
  if (kind === 'number')
    return Number.isFinite(Number(typed)) ? { value: Number(typed) } : { fault: text('enterNumber') };
  return keyword === 'default' ? defaultValue(typed, type) : { value: typed };
}

function defaultValue(
  typed: string,
  type: unknown,
): { readonly value: unknown } | { readonly fault: string } {
  const value = type === 'string' ? typed : typedChoice(typed, type);
  return typeof value === 'string' && type !== 'string' ? { fault: text('enterNumber') } : { value };
}

function parsedJson(json: string): { readonly value: unknown } | { readonly fault: string } {
  try {
    return { value: JSON.parse(json) as unknown };
  } catch {
    return { fault: text('enterJson') };
  }
}

export const FIELD_TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const;

/** Keywords that apply to one type only. */
const TYPE_KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: [
    'format',
    'pattern',
    'minLength',
    'maxLength',
    'contentEncoding',
    'contentMediaType',
    'enum',
    'enumNames',
  ],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'enum', 'enumNames'],
  boolean: [],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains'],
  object: [
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'minProperties',
    'maxProperties',
  ],
};

/**
 * Returns the schema of a field with another type. Keywords of the previous type, and values that the new
 * type does not allow, are removed.
 */
export function withType(schema: JsonObject, type: string): JsonObject {
  const allowed = TYPE_KEYWORDS[type === 'integer' ? 'number' : type] ?? [];
  const removed = new Set(
    Object.values(TYPE_KEYWORDS)
      .flat()
      .filter((keyword) => !allowed.includes(keyword)),
  );
  if (typeFamily(schema['type']) !== typeFamily(type))
    ['enum', 'enumNames', ...(isConstantList(schema['oneOf']) ? ['oneOf'] : [])].forEach((keyword) =>
      removed.add(keyword),
    );
  const rest = Object.fromEntries(
    Object.entries(schema).filter(
      ([keyword]) => !removed.has(keyword) && keyword !== 'default' && keyword !== 'type',
    ),
  );
  const added =
    type === 'object'
      ? { properties: schema['properties'] ?? {} }
      : type === 'array'
        ? { items: schema['items'] ?? { type: 'string' } }
        : {};
  return { type, ...rest, ...added };
}

function typeFamily(type: unknown): unknown {
  return type === 'integer' ? 'number' : type;
}
