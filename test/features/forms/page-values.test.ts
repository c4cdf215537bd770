import assert from 'node:assert/strict';
import { CHOICES } from '../../browser/form-schemas/choices.js';
import type { SchemaCase } from '../../browser/form-schemas/hand.js';
import { STRUCTURES } from '../../browser/form-schemas/structures.js';
import { VALUES } from '../../browser/form-schemas/values.js';
import { WHOLE_FORMS } from '../../browser/form-schemas/whole-forms.js';
import { type FormsApi, openFormsApi } from '../../support/forms-api.js';

const CASES = Object.entries<SchemaCase>({ ...VALUES, ...CHOICES, ...STRUCTURES, ...WHOLE_FORMS });

describe('the documents that pages of forms send', function () {
  this.timeout(30_000);
  let api: FormsApi;

  before(async () => (api = await openFormsApi()));

  after(() => api.close());

  for (const [name, { schema: jsonSchema, wanted }] of CASES)
    it(`are valid for the server: ${name}`, async () => {
      const formData = Array.isArray(wanted) ? (wanted as unknown[]) : withoutPatterns(wanted as object);
      const { status, body } = await api.call('post', '/validate-data', { jsonSchema, formData });
      assert.equal(status, 200);
      assert.deepEqual(body.validation.errors, []);
    });
});

/** Leaves out members of which a test knows only a pattern; none of them is required. */
function withoutPatterns(wanted: object): object {
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => !(value instanceof RegExp)));
}
