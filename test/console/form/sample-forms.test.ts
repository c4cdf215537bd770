import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  applyEdit,
  changesOf,
  checkAll,
  documentText,
  jsonPatch,
  openAll,
  openForm,
  readJson,
  rowsOf,
  withFilter,
  yangDocument,
} from '../../../console/src/form/model/index.js';
import { column } from '../../support/columns.js';
import { SAMPLE_FORMS, SAMPLE_FORMS_FOLDER } from '../../support/need-list.js';
import { describeWith } from '../../support/needs.js';
import { applyJsonPatch, plain } from './apply-patch.js';
import { withEdits, set } from './edit.js';

describeWith(SAMPLE_FORMS, 'forms of public models', function () {
  for (const name of ['l3vpn-svc', 'oc-interfaces', 'oc-system', 'oc-ni']) {
    it(`${name}: every value of its document has a row, and no data is lost`, () => {
      const text = readFileSync(join(SAMPLE_FORMS_FOLDER, `${name}.d1.json`), 'utf8');
      const schema: unknown = JSON.parse(readFileSync(join(SAMPLE_FORMS_FOLDER, `${name}.json`), 'utf8'));
      const state = openForm({ schema, data: readJson(text) });
      const { rows } = rowsOf(openAll(state));
      const unusual = rows.filter(({ unknown, kind }) => unknown || kind === 'json');
      assert.deepEqual(column(unusual, 'id'), []);
      const shown = rows.filter(({ kind, filled }) => kind === 'leaf' && filled);
      assert.equal(shown.length, leavesIn(JSON.parse(text)));
      assert.equal(checkAll(state).validationResult, 'valid');
      assert.deepEqual(plain(yangDocument(state)), withoutEmpty(JSON.parse(text)));
      const edited = shown
        .slice(0, 40)
        .reduce((at, { pointer }) => withEdits(at, set(pointer, 'other')), state);
      assert.deepEqual(applyJsonPatch(plain(state.loaded), jsonPatch(edited)), plain(edited.data));
      assert.notEqual(changesOf(edited).length, 0);
      assert.equal(documentText(applyEdit(edited, { kind: 'revert', pointer: '' })), text);
    });
  }

  it('xe-native: 94,345 nodes are searched without creating a row for each', () => {
    const schema: unknown = JSON.parse(
      gunzipSync(readFileSync(join(SAMPLE_FORMS_FOLDER, 'xe-native.json.gz'))).toString(),
    );
    const state = openForm({ schema });
    assert.equal(rowsOf(state).rows.length, 1);
    const { rows, hits } = rowsOf(withFilter(state, 'neighbor'));
    assert.ok(hits > 100 && rows.length > hits, `${hits} hits in ${rows.length} rows`);
    assert.ok(
      rows.every(
        ({ hit, key, title, description = '' }) => !hit || /neighbor/i.test(key + title + description),
      ),
    );
  });
});

/** Counts the scalars in a document; an array with a single null counts as one (YANG `empty`). */
function leavesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, one) => sum + leavesIn(one), 0);
}

/** Returns a document without empty containers and lists: in RFC 7951 they carry no information. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return Array.isArray(value) ? value.map(withoutEmpty) : value;
  const members = Object.entries(value).map(([name, one]) => [name, withoutEmpty(one)] as const);
  return Object.fromEntries(
    members.filter(([, one]) => typeof one !== 'object' || one === null || leavesIn(one) > 0),
  );
}
