import assert from 'node:assert/strict';
import { once, setMaxListeners } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Problem } from '../../../src/core/problem.js';
import { openSchemaValidator } from '../../../src/features/forms/schema-validator.js';
import type {
  SchemaValidationResult,
  TaskCaller,
} from '../../../src/json-schema/validator-pool/schema-validator.js';
import type {
  ValidatorOptions,
  OpenValidatorPool,
} from '../../../src/json-schema/validator-pool/validator-pool.js';
import { systemScheduler } from '../../../src/lib/clock.js';
import { compileYang } from '../../../src/yang/compile.js';
import { column } from '../../support/columns.js';
import { memoryYangModels } from '../../support/yang-models.js';
import { asModule } from '../../support/yang.js';

const CALLER = { signal: new AbortController().signal };
const WIDE_LIMITS = { maxBytes: 10_000_000, validateTimeoutMs: 60_000, validateMemoryMb: 256 };

function bodyOf(jsonSchema: unknown, formData: unknown): Buffer {
  return Buffer.from(JSON.stringify({ jsonSchema, formData }));
}

/** A schema whose validation practically never ends. */
const ENDLESS = { anyOf: Array.from({ length: 8 }, () => ({ type: 'array', items: { $ref: '#' } })) };
const DEEP = Array.from({ length: 30 }).reduce((inner) => [inner], 1);

