import assert from 'node:assert/strict';
import { compilePattern } from '../../../src/json-schema/engine/ecma-pattern.js';
import { openModules } from '../../../src/yang/compile.js';
import { EncodingFault, type InstanceModel } from '../../../src/yang/encoding/instance-model.js';
import { elementsOf } from '../../../src/yang/encoding/json-to-xml.js';
import { unpackModel } from '../../../src/yang/encoding/model-bytes.js';
import type { NodeSelection } from '../../../src/yang/encoding/node-selection.js';
import { packModel } from '../../../src/yang/encoding/packed-model.js';
import { parseXml } from '../../../src/yang/encoding/parse-xml.js';
import { elementsAt, elementsOfPath, readResourcePath } from '../../../src/yang/encoding/resource-path.js';
import { writeXml } from '../../../src/yang/encoding/write-xml.js';
import type { XmlElement } from '../../../src/yang/encoding/xml-element.js';
import { objectOf } from '../../../src/yang/encoding/xml-to-json.js';
import { sourcesOf, yang11 } from '../../support/yang.js';

const A = yang11(
  'a',
  `identity kind; identity copper { base kind; }
   container top {
     leaf name { type string; }
     leaf small { type int16; } leaf big { type uint64; } leaf rate { type decimal64 { fraction-digits 2; } }
     leaf on { type boolean; } leaf mark { type empty; } leaf raw { type binary; }
     leaf kind { type identityref { base kind; } }
     leaf at { type instance-identifier { require-instance false; } }
     leaf either { type union { type uint8; type enumeration { enum auto; } type identityref { base kind; } type string { pattern 'x.*'; } } }
     leaf ref { type leafref { path "../small"; } }
     leaf-list tag { type uint32; }
     list port { key "slot name"; leaf name { type string; } leaf slot { type uint8; } leaf mtu { type uint16; }
       container state { config false; leaf up { type boolean; } leaf octets { type uint64; } }
       action reset { input { leaf hard { type boolean; } } } }
     anydata extra;
     choice way { case one { leaf one { type string; } } leaf two { type string; } }
   }
   rpc restart { input { leaf delay { type uint8; } leaf why { type string; } } output { leaf done { type boolean; } } }`,
);
const B = yang11(
  'b',
  `import a { prefix a; } identity fiber { base a:kind; }
   augment /a:top { leaf color { type string; } container box { leaf size { type int8; } } }`,
);

function openModel(): InstanceModel {
  const linked = openModules(sourcesOf([A, B]));
  if ('faults' in linked) assert.fail(JSON.stringify(linked.faults));
  return unpackModel(structuredClone(packModel(linked.value)), compilePattern);
}

const model = openModel();

function parse(text: string): XmlElement {
  return parseXml(Buffer.from(text), { bytes: 100_000, depth: 50, memory: 10_000_000 });
}

function json(content: string, selection: NodeSelection = {}): unknown {
  const data = parse(`<data xmlns:a="urn:a" xmlns:b="urn:b">${content}</data>`);
  return objectOf(data.children, model.top, { model, selection });
}

function xml(object: unknown): string {
  return elementsOf(object, model.top, { model })
    .map((element) => writeXml(element))
    .join('');
}

function faultOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof EncodingFault, String(error));
    return `${error.place} ${error.message}`;
  }
  return 'no fault';
}

/** The fault of an XML document. */
const faultIn = (content: string): string => faultOf(() => json(content));

/** Documents in both encodings: the JSON, and the content of the element `top`. */
const PAIRS: Readonly<Record<string, readonly [json: Readonly<Record<string, unknown>>, xml: string]>> = {
  'a string with what XML escapes': [
    { name: 'a <b> & "c"\n' },
    '<name>a &lt;b&gt; &amp; &quot;c&quot;&#10;</name>',
  ],
  numbers: [
    { small: -5, big: '18446744073709551615', rate: '1.5' },
    '<small>-5</small><big>18446744073709551615</big><rate>1.5</rate>',
  ],
  'a boolean and an empty leaf': [{ on: false, mark: [null] }, '<on>false</on><mark/>'],
  binary: [{ raw: 'AQID' }, '<raw>AQID</raw>'],
  'an identity of the own module': [{ kind: 'a:copper' }, '<kind xmlns:a="urn:a">a:copper</kind>'],
  'an identity of another module': [{ kind: 'b:fiber' }, '<kind xmlns:b="urn:b">b:fiber</kind>'],
  'an instance-identifier': [
    { at: "/a:top/port[slot='1'][name='x:y']/state" },
    `<at xmlns:a="urn:a">/a:top/a:port[a:slot='1'][a:name='x:y']/a:state</at>`,
  ],
  'an instance-identifier across modules': [
    { at: '/a:top/b:box/size' },
    '<at xmlns:a="urn:a" xmlns:b="urn:b">/a:top/b:box/b:size</at>',
  ],
  'a union by its number': [{ either: 7 }, '<either>7</either>'],
  'a union by its enum': [{ either: 'auto' }, '<either>auto</either>'],
  'a union by its identity': [{ either: 'b:fiber' }, '<either xmlns:b="urn:b">b:fiber</either>'],
  'a union by its pattern': [{ either: 'x300' }, '<either>x300</either>'],
  'a leafref': [{ small: 1, ref: 1 }, '<small>1</small><ref>1</ref>'],
  'a leaf-list': [{ tag: [2, 1] }, '<tag>2</tag><tag>1</tag>'],
  'list entries': [
    {
      port: [
        { slot: 1, name: 'p', mtu: 9000 },
        { slot: 2, name: 'p' },
      ],
    },
    '<port><slot>1</slot><name>p</name><mtu>9000</mtu></port><port><slot>2</slot><name>p</name></port>',
  ],
  'a case of a choice': [{ one: 'x' }, '<one>x</one>'],
  'nodes of another module': [
    { 'b:color': 'red', 'b:box': { size: 1 } },
    '<color xmlns="urn:b">red</color><box xmlns="urn:b"><size>1</size></box>',
  ],
  anydata: [
    { extra: { 'b:box': { size: '1', n: ['2', '3'] } } },
    '<extra><box xmlns="urn:b"><size>1</size><n>2</n><n>3</n></box></extra>',
  ],
};

