import type { JsonSchema } from '../../../src/core/schema.js';
import { MAX_TIMEOUT_MS } from '../../../src/settings/schema-parts.js';
import { code, codes } from './write-markdown.js';

interface Typed {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly properties?: object;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly 'x-secret'?: boolean;
  readonly 'x-path'?: boolean;
}

/** Returns the permitted values of a schema in words, for example `integer, 1 to 256`. */
export function typeOf(schema: JsonSchema): string {
  const typed = schema as Typed;
  if ('const' in typed) return code(text(typed.const));
  if (typed.enum) return codes(typed.enum.map(text));
  if (typed.anyOf && typed.type === undefined) return typed.anyOf.map(typeOf).join(', or ');
  const types = typed.type === undefined ? ['any'] : [typed.type].flat();
  const words = types.filter((type) => type !== 'null').map((type) => wordOf(type, typed));
  return [...words, ...(types.includes('null') ? ['`null`'] : [])].join(' or ');
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function wordOf(type: string, schema: Typed): string {
  if (type === 'string') return stringWord(schema) + range(schema.minLength, schema.maxLength, 'characters');
  if (type === 'integer' || type === 'number') return type + range(schema.minimum, schema.maximum, '');
  if (type === 'array')
    return `list${entryWord(schema.items)}${range(schema.minItems, schema.maxItems, 'entries')}`;
  if (type === 'object') return objectWord(schema);
  return type;
}

function stringWord(schema: Typed): string {
  if (schema['x-secret']) return 'secret';
  return schema['x-path'] && schema.pattern === undefined ? 'path' : 'string';
}

function entryWord(items: JsonSchema | undefined): string {
  if (items === undefined) return '';
  const { properties, enum: words } = items as Typed;
  if (properties) return ' of sections';
  return words ? ` of ${typeOf(items)}` : ` of ${typeOf(items).replace(/,.*$/, '')}s`;
}

function objectWord({ properties, additionalProperties, maxProperties }: Typed): string {
  if (properties) return 'section';
  const values = typeof additionalProperties === 'object' ? (additionalProperties as Typed) : {};
  return `map${valuesWord(values)}${range(undefined, maxProperties, 'entries')}`;
}

function valuesWord(values: Typed): string {
  if (values.properties) return ' of sections';
  if (typeof values.type !== 'string') return '';
  return values['x-secret'] ? ' of secrets' : ` of ${values.type}s`;
}

/** Returns the limits, except that a text or a list is not empty, and that a time fits a timer. */
function range(least: number | undefined, most: number | undefined, unit: string): string {
  const words = unit === '' ? '' : ` ${unit}`;
  const low = unit !== '' && least !== undefined && least <= 1 ? undefined : least;
  const high = most === MAX_TIMEOUT_MS ? undefined : most;
  if (low === undefined) return high === undefined ? '' : `, at most ${number(high)}${words}`;
  return high === undefined
    ? `, at least ${number(low)}${words}`
    : `, ${number(low)} to ${number(high)}${words}`;
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