describe('the validator pool', () => {
  let pool: OpenValidatorPool;
  const pools: OpenValidatorPool[] = [];

  const open = (options: Partial<ValidatorOptions>): OpenValidatorPool => {
    const defaults = { yangModels: memoryYangModels(), ...WIDE_LIMITS, scheduler: systemScheduler };
    const opened = openSchemaValidator({ ...defaults, ...options });
    pools.push(opened);
    return opened;
  };
  const validate = (schema: unknown, data: unknown): Promise<SchemaValidationResult> =>
    pool.validateData(bodyOf(schema, data), CALLER);
  const problemOf = async (work: Promise<unknown>): Promise<Problem> => {
    const error = await work.then(
      () => 'it was not refused',
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof Problem, String(error));
    return error;
  };

  before(() => {
    pool = open({});
  });

  after(() => Promise.all(pools.map((item) => item.close())));

  it('refuses a body that is larger than forms.maxBytes, also for a form that is used often', async () => {
    const small = open({ maxBytes: 100 });
    const form = Buffer.from(JSON.stringify({ schema: { type: 'string' } }));
    const bodyWith = (text: string): Buffer => Buffer.from(JSON.stringify({ formData: text }));
    for (let use = 0; use < 4; use += 1)
      assert.equal((await small.validateForm(form, bodyWith('a'), CALLER)).valid, true);
    const large = bodyWith('a'.repeat(100));
    for (const work of [small.validateForm(form, large, CALLER), small.validateData(large, CALLER)])
      assert.equal((await problemOf(work)).code, 'body_too_large');
  });

  it('enforces the YANG rules in a schema', async () => {
    const text = asModule(
      'list l { key "k"; unique u; leaf k { type int64; } leaf u { type string; } } leaf-list b { type bits { bit x; bit y; } }',
    );
    for (const draft of ['2020-12', '07'] as const) {
      const compiled = compileYang([{ file: 'm.yang', text }], { draft });
      assert.ok('modules' in compiled);
      const schema = compiled.modules[0]?.schema;
      const found = (await validate(schema, { 'm:l': [{ k: '5' }, { k: '6' }], 'm:b': ['x', 'y'] })).valid;
      assert.equal(found, true);
      const l = (...entries: readonly object[]) => ({ 'm:l': entries });
      for (const [data, path, keyword] of [
        [l({ k: '5' }, { k: '5', u: '' }), '/m:l/1', 'x-yang'],
        [l({ k: '5', u: '' }, { k: '6', u: '' }), '/m:l/1', 'x-yang'],
        [{ 'm:b': ['x y', 'y x'] }, '/m:b/1', 'x-yang'],
        [l({ k: '5' }, { k: '5' }), '/m:l', 'uniqueItems'],
      ] as const) {
        const { valid, errors } = await validate(schema, data);
        assert.deepEqual([valid, errors[0]?.instancePath, errors[0]?.keyword], [false, path, keyword]);
      }
    }
  });

  it('survives malformed YANG rules', async () => {
    const yang = { kind: 'module', keys: [[['a']], null, {}], unique: [{}, ['__proto__/constructor']] };
    const odd = { 'x-yang-range': [['a', {}], [], 1], 'x-yang-number': 1e9, 'x-yang-length': ['', ['-']] };
    const schema = { 'x-yang': yang, properties: { a: odd }, items: { $ref: '#' } };
    assert.equal((await validate(schema, { a: '1.5' })).valid, false);
    assert.equal((await validate(schema, [{}, {}, { a: 1 }])).valid, true);
  });

  it('applies the draft in $schema, with or without #, over http or https', async () => {
    const drafts = [
      ['http://json-schema.org/draft-04/schema#', { maximum: 3, exclusiveMaximum: true }],
      ['http://json-schema.org/draft-06/schema#', { exclusiveMaximum: 3, if: {}, then: false }],
      ['http://json-schema.org/draft-07/schema', { if: true, then: { exclusiveMaximum: 3 } }],
      ['https://json-schema.org/draft/2019-09/schema', { $recursiveAnchor: true, exclusiveMaximum: 3 }],
      ['https://json-schema.org/draft/2020-12/schema#', { prefixItems: [true], exclusiveMaximum: 3 }],
      ['https://json-schema.org/draft-07/schema#', { exclusiveMaximum: 3 }],
    ] as const;
    for (const [$schema, rules] of drafts) {
      const results = [await validate({ $schema, ...rules }, 2), await validate({ $schema, ...rules }, 3)];
      assert.deepEqual(column(results, 'valid'), [true, false], $schema);
    }
    const unknown = await problemOf(validate({ $schema: 'http://json-schema.org/draft-03/schema#' }, 1));
    const found = [unknown.code, unknown.extras.errors?.[0]?.pointer];
    assert.deepEqual(found, ['schema_invalid', '/jsonSchema/$schema']);
  });

  it('reports at most 100 errors, and whether there are more', async () => {
    const { errors, truncated } = await validate({ items: { type: 'string' } }, Array(101).fill(1));
    assert.deepEqual([errors.length, truncated], [100, true]);
  });

  it('accepts unknown keywords and field ids, as existing forms contain them', async () => {
    const schema = { id: 'x', 'ui:order': ['*'], properties: { a: { $id: '/properties/a', _id: 'y', type: 'string' } } }; // prettier-ignore
    const form = Buffer.from(JSON.stringify({ schema }));
    const { valid } = await pool.validateForm(form, Buffer.from('{"formData":{"a":"b"}}'), CALLER);
    assert.equal(valid, true);
  });

  it('truncates a long instance path', async () => {
    const data = { ['x'.repeat(100_000)]: 1 };
    const { errors } = await validate({ additionalProperties: { type: 'string' } }, data);
    assert.equal(errors[0]?.instancePath.length, 1025);
  });

  it('keeps schemas with the same $id apart', async () => {
    for (const type of ['string', 'integer'])
      assert.equal((await validate({ $id: 'https://a.example/x', type }, 1)).valid, type === 'integer');
  });

  it('F2: opens no connection for a reference', async () => {
    let connections = 0;
    const server = createServer(() => (connections += 1)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await problemOf(validate({ $ref: `http://127.0.0.1:${port}/schema` }, 1));
    const body = JSON.stringify({ jsonSchema: { $ref: `http://127.0.0.1:${port}/schema` } });
    const { code } = await problemOf(pool.decode(Buffer.from(body), { type: 'object' }, CALLER));
    assert.equal(code, 'schema_invalid');
    server.close();
    await once(server, 'close');
    assert.equal(connections, 0);
  });

  it('F2: changes no prototype', async () => {
    const schema =
      '{"properties": {"__proto__": {"default": {"x": 1}}}, "default": {"__proto__": {"x": 1}}, "required": ["toString"]}';
    const body = Buffer.from(`{"jsonSchema": ${schema}, "formData": {"__proto__": {"x": 1}}}`);
    assert.equal((await pool.validateData(body, CALLER)).valid, false);
    assert.equal(({} as { x?: number }).x, undefined);
  });

  it('F2: ends validations that exceed the time limit, without blocking the main loop', async () => {
    const strict = open({ validateTimeoutMs: 20 });
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 0);
    const bombs = Array.from({ length: 4 }, () =>
      problemOf(strict.validateData(bodyOf(ENDLESS, DEEP), CALLER)),
    );
    for (const { code, message } of await Promise.all(bombs)) {
      assert.equal(code, 'schema_too_costly');
      assert.equal(message, 'Applying the schema takes longer than 20 ms (forms.validateTimeoutMs).');
    }
    clearInterval(turning);
    assert.ok(turns > 4, 'the main loop stood still');
    assert.equal((await open({}).validateData(bodyOf({}, 1), CALLER)).valid, true);
  });

  it('F2: ends validations that exceed the memory limit', async () => {
    const small = open({ validateMemoryMb: 32 });
    const schema = {
      anyOf: Array.from({ length: 20_000 }, (_, at) => ({ properties: { [`p${at}`]: { minLength: at } } })),
    };
    const problem = await problemOf(small.validateData(bodyOf(schema, {}), CALLER));
    assert.equal(problem.code, 'schema_too_costly');
    assert.equal(problem.message, 'Applying the schema needs more than 32 MB (forms.validateMemoryMb).');
    assert.equal((await small.validateData(bodyOf({}, 1), CALLER)).valid, true);
  });

  it('F2: refuses schemas that are too deep or circular', async () => {
    const nested = (depth: number): object => (depth === 0 ? {} : { not: nested(depth - 1) });
    assert.equal((await problemOf(validate(nested(100), 1))).code, 'invalid_json');
    const cycle = await problemOf(validate({ $ref: '#' }, 1));
    assert.equal(cycle.code, 'schema_invalid');
    assert.deepEqual(
      cycle.extras.errors?.map(({ pointer }) => pointer),
      ['/jsonSchema/$ref'],
    );
    const conditional = { anyOf: [{ type: 'string' }, { $ref: '#' }] };
    assert.equal((await problemOf(validate(conditional, 1))).code, 'schema_too_costly');
  });

  const callerOf = (subject: string, signal = new AbortController().signal): TaskCaller => ({
    principal: { subject, issuer: 'https://idp.test', roles: ['engineering'], expiresAt: 0 },
    signal,
  });

  it('limits the number of waiting validations, and cancels those whose callers have left', async () => {
    const busy = open({});
    const leaving = new AbortController();
    setMaxListeners(0, leaving.signal);
    const validations = Array.from({ length: 66 }, (_, at) =>
      busy.validateData(bodyOf(ENDLESS, DEEP), callerOf(`caller ${at % 5}`, leaving.signal)),
    );
    const settled = Promise.allSettled(validations);
    const refused = await problemOf(busy.validateData(bodyOf({}, 1), callerOf('another caller')));
    assert.equal(refused.code, 'validation_busy');
    leaving.abort(new Error('left'));
    const reasons = (await settled).map((item) => item.status === 'rejected' && String(item.reason));
    assert.equal(reasons.filter((reason) => reason === 'Error: left').length, 64);
    assert.equal((await busy.validateData(bodyOf({}, 1), CALLER)).valid, true);
  });

  it('finding F11: the validations of one caller do not delay those of another caller', async () => {
    const busy = open({});
    const unsettled = new Set<number>();
    const costly = Array.from({ length: 18 }, async (_, at) => {
      unsettled.add(at);
      const problem = await problemOf(busy.validateData(bodyOf(ENDLESS, DEEP), callerOf('mallory')));
      unsettled.delete(at);
      return problem.code;
    });
    assert.equal((await busy.validateData(bodyOf({}, 1), callerOf('alice'))).valid, true);
    assert.ok(unsettled.size > 10, `only ${unsettled.size} of the earlier validations wait`);
    await busy.close();
    await Promise.all(costly);
  });

  it('finding F11: one caller cannot fill the queue', async () => {
    const busy = open({});
    const costly = Array.from({ length: 40 }, () =>
      problemOf(busy.validateData(bodyOf(ENDLESS, DEEP), callerOf('mallory'))),
    );
    const refused = await Promise.any(costly);
    const found = [refused.code, refused.message];
    assert.deepEqual(found, ['validation_busy', 'Too many validations are waiting.']);
    const trivial = busy.validateData(bodyOf({}, 1), callerOf('alice')).catch((error: unknown) => error);
    await busy.close();
    const end = await trivial;
    assert.ok(end instanceof Problem && end.message === 'The server is stopping.', 'it waited');
    await Promise.all(costly);
  });

  it('refuses waiting validations when it is closed', async () => {
    const closing = open({});
    const work = problemOf(closing.validateData(bodyOf(ENDLESS, DEEP), CALLER));
    await closing.close();
    assert.equal((await work).code, 'validation_busy');
    assert.equal((await problemOf(closing.validateData(bodyOf({}, 1), CALLER))).code, 'validation_busy');
  });
});
