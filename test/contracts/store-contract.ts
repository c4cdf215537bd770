import assert from 'node:assert/strict';
import type { Form, FormHead } from '../../src/features/forms/form-store.js';
import type { Store } from '../../src/features/store.js';
import { linesIn } from '../../src/lib/byte-lines.js';
import { auditRecord, seal } from '../support/audit-record.js';
import { column } from '../support/columns.js';
import { form, formId, formsOf, formTextsOf, LIMITS } from '../support/form.js';
import { NAUGHTY_STRINGS, SQL_INJECTIONS } from '../support/naughty-strings.js';

/** Returns forms whose numbers are below `count`. */
function formsTo(count: number, changes: (at: number) => Partial<Form> = () => ({})): readonly Form[] {
  return Array.from({ length: count }, (_, at) => form(at, changes(at)));
}

/** Defines the tests of every store, independent of its database. `open` opens the same store repeatedly. */
export function storeContract(open: () => Promise<Store>): void {
  let store: Store;
  const formNames = async (): Promise<readonly string[]> =>
    (await formsOf(store.forms)).map(({ name }) => name);

  before(async () => {
    store = await open();
  });
  after(() => store.close());

  beforeEach(async () => {
    await store.forms.remove((await formsOf(store.forms)).map(({ id }) => id));
  });

  it('returns audit records, newest first, up to the limit', async () => {
    const records = ['a', 'b', 'c'].map((id) => auditRecord(id, { outcome: 'it\'s "so" \u2028' }));
    for (const record of records) await store.audit.append([record], seal);
    assert.deepEqual(await store.recentAudit(2), [records[2], records[1]]);
  });

  it('finds a form by its id and by its name and prefers the id', async () => {
    assert.equal(await store.forms.create(form(1), LIMITS), true);
    assert.equal(await store.forms.create(form(2, { name: formId(1) }), LIMITS), true);
    assert.deepEqual(await store.forms.find('form 1'), { id: formId(1), json: JSON.stringify(form(1)) });
    assert.equal((await store.forms.find(formId(1)))?.id, formId(1));
    assert.equal(await store.forms.find('form 3'), undefined);
    assert.equal(await store.forms.find('no\0thing'), undefined);
  });

  it('keeps forms over a restart', async () => {
    await store.forms.create(form(1), LIMITS);
    await store.close();
    store = await open();
    assert.deepEqual(await formsOf(store.forms), [form(1)]);
  });

  it('F5: of 1,000 parallel creates of one name lets exactly one succeed', async () => {
    const same = formsTo(1000, () => ({ name: 'the one' }));
    const created = await Promise.all(same.map((one) => store.forms.create(one, LIMITS)));
    assert.equal(created.filter(Boolean).length, 1);
    assert.deepEqual(await formNames(), ['the one']);
  });

  it('keeps at most the maximum number of forms', async () => {
    const limits = { ...LIMITS, maxForms: 2 };
    await store.forms.create(form(1), limits);
    await store.forms.create(form(2), limits);
    assert.equal(await store.forms.create(form(3, { name: 'form 1' }), limits), false);
    await assert.rejects(store.forms.create(form(3), limits), { code: 'too_many_forms' });
    await assert.rejects(store.forms.import([form(3)], limits), { code: 'too_many_forms' });
    assert.deepEqual(await formNames(), ['form 1', 'form 2']);
  });

  it('keeps the previous revisions of a form, newest first, up to the maximum', async () => {
    await store.forms.create(form(1), LIMITS);
    const limits = { ...LIMITS, maxVersions: 2 };
    for (const description of ['a', 'b', 'c'])
      await store.forms.update('form 1', (previous) => ({ ...previous, description }), limits);
    const versions = (await store.forms.versions(formId(1))) ?? [];
    assert.deepEqual(
      versions.map(({ revision, json }) => [revision, (JSON.parse(json) as Form).description]),
      [
        [3, 'b'],
        [2, 'a'],
      ],
    );
    const revisions = { id: formId(1), current: 4, earlier: [3, 2] };
    assert.deepEqual(await store.forms.revisions('form 1'), revisions);
    assert.deepEqual(await store.forms.version(formId(1), 2), versions[1]);
    assert.equal(await store.forms.version(formId(1), 1), undefined);
    assert.equal(await store.forms.version(formId(2), 2), undefined);
    await store.forms.update('form 1', (previous) => previous, { ...LIMITS, maxVersions: 0 });
    assert.deepEqual(await store.forms.versions('form 1'), []);
    assert.equal(await store.forms.versions('form 2'), undefined);
    assert.equal(await store.forms.revisions('form 2'), undefined);
    assert.equal(await store.forms.revisions('\0'), undefined);
  });

  it('loses none of several concurrent updates', async () => {
    await store.forms.create(form(1), LIMITS);
    const append = (previous: Form): Form => ({ ...previous, description: `${previous.description ?? ''}x` });
    await Promise.all(Array.from({ length: 50 }, () => store.forms.update(formId(1), append, LIMITS)));
    assert.equal((await formsOf(store.forms))[0]?.description, 'x'.repeat(50));
  });

  it('rejects a duplicate name in an update and changes nothing', async () => {
    await store.forms.create(form(1), LIMITS);
    await store.forms.create(form(2), LIMITS);
    const rename = (previous: Form): Form => ({ ...previous, name: 'form 1' });
    await assert.rejects(store.forms.update('form 2', rename, LIMITS), { code: 'form_name_taken' });
    assert.equal(await store.forms.update('form 3', rename, LIMITS), undefined);
    assert.deepEqual(await formsOf(store.forms), [form(1), form(2)]);
    assert.deepEqual(await store.forms.versions('form 2'), []);
  });

  it('removes forms with their revisions and returns the number of removed forms', async () => {
    await store.forms.create(form(1), LIMITS);
    await store.forms.update('form 1', (previous) => previous, LIMITS);
    assert.equal(await store.forms.remove([formId(1), formId(9), formId(1)]), 1);
    assert.equal(await store.forms.remove([]), 0);
    await store.forms.create(form(1), LIMITS);
    assert.deepEqual(await store.forms.versions('form 1'), []);
  });

  it('numbers duplicate names of an import, also within the same import', async () => {
    await store.forms.create(form(1, { name: 'a' }), LIMITS);
    await store.forms.create(form(2, { name: 'a (2)' }), LIMITS);
    const twins = ['a', 'a', 'b', 'b'].map((name, at) => form(10 + at, { name }));
    const imported = await store.forms.import(twins, LIMITS);
    assert.deepEqual(column(imported, 'name'), ['a (1)', 'a (3)', 'b', 'b (1)']);
    assert.deepEqual(await formNames(), ['a', 'a (2)', 'a (1)', 'a (3)', 'b', 'b (1)']);
  });

  it('imports thousands of forms with the same name without a search per form', async () => {
    const twins = formsTo(2000, () => ({ name: 'twin' }));
    const imported = await store.forms.import(twins, LIMITS);
    assert.equal(imported.at(-1)?.name, 'twin (1999)');
  });

  it('keeps a numbered name within the maximum length', async () => {
    const name = '😀'.repeat(512);
    await store.forms.create(form(1, { name }), LIMITS);
    const [imported] = await store.forms.import([form(2, { name })], LIMITS);
    assert.equal(imported?.name, `${'😀'.repeat(508)} (1)`);
  });

  it('runs parallel imports of the same names, each completely', async () => {
    const batch = (at: number): Form[] => {
      const forms = Array.from({ length: 20 }, (_, item) => form(at * 100 + item, { name: `n${item}` }));
      return at % 2 === 0 ? forms : forms.reverse();
    };
    const imports = await Promise.all([1, 2, 3, 4].map((at) => store.forms.import(batch(at), LIMITS)));
    assert.equal(imports.flat().length, 80);
    assert.equal(new Set(await formNames()).size, 80);
  });

  it('restores forms unchanged, all of them or none', async () => {
    async function* some(...numbers: readonly number[]): AsyncGenerator<Form> {
      for (const number of numbers) yield Promise.resolve(form(number));
    }
    assert.equal(await store.forms.restore(some(1, 2), { skip: false }), 2);
    await assert.rejects(store.forms.restore(some(3, 2), { skip: false }), { code: 'form_name_taken' });
    assert.deepEqual(await formsOf(store.forms), [form(1), form(2)]);
    assert.equal(await store.forms.restore(some(3, 2), { skip: true }), 1);
    assert.deepEqual(await formsOf(store.forms), [form(1), form(2), form(3)]);
  });

  it('lists any number of forms in pages, oldest first', async () => {
    await store.forms.import(formsTo(200), LIMITS);
    assert.deepEqual(
      column(await formsOf(store.forms), 'id'),
      Array.from({ length: 200 }, (_, at) => formId(at)),
    );
  });

  it('lists large forms in pages of at most 1 MiB, and a larger form alone', async () => {
    // The texts differ in the bytes per character: four, two and one.
    const sizes = [300_000, 900_000, 10, 1_200_000, 10, 10];
    const forms = sizes.map((size, at) =>
      form(at, { description: '\u{1f600}\n\u00e9a'.slice(at).repeat(size / 10) }),
    );
    await store.forms.import(forms, LIMITS);
    const pages: (readonly string[])[] = [];
    for await (const page of store.forms.list()) pages.push(page.toString().split('\n'));
    assert.deepEqual(pages.flat(), forms.map((one) => JSON.stringify(one))); // prettier-ignore
    for (const page of pages)
      assert.ok(page.length === 1 || Buffer.byteLength(page.join('')) <= 1_048_576, String(page.length));
  });

  it('lists more forms than one query returns sizes of', async () => {
    const forms = formsTo(1001);
    await store.forms.import(forms, LIMITS);
    assert.deepEqual(await formsOf(store.forms), forms);
  });

  it('lists the heads of all forms, and the forms with some of them', async () => {
    const forms = formsTo(501, (at) => ({ description: 'é'.repeat(at % 3) }));
    await store.forms.import(forms, LIMITS);
    const heads: FormHead[] = [];
    for await (const some of store.forms.heads()) heads.push(...some);
    assert.deepEqual(
      heads.map((head) => ({ ...head })),
      forms.map((one) => ({ id: one.id, name: one.name, bytes: Buffer.byteLength(JSON.stringify(one)) })),
    );
    async function* chosen(): AsyncGenerator<readonly FormHead[]> {
      yield await Promise.resolve(heads.filter((_, at) => [1, 3].includes(at)));
      yield [];
      yield heads.slice(500);
    }
    const texts = await formTextsOf(store.forms.list(chosen()));
    assert.deepEqual(texts, [forms[1], forms[3], forms[500]].map((one) => JSON.stringify(one))); // prettier-ignore
  });

  it('leaves forms out of the list that were removed after their heads were read', async () => {
    await store.forms.import([form(1), form(2)], LIMITS);
    async function* headsBefore(): AsyncGenerator<readonly FormHead[]> {
      for await (const some of store.forms.heads()) {
        await store.forms.remove([formId(1)]);
        yield some;
      }
      yield [{ id: formId(1), name: 'form 1', bytes: 1 }];
    }
    const pages: string[] = [];
    for await (const page of store.forms.list(headsBefore())) pages.push(page.toString());
    assert.deepEqual(pages, [JSON.stringify(form(2))]);
  });

  it('stays usable if a reader of the list stops', async () => {
    const description = 'a'.repeat(600_000);
    await store.forms.import(
      formsTo(4, () => ({ description })),
      LIMITS,
    );
    for await (const page of store.forms.list()) {
      assert.equal([...linesIn(page)].length, 1);
      break;
    }
    assert.equal(await store.forms.remove([formId(0)]), 1);
  });

  it('F6: returns names and texts byte for byte, whatever characters they contain', async () => {
    const unique = [...new Set([...NAUGHTY_STRINGS, ...SQL_INJECTIONS])];
    assert.ok(unique.length > 500);
    const forms = unique.map((text, at) => form(at, { name: text, schema: { [text]: [text] } }));
    assert.deepEqual(await store.forms.import(forms, LIMITS), forms);
    for (const one of forms) {
      assert.equal((await store.forms.find(one.name))?.json, JSON.stringify(one));
      assert.equal(await store.forms.find(`${one.name}' or '1'='1`), undefined);
    }
    assert.equal(await store.forms.remove(SQL_INJECTIONS), 0);
    assert.equal(await store.forms.remove(unique.map((_, at) => formId(at))), unique.length);
  });

  it('stores a form with the character NUL and half a surrogate pair in its texts', async () => {
    const odd = form(1, { schema: { 'a\0b': 'c\ud800d' } });
    await store.forms.create(odd, LIMITS);
    assert.equal((await store.forms.find('form 1'))?.json, JSON.stringify(odd));
  });
}
