import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MAX_PAGE_BYTES, pageRanges } from '../../src/storage/form-pages.js';

const sizes = fc.array(fc.integer({ min: 1, max: 2 * MAX_PAGE_BYTES }), { maxLength: 40 });

describe('pageRanges()', () => {
  it('returns every form once and in order, and as many per page as fit', () => {
    fc.assert(
      fc.property(sizes, (list) => {
        const forms = list.map((bytes, at) => ({ id: String(at).padStart(3, '0'), bytes }));
        let at = 0;
        let after = 'start';
        for (const range of pageRanges('start', forms)) {
          const page = forms.slice(at, at + range.count);
          const total = page.reduce((sum, { bytes }) => sum + bytes, 0);
          assert.equal(range.after, after);
          assert.equal(range.last, page.at(-1)?.id);
          assert.ok(range.count === 1 || total <= MAX_PAGE_BYTES);
          const next = forms[at + range.count];
          assert.ok(!next || total + next.bytes > MAX_PAGE_BYTES);
          at += range.count;
          after = range.last;
        }
        assert.equal(at, forms.length);
      }),
    );
  });
});
