import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../test/docs/markdown.js';
import { CATALOGUE } from './catalogue.js';
import { EVIDENCE_PAGE, evidencePage } from './document.js';
import { GROUPS } from './groups.js';
import { NUMBERS } from './numbers.js';
import { readRecords } from './records.js';

describe('the evidence page', () => {
  it('is generated from the records of the groups (UPDATE_GOLDEN=1 writes it)', () => {
    const text = evidencePage(readRecords());
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(EVIDENCE_PAGE, text);
    assert.equal(readFileSync(EVIDENCE_PAGE, 'utf8'), text);
    assert.doesNotMatch(text, /\?(?=[ ,;.])|undefined/, 'a figure that no record has');
  });

  it('names only existing groups, IDs and tests', () => {
    for (const [name, { shows = [] }] of Object.entries(GROUPS))
      for (const id of shows) assert.ok(Object.hasOwn(CATALOGUE, id), `${name} shows ${id}`);
    for (const { groups } of NUMBERS) for (const name of groups) assert.ok(Object.hasOwn(GROUPS, name), name);
    for (const [id, { tests = [] }] of Object.entries(CATALOGUE))
      for (const file of tests) assert.ok(existsSync(join(ROOT, 'test', file)), `${id}: ${file}`);
  });

  it('has records of existing groups only, each with its origin', () => {
    for (const [name, { group, version, commit, node, date, holds }] of Object.entries(readRecords())) {
      assert.ok(Object.hasOwn(GROUPS, group), name);
      assert.equal(name, name.endsWith('.sabotaged') ? `${group}.sabotaged` : group);
      for (const text of [version, commit, node, date]) assert.match(text, /^\S+$/, name);
      if (name.endsWith('.sabotaged')) assert.equal(holds, false, name);
    }
  });
});
