import assert from 'node:assert/strict';
import {
  checkAll,
  checkAt,
  errorsOf,
  type FormState,
  openAll,
  openForm,
  rowAt,
  rowsOf,
} from '../../../console/src/form/model/index.js';
import { columns } from '../../support/columns.js';
import { plain } from './apply-patch.js';
import { choose, clear, withEdits, set } from './edit.js';

type Schema = Readonly<Record<string, unknown>>;

const open = (schema: Schema, data?: unknown): FormState =>
  openAll(
    openForm({ schema: { type: 'object', ...schema }, ...(data !== undefined && { data: data as never }) }),
  );
const idsOf = (state: FormState): readonly string[] => rowsOf(state).rows.map(({ id }) => id);
const optionsOf = (state: FormState, id: string): readonly unknown[] => {
  const editor = rowAt(state, id)?.editor;
  return editor?.kind === 'select'
    ? editor.options.map(({ value, label }) => (value === label ? value : [value, label]))
    : [editor?.kind];
};
/** The groups of radio buttons, by the titles of their rows. */
const groupsOf = (state: FormState) =>
  rowsOf(state).rows.flatMap(({ title, alternatives }) =>
    alternatives ? [[title, alternatives.names]] : [],
  );

/** The dependency of a member, as forms for react-jsonschema-form write it. */
const depends = (name: string, branches: Readonly<Record<string, Schema>>) => ({
  oneOf: Object.entries(branches).map(([value, properties]) => ({
    properties: { [name]: { enum: [value] }, ...properties },
    required: Object.keys(properties),
  })),
});

const TWO_SELECTS: Schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  properties: {
    name: { type: 'string', title: 'Name' },
    mode: { type: 'string', title: 'Addressing', enum: ['static', 'dhcp'] },
    proto: { type: 'string', title: 'Protocol', enum: ['bgp', 'ospf'] },
  },
  dependencies: {
    mode: depends('mode', { static: { address: { type: 'string' } }, dhcp: {} }),
    proto: depends('proto', { bgp: { asn: { type: 'integer' } }, ospf: { area: { type: 'string' } } }),
  },
};

describe('two selects with dependencies', () => {
  it('are two selects with all their choices, without radio buttons and without a false error', () => {
    const empty = open(TWO_SELECTS);
    assert.deepEqual(idsOf(empty), ['/name', '/mode', '/proto']);
    const state = checkAll(
      withEdits(
        empty,
        set('/mode', 'static'),
        set('/proto', 'ospf'),
        set('/address', '192.0.2.1'),
        set('/area', '0'),
      ),
    );
    assert.deepEqual(idsOf(state), ['/name', '/mode', '/proto', '/address', '/area']);
    assert.deepEqual(groupsOf(state), []);
    assert.deepEqual(
      [optionsOf(state, '/mode'), optionsOf(state, '/proto')],
      [
        ['static', 'dhcp'],
        ['bgp', 'ospf'],
      ],
    );
    assert.deepEqual(errorsOf(state), []);
    const other = withEdits(state, clear('/area'), set('/proto', 'bgp'));
    assert.deepEqual(idsOf(other), ['/name', '/mode', '/proto', '/address', '/asn']);
  });

  it('accept each value when it is checked alone, and refuse a value that no branch has', () => {
    const alone = (value: string) =>
      checkAt(withEdits(open(TWO_SELECTS), set('/mode', value)), '/mode').errors.map(
        ({ keyword }) => keyword,
      );
    assert.deepEqual([alone('static'), alone('dhcp')], [[], []]);
    assert.deepEqual(alone('other'), ['enum']);
  });

  it('report a missing member of the selected branch at its field', () => {
    const state = checkAll(withEdits(open(TWO_SELECTS), set('/mode', 'static')));
    assert.deepEqual(columns(errorsOf(state), 'pointer', 'keyword'), [['/address', 'required']]);
  });
});

