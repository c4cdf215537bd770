import assert from 'node:assert/strict';
import { formPageFor } from '../support/form-page.js';
import { BROWSER } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { assertAccessible } from '../support/page-text.js';
import { eventually } from '../support/until.js';
import { CHOICES } from './form-schemas/choices.js';
import { handAt, type SchemaCase } from './form-schemas/hand.js';
import { STRUCTURES } from './form-schemas/structures.js';
import { VALUES } from './form-schemas/values.js';
import { WHOLE_FORMS } from './form-schemas/whole-forms.js';

const CASES = Object.entries<SchemaCase>({ ...VALUES, ...CHOICES, ...STRUCTURES, ...WHOLE_FORMS });

const FORMS: Record<string, unknown> = {};
CASES.forEach(([, { schema, ui, data }], at) => {
  FORMS[`case-${at}.json`] = schema;
  if (ui !== undefined) FORMS[`case-${at}.ui.json`] = ui;
  if (data !== undefined) FORMS[`case-${at}.d1.json`] = data;
});

describeWith(BROWSER, 'the schemas that the form engine shows', function () {
  const form = formPageFor(this, { forms: FORMS });

  CASES.forEach(([name, { fill, wanted, language }], at) => {
    it(`has the document that a person means: ${name}`, async () => {
      const page = await form.open(`sample=case-${at}&view=form&language=${language ?? 'en'}`);
      await fill(handAt(page));
      await eventually(async () => {
        const found = await form.document();
        assert.deepEqual(inWanted(found, wanted), wanted);
      });
      await assertAccessible(page.locator('html'));
    });
  });
});

/** Returns a found value with the patterns of the wanted one in place of the texts that match them. */
function inWanted(found: unknown, wanted: unknown): unknown {
  if (wanted instanceof RegExp) return typeof found === 'string' && wanted.test(found) ? wanted : found;
  if (typeof found !== 'object' || found === null || typeof wanted !== 'object' || wanted === null)
    return found;
  if (Array.isArray(found)) return found;
  return Object.fromEntries(
    Object.entries(found).map(([name, value]) => [
      name,
      inWanted(value, (wanted as Record<string, unknown>)[name]),
    ]),
  );
}
