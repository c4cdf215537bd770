import assert from 'node:assert/strict';
import { openFault } from '../../../../src/features/audit/trail/chain-file.js';

const failure = (code: string): Error => Object.assign(new Error('quoted by the system'), { code });

describe('openFault', () => {
  it('recommends a fix for each code', () => {
    for (const [code, advice] of [
      ['EISDIR', 'It is a folder: let audit.file name a file in it.'],
      ['EACCES', 'Give the user of this process the right to write it, or set audit.file to another path.'],
      ['EPERM', 'Give the user of this process the right to write it, or set audit.file to another path.'],
      ['EROFS', 'Its file system is read-only: set audit.file to another path.'],
      ['ENOSPC', 'The disk is full: free space.'],
      ['ENOTDIR', 'A part of its path is a file: correct audit.file.'],
      ['EEXIST', 'A part of its path is a file: correct audit.file.'],
      ['EIO', 'Check audit.file.'],
    ] as const) {
      const { message, cause } = openFault('/var/a.log', failure(code));
      assert.equal(message, `The audit file /var/a.log cannot be opened (${code}). ${advice}`, code);
      assert.equal((cause as Error).message, 'quoted by the system', code);
    }
  });

  it('contains the message of the cause if there is no error code', () => {
    const messageOf = (cause: unknown): string => openFault('a.log', cause).message;
    assert.equal(
      messageOf(new Error('it is odd')),
      'The audit file a.log cannot be opened (it is odd). Check audit.file.',
    );
    assert.equal(messageOf('odd'), 'The audit file a.log cannot be opened (unknown). Check audit.file.');
  });
});
