import assert from 'node:assert/strict';
import {
  applyEdit,
  checkAll,
  type FormState,
  type Json,
  openAll,
  openForm,
  paste,
  rowsOf,
  withFilter,
  writeJson,
  yangDocument,
} from '../../../console/src/form/model/index.js';
import { column } from '../../support/columns.js';
import { asModule, compileText } from '../../support/yang.js';
import { choose, withEdits } from './edit.js';
import { rowOf, rowsById } from './example-form.js';
import { option } from './option.js';

const MODULE = asModule(`identity kind; identity fast { base kind; } identity slow { base kind; }
   container top {
     list port { key "name unit"; leaf name { type string; } leaf unit { type uint8; }
       leaf speed { type uint64; units bit/s; default 10; description "How fast."; }
       leaf kind { type identityref { base kind; } }
       leaf burst { when "../kind = 'm:fast'"; type uint32; }
       leaf limit { must ". < 5" { error-message "less"; } type uint8; } }
     leaf main { type leafref { path "/m:top/m:port/m:name"; } }
     leaf flags { type bits { bit up; bit down { description "is down"; } } }
     leaf quiet { type empty; }
     leaf either { type union { type uint8; type enumeration { enum auto; } } }
     container tls { presence "TLS is on"; leaf version { type string; } }
     leaf-list alias { type string; ordered-by user; }
     choice auth { default local;
       case local { leaf user { type string; } leaf password { type string; } }
       case remote { leaf server { type string; } choice how { leaf tcp { type uint16; } leaf udp { type uint16; } } } } } `);

const { schema, uiSchema } = compileText(MODULE);

function form(top: Json = {}): FormState {
  return openForm({ schema, uiSchema, data: { 'm:top': top } });
}

const PORTS = [
  { name: 'a', unit: 1, kind: 'm:slow' },
  { name: 'b', unit: 2, speed: '18446744073709551615', kind: 'm:fast' },
];

