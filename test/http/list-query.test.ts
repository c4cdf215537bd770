import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Problem } from '../../src/core/problem.js';
import { listSchema, queryList } from '../../src/http/list-query.js';
import { compileSchema } from '../../src/json-schema/compile.js';
import { anyText } from '../support/any-text.js';
import { column } from '../support/columns.js';

interface Row {
  readonly id: string;
  readonly [member: string]: unknown;
}

const shape = { nameOf: ({ id }: Row) => id };

const ROWS: readonly Row[] = [
  { id: 'nso2', state: 'RUNNING', pid: 7, connection: { state: 'ONLINE' }, brokers: ['aaa', 'device'] },
  { id: 'Gateway', state: 'DEAD', pid: 12, connection: { state: 'OFFLINE' }, brokers: [] },
  { id: 'nso10', state: 'RUNNING', pid: null, connection: { state: 'ONLINE' } },
  { id: 'local_gateway', state: 'STOPPED', pid: 3, connection: null },
];

function ids(query: string): readonly string[] {
  return queryList(ROWS, new URLSearchParams(query), shape).results.map(({ id }) => id);
}

describe('queryList', () => {
  it('returns what the query selects', () => {
    for (const [query, expected] of [
      ['', ['Gateway', 'local_gateway', 'nso10', 'nso2']],
      ['order=-1', ['nso2', 'nso10', 'local_gateway', 'Gateway']],
      ['limit=2', ['Gateway', 'local_gateway']],
      ['limit=2&skip=3', ['nso2']],
      ['skip=9', []],
      ['limit=0', []],
      ['limit=&skip=&order=', ['Gateway', 'local_gateway', 'nso10', 'nso2']],
      ['equals=nso2', ['nso2']],
      ['equals=NSO2', []],
      ['equals=nso2&equalsField=id', ['nso2']],
      ['equals=nso2&equalsField=name', ['nso2']],
      ['equals=nso2&equalsField=', ['nso2']],
      ['equals=', []],
      ['contains=gateway', ['Gateway', 'local_gateway']],
      ['contains=', ['Gateway', 'local_gateway', 'nso10', 'nso2']],
      ['startsWith=nso&contains=1', ['nso10']],
      ['equals=RUNNING&equalsField=state&startsWith=nso2', ['nso2']],
      ['equals=7&equalsField=pid', ['nso2']],
      ['equals=null&equalsField=pid', []],
      ['equals=OFFLINE&equalsField=connection.state', ['Gateway']],
      ['contains=&containsField=connection', []],
      ['equals=device&equalsField=brokers', ['nso2']],
      ['contains=&containsField=nothing', []],
      ['contains=f&containsField=toString', []],
      ['equals=nso2&equalsField=__proto__.id', []],
      ['sort=pid', ['local_gateway', 'nso2', 'Gateway', 'nso10']],
      ['sort=state', ['Gateway', 'nso2', 'nso10', 'local_gateway']],
      ['sort=nothing', ['nso2', 'Gateway', 'nso10', 'local_gateway']],
      ['skipActiveSync=true&token=abc&queryParameters=x&limit=1', ['Gateway']],
    ] as const)
      assert.deepEqual(ids(query), expected, query);
  });

  it('returns the number of matches independent of the page', () => {
    const total = (query: string) => queryList(ROWS, new URLSearchParams(query), shape).total;
    assert.deepEqual(['limit=0', 'skip=9', 'equals=nso2', 'equals=x'].map(total), [4, 4, 1, 0]);
  });

  it('returns 25 items by default', () => {
    const many = Array.from({ length: 40 }, (_, at) => ({ id: `a${at}` }));
    const { results, total } = queryList(many, new URLSearchParams(), shape);
    assert.deepEqual([results.length, total], [25, 40]);
  });

  it('reads fields from the record of an item', () => {
    const items = [{ data: { state: 'DEAD', name: 'a' } }, { data: { state: 'RUNNING', name: 'b' } }];
    const { results } = queryList(items, new URLSearchParams('equals=RUNNING&equalsField=state'), {
      nameOf: ({ data }) => data.name,
      recordOf: ({ data }) => data,
    });
    assert.deepEqual(results, [items[1]]);
  });

  for (const [query, pointers] of [
    ['limit=ten', ['/query/limit']],
    ['limit=1.5&skip=1e3&order=2', ['/query/limit', '/query/skip', '/query/order']],
    ['order=desc', ['/query/order']],
  ] as const)
    it(`rejects "${query}" at ${pointers.join(', ')}`, () => {
      assert.throws(
        () => ids(query),
        (error: unknown) => {
          assert.ok(error instanceof Problem && error.code === 'invalid_request');
          const told = error.extras.errors?.map(({ pointer }) => pointer);
          assert.deepEqual(told, pointers);
          return true;
        },
      );
    });

  it('sorts by code points, not by UTF-16 code units', () => {
    const rows = ['\u{1f600}', '\uffee', 'a', 'B'].map((id) => ({ id }));
    const { results } = queryList(rows, new URLSearchParams(), shape);
    assert.deepEqual(column(results, 'id'), ['B', 'a', '\uffee', '\u{1f600}']); // prettier-ignore
  });

  it('returns every match exactly once and in the same order for any page size (property)', () => {
    const row = fc.record({ id: anyText({ maxLength: 3 }), n: fc.option(fc.nat(3)) });
    const query = fc.record(
      {
        sort: fc.constantFrom('id', 'n', 'x'),
        order: fc.constantFrom('1', '-1'),
        contains: fc.string({ maxLength: 1 }),
        startsWith: fc.string({ maxLength: 1 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(row), query, fc.integer({ min: 1, max: 5 }), (rows, asked, size) => {
        const page = (limit: number, skip: number) =>
          queryList(rows, new URLSearchParams({ ...asked, limit: `${limit}`, skip: `${skip}` }), shape);
        const { results: whole, total } = page(1000, 0);
        assert.equal(whole.length, total);
        const pages = Array.from({ length: Math.ceil(total / size) }, (_, at) => page(size, at * size));
        const found = pages.flatMap(({ results }) => results);
        assert.deepEqual(found, whole);
        const isMatch = ({ id }: Row) =>
          id.toLowerCase().includes((asked.contains ?? '').toLowerCase()) &&
          id.toLowerCase().startsWith((asked.startsWith ?? '').toLowerCase());
        assert.deepEqual(new Set(whole), new Set(rows.filter(isMatch)));
        if (asked.sort === 'x') assert.deepEqual(whole, rows.filter(isMatch));
      }),
    );
  });

  it('fails only with a Problem for any query (property)', () => {
    const word = fc.oneof(
      fc.constantFrom('limit', 'sort', 'equals', 'equalsField', 'order', '1', 'id'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word)), (pairs) => {
        try {
          queryList(ROWS, new URLSearchParams(pairs), shape);
        } catch (error) {
          assert.ok(error instanceof Problem && error.status === 400);
        }
      }),
    );
  });

  it('returns a list that validates against the schema of lists', () => {
    const validate = compileSchema(
      listSchema('Rows', { type: 'object', required: ['id'], properties: { id: {} } }),
    );
    assert.deepEqual(validate(queryList(ROWS, new URLSearchParams(), shape)).violations, []);
    assert.equal(validate({ results: [{}], total: 1 }).violations.length, 1);
  });
});