describe('the encodings of instance data', () => {
  it('write and read each type', () => {
    for (const [name, [object, content]] of Object.entries(PAIRS)) {
      assert.equal(xml({ 'a:top': object }), `<top xmlns="urn:a">${content}</top>`, name);
      assert.deepEqual(json(`<top xmlns="urn:a">${content}</top>`), { 'a:top': object }, name);
    }
  });

  it('read other lexical forms', () => {
    const content =
      '<top xmlns="urn:a"><small> +5 </small><raw>AQ\n ID</raw><kind>copper</kind><on> true</on></top>';
    assert.deepEqual(json(content), { 'a:top': { small: 5, raw: 'AQID', kind: 'a:copper', on: true } });
  });

  it('return a value as a string that its type does not have', () => {
    assert.deepEqual(json('<top xmlns="urn:a"><small>many</small><on>1</on><either>y</either></top>'), {
      'a:top': { small: 'many', on: '1', either: 'y' },
    });
  });

  it('refuse elements without a schema', () => {
    const found = faultOf(() => json('<other xmlns="urn:c"/>'));
    assert.match(found, /"other" of the namespace "urn:c", for which the adapter has no schema/);
    const actual = faultOf(() => json('<top xmlns="urn:a"><other/></top>'));
    assert.match(actual, /^\/a:top has "other" of the module "a"/);
    assert.match(faultIn('<top xmlns="urn:a"><name>a</name><name>b</name></top>'), /name occurs twice/);
  });

  it('find elements without the namespace of their module by their names, those of the parent first', () => {
    const content =
      '<top><name>x</name><color>red</color><port><slot>1</slot><name>p</name><mtu>9000</mtu></port></top>';
    const port = [{ slot: 1, name: 'p', mtu: 9000 }];
    assert.deepEqual(json(content), { 'a:top': { name: 'x', 'b:color': 'red', port } });
    const netconf = parse(`<data xmlns="urn:ietf:params:xml:ns:netconf:base:1.0">${content}</data>`);
    const { steps } = readResourcePath('/a:top/port=1,p/mtu', model);
    assert.deepEqual(
      elementsAt(netconf, steps, model).map(({ text }) => text),
      ['9000'],
    );
    assert.match(faultIn('<top xmlns="urn:other"/>'), /"top" of the namespace "urn:other"/);
  });

  it('keep nodes without a schema that are below those of a datastore in anydata', () => {
    const content = '<top xmlns="urn:a"><extra><top><small>5</small><more>6</more></top></extra></top>';
    const paths = new Set<string>();
    const { children } = parse(`<data>${content}</data>`);
    const found = objectOf(children, model.top, { model, unknown: { choice: 'omit', paths } });
    assert.deepEqual(found, { 'a:top': { extra: { 'a:top': { small: 5, more: '6' } } } });
    assert.deepEqual([...paths], ['/a:top/more']);
  });

  it('read nodes that are nested in nodes without a schema once, or as often as they are deep', () => {
    const depth = 23;
    const inner = '<name>a</name><name>b</name>';
    const content = `${'<x xmlns="urn:z"><top xmlns="urn:a">'.repeat(depth)}${inner}${`${inner}</top></x>`.repeat(depth)}`;
    const { children } = parse(`<data>${content}</data>`);
    const paths = new Set<string>();
    const found = JSON.stringify(
      objectOf(children, model.top, { model, unknown: { choice: 'anydata', paths } }),
    );
    assert.equal(found.split('"name":').length - 1, depth);
  });

  it('refuse documents that the model does not have, with the place', () => {
    const faults: readonly (readonly [unknown, RegExp])[] = [
      [[], /^ must be an object/],
      [{ top: {} }, /^\/top must be named "a:top"/],
      [{ 'a:top': { 'a:name': 'x' } }, /^\/a:top\/a:name must be named "name"/],
      [{ 'a:top': { no: 1 } }, /^\/a:top\/no is no node of the model here/],
      [{ 'a:top': { small: '5' } }, /^\/a:top\/small /],
      [{ 'a:top': { small: 99_999 } }, /^\/a:top\/small must be in the range/],
      [{ 'a:top': { big: 5 } }, /^\/a:top\/big /],
      [{ 'a:top': { kind: 'a:none' } }, /^\/a:top\/kind is no identity/],
      [{ 'a:top': { tag: 1 } }, /^\/a:top\/tag must be an array/],
      [{ 'a:top': { port: [{ slot: 1 }] } }, /^\/a:top\/port\/0\/name is a key/],
      [{ 'a:top': { '@name': {} } }, /metadata/],
      [{ 'a:top': { extra: { 'z:y': '1' } } }, /no known module/],
      [{ 'a:top': { name: '\u0000' } }, /^\/a:top\/name /],
      [{ 'a:top': { 'b:box': null } }, /^\/a:top\/b:box must be an object/],
    ];
    for (const [document, fault] of faults) {
      const found = faultOf(() => xml(document));
      assert.match(found, fault);
    }
  });

  const STATE =
    '<top xmlns="urn:a"><name>n</name><port><slot>1</slot><name>p</name><mtu>9</mtu><state><up>true</up></state></port><port><slot>2</slot><name>q</name></port></top>';

  it('select by depth, fields and content', () => {
    const entry = { slot: 1, name: 'p' };
    assert.deepEqual(json(STATE, { depth: 2 }), { 'a:top': {} });
    assert.deepEqual(json(STATE, { depth: 4 }), {
      'a:top': {
        name: 'n',
        port: [
          { ...entry, mtu: 9, state: {} },
          { slot: 2, name: 'q' },
        ],
      },
    });
    const fields = new Map([['a:top', new Map([['port', new Map([['state', new Map()]])]])]]);
    assert.deepEqual(json(STATE, { fields }), {
      'a:top': {
        port: [
          { ...entry, state: { up: true } },
          { slot: 2, name: 'q' },
        ],
      },
    });
    assert.deepEqual(json(STATE, { isStateOnly: true }), {
      'a:top': { port: [{ ...entry, state: { up: true } }] },
    });
  });
});

