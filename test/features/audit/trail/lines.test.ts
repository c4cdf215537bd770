import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { findInTrail } from '../../../../src/features/audit/trail/find-in-trail.js';
import {
  type Line,
  openIfExists,
  readLinesBackward,
} from '../../../../src/features/audit/trail/read-backward.js';
import { type FileLine, readLinesForward } from '../../../../src/features/audit/trail/verify.js';
import { columns } from '../../../support/columns.js';
import { LINUX } from '../../../support/need-list.js';
import { itWith } from '../../../support/needs.js';
import { openBelow } from '../../../support/open-files.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

/** The number of bytes that both readers read at a time. */
const BLOCK_BYTES = 262_144;

const MAX_RECORD_BYTES = 16_777_216;
const LINE_FEED = 10;

async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('the lines of an audit file', () => {
  const folder = temporaryFolder();
  const path = join(folder.path, 'lines');

  async function linesBackward(text: string, end = text.length): Promise<readonly Line[]> {
    writeFileSync(path, text);
    const file = await open(path, 'r');
    try {
      return await collect(readLinesBackward(file, end));
    } finally {
      await file.close();
    }
  }

  async function linesForward(text: string): Promise<readonly FileLine[]> {
    writeFileSync(path, text);
    return (await collect(readLinesForward(path))).flat();
  }

  const long = 'x'.repeat(BLOCK_BYTES);
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
      const placed = (found: readonly Line[], end = 0) =>
        found.map(({ bytes, start }) => ({ line: bytes.toString('utf8', 0, bytes.length - end), start }));
      assert.deepEqual(placed(await linesBackward(text)).toReversed(), expected);
      const forward = await linesForward(text);
      assert.deepEqual(placed(forward, 1), expected);
      assert.ok(forward.every(({ bytes, isTerminated }) => isTerminated && bytes.at(-1) === LINE_FEED));
    });

  it('are read backward from the given end, without an unfinished line', async () => {
    const texts = async (...sent: Parameters<typeof linesBackward>) =>
      (await linesBackward(...sent)).map(({ bytes }) => bytes.toString());
    assert.deepEqual(await texts('a\nb\nc'), ['b', 'a']);
    assert.deepEqual(await texts('a\nb\nc\n', 4), ['b', 'a']);
    assert.deepEqual(await texts('c'), []);
  });

  it('throw when a line read backward is too long for a record', async () => {
    const [fitting, long] = ['x'.repeat(MAX_RECORD_BYTES), 'x'.repeat(MAX_RECORD_BYTES + 1)];
    await assert.rejects(linesBackward(`${long}\n`), /too long for a record; move it away/);
    assert.equal((await linesBackward(`a\n${fitting}\n`)).length, 2);
  });

  it('arrive in pieces when a line is too long, followed by the next line', async () => {
    const lines = await linesForward(`a\n${'x'.repeat(MAX_RECORD_BYTES + BLOCK_BYTES)}\nb\n`);
    assert.deepEqual(columns(lines, 'start', 'isTerminated'), [
      [0, true],
      [2, false],
      [lines[1]!.bytes.length + 2, true],
      [MAX_RECORD_BYTES + BLOCK_BYTES + 3, true],
    ]);
  });

  it('include an unfinished last line after a crash', async () => {
    const [, torn] = await linesForward('a\nto');
    assert.deepEqual([torn?.bytes.toString(), torn?.start, torn?.isTerminated], ['to', 2, false]);
  });

  it('are absent without a file, and any other error is thrown', async () => {
    assert.equal(await openIfExists(join(folder.path, 'none')), undefined);
    await assert.rejects(openIfExists(join(path, 'below')), { code: 'ENOTDIR' });
  });

  itWith(LINUX, 'are read without a file left open', async () => {
    await linesForward('a\nb');
    await findInTrail(path, { limit: 1 });
    mkdirSync(join(folder.path, 'folder'));
    await assert.rejects(findInTrail(join(folder.path, 'folder'), { limit: 1 }), { code: 'EISDIR' });
    assert.deepEqual(openBelow(folder.path), []);
  });
});
