import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileFault, FILE_LIMIT, readText } from '../../src/config/read-text.js';
import { ORDINARY_USER, POSIX } from '../support/need-list.js';
import { itWith } from '../support/needs.js';

describe('readText', () => {
  let folder: string;
  const path = (name: string) => join(folder, name);
  const message = (name: string) => {
    const read = readText(path(name));
    assert.ok('message' in read, 'no fault');
    assert.deepEqual([read.file, read.line, read.pointer, read.code], [path(name), 0, '', 'file']);
    assert.notEqual(read.fix, '');
    return read.message;
  };

  before(async () => (folder = await mkdtemp(join(tmpdir(), 'gatehouse-'))));
  after(() => rm(folder, { recursive: true }));

  it('reads UTF-8, removes a byte order mark and follows links', async () => {
    await writeFile(path('a'), '\ufeffä: 😀');
    await symlink('a', path('link'));
    assert.deepEqual(readText(path('link')), { file: path('link'), text: 'ä: 😀' });
  });

  it('reads a file of the maximum size and rejects a larger file', async () => {
    await writeFile(path('large'), 'x'.repeat(FILE_LIMIT));
    const read = readText(path('large'));
    assert.equal('text' in read && read.text.length, FILE_LIMIT);
    await writeFile(path('larger'), 'x'.repeat(FILE_LIMIT + 1));
    assert.equal(message('larger'), 'is larger than 1048576 bytes');
  });

  it('reports why a file cannot be read', async () => {
    await mkdir(path('folder'));
    await symlink('loop', path('loop'));
    await writeFile(path('file'), '');
    await writeFile(path('latin1'), Buffer.from([0x61, 0xe4, 0x62]));
    assert.equal(message('none'), 'does not exist');
    assert.equal(message('folder'), 'is a directory');
    assert.equal(message('loop'), 'is part of a loop of symbolic links');
    assert.equal(message('file/x'), 'is expected in a folder that is a file');
    assert.equal(message('latin1'), 'is not valid UTF-8');
    assert.equal(message('n'.repeat(300)), 'cannot be read (ENAMETOOLONG)');
  });

  itWith(POSIX, 'does not wait for the writer of a pipe', () => {
    execFileSync('mkfifo', [path('pipe')]);
    assert.equal(message('pipe'), 'is not a regular file');
  });

  itWith(ORDINARY_USER, 'reports that permission is denied', async () => {
    await writeFile(path('closed'), '', { mode: 0 });
    assert.equal(message('closed'), 'cannot be read: permission denied');
  });

  it('recommends a fix for each error of the file system', () => {
    for (const [code, message, fix] of [
      [
        'ENOENT',
        'does not exist',
        'Run "gatehouse init" to write a first configuration, or name another file with --config or GATEHOUSE_CONFIG.',
      ],
      ['ENOTDIR', 'is expected in a folder that is a file', 'Check the path.'],
      ['EACCES', 'cannot be read: permission denied', 'Give the user of the process the right to read it.'],
      ['EPERM', 'cannot be read: permission denied', 'Give the user of the process the right to read it.'],
      ['ELOOP', 'is part of a loop of symbolic links', 'Correct the symbolic link.'],
      ['ERR_ENCODING_INVALID_ENCODED_DATA', 'is not valid UTF-8', 'Save the file as UTF-8.'],
      ['EIO', 'cannot be read (EIO)', 'Check the path and the file system.'],
    ] as const) {
      const fault = { file: 'a', line: 0, column: 0, pointer: '', code: 'file', message, fix };
      assert.deepEqual(fileFault('a', Object.assign(new Error(code), { code })), fault);
    }
    for (const error of [new Error('EIO'), 'EIO'])
      assert.equal(fileFault('a', error).message, 'cannot be read (unknown error)');
  });

  it('recommends another file for a folder, and a smaller one for a large one', async () => {
    const fixOf = (name: string): string => {
      const read = readText(path(name));
      return 'fix' in read ? read.fix : '';
    };
    await mkdir(path('other'));
    await writeFile(path('largest'), 'x'.repeat(FILE_LIMIT + 1));
    assert.deepEqual(['other', 'largest'].map(fixOf), ['Name a file.', 'Write a smaller file.']);
  });
});
