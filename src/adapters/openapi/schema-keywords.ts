import { isJsonObject } from '../../json/json-object.js';

const isNumber = (value: unknown): boolean => typeof value === 'number';
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const isText = (value: unknown): boolean => typeof value === 'string';
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isList = (value: unknown): boolean => Array.isArray(value) && value.length > 0;
const TYPES = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer', 'file']);
const isType = (value: unknown): boolean => {
  const types = [value].flat();
  return types.length > 0 && types.every((type) => TYPES.has(String(type)));
};

/** Keywords that are taken over as they are, with what makes their value valid. */
export const PLAIN_KEYWORDS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['type', isType],
  ['enum', isList],
  ['const', () => true],
  ['title', isText],
  ['description', isText],
  ['format', isText],
  ['pattern', isText],
  ['minLength', isCount],
  ['maxLength', isCount],
  ['minimum', isNumber],
  ['maximum', isNumber],
  ['exclusiveMinimum', isNumber],
  ['exclusiveMaximum', isNumber],
  ['multipleOf', (value) => isNumber(value) && Number(value) > 0],
  ['minItems', isCount],
  ['maxItems', isCount],
  ['uniqueItems', isFlag],
  ['minContains', isCount],
  ['maxContains', isCount],
  ['minProperties', isCount],
  ['maxProperties', isCount],
  ['required', isTextList],
  ['dependentRequired', (value) => isJsonObject(value) && Object.values(value).every(isTextList)],
  ['examples', isList],
  ['deprecated', isFlag],
  ['readOnly', isFlag],
  ['writeOnly', isFlag],
  ['contentEncoding', isText],
  ['contentMediaType', isText],
]);

export const SCHEMA_KEYWORDS: ReadonlyMap<string, 'one' | 'list' | 'map'> = new Map([
  ['properties', 'map'],
  ['patternProperties', 'map'],
  ['dependentSchemas', 'map'],
  ['items', 'one'],
  ['contains', 'one'],
  ['additionalProperties', 'one'],
  ['unevaluatedProperties', 'one'],
  ['unevaluatedItems', 'one'],
  ['propertyNames', 'one'],
  ['not', 'one'],
  ['if', 'one'],
  ['then', 'one'],
  ['else', 'one'],
  ['allOf', 'list'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
  ['prefixItems', 'list'],
]);