describe('a union below a dependency', () => {
  const modes = { static: { address: { type: 'string' } }, dhcp: {} };

  it('gives its values to a member without choices of its own', () => {
    const state = open({
      properties: { mode: { type: 'string' } },
      dependentSchemas: { mode: depends('mode', modes) },
    });
    assert.deepEqual(optionsOf(state, '/mode'), ['static', 'dhcp']);
    assert.deepEqual(optionsOf(withEdits(state, set('/mode', 'dhcp')), '/mode'), ['static', 'dhcp']);
  });

  it('keeps the titles and the order of the choices of the member, without those that no branch has', () => {
    const choices = [
      { const: 'none', title: 'None' },
      { const: 'dhcp', title: 'From a server' },
      { const: 'static', title: 'By hand' },
    ];
    const state = open({
      properties: { mode: { type: 'string', oneOf: choices } },
      dependentSchemas: { mode: depends('mode', modes) },
    });
    const wanted = [
      ['dhcp', 'From a server'],
      ['static', 'By hand'],
    ];
    assert.deepEqual(optionsOf(state, '/mode'), wanted);
    assert.deepEqual(optionsOf(withEdits(state, set('/mode', 'static')), '/mode'), wanted);
  });

  it('is selected by constants, by numbers, by a checkbox and by another declared member', () => {
    const byConstant = (name: string, values: readonly (string | number | boolean)[]) => ({
      oneOf: values.map((value) => ({
        properties: { [name]: { const: value }, [`of-${value}`]: { type: 'string' } },
      })),
    });
    const state = open({
      properties: {
        vlan: { type: 'integer', enum: [10, 20] },
        tagged: { type: 'boolean' },
        kind: { type: 'string' },
        name: { type: 'string' },
      },
      dependentSchemas: {
        vlan: byConstant('vlan', [10, 20]),
        tagged: byConstant('tagged', [true, false]),
        name: byConstant('kind', ['a', 'b']),
      },
    });
    assert.deepEqual(optionsOf(state, '/tagged'), ['checkbox']);
    const values = [set('/vlan', 20), set('/tagged', false), set('/name', 'x'), set('/kind', 'b')];
    const all = withEdits(state, ...values);
    assert.deepEqual(idsOf(all).slice(4), ['/of-20', '/of-false', '/of-b']);
    assert.deepEqual([optionsOf(all, '/kind'), groupsOf(all)], [['a', 'b'], []]);
  });

  it('is selected below the branch of another union', () => {
    const proto = (name: string, properties: object) => ({
      properties: { proto: { const: name }, ...properties },
    });
    const l2 = { properties: { mode: { const: 'l2' } } };
    const branch = {
      properties: { mode: { const: 'l3' }, proto: { type: 'string' } },
      oneOf: [proto('bgp', { asn: { type: 'integer' } }), proto('ospf', { area: { type: 'string' } })],
    };
    const properties = { mode: { type: 'string' } };
    const state = open({ properties, dependentSchemas: { mode: { oneOf: [l2, branch] } } });
    const l3 = withEdits(state, set('/mode', 'l3'));
    assert.deepEqual(idsOf(l3), ['/mode', '/proto']);
    assert.deepEqual(optionsOf(l3, '/proto'), ['bgp', 'ospf']);
    assert.deepEqual(idsOf(withEdits(l3, set('/proto', 'ospf'))), ['/mode', '/proto', '/area']);
  });

  it('keeps its radio buttons if the values of its branches overlap', () => {
    const branch = (title: string, values: readonly string[]) => ({
      title,
      properties: { mode: { enum: values }, [title]: { type: 'string' } },
    });
    const mode = { anyOf: [branch('one', ['a', 'b']), branch('two', ['b', 'c'])] };
    const schema = { properties: { mode: { type: 'string' } }, dependentSchemas: { mode } };
    const [[, names] = [], ...others] = groupsOf(open(schema, { mode: 'b' }));
    assert.deepEqual([names, others], [['one', 'two'], []]);
  });
});

