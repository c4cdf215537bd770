import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { findInFile } from '../../src/audit/open-audit-trail.js';
import { type FileLine, readLinesForward } from '../../src/audit/verify.js';
import { type Line, readLinesBackward, openIfExists, readAt } from '../../src/audit/read-backward.js';
import { openBelow, TELLS_OPEN_FILES } from '../support/open-files.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Bytes that both walks read at a time. */
const BLOCK = 262_144;

const LONGEST = 16_777_216;

async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('the lines of an audit file', () => {
  const folder = temporaryFolder();
  const path = join(folder.path, 'lines');

  async function back(text: string, end = text.length): Promise<readonly Line[]> {
    writeFileSync(path, text);
    const file = await open(path, 'r');
    try {
      return await all(readLinesBackward(file, end));
    } finally {
      await file.close();
    }
  }

  async function ahead(text: string): Promise<readonly FileLine[]> {
    writeFileSync(path, text);
    return (await all(readLinesForward(path))).flat();
  }

  const long = 'x'.repeat(BLOCK);
  for (const [what, lines] of [
    ['nothing', []],
    ['one line', ['a']],
    ['empty lines', ['', '', 'a', '']],
    ['lines of one block each', [long.slice(1), long.slice(1)]],
    ['a line that begins a block, and one that ends one', [long, 'b', long.slice(3)]],
    ['a line of several blocks', ['a', long + long + long, 'b']],
  ] as const)
    it(`are the same from both ends: ${what}`, async () => {
      const text = lines.map((line) => `${line}\n`).join('');
      let place = 0;
      const expected = lines.map((line) => ({ line, start: (place += line.length + 1) - line.length - 1 }));
      assert.deepEqual(
        (await back(text)).map(({ bytes, start }) => ({ line: bytes.toString(), start })),
        expected.toReversed(),
      );
      assert.deepEqual(
        (await ahead(text)).map(({ bytes, start, isTerminated }) => [bytes.toString(), start, isTerminated]),
        expected.map(({ line, start }) => [`${line}\n`, start, true]),
      );
    });

  it('end where the walk back begins, and what has no end is left out', async () => {
    const texts = async (...sent: Parameters<typeof back>) =>
      (await back(...sent)).map(({ bytes }) => bytes.toString());
    assert.deepEqual(await texts('a\nb\nc'), ['b', 'a']);
    assert.deepEqual(await texts('a\nb\nc\n', 4), ['b', 'a']);
    assert.deepEqual(await texts('c'), []);
  });

  it('are not read back where one is too long for a record', async () => {
    await assert.rejects(back(`${'x'.repeat(LONGEST + 1)}\n`), /too long for a record; move it away/);
    assert.equal((await back(`a\n${'x'.repeat(LONGEST)}\n`)).length, 2);
  });

  it('come in pieces where one is too long, and go on behind it', async () => {
    const lines = await ahead(`a\n${'x'.repeat(LONGEST + BLOCK)}\nb\n`);
    assert.deepEqual(
      lines.map(({ start, isTerminated }) => [start, isTerminated]),
      [
        [0, true],
        [2, false],
        [lines[1]!.bytes.length + 2, true],
        [LONGEST + BLOCK + 3, true],
      ],
    );
  });

  it('end with one that a crash has torn', async () => {
    const [, torn] = await ahead('a\nto');
    assert.deepEqual([torn?.bytes.toString(), torn?.start, torn?.isTerminated], ['to', 2, false]);
  });

  it('are read as far as the file goes', async () => {
    writeFileSync(path, 'abc');
    const file = await open(path, 'r');
    assert.equal((await readAt(file, 1, 10)).toString(), 'bc');
    await file.close();
  });

  it('are none without a file, and a fault is no file that is missing', async () => {
    assert.equal(await openIfExists(join(folder.path, 'none')), undefined);
    await assert.rejects(openIfExists(join(path, 'below')), { code: 'ENOTDIR' });
  });

  it('leave no file open', async function () {
    if (!TELLS_OPEN_FILES) return this.skip();
    await ahead('a\nb');
    await findInFile(path, { limit: 1 });
    mkdirSync(join(folder.path, 'folder'));
    await assert.rejects(findInFile(join(folder.path, 'folder'), { limit: 1 }), { code: 'EISDIR' });
    assert.deepEqual(openBelow(folder.path), []);
  });
});
