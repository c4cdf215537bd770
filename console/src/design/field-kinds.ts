import type { JsonObject } from '../../../src/json/json-object.js';
import { text } from './designer-text.js';

type KindKey =
  | 'text'
  | 'lines'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'choice'
  | 'ipv4'
  | 'ipv6'
  | 'email'
  | 'date'
  | 'date-time'
  | 'texts'
  | 'group'
  | 'groups';

/** A kind of field that can be added. */
export interface FieldKind {
  readonly key: KindKey;
  readonly schema: JsonObject;
  readonly ui?: JsonObject;
}

/** The kinds that can be added, in the order of the menu. */
export const FIELD_KINDS: readonly FieldKind[] = [
  { key: 'text', schema: { type: 'string' } },
  {
    key: 'lines',
    schema: { type: 'string' },
    ui: { 'ui:widget': 'textarea' },
  },
  { key: 'integer', schema: { type: 'integer' } },
  { key: 'number', schema: { type: 'number' } },
  { key: 'boolean', schema: { type: 'boolean' } },
  { key: 'choice', schema: { type: 'string', enum: ['first', 'second'] } },
  { key: 'ipv4', schema: { type: 'string', format: 'ipv4' } },
  { key: 'ipv6', schema: { type: 'string', format: 'ipv6' } },
  { key: 'email', schema: { type: 'string', format: 'email' } },
  { key: 'date', schema: { type: 'string', format: 'date' } },
  { key: 'date-time', schema: { type: 'string', format: 'date-time' } },
  { key: 'texts', schema: { type: 'array', items: { type: 'string' } } },
  { key: 'group', schema: { type: 'object', properties: {} } },
  {
    key: 'groups',
    schema: { type: 'array', items: { type: 'object', properties: {} } },
  },
];

export function kindLabel({ key }: FieldKind): string {
  return text(`kind.${key}`);
}

export function kindOf(key: KindKey): FieldKind {
  return FIELD_KINDS.find((kind) => kind.key === key) ?? { key, schema: {} };
}
