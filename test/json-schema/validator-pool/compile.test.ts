import assert from 'node:assert/strict';
import { compileSchema } from '../../../src/json-schema/engine/index.js';
import { createCompiler } from '../../../src/json-schema/validator-pool/compile.js';
import { performTask } from '../../../src/json-schema/validator-pool/run-task.js';

const DIALECT = 'http://json-schema.org/draft-07/schema';

describe('createCompiler', () => {
  it('reads and compiles each document once', () => {
    const compiler = createCompiler(compileSchema, {});
    let reads = 0;
    const compiled = (type: string) =>
      compiler.compileIn(Buffer.from(type), () => {
        reads += 1;
        return { schema: { type }, at: '/schema', dialect: DIALECT };
      });
    const outcomes = ['string', 'number', 'string', 'number'].map(
      (type) => compiled(type).validator.validate('text').outcome,
    );
    assert.deepEqual(outcomes, ['valid', 'invalid', 'valid', 'invalid']);
    assert.equal(reads, 2);
    assert.equal(compiled('string'), compiled('string'));
  });

  it('keeps a form and a schema of the same bytes apart', () => {
    const compiler = createCompiler(compileSchema, {});
    const bytes = Buffer.from('{"schema":false}');
    const form = { kind: 'validateForm', form: bytes, body: Buffer.from('{"formData":1}') } as const;
    const data = {
      kind: 'validateData',
      body: Buffer.from('{"jsonSchema":{"schema":false},"formData":1}'),
    } as const;
    const validOf = (task: typeof form | typeof data) => {
      const outcome = performTask(task, compiler);
      return 'validation' in outcome && outcome.validation.valid;
    };
    assert.deepEqual([form, data, form].map(validOf), [false, true, false]);
  });

  it('refuses an invalid schema each time', () => {
    const compiler = createCompiler(compileSchema, {});
    const wrong = () =>
      compiler.compileIn(Buffer.from('{}'), () => ({ schema: { type: 7 }, at: '/schema', dialect: DIALECT }));
    assert.throws(wrong, { code: 'schema_invalid' });
    assert.throws(wrong, { code: 'schema_invalid' });
  });
});
