import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../shape/source-files.js';

/** Matches unescaped insertion of a text into a statement; insertion of a program constant is allowed. */
const PASTED = /\bsql\.(?:raw|lit|ref|id|table)\((?!LOCK_IDS\[)|\.raw\((?!\s*['"])/g;

describe('F6: the statements of the store', () => {
  it('pass values as parameters, and concatenate no text', () => {
    const folder = join(ROOT, 'src', 'storage');
    const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));
    assert.ok(files.length > 10);
    const pasted = files.flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(PASTED)].map(([found]) => `${file}: ${found}`),
    );
    assert.deepEqual(pasted, []);
  });
});
