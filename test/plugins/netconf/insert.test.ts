import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attributeOf, type XmlElement } from '../../../src/yang/encoding/xml-element.js';
import { YANGLINT } from '../../support/need-list.js';
import { itWith } from '../../support/needs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import type { TestAdapter } from './adapter.js';
import { CAPABILITIES, doublesOfSuite } from './double-adapter.js';

const YANG = 'urn:ietf:params:xml:ns:yang:1';
const MODULE = `module rules { yang-version 1.1; namespace "urn:rules"; prefix r; revision 2026-01-01;
  identity kind; identity deny { base kind; }
  container acl { list set { key "name"; leaf name { type string; }
    list rule { key "name seq"; ordered-by user; leaf name { type string; } leaf seq { type uint8; } leaf text { type string; } }
    list typed { key "kind"; ordered-by user; leaf kind { type identityref { base kind; } } }
    leaf-list tag { type string; ordered-by user; } leaf-list sorted { type string; } list plain { key "id"; leaf id { type uint8; } } } } }`;
const SET = '/restconf/data/rules:acl/set=a';
const RULE = { 'rules:rule': [{ name: 'x', seq: 1 }] };

describe('the query parameters insert and point (RFC 8040 sections 4.8.5 and 4.8.6)', () => {
  const edits: XmlElement[] = [];
  let device: TestAdapter;
  const { start } = doublesOfSuite();
  before(async () => {
    ({ device } = await start({
      capabilities: [...CAPABILITIES.slice(0, 2), 'urn:rules?module=rules&revision=2026-01-01'],
      schemas: { rules: MODULE },
      onOperation: (operation) => {
        if (operation.name === 'edit-config') edits.push(operation);
        return operation.name.startsWith('get')
          ? '<data><acl xmlns="urn:rules"><set><name>a</name></set></acl></data>'
          : '<ok/>';
      },
    }));
  });
  beforeEach(() => {
    edits.length = 0;
  });

  /** Returns the attributes of YANG of the entry in the last edit. */
  function placeIn(): Readonly<Record<string, string>> {
    let found: Readonly<Record<string, string>> = {};
    const visit = (element: XmlElement): void => {
      const insert = attributeOf(element, 'insert', YANG);
      if (insert !== undefined) {
        const names = ['key', 'value'] as const;
        const others = names.flatMap((name) => {
          const value = attributeOf(element, name, YANG);
          return value === undefined ? [] : [[name, value] as const];
        });
        found = { insert, ...Object.fromEntries(others) };
        for (const [, value] of others)
          for (const [, prefix = ''] of value.matchAll(/\[(\w+):/g))
            assert.equal(element.prefixes.get(prefix), 'urn:rules');
      }
      element.children.forEach(visit);
    };
    edits.slice(-1).forEach(visit);
    return found;
  }

  const point = (path: string): string => encodeURIComponent(path);
  const PLACES: Readonly<Record<string, readonly [line: string, body: object, place: object]>> = {
    first: [`POST ${SET}?insert=first`, RULE, { insert: 'first' }],
    last: [`PUT ${SET}/rule=x,1?insert=last`, RULE, { insert: 'last' }],
    'before an entry': [
      `POST ${SET}?insert=before&point=${point('/rules:acl/set=a/rule=b%2Fc,2')}`,
      RULE,
      { insert: 'before', key: "[rules:name='b/c'][rules:seq='2']" },
    ],
    'after an entry, whose point begins as the path of the request': [
      `PUT ${SET}/rule=x,1?point=${point(`${SET}/rule=it's,2`)}&insert=after`,
      RULE,
      { insert: 'after', key: `[rules:name="it's"][rules:seq='2']` },
    ],
    'before an entry whose key is an identity': [
      `POST ${SET}?insert=before&point=${point('/rules:acl/set=a/typed=rules:deny')}`,
      { 'rules:typed': [{ kind: 'rules:deny' }] },
      { insert: 'before', key: "[rules:kind='rules:deny']" },
    ],
    'before a value of a leaf-list': [
      `POST ${SET}?insert=before&point=${point('/rules:acl/set=a/tag=b')}`,
      { 'rules:tag': ['c'] },
      { insert: 'before', value: 'b' },
    ],
  };
  for (const [name, [line, body, place]] of Object.entries(PLACES))
    it(`place an entry ${name}`, async () => {
      assert.match(await device.outcome(line, body), /^20[14]$/);
      assert.deepEqual(placeIn(), place);
    });

  itWith(YANGLINT, 'name the entry as libyang reads it', async () => {
    const line = `POST ${SET}?insert=after&point=${point('/rules:acl/set=a/rule=b%2Fc,2')}`;
    assert.equal(await device.outcome(line, RULE), '201');
    const { key = '' } = placeIn() as { readonly key?: string };
    const folder = temporaryFolder().path;
    writeFileSync(join(folder, 'rules@2026-01-01.yang'), MODULE);
    const entry = `<rule xmlns:rules="urn:rules" xmlns:y="${YANG}" y:insert="after" y:key="${key}"><name>x</name><seq>1</seq></rule>`;
    writeFileSync(join(folder, 'edit.xml'), `<acl xmlns="urn:rules"><set><name>a</name>${entry}</set></acl>`);
    const read = spawnSync('yanglint', ['-t', 'edit', '-f', 'xml', 'rules@2026-01-01.yang', 'edit.xml'], {
      cwd: folder,
      encoding: 'utf8',
    });
    assert.equal(read.status, 0, read.stderr);
    assert.match(read.stdout, /key="\[r:name='b\/c'\]\[r:seq='2'\]"/);
  });

  const at = (path: string): string => `point=${point(`/rules:acl/set=${path}`)}`;
  const REFUSED: Readonly<Record<string, readonly [line: string, body?: object]>> = {
    'needs the query parameter "point"': [`POST ${SET}?insert=before`, RULE],
    '"point" needs': [`POST ${SET}?insert=first&${at('a/rule=b,2')}`, RULE],
    '"point" needs "insert=before"': [`POST ${SET}?${at('a/rule=b,2')}`, RULE],
    'has no value "second"': [`POST ${SET}?insert=second`, RULE],
    '"rules:sorted" is not': [`POST ${SET}?insert=first`, { 'rules:sorted': ['a'] }],
    '"rules:plain" is not': [`PUT ${SET}/plain=1?insert=first`, { 'rules:plain': [{ id: 1 }] }],
    '"rules:acl" is not': ['PUT /restconf/data/rules:acl?insert=first', { 'rules:acl': {} }],
    'the datastore is not': ['PUT /restconf/data?insert=first', { 'ietf-restconf:data': {} }],
    'an entry of the same list': [`POST ${SET}?insert=before&${at('other/rule=b,2')}`, RULE],
    'the same list "rules:rule"': [`POST ${SET}?insert=before&${at('a/tag=b')}`, RULE],
    'point" must be the path': [`POST ${SET}?insert=before&${at('a/rule')}`, RULE],
    'both kinds of quotation marks': [`POST ${SET}?insert=before&${at(`a/rule='%22,2`)}`, RULE],
    '"insert" is not supported here': [`PATCH ${SET}/rule=x,1?insert=first`, RULE],
    '"point" is not supported here': [`DELETE ${SET}/rule=x,1?point=x`],
  };
  for (const [message, [line, body]] of Object.entries(REFUSED))
    it(`are refused with 400 where it ${message}`, async () => {
      const outcome = await device.outcome(line, body);
      assert.ok(outcome.startsWith('400 invalid-value') && outcome.includes(message), outcome);
      assert.equal(edits.length, 0);
    });
});
