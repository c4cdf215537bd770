import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as inline from '../../../src/features/forms/inline-engine.js';
import { createCompiler } from '../../../src/json-schema/validator-pool/compile.js';
import {
  createFormCache,
  type FormCache,
  INLINE_LIMITS,
} from '../../../src/json-schema/validator-pool/form-cache.js';
import { performTask } from '../../../src/json-schema/validator-pool/run-task.js';
import type { TaskResult } from '../../../src/json-schema/validator-pool/task.js';
import { PAIR_DRAFTS, pairsOf } from '../engine/pairs.js';
import { BOMBS } from './schema-bombs.js';

const NUMBER = { type: 'object', properties: { a: { type: 'number', maximum: 9 } } };

function formOf(schema: unknown, id = 'a'): Buffer {
  return Buffer.from(JSON.stringify({ id: id.padStart(24, '0'), schema }));
}

function bodyOf(formData: unknown): Buffer {
  return Buffer.from(JSON.stringify({ formData }));
}

describe('the form cache', () => {
  let loads = 0;
  const load = () => {
    loads += 1;
    return Promise.resolve(inline);
  };
  const open = (): FormCache => createFormCache({ load, registry: {} });
  const inThread = (form: Buffer, body: Buffer): TaskResult =>
    performTask({ kind: 'validateForm', form, body }, createCompiler(inline.engine, {}));

  /** Uses a form as often as it takes to become known, and waits until it is. */
  const learn = async (cache: FormCache, form: Buffer, body = bodyOf({})): Promise<void> => {
    for (let use = 0; use < 2; use += 1) cache.note(form, inThread(form, body));
    await new Promise(setImmediate);
  };
  const isKnown = async (form: Buffer): Promise<boolean> => {
    const cache = open();
    await learn(cache, form);
    return cache.validate(form, bodyOf(1)) !== undefined;
  };

  it('validates a form that a thread has used twice, with the same results', async () => {
    const cache = open();
    const form = formOf(NUMBER);
    await learn(cache, form);
    for (const text of [
      '{"formData":{"a":1}}',
      '{"formData":{"a":"b"}}',
      '{"formData":{"a":10}}',
      '{',
      '{"x":1}',
      '{"formData":1,"formData":2}',
      '[]',
    ])
      // prettier-ignore
      assert.deepEqual(
        cache.validate(form, Buffer.from(text)),
        withoutSteps(inThread(form, Buffer.from(text))),
      );
  });

  it('loads no engine for forms that are used once, or that are never cheap', async () => {
    loads = 0;
    const cache = open();
    for (let at = 0; at < 200; at += 1)
      cache.note(formOf(NUMBER, `${at}`), inThread(formOf(NUMBER), bodyOf(1)));
    const costly = formOf({ pattern: '(a+)+$' });
    for (let use = 0; use < 5; use += 1) await learn(cache, costly);
    assert.equal(loads, 0);
    assert.equal(cache.validate(formOf(NUMBER), bodyOf(1)), undefined);
  });

  it('does not know another version of a form, nor a form that looks alike at its start', async () => {
    const cache = open();
    await learn(cache, formOf(NUMBER));
    assert.equal(cache.validate(formOf({ ...NUMBER, required: ['a'] }), bodyOf(1)), undefined);
    assert.notEqual(cache.validate(formOf(NUMBER), bodyOf(1)), undefined);
    await learn(cache, formOf({ ...NUMBER, required: ['a'] }));
    assert.equal(cache.validate(formOf(NUMBER), bodyOf(1)), undefined);
  });

  it('compiles a known form only once, even if a thread validates some of its data', async () => {
    let compiled = 0;
    const engine: typeof inline.engine = (...input) => {
      compiled += 1;
      return inline.engine(...input);
    };
    const cache = createFormCache({ load: () => Promise.resolve({ ...inline, engine }), registry: {} });
    for (let use = 0; use < 5; use += 1) await learn(cache, formOf(NUMBER));
    assert.equal(compiled, 1);
  });

  it('leaves a schema with a fault to the threads', async () => {
    assert.equal(await isKnown(formOf({ type: 'strin' })), false);
    assert.equal(await isKnown(formOf({ $ref: '#/nothing' })), false);
  });

  describe('leaves to the threads', () => {
    const many = (count: number, schema: unknown): unknown => ({
      allOf: Array.from({ length: count }, () => schema),
    });
    const COSTLY: Readonly<Record<string, unknown>> = {
      'a form that is too large': { description: 'x'.repeat(INLINE_LIMITS.formBytes) },
      'a schema of many schemas': many(3_000, {}),
      'a schema of many keywords': many(500, { type: 'string', minLength: 1, maxLength: 2 }),
      'many boolean schemas': {
        properties: Object.fromEntries(Array.from({ length: 2_100 }, (_, at) => [at, true])),
      },
      'many different patterns': { allOf: Array.from({ length: 60 }, (_, at) => ({ pattern: `^a${at}$` })) },
      'a pattern for RE2': { pattern: '^(a|b)*$' },
      'a name pattern for RE2': { patternProperties: { '.*': {} } },
      'a pattern that grows': { pattern: '((a{0,10}){0,10}){0,10}' },
      'long references': {
        $id: `http://a/${'b'.repeat(14_000)}`,
        ...(many(10, { $ref: `#/${'c/'.repeat(500)}` }) as object),
        c: {},
      },
      'evaluated members': {
        unevaluatedProperties: false,
        $schema: 'https://json-schema.org/draft/2020-12/schema',
      },
      'an enum of many arrays': { enum: Array.from({ length: 1_500 }, (_, at) => [at]) },
      'rules of YANG': { 'x-yang': { kind: 'module' } },
    };
    for (const [what, schema] of Object.entries(COSTLY))
      it(what, async () => {
        assert.equal(await isKnown(formOf(schema)), false);
      });

    it('a body that is too large', async () => {
      const cache = open();
      const form = formOf(NUMBER);
      await learn(cache, form);
      assert.equal(cache.validate(form, bodyOf('x'.repeat(INLINE_LIMITS.bodyBytes))), undefined);
    });

    it('data that takes too many steps', async () => {
      const multiplied = { $ref: '#/definitions/l0', definitions: Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`l${at}`, at < 29 ? { allOf: [{ $ref: `#/definitions/l${at + 1}` }, { $ref: `#/definitions/l${at + 1}` }] } : {}])) }; // prettier-ignore
      const names = Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`n${at}`, 1]));
      const costly: readonly (readonly [schema: unknown, data: unknown])[] = [
        [multiplied, 1],
        [{ anyOf: [{ type: 'string' }, { $ref: '#' }] }, 1],
        [many(300, { minProperties: 1 }), names],
        [many(300, { const: {} }), names],
        [{ uniqueItems: true }, Array.from({ length: 2_000 }, (_, at) => [at])],
      ];
      for (const [schema, data] of costly) {
        const cache = open();
        await learn(cache, formOf(schema), bodyOf(1));
        assert.equal(
          cache.validate(formOf(schema), bodyOf(data)),
          undefined,
          JSON.stringify(schema).slice(0, 80),
        );
      }
    });
  });

  it('holds a limited number of forms, and a limited amount of compiled schemas', async () => {
    const count = async (schema: unknown, forms: number): Promise<number> => {
      const cache = open();
      const all = Array.from({ length: forms }, (_, at) => formOf(schema, `${at}`));
      for (const form of all) await learn(cache, form);
      return all.filter((form) => cache.validate(form, bodyOf(1)) !== undefined).length;
    };
    assert.equal(await count(NUMBER, INLINE_LIMITS.forms + 20), INLINE_LIMITS.forms);
    const large = { allOf: Array.from({ length: 400 }, () => ({ type: 'number' })) };
    const held = await count(large, 40);
    assert.ok(held > 0 && held <= INLINE_LIMITS.totalSteps / 800, `${held}`);
  });

  it('forgets all forms when it is closed, and learns no more', async () => {
    const cache = open();
    const form = formOf(NUMBER);
    await learn(cache, form);
    cache.close();
    assert.equal(cache.validate(form, bodyOf(1)), undefined);
    await learn(cache, form);
    assert.equal(cache.validate(form, bodyOf(1)), undefined);
  });

  it('gives no result for a schema bomb, or the result of a thread', async () => {
    for (const { kind, body } of BOMBS.filter((bomb, at) => BOMBS[at + 1]?.kind !== bomb.kind)) {
      const bytes = body();
      if (bytes.length > INLINE_LIMITS.formBytes) continue;
      const { jsonSchema, formData } = parsed(bytes);
      const [form, data] = [formOf(jsonSchema), bodyOf(formData)];
      const cache = open();
      await learn(cache, form, bodyOf(1));
      const result = cache.validate(form, data);
      if (result) assert.deepEqual(result, withoutSteps(inThread(form, data)), kind);
    }
  });

  it('gives the results of a thread for random schemas and values', async () => {
    let known = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(...PAIR_DRAFTS.map(pairsOf)), async (pair) => {
        const [form, data] = [formOf(pair.schema), bodyOf(pair.data)];
        const cache = open();
        await learn(cache, form);
        const result = cache.validate(form, data);
        if (!result) return;
        known += 1;
        assert.deepEqual(result, withoutSteps(inThread(form, data)));
      }),
      { numRuns: 300 },
    );
    assert.ok(known > 50, `only ${known} forms became known`);
  });
});

function withoutSteps(result: TaskResult): TaskResult {
  return 'validation' in result ? { validation: result.validation } : result;
}

function parsed(bytes: Uint8Array): { readonly jsonSchema?: unknown; readonly formData?: unknown } {
  try {
    return JSON.parse(Buffer.from(bytes).toString()) as object;
  } catch {
    return {};
  }
}
