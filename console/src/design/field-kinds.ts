import type { JsonObject } from '../../../src/core/json-object.js';

/** A kind of field that can be added. */
export interface FieldKind {
  readonly key: string;
  readonly label: string;
  readonly schema: JsonObject;
  readonly ui?: JsonObject;
}

/** The kinds that can be added, in the order of the menu. */
export const FIELD_KINDS: readonly FieldKind[] = [
  { key: 'text', label: 'Text', schema: { type: 'string' } },
  {
    key: 'lines',
    label: 'Multi-line text',
    schema: { type: 'string' },
    ui: { 'ui:widget': 'textarea' },
  },
  { key: 'integer', label: 'Integer', schema: { type: 'integer' } },
  { key: 'number', label: 'Number', schema: { type: 'number' } },
  { key: 'boolean', label: 'Boolean', schema: { type: 'boolean' } },
  { key: 'choice', label: 'Choice', schema: { type: 'string', enum: ['first', 'second'] } },
  { key: 'ipv4', label: 'IPv4 address', schema: { type: 'string', format: 'ipv4' } },
  { key: 'ipv6', label: 'IPv6 address', schema: { type: 'string', format: 'ipv6' } },
  { key: 'email', label: 'Email address', schema: { type: 'string', format: 'email' } },
  { key: 'date', label: 'Date', schema: { type: 'string', format: 'date' } },
  { key: 'date-time', label: 'Date and time', schema: { type: 'string', format: 'date-time' } },
  { key: 'texts', label: 'List of text values', schema: { type: 'array', items: { type: 'string' } } },
  { key: 'group', label: 'Group', schema: { type: 'object', properties: {} } },
  {
    key: 'groups',
    label: 'List of groups',
    schema: { type: 'array', items: { type: 'object', properties: {} } },
  },
];

/** Returns the kind with this key, or the first kind if the key is unknown. */
export function kindOf(key: string): FieldKind {
  return (
    FIELD_KINDS.find((kind) => kind.key === key) ?? { key: 'text', label: 'Text', schema: { type: 'string' } }
  );
}