const branchOf = (title: string, member: string, type = 'string') => ({
  title,
  properties: { [member]: { type } },
  required: [member],
});
const ADDRESSING = {
  title: 'Addressing',
  oneOf: [branchOf('By hand', 'address'), branchOf('From a server', 'server')],
};
const ROUTING = { title: 'Routing', oneOf: [branchOf('BGP', 'asn', 'integer'), branchOf('OSPF', 'area')] };
const TWO_UNIONS: Schema = { properties: { name: { type: 'string' } }, allOf: [ADDRESSING, ROUTING] };

describe('independent unions of one object', () => {
  it('have one group each, with the title of its part', () => {
    const groups = [
      ['Addressing', ['By hand', 'From a server']],
      ['Routing', ['BGP', 'OSPF']],
    ];
    assert.deepEqual(groupsOf(open(TWO_UNIONS)), groups);
    const inside = open({ properties: { service: { type: 'object', title: 'Service', ...TWO_UNIONS } } });
    assert.deepEqual(groupsOf(inside), groups);
    const [, ...members] = rowsOf(inside).rows.map(({ id, level }) => [id, level]);
    assert.deepEqual(members.at(-1), ['/service/name', 2]);
  });

  it("are chosen independently, and keep each other's members", () => {
    const [addressing = '', routing = ''] = idsOf(open(TWO_UNIONS));
    const state = withEdits(
      open(TWO_UNIONS),
      choose(addressing, 0),
      choose(routing, 1),
      set('/name', 'core1'),
      set('/address', '192.0.2.1'),
      set('/area', '0'),
    );
    assert.deepEqual(idsOf(state), [addressing, '/address', routing, '/area', '/name']);
    const switched = withEdits(state, choose(addressing, 1));
    assert.deepEqual(plain(switched.data), { name: 'core1', area: '0' });
    assert.deepEqual(rowAt(switched, addressing)?.alternatives?.stashed, [0]);
    assert.deepEqual(idsOf(switched), [addressing, '/server', routing, '/area', '/name']);
    const back = withEdits(switched, choose(addressing, 0));
    assert.deepEqual(plain(back.data), { name: 'core1', area: '0', address: '192.0.2.1' });
    const loaded = open(TWO_UNIONS, { address: 'a', area: 'b' });
    const found = [addressing, routing].map((id) => rowAt(loaded, id)?.alternatives?.chosen);
    assert.deepEqual(found, [0, 1]);
  });

  it('are two groups also if one schema has oneOf and anyOf', () => {
    const state = open({ oneOf: ADDRESSING.oneOf, anyOf: ROUTING.oneOf });
    assert.deepEqual(groupsOf(state), [
      ['By hand / From a server', ['By hand', 'From a server']],
      ['BGP / OSPF', ['BGP', 'OSPF']],
    ]);
  });

  it('have choices with different labels, and a title, whatever their branches are', () => {
    const same = (name: string) => ({ properties: { kind: { const: 'port' }, [name]: { type: 'string' } } });
    const nested = (title: string, prefix: string) => ({
      title,
      properties: { [prefix]: { type: 'string' } },
      oneOf: ['x', 'y'].map((name) => ({ title: name, properties: { [prefix + name]: { type: 'string' } } })),
    });
    const schemas: readonly Schema[] = [
      { oneOf: [same('a'), same('b'), same('c')] },
      { oneOf: [{ properties: { a: true } }, { properties: { b: true } }] },
      { anyOf: [nested('first', 'a'), nested('second', 'b')] },
      { allOf: [{ oneOf: [same('a'), same('b')] }, { anyOf: [same('c'), same('d')] }] },
    ];
    for (const schema of schemas)
      for (const data of [undefined, { a: '1' }])
        for (const [title, names] of groupsOf(
          open({ properties: { inside: { type: 'object', ...schema } } }, data && { inside: data }),
        )) {
          assert.notEqual(title, '');
          assert.equal(new Set(names).size, names?.length, String(names));
          assert.ok(!names?.includes(''), String(names));
        }
    const [group] = groupsOf(
      open({ properties: { inside: { type: 'object', ...schemas[2] } } }, { inside: {} }),
    );
    assert.deepEqual(group?.[1], ['first / x', 'first / y', 'second / x', 'second / y']);
  });
});
