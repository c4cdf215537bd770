import {
  type FormState,
  openForm,
  readJson,
  type Row,
  rowsOf,
  openAll,
} from '../../../console/src/form/model/index.js';

/** A schema with a bit of everything that a form shows. */
export const SCHEMA = {
  type: 'object',
  required: ['name', 'interfaces'],
  properties: {
    name: { type: 'string', title: 'Name of the site', pattern: '^[a-z]+$' },
    vlan: { type: 'integer', minimum: 1, maximum: 4094, default: 1 },
    counter: { type: 'integer' },
    enabled: { type: 'boolean' },
    mode: { type: 'string', enum: ['access', 'trunk'] },
    tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
    location: {
      type: 'object',
      properties: { city: { type: 'string' }, room: { $ref: '#/$defs/room' } },
      additionalProperties: { type: 'string' },
    },
    interfaces: {
      type: 'array',
      'x-yang': { kind: 'list', keys: ['id'] },
      items: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'string' },
          mtu: { type: 'integer', minimum: 68 },
          config: { type: 'object', properties: { peer: { type: 'string' }, note: { type: 'string' } } },
        },
      },
    },
    steps: { type: 'array', items: { type: 'object', properties: { do: { type: 'string' } } } },
    access: {
      oneOf: [
        {
          title: 'by password',
          type: 'object',
          required: ['kind'],
          properties: {
            kind: { const: 'password' },
            user: { type: 'string' },
            password: { type: 'string', writeOnly: true },
          },
        },
        {
          title: 'by key',
          type: 'object',
          required: ['kind'],
          properties: { kind: { const: 'key' }, user: { type: 'string' }, key: { type: 'string' } },
        },
      ],
    },
    size: {
      anyOf: [
        { type: 'integer', maximum: 10 },
        { type: 'string', enum: ['auto'] },
      ],
    },
    anything: true,
  },
  $defs: {
    room: {
      type: 'object',
      title: 'Room',
      properties: { number: { type: 'integer' }, inside: { $ref: '#/$defs/room' } },
    },
  },
};

/**
 * A document for the form with values that the form must preserve: long numbers, spaces, and a member that is
 * not in the schema.
 */
export const TEXT = `{
  "name": "berlin", "counter": 12345678901234567890, "tags": ["a", "b"],
  "interfaces": [
    {"id": "eth0", "mtu": 1500, "config": {"peer": "x"}},
    {"id": "eth1"},
    {"id": "eth2", "mtu": 9000}
  ],
  "steps": [{"do": "dig"}, {"do": "lay"}],
  "access": {"kind": "key", "user": "ann", "key": "k1"},
  "anything": [1, {"a": 1.0}],
  "legacy": {"10": 1, "9": [ 1e3 ]}
}`;

/** The example form, opened. */
export function exampleForm(): FormState {
  return openForm({ schema: SCHEMA, data: readJson(TEXT) });
}

/** All rows that can be seen, by their ids. */
export function rowsById(state: FormState): ReadonlyMap<string, Row> {
  return new Map(rowsOf(openAll(state)).rows.map((row) => [row.id, row]));
}

/** Returns a row of a form in which all sections are open; fails if the row does not exist. */
export function rowOf(state: FormState, id: string): Row {
  const row = rowsById(state).get(id);
  if (!row) throw new Error(`there is no row ${id}`);
  return row;
}
