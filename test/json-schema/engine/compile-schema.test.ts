import assert from 'node:assert/strict';
import { compileSchema } from '../../../src/json-schema/engine/index.js';
import { validatorOf } from './validator-of.js';

describe('compileSchema of the schema engine', () => {
  it('reports every error with instance path, keyword, schema path, member and title', () => {
    const schema = {
      required: ['b'],
      additionalProperties: false,
      properties: { 'a/~': { $ref: '#/$defs/name' }, b: { title: 'The B' } },
      $defs: { name: { type: 'string', title: 'The A', minLength: 2 } },
    };
    const { outcome, errors, truncated } = validatorOf(schema).validate({ 'a/~': 'y', c: 1 });
    assert.deepEqual([outcome, truncated], ['invalid', false]);
    const title = { title: 'The B', about: 'b' };
    const short = 'must NOT have fewer than 2 characters';
    const more = 'must NOT have additional properties: "c"';
    const error = (instancePath: string, schemaPath: string, message: string) => ({
      ...{ instancePath, schemaPath, message },
      keyword: schemaPath.split('/').at(-1),
    });
    assert.deepEqual(errors, [
      { ...error('', '/required', "must have required property 'b'"), ...title },
      { ...error('/a~1~0', '/$defs/name/minLength', short), title: 'The A' },
      { ...error('', '/additionalProperties', more), about: 'c' },
    ]);
  });

  it('refuses unsupported schemas, with the pointer and the reason', () => {
    const refused: readonly [schema: unknown, pointer: string, message: RegExp][] = [
      [7, '', /must be an object, true or false/],
      [{ $schema: 'http://json-schema.org/draft-03/schema#' }, '/$schema', /must be one of/],
      [{ not: { $ref: 'http://169.254.169.254/latest' } }, '/not/$ref', /nothing is fetched/],
      [{ $ref: 'file:///etc/passwd' }, '/$ref', /nothing is fetched/],
      [{ items: { $dynamicRef: '#x' } }, '/items/$dynamicRef', /not in the schema/],
      [{ $ref: '#/$defs/none' }, '/$ref', /not in the schema/],
      [{ $ref: '#/$defs/toString' }, '/$ref', /not in the schema/],
      [{ properties: { a: { pattern: '(?=a)' } } }, '/properties/a/pattern', /look-around/],
      [{ patternProperties: { '(a)\\1': {} } }, '/patternProperties/(a)\\1', /back-reference/],
      [{ properties: { a: { type: 'strin' } } }, '/properties/a/type', /allowed values/],
      [{ allOf: [] }, '/allOf', /fewer than 1 items/],
    ];
    for (const [schema, pointer, message] of refused) {
      const compiled = compileSchema(schema);
      assert.ok('faults' in compiled, JSON.stringify(schema));
      assert.equal(compiled.faults[0]?.pointer, pointer);
      assert.match(compiled.faults[0].message, message);
    }
  });

  it('validates schemas against the meta-schema of their draft', () => {
    for (const uri of [
      'http://json-schema.org/draft-07/schema',
      'https://json-schema.org/draft/2019-09/schema',
    ]) {
      const meta = validatorOf({ $schema: uri, $ref: uri });
      assert.equal(meta.validate({ properties: { a: { minLength: -1 } } }).outcome, 'invalid');
      assert.equal(meta.validate({ properties: { a: { minLength: 1 } } }).outcome, 'valid');
    }
  });

  it('resolves external references only from the registry, each in its own draft', () => {
    const registry = {
      'https://a.example/old': {
        $schema: 'http://json-schema.org/draft-07/schema#',
        $ref: '#/definitions/x',
        maximum: 1,
        definitions: { x: { type: 'integer' } },
      },
    };
    const validator = validatorOf({ $ref: 'https://a.example/old' }, { registry });
    assert.equal(validator.validate(7).outcome, 'valid', 'nothing beside $ref counts in draft 7');
    assert.equal(validator.validate('x').errors[0]?.schemaPath, 'https://a.example/old#/definitions/x/type');
  });

  it('asserts or annotates formats as configured, and ignores unknown formats', () => {
    assert.equal(validatorOf({ format: 'ipv4' }).validate('x').outcome, 'invalid');
    assert.equal(validatorOf({ format: 'ipv4' }, { formats: 'annotate' }).validate('x').outcome, 'valid');
    assert.equal(validatorOf({ format: 'unheard-of' }).validate('x').outcome, 'valid');
  });

  it('treats the names of Object.prototype as ordinary names', () => {
    const schema = {
      constructor: 1,
      toString: 'x',
      valueOf: null,
      __proto__: { type: 'null' },
      type: 'integer',
    };
    assert.equal(validatorOf(schema).validate(1).outcome, 'valid');
    assert.equal(validatorOf({ required: ['toString'] }).validate({}).outcome, 'invalid');
    assert.equal(validatorOf({ const: { toString: 1 } }).validate({ toString: 1 }).outcome, 'valid');
  });
});
