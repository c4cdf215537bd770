import assert from 'node:assert/strict';
import type { SchemaCase } from './hand.js';

const text = (title: string, rest: object = {}) => ({ type: 'string', title, ...rest });
const object = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest });

/** Forms as a whole: own messages, translations, pages, calculated values, questions. */
export const WHOLE_FORMS: Readonly<Record<string, SchemaCase>> = {
  'own messages': {
    schema: object({
      vlan: { type: 'integer', title: 'VLAN', maximum: 4094 },
      name: text('Name', { pattern: '^[a-z]+$', errorMessage: { pattern: 'Small letters only' } }),
    }),
    ui: { vlan: { 'ui:errors': { maximum: 'Ask the backbone team' } } },
    async fill({ type, see }) {
      await type('VLAN', '5000');
      await see('Ask the backbone team');
      await type('VLAN', '5');
      await type('Name', 'A');
      await see('Small letters only');
      await type('Name', 'a');
    },
    wanted: { vlan: 5, name: 'a' },
  },
  'translations of a form': {
    isAlone: true,
    schema: object({
      customer: text('Customer', { description: 'As in the contract.' }),
      mode: {
        title: 'Mode',
        oneOf: [
          { const: 'a', title: 'Active' },
          { const: 'p', title: 'Passive' },
        ],
      },
    }),
    ui: {
      'ui:translations': {
        de: {
          Customer: 'Kunde',
          'As in the contract.': 'Wie im Vertrag.',
          Mode: 'Betrieb',
          Passive: 'Passiv',
        },
      },
    },
    language: 'de-AT',
    async fill({ type, pick, see }) {
      await see('Wie im Vertrag.');
      await type('Kunde', 'Muster');
      await pick('Betrieb', 'Passiv');
    },
    wanted: { customer: 'Muster', mode: 'p' },
  },
  'pages, progress, calculated values': {
    isAlone: true,
    schema: object(
      {
        site: text('Site'),
        ports: { type: 'integer', title: 'Ports' },
        price: { type: 'number', title: 'Price' },
        total: { type: 'number', title: 'Total' },
      },
      { required: ['site'] },
    ),
    ui: {
      'ui:pages': [
        { title: 'Place', fields: ['site'] },
        { title: 'Order', fields: ['ports', 'price', 'total'] },
      ],
      total: { 'ui:calculate': { '*': [{ var: 'ports' }, { var: 'price' }] } },
    },
    async fill({ page, press, type, see }) {
      await see('Step 1 of 3');
      assert.equal(await page.getByLabel('Ports', { exact: true }).count(), 0);
      await press('Next');
      // The page has an error: it stays.
      await see('Required');
      await type('Site', 'BER');
      await press('Next');
      await see('Step 2 of 3');
      await type('Ports', '3');
      await type('Price', '2.5');
      await see('7.5');
      await press('Next');
      await see('Step 3 of 3');
      await see('BER');
    },
    wanted: { site: 'BER', ports: 3, price: 2.5, total: 7.5 },
  },
  'signature, matrix question, camera': {
    schema: object({
      quality: object(
        {
          speed: { title: 'Speed', enum: ['good', 'bad'] },
          price: { title: 'Price', enum: ['good', 'bad'] },
        },
        { title: 'Quality' },
      ),
      photo: text('Photo', { format: 'data-url' }),
      signed: text('Signature', { format: 'data-url' }),
    }),
    ui: {
      quality: { 'ui:widget': 'matrix' },
      photo: { 'ui:options': { accept: 'image/*', capture: 'environment' } },
      signed: { 'ui:widget': 'signature' },
    },
    async fill({ page, file }) {
      await page.getByRole('radio', { name: 'Speed: good' }).click();
      await page.getByRole('radio', { name: 'Price: bad' }).click();
      const photo = page.getByLabel('Choose a file: Photo');
      assert.equal(await photo.getAttribute('capture'), 'environment');
      await file('Choose a file: Photo', {
        name: 'p.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('hi'),
      });
      const box = await page.locator('canvas').boundingBox();
      assert.ok(box);
      await page.mouse.move(box.x + 20, box.y + 20);
      await page.mouse.down();
      await page.mouse.move(box.x + 90, box.y + 50, { steps: 5 });
      await page.mouse.up();
    },
    wanted: {
      quality: { speed: 'good', price: 'bad' },
      photo: 'data:text/plain;name=p.txt;base64,aGk=',
      signed: /^data:image\/png;base64,.{100}/,
    },
  },
};
