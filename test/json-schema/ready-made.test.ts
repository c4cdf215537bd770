import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { adapterSchema } from '../../src/config/adapter-schema.js';
import { settingsSchema } from '../../src/config/settings-schema.js';
import type { JsonSchema } from '../../src/core/schema.js';
import { createAjv } from '../../src/json-schema/compile.js';
import { ROOT } from '../docs/markdown.js';

type Validate = ((value: unknown) => boolean) & { errors?: unknown };

interface Builder {
  readonly readyMadeCode: (compiled: string) => Promise<string>;
}

describe('the validators of the bundle', () => {
  const validators = new Map<string, Validate>();
  before(async () => {
    const path = join(ROOT, 'scripts', 'ready-made.js');
    const { readyMadeCode } = (await import(pathToFileURL(path).href)) as Builder;
    const exported: { READY_MADE?: ReadonlyMap<string, Validate> } = {};
    const code = await readyMadeCode(join(ROOT, 'dist'));
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the code of the bundle
    const define = new Function('exports', 'require', code) as (...values: readonly unknown[]) => void;
    define(exported, createRequire(path));
    for (const [text, validate] of exported.READY_MADE ?? []) validators.set(text, validate);
  });

  function resultOf(validate: Validate, value: unknown): unknown {
    const found = { secrets: new Set<string>(), paths: new Set<string>() };
    const copy = structuredClone(value);
    const valid = validate.call(found, copy);
    return { valid, errors: validate.errors, value: copy, ...found };
  }

  const cases: readonly [name: string, schema: JsonSchema, values: readonly unknown[]][] = [
    [
      'settings',
      settingsSchema,
      [
        {},
        { server: { listen: 1, unknown: true }, vault: { auth: { method: 'token', token: 'x' } } },
        {
          auth: { local: { keyFile: 'key.pem' }, issuers: [{ issuer: 'https://i', publicKeyFile: 'a.pem' }] },
        },
      ],
    ],
    [
      'adapters',
      adapterSchema,
      [
        { plugin: 'http-rest', baseUrl: 'https://a.example' },
        { plugin: 'x', baseUrl: 'ftp://a', auth: { type: 'basic', username: 'u', password: 'p' } },
        { plugin: 'x', tls: { caFile: 'ca.pem' }, queue: { concurrent: 0 }, more: 1 },
      ],
    ],
  ];
  for (const [name, schema, values] of cases)
    it(`judge ${name} as Ajv does, with the same defaults, secrets and paths`, () => {
      const readyMade = validators.get(JSON.stringify(schema));
      assert.ok(readyMade);
      const compiled = createAjv().compile(schema) as Validate;
      for (const value of values) assert.deepEqual(resultOf(readyMade, value), resultOf(compiled, value));
    });
});
