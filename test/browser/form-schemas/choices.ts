import assert from 'node:assert/strict';
import type { SchemaCase } from './hand.js';

const text = (title: string, rest: object = {}) => ({ type: 'string', title, ...rest });
const object = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest });

/** Schemas of options, conditions and alternatives. */
export const CHOICES: Readonly<Record<string, SchemaCase>> = {
  'enum small, of numbers, mixed, null': {
    schema: object({
      ...{ mode: { title: 'Mode', enum: ['access', 'trunk'] }, lanes: { title: 'Lanes', enum: [1, 4, 8] } },
      ...{ mixed: { title: 'Mixed', enum: ['a', 1, true] }, maybe: { title: 'Maybe', enum: ['x', null] } },
    }),
    async fill({ pick }) {
      await pick('Mode', 'trunk');
      await pick('Lanes', '4');
      await pick('Mixed', 'Yes');
      await pick('Maybe', 'Null');
    },
    wanted: { mode: 'trunk', lanes: 4, mixed: true, maybe: null },
  },
  'enum of 600 with search': {
    schema: object({ port: { title: 'Port', enum: Array.from({ length: 600 }, (_, at) => `ge-${at}`) } }),
    async fill({ page }) {
      await page.getByRole('combobox', { name: 'Port' }).click();
      await page.keyboard.type('ge-59');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    },
    wanted: { port: 'ge-590' },
  },
  'oneOf + const with titles': {
    schema: object({
      speed: {
        title: 'Speed',
        oneOf: [
          { const: 1, title: 'One gigabit' },
          { const: 10, title: 'Ten gigabit' },
        ],
      },
    }),
    fill: ({ pick }) => pick('Speed', 'Ten gigabit'),
    wanted: { speed: 10 },
  },
  'array of enum as check boxes': {
    schema: object({
      days: { type: 'array', title: 'Days', uniqueItems: true, items: { enum: ['Mon', 'Tue', 'Wed'] } },
    }),
    async fill({ tick }) {
      await tick('Wed');
      await tick('Mon');
    },
    wanted: { days: ['Mon', 'Wed'] },
  },
  'if / then / else': {
    isAlone: true,
    schema: object(
      { mode: { title: 'Mode', enum: ['static', 'dhcp'] } },
      {
        if: { properties: { mode: { const: 'static' } }, required: ['mode'] },
        then: object({ address: text('Address', { format: 'ipv4' }) }, { required: ['address'] }),
        else: object({ lease: { type: 'integer', title: 'Lease', default: 60 } }),
      },
    ),
    async fill({ page, pick, type }) {
      await pick('Mode', 'static');
      await type('Address', '192.0.2.1');
      await pick('Mode', 'dhcp');
      await page.getByLabel('Lease', { exact: true }).waitFor();
      assert.equal(await page.getByText(/192\.0\.2\.1|Not described/).count(), 0);
      // The hidden value is there again with its field.
      await pick('Mode', 'static');
      assert.equal(await page.getByLabel(/^Address/).inputValue(), '192.0.2.1');
      await pick('Mode', 'dhcp');
    },
    wanted: { mode: 'dhcp', lease: 60 },
  },
  'dependentRequired, draft-7 dependencies': {
    isAlone: true,
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...object(
        { card: text('Card'), cvc: text('CVC'), vlan: { type: 'integer', title: 'VLAN' } },
        { dependencies: { card: ['cvc'], vlan: object({ tag: { title: 'Tag', enum: ['in', 'out'] } }) } },
      ),
    },
    async fill({ page, type, see, press, pick }) {
      await type('Card', '4111');
      await press('Review changes (1)');
      await see('Required');
      await page.keyboard.press('Escape');
      await type('CVC', '123');
      await type('VLAN', '5');
      await pick('Tag', 'out');
    },
    wanted: { card: '4111', cvc: '123', vlan: 5, tag: 'out' },
  },
  'oneOf with discriminator': {
    schema: object({
      auth: {
        title: 'Login',
        oneOf: [
          object(
            { kind: { const: 'basic' }, user: text('User') },
            { title: 'Password', required: ['kind', 'user'] },
          ),
          object({ kind: { const: 'key' }, pem: text('PEM') }, { title: 'Key', required: ['kind', 'pem'] }),
        ],
      },
    }),
    async fill({ page, tick, type }) {
      await tick('Password', 'Login');
      await type('User', 'bob');
      await tick('Key', 'Login');
      await type('PEM', 'abc');
      assert.equal(await page.getByText('kind').count(), 0);
    },
    wanted: { auth: { kind: 'key', pem: 'abc' } },
  },
  'independent unions': {
    isAlone: true,
    schema: object(
      { name: text('Name') },
      {
        allOf: [
          { title: 'Addressing', oneOf: [only('Address'), only('Server')] },
          { title: 'Routing', oneOf: [only('ASN'), only('Area')] },
        ],
      },
    ),
    async fill({ page, tick, type }) {
      await tick('By Server', 'Addressing');
      await tick('By ASN', 'Routing');
      const group = page.getByRole('group', { name: 'Addressing' });
      await group.getByLabel(/^Server/).waitFor();
      assert.equal(await group.getByLabel(/^ASN/).count(), 0);
      await type('Server', 's1');
      await type('ASN', '65000');
      await type('Name', 'n');
    },
    wanted: { name: 'n', Server: 's1', ASN: '65000' },
  },
  'union without a title': {
    isAlone: true,
    schema: { type: 'object', oneOf: [only('Address'), only('Server')] },
    async fill({ tick, type }) {
      await tick('By Server', 'Variant');
      await type('Server', 's1');
    },
    wanted: { Server: 's1' },
  },
};

function only(member: string): object {
  return { title: `By ${member}`, properties: { [member]: { type: 'string' } }, required: [member] };
}