describe('the path of a resource', () => {
  const pathOf = (path: string): string =>
    elementsOfPath(readResourcePath(path, model).steps, {})
      .map((element) => writeXml(element))
      .join('');

  it('becomes a filter', () => {
    assert.equal(pathOf('/a:top'), '<top xmlns="urn:a"/>');
    assert.equal(pathOf('/a:top/b:box/size'), '<top xmlns="urn:a"><box xmlns="urn:b"><size/></box></top>');
    const found = pathOf('/a:top/port=1,x%2Fy%2C/mtu');
    assert.equal(found, '<top xmlns="urn:a"><port><slot>1</slot><name>x/y,</name><mtu/></port></top>');
    assert.equal(pathOf('/a:top/tag=5'), '<top xmlns="urn:a"><tag>5</tag></top>');
    assert.equal(pathOf('/a:top/port'), '<top xmlns="urn:a"><port/></top>');
    assert.equal(pathOf(''), '');
  });

  it('finds actions', () => {
    const { steps, action } = readResourcePath('/a:top/port=1,x/reset', model);
    assert.equal(action?.name, 'reset');
    assert.equal(steps.length, 2);
  });

  it('is refused if the model does not have it', () => {
    const refused: readonly (readonly [string, RegExp])[] = [
      ['/top', /no node "top" in the datastore/],
      ['/a:top/no', /no node "no" in "a:top"/],
      ['/a:top/port/mtu', /needs keys/],
      ['/a:top/port=1', /has 2 keys, and the path has 1/],
      ['/a:top/name=1', /has no keys/],
      ['/a:top/port=900,x', /the value of "slot"/],
      ['/a:top/%', /percent-encoding/],
      ['/a:restart', /no node/],
    ];
    for (const [path, fault] of refused)
      assert.match(
        faultOf(() => readResourcePath(path, model)),
        fault,
      );
  });

  it('finds its instances, also among others that a server sends along', () => {
    const data = parse(
      '<data><top xmlns="urn:a"><port><slot>1</slot><name>x</name></port><port><slot>01</slot><name>y</name></port><tag>5</tag><tag>6</tag></top></data>',
    );
    const count = (path: string): number =>
      elementsAt(data, readResourcePath(path, model).steps, model).length;
    const paths = ['port', 'port=1,x', 'port=1,y', 'port=1,z', 'tag=6', 'tag=7', 'name'];
    const counts = paths.map((path) => count(`/a:top/${path}`));
    assert.deepEqual(counts, [2, 1, 1, 0, 1, 0, 0]);
  });
});
