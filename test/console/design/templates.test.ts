import assert from 'node:assert/strict';
import { EMPTY_DRAFT } from '../../../console/src/design/draft.js';
import { lintForm } from '../../../console/src/design/lint/lint-form.js';
import { outlineOf } from '../../../console/src/design/outline.js';
import { TEMPLATES } from '../../../console/src/design/templates.js';

describe('the templates of forms', () => {
  for (const { key, schema, uiSchema } of TEMPLATES) {
    it(`have no finding, and conditions that the designer edits: ${key}`, () => {
      assert.deepEqual(lintForm({ ...EMPTY_DRAFT, name: key, schema, uiSchema }), []);
      const { children } = outlineOf({ schema, uiSchema });
      assert.ok(children.length >= 6);
      assert.deepEqual(
        children.filter(({ pointer }) => pointer.startsWith('/allOf')).every(({ condition }) => condition),
        true,
      );
    });
  }
});
