import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  bindingsOf,
  checkAll,
  csvColumns,
  csvToList,
  documentText,
  errorGroups,
  type FormSource,
  type Json,
  listToCsv,
  openAll,
  openForm,
  optionsFrom,
  plainValue,
  type Row,
  rowAt,
  rowsOf,
  withFilter,
  WrittenNumber,
  yangDocument,
} from '../../../console/src/form/model/index.js';

// Schemas, uiSchemas and data are untrusted: none of them may freeze or crash the page.

function rowIn(source: FormSource, pointer: string): Row {
  const row = rowAt(openForm(source), pointer);
  assert.ok(row, pointer);
  return row;
}

/**
 * Creates objects of `count` kinds, each with a member of every kind: as many places as there are
 * permutations.
 */
function everyoneKnowsEveryone(count: number): object {
  const names = Array.from({ length: count }, (_, at) => `d${at}`);
  const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
  return {
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries(names.map((name) => [name, { type: 'object', properties, required: names }])),
  };
}

describe('a hostile form', () => {
  it('with a schema that requires itself opens one level only', () => {
    const schema = { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] };
    const rows = rowsOf(openForm({ schema })).rows.map(({ id, open }) => `${id} ${open}`);
    assert.deepEqual(rows, ['/a true', '/a/a false']);
  });

  it('with schemas that reference each other has fewer than 300,000 empty rows', () => {
    const state = openForm({ schema: everyoneKnowsEveryone(10) });
    for (const seen of [openAll(state), withFilter(state, 'd1')]) {
      const { length } = rowsOf(seen).rows;
      assert.ok(length > 1000 && length < 300_000, String(length));
    }
  });

  it('with excessive conditions remains editable', () => {
    const numbers = Array.from({ length: 50_000 }, (_, at) => at);
    const when = (xpath: string) => ({ properties: { a: { type: 'string', 'x-yang-when': xpath } } });
    for (const xpath of [
      `${'('.repeat(20_000)}1${')'.repeat(20_000)}`,
      '../many = ../others',
      `../many${'/../many'.repeat(20)}`,
    ]) {
      const others = numbers.map((number) => -1 - number);
      const { disabled, when: said } = rowIn({ schema: when(xpath), data: { many: numbers, others } }, '/a');
      assert.deepEqual([disabled, said.map(({ holds }) => holds)], [false, [undefined]]);
    }
  });

  it('with a leafref that repeats its path still offers options', () => {
    const entries = Array.from({ length: 300 }, (_, at) => ({ name: `n${at}` }));
    const a = { type: 'string', 'x-yang-leafref': `/many${'/../many'.repeat(20)}/name` };
    const { editor } = rowIn({ schema: { properties: { a } }, data: { many: entries } }, '/a');
    assert.equal(editor.kind, 'combobox');
  });

  it('evaluates patternProperties a limited number of times', () => {
    let count = 0;
    const schema = {
      get patternProperties() {
        count += 1;
        return { '^x': { type: 'string' } };
      },
    };
    const state = openForm({ schema, data: { y: '1' } });
    rowsOf(state);
    const first = count;
    rowsOf(openAll(state));
    assert.ok(count - first < 3, `${count - first} times again`);
  });

  it('with names that are not strings has choices without names', () => {
    const evil = { toString: 1, valueOf: 1 };
    const uiSchema = { 'ui:choices': [{ name: evil, cases: [{ name: evil, members: ['a'] }] }] };
    const [row] = rowsOf(openForm({ schema: { properties: { a: { type: 'string' } } }, uiSchema })).rows;
    assert.equal(row?.kind, 'choice');
  });

  it('exports no formula to CSV, and reads its own CSV back unchanged', () => {
    const values = ['=HYPERLINK("http://x")', '+1+cmd', '-5', '@a', "'=a", '\t=a', "it's", '-'];
    const schema = { type: 'array', items: { type: 'string' } };
    const columns = csvColumns(openForm({ schema, data: values }), '');
    const text = listToCsv(openForm({ schema, data: values }), '', columns);
    const cells = text.split('\r\n').slice(1, -1);
    const found = cells.filter((cell) => /^"?[=+@\t-]/.test(cell));
    assert.deepEqual(found, ['-5']);
    assert.deepEqual(csvToList(openForm({ schema }), '', text).state.data, values);
  });

  it('limits the displayed options and truncates long texts', () => {
    const names = Array.from({ length: 5000 }, (_, at) => `v${at}`);
    const bits = { type: 'string', 'x-yang-bits': names.map((name) => ({ name })) };
    const title = 't'.repeat(1_000_000);
    const source = {
      schema: { properties: { bits, one: { enum: names, title, description: title } } },
      uiSchema: { one: { 'ui:widget': 'select', 'ui:help': title } },
    };
    const one = rowIn(source, '/one');
    assert.deepEqual([rowIn(source, '/bits').editor.kind, one.editor.kind], ['text', 'combobox']);
    for (const text of [one.title, one.description, one.help]) assert.ok((text ?? title).length < 20_000);
  });

  it('keeps all digits of offered options', () => {
    const bindingSchema = { properties: { a: { 'binding:link': 'x' } } };
    const [binding] = bindingsOf(openForm({ schema: {}, bindingSchema }));
    assert.ok(binding);
    const value: Json = new WrittenNumber('18446744073709551615');
    assert.deepEqual(optionsFrom(binding, [value, null, []]), [{ value, label: '18446744073709551615' }]);
  });
});

const KEYWORDS = `
      type properties items prefixItems oneOf anyOf allOf $ref enum const required if then else
      additionalProperties patternProperties dependentSchemas dependencies title default format
      maxItems $id $anchor x-yang x-yang-leafref x-yang-bits x-yang-key ui:order ui:widget ui:choices
      ui:options name members cases
    `
  .trim()
  .split(/\s+/);
const TEXTS = 'object array string integer null # #/properties/a #a a ^a ../a /a/b radio *'.split(' ');
const SCALARS = [...TEXTS, true, false, null, 3];

const { value: odd } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'large' },
    fc.constantFrom(...SCALARS),
    fc.dictionary(fc.constantFrom(...KEYWORDS, 'a', 'b', 'a/~b', '__proto__'), tie('value'), {
      maxKeys: 5,
      noNullPrototype: true,
    }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}));

/** Returns all texts of a row. */
function sayings(row: Row): readonly unknown[] {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(row)).filter(
    (name) => name !== 'constructor',
  );
  return names.map((name) => row[name as keyof Row]);
}

describe('a form of a random schema', () => {
  it('never throws, and keeps all data', () => {
    fc.assert(
      fc.property(odd, odd, odd, (schema, uiSchema, data) => {
        const state = openForm({ schema, uiSchema, data: data as Json });
        const { rows } = rowsOf(openAll(state));
        rows.slice(0, 200).forEach(sayings);
        rowsOf(withFilter(state, 'a')).rows.slice(0, 50).forEach(sayings);
        errorGroups(checkAll(state));
        yangDocument(state);
        const written: unknown = JSON.parse(documentText(state));
        assert.deepEqual(written, JSON.parse(JSON.stringify(plainValue(data as Json))));
      }),
      { numRuns: 400 },
    );
  });
});
