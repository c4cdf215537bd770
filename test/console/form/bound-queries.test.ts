import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import {
  boundQueries,
  type FormState,
  type Json,
  openForm,
  readJson,
  type Row,
  rowAt,
  withDefault,
} from '../../../console/src/form/model/index.js';
import {
  boundNotes,
  createBindingLoader,
  type ResolveBinding,
} from '../../../console/src/form/view/binding-loader.js';
import type { FormController } from '../../../console/src/form/view/form-controller.js';
import { column } from '../../support/columns.js';
import { set, withEdits } from './edit.js';

const bound = (path: string, target = '/enum') => ({
  'binding:method': 'POST',
  'binding:target': target,
  'binding:hyperSchema': {
    links: [{ href: '/orchestrator_manager/restQuery/nso1.example.com', variables: { params: { path } } }],
  },
  'binding:source': { propertyPointer: '/list' },
});
const text = { type: 'string' };
const FORM = {
  schema: {
    properties: {
      site: { ...text, title: 'Site' },
      device: { ...text, title: 'Device' },
      links: { type: 'array', items: { properties: { device: text, port: text } } },
      gateway: text,
    },
  },
  bindingSchema: {
    properties: {
      device: bound('/sites={/site}'),
      links: { items: { properties: { port: bound('/devices={/links/*/device}?site={/site}') } } },
      gateway: bound('/gateway={/site}', '/default'),
    },
  },
};

function rowOf(state: FormState, pointer: string): Row {
  const row = rowAt(state, pointer);
  assert.ok(row);
  return row;
}

/** A form and the queries that its loader sent; `reply` answers the oldest one. */
function openBound(data: Json) {
  let state: FormState = openForm({ ...FORM, data });
  const announced: string[] = [];
  const sent: {
    readonly path: string;
    readonly values: object;
    readonly reply: (list: Json) => Promise<void>;
  }[] = [];
  const resolve: ResolveBinding = ({ path }, values) =>
    new Promise((settle) => {
      const reply = async (list: Json) => {
        settle({ list });
        await setImmediate();
      };
      sent.push({ path, values, reply });
    });
  const controller = {
    now: () => state,
    change: (next: FormState) => {
      state = next;
    },
    announce: (message: string) => announced.push(message),
  } as unknown as FormController;
  const loader = createBindingLoader(controller, resolve);
  loader.update();
  const edit = (pointer: string, value: Json) => {
    state = withEdits(state, set(pointer, value));
    loader.update();
  };
  return { edit, sent, announced, row: (pointer: string) => rowOf(state, pointer) };
}

describe('choices that depend on other fields', () => {
  it('fault 1: are asked for when all values are there, with the values, and again after a change', async () => {
    const { edit, sent, row, announced } = openBound({});
    assert.equal(sent.length, 0);
    assert.deepEqual(row('/device').bound, { state: 'missing', fields: ['Site'] });
    assert.match(boundNotes(row('/device'))[0] ?? '', /depend on Site/);
    edit('/site', 'ber');
    const [first] = sent;
    assert.deepEqual([first?.path, first?.values], ['/device', { '/site': 'ber' }]);
    await first?.reply(['ber-1', 'ber-2']);
    edit('/device', 'ber-1');
    assert.deepEqual(boundNotes(row('/device')), []);
    edit('/site', 'muc');
    assert.equal(row('/device').bound?.state, 'waiting');
    const latest = sent.findLast(({ path }) => path === '/device');
    assert.deepEqual(latest?.values, { '/site': 'muc' });
    await latest.reply(['muc-1']);
    assert.equal(row('/device').text, 'ber-1');
    assert.match(boundNotes(row('/device'))[0] ?? '', /^ber-1 is not among the options/);
    assert.match(announced[0] ?? '', /^Device: ber-1 is not among the new options/);
  });

  it('fault 1: discard a late reply to earlier values', async () => {
    const { edit, sent, row } = openBound({ site: 'ber' });
    edit('/site', 'muc');
    const [ofBer, ofMuc] = sent.filter(({ path }) => path === '/device');
    await ofMuc?.reply(['muc-1']);
    await ofBer?.reply(['ber-1']);
    const { bound: options } = row('/device');
    assert.deepEqual(options?.state === 'ready' && options.options.map(({ value }) => value), ['muc-1']);
  });

  it('fault 1: are those of the same entry of a list', async () => {
    const links = [{ device: 'ber-1' }, {}];
    const { sent, row } = openBound({ site: 'ber', links });
    const ports = sent.filter(({ path }) => path === '/links/*/port');
    assert.deepEqual(column(ports, 'values'), [{ '/links/*/device': 'ber-1', '/site': 'ber' }]);
    await ports[0]?.reply(['ge-0/0/0']);
    assert.equal(row('/links/0/port').bound?.state, 'ready');
    assert.equal(row('/links/1/port').bound?.state, 'missing');
  });

  it('keep all digits of a number', () => {
    const state = openForm({ ...FORM, data: readJson('{"site": 12345678901234567890}') });
    assert.deepEqual(boundQueries(state)[0]?.values, { '/site': '12345678901234567890' });
  });

  it('replace a default that nobody changed, and no other value', () => {
    const first = withDefault(openForm({ ...FORM, data: {} }), '/gateway', '192.0.2.1');
    const second = withDefault(first, '/gateway', '198.51.100.1');
    assert.equal(rowAt(second, '/gateway')?.text, '198.51.100.1');
    const typed = withEdits(second, set('/gateway', '203.0.113.1'));
    assert.equal(rowAt(withDefault(typed, '/gateway', '192.0.2.1'), '/gateway')?.text, '203.0.113.1');
  });
});