describe('a form of a YANG model', () => {
  it('titles entries by their keys, and shows the statements of the model', () => {
    const state = form({ port: PORTS });
    assert.equal(rowOf(state, '/m:top/port/1').title, '[b 2]');
    const speed = rowOf(state, '/m:top/port/1/speed');
    const found = [speed.type, speed.units, speed.defaultValue, speed.description, speed.text];
    assert.deepEqual(found, ['uint64', 'bit/s', '10', 'How fast.', '18446744073709551615']);
    assert.deepEqual(rowOf(state, '/m:top/port').list?.keys, ['name', 'unit']);
    assert.deepEqual(rowOf(state, '/m:top/port/0/limit').must, [
      { xpath: '. < 5', message: 'less', holds: undefined },
    ]);
  });

  it('offers the values that leafref, identityref, bits and empty allow', () => {
    const state = form({ port: PORTS });
    assert.deepEqual(rowOf(state, '/m:top/main').editor, {
      kind: 'combobox',
      source: 'leafref',
      options: [option('a', 'a'), option('b', 'b')],
    });
    const kind = rowOf(state, '/m:top/port/0/kind').editor;
    assert.ok(kind.kind === 'combobox' && kind.source === 'identityref');
    assert.deepEqual(kind.options.map(({ label }) => label).toSorted(), ['m:fast', 'm:slow']);
    assert.deepEqual(rowOf(state, '/m:top/flags').editor, {
      kind: 'bits',
      options: [option('up', 'up'), { value: 'down', label: 'down', description: 'is down' }],
    });
    assert.deepEqual(rowOf(state, '/m:top/quiet').editor, { kind: 'empty', value: [null] });
    assert.equal(rowOf(state, '/m:top/either').kind, 'leaf');
  });

  it('evaluates the conditions that it supports', () => {
    const state = form({ port: PORTS });
    assert.deepEqual(rowOf(state, '/m:top/port/0/burst').when, [
      { xpath: "../kind = 'm:fast'", holds: false },
    ]);
    assert.equal(rowOf(state, '/m:top/port/0/burst').disabled, true);
    assert.equal(rowOf(state, '/m:top/port/1/burst').disabled, false);
  });

  it('switches presence on and off', () => {
    const on = applyEdit(form(), { kind: 'presence', pointer: '/m:top/tls', present: true });
    assert.equal(rowOf(on, '/m:top/tls').filled, true);
    assert.deepEqual(applyEdit(on, { kind: 'presence', pointer: '/m:top/tls', present: false }).data, {
      'm:top': {},
    });
  });

  it('shows the active case, and keeps the data of the other case', () => {
    const id = '/m:top/~choice:auth';
    const state = form({ user: 'u', password: 'p' });
    const alternatives = { names: ['local', 'remote'], chosen: 0, stashed: [], mandatory: false };
    assert.deepEqual(rowOf(state, id).alternatives, alternatives);
    assert.equal(rowOf(state, '/m:top/user').parent, id);
    assert.equal(rowOf(form(), id).alternatives?.chosen, 0);
    const remote = withEdits(state, choose(id, 1));
    assert.deepEqual(remote.data, { 'm:top': {} });
    assert.deepEqual(rowOf(remote, id).alternatives?.stashed, [0]);
    const inner = withEdits(remote, choose(`${id}:how`, 1));
    assert.ok(rowsById(inner).has('/m:top/udp') && !rowsById(inner).has('/m:top/tcp'));
    assert.deepEqual(withEdits(inner, choose(id, 0)).data, {
      'm:top': { user: 'u', password: 'p' },
    });
  });

  it('shows data of two cases, and reports it as invalid', () => {
    const state = checkAll(form({ user: 'u', server: 's' }));
    assert.ok(rowsById(state).has('/m:top/user') && rowsById(state).has('/m:top/server'));
    assert.equal(state.validationResult, 'invalid');
  });

  it('accepts pasted lines in the notations of devices', () => {
    const lines =
      'm:top/port[name=a][unit=1]/speed 5\n# remark\n/top/port=b,2/kind m:fast\ntop/alias x\ntop/alias y\ntop/nothing 1\ntop/either 7';
    const { state, applied, problems } = paste(form(), '', lines);
    const [a, b] = [
      { name: 'a', unit: 1, speed: '5' },
      { name: 'b', unit: 2, kind: 'm:fast' },
    ] as const;
    assert.deepEqual(state.data, { 'm:top': { port: [a, b], alias: ['x', 'y'], either: 7 } });
    assert.deepEqual([applied, problems], [5, [{ line: 6, reason: 'noField', path: 'top/nothing' }]]);
    assert.equal(state.past.length, 1);
  });

  it('accepts pasted JSON, and merges entries by their keys', () => {
    const json = '{"port":[{"name":"b","unit":2,"speed":"7"},{"name":"c","unit":3}]}';
    const { state } = paste(form({ port: PORTS, main: 'a' }), '/m:top', json);
    const port = [PORTS[0], { ...PORTS[1], speed: '7' }, { name: 'c', unit: 3 }];
    assert.deepEqual(state.data, { 'm:top': { port, main: 'a' } });
    assert.equal(paste(form(), '/m:top', '[1]').problems.length, 1);
    assert.equal(paste(form(), '/m:top', '{oops').problems[0]?.reason, 'noJson');
  });

  it('is written according to RFC 7951', () => {
    const state = form({ tls: {}, main: 'a', port: [{ speed: '1', unit: 1, name: 'a' }], unknown: [1] });
    assert.equal(
      writeJson(yangDocument(state)),
      '{"m:top":{"port":[{"name":"a","unit":1,"speed":"1"}],"main":"a","tls":{},"unknown":[1]}}',
    );
  });

  it('is searched by leafref', () => {
    assert.deepEqual(column(rowsOf(withFilter(form(), 'type:leafref')).rows, 'id'), [
      '/m:top',
      '/m:top/main',
    ]);
  });
});

const SHARED =
  asModule(`grouping g { container port { leaf b { type string; } choice way { case one { leaf x { type string; } } case two { leaf y { type string; } } }
   leaf mode { type enumeration { enum on { description "Forwards"; } enum off; } } } }
   container left { uses g; } container right { uses g; }`);

describe('a form with ui:definitions', () => {
  const { schema, uiSchema } = compileText(SHARED);

  it('shows the choices of a definition wherever it is used', () => {
    assert.ok(Object.hasOwn(uiSchema, 'ui:definitions'));
    const { rows } = rowsOf(openAll(openForm({ schema, uiSchema })));
    const found = rows.map(({ id }) => id).filter((id) => id.includes('~choice'));
    assert.deepEqual(found, ['/m:left/port/~choice:way', '/m:right/port/~choice:way']);
  });

  it('lets the uiSchema of a location go before that of the definition', () => {
    const own = { ...uiSchema, 'm:left': { port: { b: { 'ui:title': 'Own title' } } } };
    const { rows } = rowsOf(openAll(openForm({ schema, uiSchema: own })));
    const titleOf = (id: string) => rows.find((row) => row.id === id)?.title;
    assert.deepEqual([titleOf('/m:left/port/b'), titleOf('/m:right/port/b')], ['Own title', 'b']);
  });
});
