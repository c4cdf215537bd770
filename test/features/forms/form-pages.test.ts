import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MAX_PAGE_BYTES, pagesOf } from '../../../src/features/forms/form-pages.js';
import { column } from '../../support/columns.js';

const sizes = fc.array(fc.integer({ min: 1, max: 2 * MAX_PAGE_BYTES }), { maxLength: 40 });

describe('pagesOf()', () => {
  it('returns every form once and in order, and as many per page as fit', () => {
    fc.assert(
      fc.property(sizes, (list) => {
        const heads = list.map((bytes, at) => ({ id: String(at), name: `form ${at}`, bytes }));
        const pages = [...pagesOf(heads)];
        assert.deepEqual(pages.flat(), column(heads, 'id'));
        const bytesOf = (ids: readonly string[]) => ids.reduce((sum, id) => sum + (list[Number(id)] ?? 0), 0);
        for (const [at, page] of pages.entries()) {
          assert.ok(page.length === 1 || bytesOf(page) <= MAX_PAGE_BYTES);
          const next = pages[at + 1]?.slice(0, 1);
          assert.ok(!next || bytesOf([...page, ...next]) > MAX_PAGE_BYTES);
        }
      }),
    );
  });
});
