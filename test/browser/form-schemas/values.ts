import assert from 'node:assert/strict';
import type { SchemaCase } from './hand.js';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const PICTURE = { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') };

const text = (title: string, rest: object = {}) => ({ type: 'string', title, ...rest });
const object = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest });

/** Schemas of single values. */
export const VALUES: Readonly<Record<string, SchemaCase>> = {
  'text, long text, maxLength': {
    schema: object({ name: text('Name', { maxLength: 8 }), notes: text('Notes', { maxLength: 2000 }) }),
    async fill({ page, type, see }) {
      await type('Name', 'far too long');
      await see('Enter at most 8 characters');
      await type('Name', 'core1');
      assert.equal(await page.locator('textarea').count(), 1);
      await type('Notes', 'Behind the door');
    },
    wanted: { name: 'core1', notes: 'Behind the door' },
  },
  '14 formats': {
    schema: object({
      ...{ day: text('Day', { format: 'date' }), mail: text('Mail', { format: 'email' }) },
      ...{ site: text('Site', { format: 'uri' }), host: text('Host', { format: 'hostname' }) },
      ...{ v4: text('IPv4', { format: 'ipv4' }), v6: text('IPv6', { format: 'ipv6' }) },
      ...{ id: text('Id', { format: 'uuid' }), phone: text('Phone', { format: 'tel' }) },
      ...{ at: text('At', { format: 'date-time' }), time: text('Time', { format: 'time' }) },
      ...{ lasts: text('Lasts', { format: 'duration' }), secret: text('Secret', { format: 'password' }) },
      ...{ shade: text('Shade', { format: 'color' }), logo: text('Logo', { format: 'data-url' }) },
    }),
    async fill({ page, type, see, file }) {
      await page.getByLabel('Day', { exact: true }).fill('2026-01-31');
      await page.getByLabel('At', { exact: true }).fill('2026-01-31T08:00:00');
      await page.getByLabel('Time', { exact: true }).fill('08:00:00');
      await type('Id', 'no uuid');
      await see('Enter a UUID, for example 123e4567-e89b-12d3-a456-426614174000');
      for (const [label, value] of Object.entries(TYPED)) await type(label, value);
      assert.equal(await page.getByLabel('Secret', { exact: true }).getAttribute('type'), 'password');
      await page.locator('input[type=color]').fill('#ff8800');
      await file('Choose a file: Logo', PICTURE);
      await see(/dot\.png/);
      await page.locator('img.gf-file-preview').waitFor();
      assert.equal(await page.locator('img.gf-file-preview').count(), 1, 'no picture without a file');
    },
    wanted: {
      ...{
        day: '2026-01-31',
        mail: 'noc@example.com',
        site: 'https://example.com',
        host: 'core1.example.com',
      },
      ...{
        v4: '192.0.2.1',
        v6: '2001:db8::1',
        id: '123e4567-e89b-12d3-a456-426614174000',
        phone: '+49 30 1',
      },
      ...{ at: /^2026-01-31T08:00:00/, time: /^08:00:00/, lasts: 'PT5M', secret: 's3cret', shade: '#ff8800' },
      logo: `data:image/png;name=dot.png;base64,${PIXEL}`,
    },
  },
  'integer, multipleOf, uint64 exact': {
    schema: object({
      count: { type: 'integer', title: 'Count', multipleOf: 4 },
      octets: { type: 'integer', title: 'Octets', maximum: 18_446_744_073_709_552_000 },
    }),
    async fill({ page, type, see }) {
      await type('Count', '6');
      await see('Must be a multiple of 4');
      await type('Count', '8');
      await type('Octets', '18446744073709551615');
      assert.match(await page.evaluate<string>('window.form.text()'), /18446744073709551615/);
    },
    wanted: { count: 8, octets: 18_446_744_073_709_552_000 },
  },
  'boolean required, nullable': {
    schema: object(
      {
        backup: { type: 'boolean', title: 'Backup' },
        monitored: { type: ['boolean', 'null'], title: 'Monitored' },
        other: { type: ['boolean', 'null'], title: 'Shared' },
      },
      { required: ['backup'] },
    ),
    async fill({ tick, pick }) {
      await tick('No', 'Backup');
      await pick('Monitored', 'Yes');
      await pick('Shared', 'Null');
    },
    wanted: { backup: false, monitored: true, other: null },
  },
  'base64 file': {
    schema: object({ image: text('Image', { contentEncoding: 'base64', contentMediaType: 'image/png' }) }),
    async fill({ page, file, see }) {
      await file('Choose a file: Image', PICTURE);
      await see('dot.png, 70 B');
      await page.locator('img.gf-file-preview').nth(1).waitFor();
      assert.equal(await page.getByText(PIXEL.slice(0, 20)).count(), 0);
    },
    wanted: { image: PIXEL },
  },
  'readOnly, writeOnly, deprecated': {
    schema: object({
      region: text('Region', { readOnly: true, default: 'eu-1' }),
      key: text('Key', { writeOnly: true }),
      old: text('Old', { deprecated: true }),
    }),
    async fill({ page, type, see }) {
      await see('eu-1');
      await see('deprecated');
      await type('Key', 'k1');
      assert.equal(await page.getByLabel('Key', { exact: true }).getAttribute('type'), 'password');
      await type('Old', 'x');
    },
    wanted: { region: 'eu-1', key: 'k1', old: 'x' },
  },
  const: {
    schema: object(
      { version: { const: 2, title: 'Version' }, owner: text('Owner') },
      { required: ['version', 'owner'] },
    ),
    async fill({ page, type }) {
      await type('Owner', 'a');
      assert.equal(await page.getByText('Version').count(), 0);
    },
    wanted: { version: 2, owner: 'a' },
  },
  'string or null': {
    schema: object({
      alias: { type: ['string', 'null'], title: 'Alias' },
      note: { type: ['string', 'null'], title: 'Note' },
      size: { title: 'Size', anyOf: [{ type: 'integer' }, { type: 'null' }] },
    }),
    async fill({ type, tick }) {
      await type('Alias', 'null');
      await tick('Null: Note');
      await type('Size', '5');
      await tick('Null: Size');
    },
    wanted: { alias: 'null', note: null, size: null },
  },
  'anyOf number or "auto"': {
    schema: object({
      mtu: { title: 'MTU', anyOf: [{ type: 'integer', minimum: 68 }, { const: 'auto' }] },
      speed: { title: 'Speed', anyOf: [{ type: 'integer' }, { const: 'auto' }] },
    }),
    async fill({ page, type, see }) {
      await type('MTU', 'foo');
      await see('Enter a whole number, or: Must be auto');
      await type('MTU', '1500');
      await type('Speed', 'auto');
      assert.equal(await page.locator('.gf-error').count(), 0);
    },
    wanted: { mtu: 1500, speed: 'auto' },
  },
  'RTL, umlauts, CJK': {
    schema: object({ arabic: text('الاسم'), town: text('Größe'), remark: text('備考') }),
    async fill({ page, type }) {
      await type('الاسم', 'مرحبا');
      await type('Größe', 'Übergröße');
      await type('備考', '東京');
      assert.equal(await page.getByLabel('الاسم', { exact: true }).getAttribute('dir'), 'auto');
    },
    wanted: { arabic: 'مرحبا', town: 'Übergröße', remark: '東京' },
  },
};

const TYPED = {
  ...{ Mail: 'noc@example.com', Site: 'https://example.com', Host: 'core1.example.com', IPv4: '192.0.2.1' },
  ...{ IPv6: '2001:db8::1', Id: '123e4567-e89b-12d3-a456-426614174000', Phone: '+49 30 1' },
  ...{ Lasts: 'PT5M', Secret: 's3cret' },
};
