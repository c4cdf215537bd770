import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { asAdapterSettings, validateAdapter } from '../../src/config/adapter-schema.js';
import { loadConfig } from '../../src/config/load.js';
import { asSettings, validateMain } from '../../src/config/settings-schema.js';
import type { JsonSchema } from '../../src/core/schema.js';
import { compileSchema } from '../../src/json-schema/compile.js';
import { adapterSchema } from '../../src/settings/adapter.js';
import { settingsSchema } from '../../src/settings/settings.js';
import { column } from '../support/columns.js';

const CONFIG = new URL('../../../config/', import.meta.url);
const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

describe('configuration schemas', () => {
  it('describe every key and close every object that is not a map', () => {
    const keys: string[] = [];
    const visit = (schema: unknown, pointer: string): void => {
      if (Array.isArray(schema))
        schema.forEach((item, at) => {
          visit(item, `${pointer}/${at}`);
        });
      if (!isSchema(schema)) return;
      if (isSchema(schema['properties']) && typeof schema['title'] === 'string') {
        assert.equal(schema['additionalProperties'], false, pointer);
        for (const [key, member] of Object.entries(schema['properties'])) {
          keys.push(key);
          assert.ok(isSchema(member) && member['title'] && member['description'], `${pointer}/${key}`);
        }
      }
      for (const [keyword, value] of Object.entries(schema)) visit(value, `${pointer}/${keyword}`);
    };
    visit({ settingsSchema, adapterSchema }, '');
    assert.ok(
      keys.length > 80 && keys.includes('listen') && keys.includes('secretIdFile'),
      String(keys.length),
    );
  });

  it('accept the configuration of a fresh checkout, which changes no default', async () => {
    const path = fileURLToPath(new URL('gatehouse.yaml', CONFIG));
    const loaded = await loadConfig({
      path,
      env: {},
      compile: compileSchema,
      syntax: { isReference: () => false, isPlain: () => true },
    });
    assert.deepEqual(loaded.faults, []);
    assert.deepEqual(loaded.main.document.value, {});
    assert.match(await readFile(path, 'utf8'), /^# yaml-language-server: \$schema=gatehouse.schema.json\n/);
  });

  it('accept the examples in its comments', async () => {
    const { readDocument } = await import('../../src/config/document.js');
    const text = await readFile(new URL('gatehouse.yaml', CONFIG), 'utf8');
    const keys = /^# ( *(?:- )?[A-Za-z0-9]+:(?: .*)?)$/;
    const examples = text
      .split('\n')
      .slice(1)
      .flatMap((line) => keys.exec(line)?.[1] ?? []);
    const { value, faults } = readDocument({ file: 'x', text: examples.join('\n') }, {});
    assert.deepEqual(faults, []);
    assert.deepEqual(Object.keys(value as object), ['server', 'auth', 'vault', 'adapters', 'egress']);
    assert.deepEqual(validateMain(structuredClone(value), compileSchema).violations, []);
    const { nso1 } = (value as { adapters: Record<string, unknown> }).adapters;
    assert.deepEqual(validateAdapter(nso1, compileSchema).violations, []);
  });
});

describe('resolved values', () => {
  it('are validated again', () => {
    const main = { storage: { url: 'mysql://db/x' } };
    assert.deepEqual(column(validateMain(main, compileSchema).violations, 'pointer'), ['/storage/url']);
    const adapter = { plugin: 'p', baseUrl: 'http://x', auth: { type: 'bearer', token: 'a b' } };
    assert.deepEqual(column(validateAdapter(adapter, compileSchema).violations, 'pointer'), ['/auth/token']);
  });

  it('become settings in which Vault addresses are always a list', () => {
    const [one, two] = ['https://vault-a.example:8200', 'https://vault-b.example:8200'];
    const addressOf = (address: unknown): unknown => {
      const value = { vault: { address, auth: { method: 'cert' } } };
      const { violations } = validateMain(value, compileSchema);
      return violations.length > 0 ? violations[0]?.pointer : asSettings(value).vault?.address;
    };
    assert.deepEqual(addressOf(one), [one]);
    assert.deepEqual(addressOf([one, two]), [one, two]);
    assert.equal(addressOf([]), '/vault/address');
    assert.equal(addressOf([one, 'vault']), '/vault/address/1');
    assert.equal(addressOf([one, one]), '/vault/address');
  });

  it('become settings in which an audience is always a list', () => {
    const issuer = { issuer: 'x', algorithms: ['RS256'], discovery: true };
    const value = {
      auth: {
        issuers: [
          { ...issuer, audience: 'a' },
          { ...issuer, audience: ['a', 'b'] },
        ],
      },
    };
    assert.deepEqual(validateMain(value, compileSchema).violations, []);
    const settings = asSettings(value);
    assert.deepEqual(column(settings.auth.issuers, 'audience'), [['a'], ['a', 'b']]);
    assert.equal(settings.server.listen, '127.0.0.1:3000');
    assert.equal('adapters' in settings, false);
    const adapter = { plugin: 'p', baseUrl: 'http://x' };
    assert.deepEqual(validateAdapter(adapter, compileSchema).violations, []);
    assert.equal(asAdapterSettings(adapter).timeouts.totalMs, 30_000);
  });
});
