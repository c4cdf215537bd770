import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REFERENCE_PAGES } from './reference/index.js';
import { FOLDER, textOf } from './reference/page.js';

describe('the reference', () => {
  for (const page of REFERENCE_PAGES)
    it(`contains what the code says in ${page.file} (UPDATE_GOLDEN=1 writes it)`, async () => {
      const file = join(FOLDER, page.file);
      const text = await textOf(page);
      if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text);
      assert.equal(readFileSync(file, 'utf8'), text);
    });
});
