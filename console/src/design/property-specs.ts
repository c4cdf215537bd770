import type { JsonObject } from '../../../src/core/json-object.js';

/**
 * Input of a property: a line, several lines (one value each), a number, a checkbox, a selection, or JSON.
 */
export type PropertyKind = 'line' | 'lines' | 'number' | 'tick' | 'select' | 'json';

/** A property of a field. */
export interface PropertySpec {
  readonly keyword: string;
  readonly label: string;
  readonly kind: PropertyKind;
  /** The document that contains the property. */
  readonly part: 'schema' | 'uiSchema';
  readonly help?: string;
  readonly options?: readonly string[];
}

/** Properties that belong together. */
export interface PropertyGroup {
  readonly title: string;
  readonly specs: readonly PropertySpec[];
}

type SpecTuple = readonly [keyword: string, label: string, kind: PropertyKind, help?: string];

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
    { keyword: 'format', label: 'Format', kind: 'select', part: 'schema', options: STRING_FORMATS },
    inSchema(['pattern', 'Pattern', 'line', 'RE2 regular expression, for example ^[a-z]+$']),
    inSchema(['minLength', 'Minimum length', 'number']),
    inSchema(['maxLength', 'Maximum length', 'number']),
  ],
  number: [
    inSchema(['minimum', 'Minimum', 'number']),
    inSchema(['maximum', 'Maximum', 'number']),
    inSchema(['multipleOf', 'Multiple of', 'number']),
  ],
  array: [
    inSchema(['minItems', 'Minimum entries', 'number']),
    inSchema(['maxItems', 'Maximum entries', 'number']),
    inSchema(['uniqueItems', 'Unique entries', 'tick']),
  ],
  object: [inSchema(['additionalProperties', 'Additional members (true, false or a schema)', 'json'])],
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
  const choices = inSchema(['enum', 'Choices', 'lines', 'One per line']);
  const groups: readonly PropertyGroup[] = [
    {
      title: 'General',
      specs: [
        inSchema(['title', 'Title', 'line', 'The label of the field']),
        inSchema(['description', 'Description', 'lines']),
        ...(type === 'object' ? [] : [inSchema(['default', 'Default', isScalar ? 'line' : 'json'])]),
      ],
    },
    { title: 'Validation', specs: [...(isScalar ? [choices] : []), ...rules] },
    {
      title: 'Appearance',
      specs: [
        ...widgets(type),
        ...(isScalar && Array.isArray(schema['enum'])
          ? [
              inUi([
                'ui:enumNames',
                'Labels of the choices',
                'lines',
                'One per line, in the order of the choices',
              ]),
            ]
          : []),
        ...(type === 'object' ? [inUi(['ui:columns', 'Columns', 'number', '1 to 4'])] : []),
        ...(isScalar ? [inUi(['ui:placeholder', 'Placeholder', 'line'])] : []),
        inUi(['ui:help', 'Help', 'line', 'Shown below the field']),
        inSchema(['readOnly', 'Read-only', 'tick']),
      ],
    },
  ];
  return groups.filter(({ specs }) => specs.length > 0);
}

function widgets(type: string): readonly PropertySpec[] {
  const options = WIDGETS[type];
  return options
    ? [{ keyword: 'ui:widget', label: 'Widget', kind: 'select', part: 'uiSchema', options }]
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
  { keyword, kind }: PropertySpec,
  text: string,
  type: unknown,
): { readonly value: unknown } | { readonly fault: string } {
  if (text.trim() === '' && !(keyword === 'default' && type === 'string' && text !== ''))
    return { value: undefined };
  const list = listValue(keyword, text, type);
  if (list) return { value: list };
  if (kind === 'json') return parsedJson(text);
  if (kind === 'number')
    return Number.isFinite(Number(text)) ? { value: Number(text) } : { fault: 'Enter a number.' };
  if (keyword === 'default') {
    const value = typedValue(text, type);
    return typeof value === 'string' && type !== 'string' ? { fault: 'Enter a number.' } : { value };
  }
  return { value: text };
}

function listValue(keyword: string, text: string, type: unknown): readonly unknown[] | undefined {
  if (keyword === 'ui:enumNames') return text.split('\n');
  if (keyword !== 'enum') return undefined;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => typedValue(line.trim(), type));
}

function typedValue(text: string, type: unknown): unknown {
  const isNumber = type === 'integer' || type === 'number';
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : text;
}

function parsedJson(text: string): { readonly value: unknown } | { readonly fault: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { fault: 'Enter valid JSON.' };
  }
}

/** Types that a field can have. */
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
    ['enum', 'enumNames'].forEach((keyword) => removed.add(keyword));
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
