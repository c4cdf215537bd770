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

/** The cases of a page, by their titles. */
type ShownCases = Readonly<Record<string, SchemaCase>>;

/** The cases that are only fields share the page of their group. */
const PAGES: readonly ShownCases[] = [VALUES, CHOICES, STRUCTURES, WHOLE_FORMS].flatMap((group) => {
  const cases = Object.entries(group);
  const together = Object.fromEntries(cases.filter(([, { isAlone }]) => isAlone !== true));
  return [together, ...cases.flatMap(([title, one]) => (isIn(together, title) ? [] : [{ [title]: one }]))];
});

const FORMS: Record<string, unknown> = {};
PAGES.forEach((cases, at) => {
  const all = Object.values(cases);
  FORMS[`page-${at}.json`] = joined(all.map(({ schema }) => schema));
  FORMS[`page-${at}.ui.json`] = joined(all.map(({ ui = {} }) => ui));
  const data = all.flatMap((one) => (one.data === undefined ? [] : [one.data as object]));
  if (data.length > 0) FORMS[`page-${at}.d1.json`] = joined(data);
});

describeWith(BROWSER, 'the schemas that the form engine shows', function () {
  const form = formPageFor(this, { forms: FORMS });

  PAGES.forEach((cases, at) => {
    it(`have the document that a person means: ${Object.keys(cases).join('; ')}`, async () => {
      const language = Object.values(cases)[0]?.language ?? 'en';
      const page = await form.open(`sample=page-${at}&view=form&language=${language}`);
      for (const [title, { fill, wanted }] of Object.entries(cases)) {
        await fill(handAt(page));
        await eventually(async () => {
          const found = inWanted(await form.document(), wanted);
          assert.deepEqual(Array.isArray(wanted) ? found : membersOf(found, wanted as object), wanted, title);
        });
      }
      const names = Object.values(cases).flatMap(({ wanted }) => Object.keys(wanted as object));
      assert.deepEqual(Object.keys(await form.document()).toSorted(), names.toSorted());
      await assertAccessible(page.locator('html'));
    });
  });
});

function isIn(cases: ShownCases, title: string): boolean {
  return Object.hasOwn(cases, title);
}

/** Joins objects; members that several of them have are joined, too. */
function joined(all: readonly object[]): object {
  const [first = {}, ...others] = all;
  if (others.length === 0) return first;
  const result: Record<string, unknown> = { ...first };
  for (const [name, value] of others.flatMap((one) => Object.entries(one))) {
    const former = result[name];
    if (Array.isArray(former)) result[name] = [...(former as unknown[]), ...(value as unknown[])];
    else if (typeof former === 'object') result[name] = { ...former, ...(value as object) };
    else result[name] = value;
  }
  return result;
}

function membersOf(found: unknown, wanted: object): object {
  const names = Object.keys(wanted);
  return Object.fromEntries(Object.entries(found as object).filter(([name]) => names.includes(name)));
}

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
