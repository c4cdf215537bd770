import assert from 'node:assert/strict';
import type { SchemaCase } from './hand.js';

const text = (title: string, rest: object = {}) => ({ type: 'string', title, ...rest });
const object = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest });

/** Schemas of lists and objects. */
export const STRUCTURES: Readonly<Record<string, SchemaCase>> = {
  'array of strings, unique, max': {
    isAlone: true,
    schema: object({
      tags: { type: 'array', title: 'Tags', items: { type: 'string' }, uniqueItems: true, maxItems: 2 },
    }),
    async fill({ page, press, type, see }) {
      await press('Add to Tags');
      await type('#1', 'a');
      await press('Add to Tags');
      await type('#2', 'a');
      await see('At most 2 entries are allowed');
      assert.equal(await page.getByRole('button', { name: 'Add to Tags' }).count(), 0);
      await type('#2', 'b');
    },
    wanted: { tags: ['a', 'b'] },
  },
  'array of objects, nested, move, copy': {
    isAlone: true,
    schema: object({
      ports: {
        ...{ type: 'array', title: 'Ports' },
        items: object({
          name: text('Name'),
          units: { type: 'array', title: 'Units', items: { type: 'integer' } },
        }),
      },
    }),
    data: { ports: [{ name: 'a' }] },
    async fill({ page, press }) {
      await press('Duplicate: a');
      const second = page.getByRole('textbox', { name: 'Name' }).nth(1);
      await second.fill('b');
      await page.keyboard.press('Tab');
      await press('Move up: b');
      await page.getByRole('button', { name: 'Add to Units' }).first().click();
      await page.getByRole('textbox', { name: '#1' }).fill('7');
      await page.keyboard.press('Tab');
    },
    wanted: { ports: [{ name: 'b', units: [7] }, { name: 'a' }] },
  },
  'tuple (prefixItems)': {
    schema: object({
      point: {
        ...{ type: 'array', title: 'Point', items: false },
        prefixItems: [
          { type: 'number', title: 'Latitude' },
          { type: 'number', title: 'Longitude' },
        ],
      },
    }),
    async fill({ type }) {
      await type('Latitude', '52.5');
      await type('Longitude', '13.4');
    },
    wanted: { point: [52.5, 13.4] },
  },
  'allOf merge': {
    isAlone: true,
    schema: {
      allOf: [object({ name: text('Name') }), object({ site: text('Site') }, { required: ['site'] })],
    },
    async fill({ type }) {
      await type('Name', 'n');
      await type('Site', 's');
    },
    wanted: { name: 'n', site: 's' },
  },
  'recursive $ref': {
    isAlone: true,
    schema: {
      $ref: '#/$defs/node',
      $defs: {
        node: object({
          name: text('Name'),
          below: { type: 'array', title: 'Below', items: { $ref: '#/$defs/node' } },
        }),
      },
    },
    async fill({ page, type, press }) {
      await type('Name', 'root');
      await press('Add to Below');
      await page.getByRole('textbox', { name: 'Name' }).nth(1).fill('leaf');
      await page.keyboard.press('Tab');
    },
    wanted: { name: 'root', below: [{ name: 'leaf' }] },
  },
  'additionalProperties, patternProperties': {
    schema: object({
      labels: { type: 'object', title: 'Labels', additionalProperties: { type: 'string' } },
      vlans: {
        ...{ type: 'object', title: 'VLANs', patternProperties: { '^v[0-9]+$': { type: 'integer' } } },
        additionalProperties: false,
      },
    }),
    async fill({ page, press, type }) {
      for (const [group, name, value] of [
        ['Labels', 'team', 'noc'],
        ['VLANs', 'v7', '7'],
      ] as const) {
        await press(`Add a member: ${group}`);
        await page.getByLabel('Member name').fill(name);
        await page.keyboard.press('Enter');
        await type(name, value);
      }
    },
    wanted: { labels: { team: 'noc' }, vlans: { v7: 7 } },
  },
  'nested defaults': {
    schema: object(
      {
        port: {
          ...{ type: 'object', title: 'Port', properties: {} },
          properties: {
            mtu: { type: 'integer', title: 'MTU', default: 1500 },
            up: { type: 'boolean', default: true },
          },
        },
        peers: {
          ...{ type: 'array', title: 'Peers' },
          items: object({ weight: { type: 'integer', title: 'Weight', default: 10 } }),
        },
      },
      { required: ['port'] },
    ),
    async fill({ page, press, type, see }) {
      assert.equal(await page.getByLabel('MTU', { exact: true }).inputValue(), '1500');
      await see('default');
      await press('Add to Peers');
      await type('MTU', '9000');
    },
    wanted: { port: { mtu: 9000, up: true }, peers: [{ weight: 10 }] },
  },
  'contains, not': {
    isAlone: true,
    schema: object({
      roles: { type: 'array', title: 'Roles', items: { type: 'string' }, contains: { const: 'admin' } },
      name: text('Name', { not: { const: 'root' } }),
    }),
    data: { roles: ['user'] },
    async fill({ type, see, press }) {
      await type('Name', 'root');
      await see('This value is not allowed');
      await press('Review changes (1)');
      await see('An entry that is needed is missing');
      await press('Close');
      await type('Name', 'ada');
      await type('#1', 'admin');
    },
    wanted: { roles: ['admin'], name: 'ada' },
  },
  'array on top, matrix, free object': {
    isAlone: true,
    schema: {
      type: 'array',
      title: 'Rows',
      items: object({
        cells: {
          type: 'array',
          title: 'Cells',
          items: { type: 'array', title: 'Line', items: { type: 'integer' } },
        },
        free: { type: 'object', title: 'Free' },
      }),
    },
    async fill({ page, press, type }) {
      await press('Add to Rows');
      await press('Add to Cells');
      await press('Add to Line');
      await type('#1', '1');
      await press('JSON: Free');
      await page.getByRole('dialog').locator('textarea').fill('{"a": [1]}');
      await press('Apply');
    },
    wanted: [{ cells: [[1]], free: { a: [1] } }],
  },
};
