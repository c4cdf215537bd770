import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from '../docs/markdown.js';
import { BUILT_COMMAND, POSIX } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { yang11 } from '../support/yang.js';

const COMMAND = join(ROOT, 'dist/bin/gatehouse.js');

describeWith([POSIX, BUILT_COMMAND], 'the output of a command', () => {
  let file = '';
  before(() => {
    file = join(temporaryFolder().path, 'large.yang');
    const leaves = Array.from({ length: 3_000 }, (_, at) => `leaf l${at} { type string; }`);
    writeFileSync(file, yang11('large', `container c { ${leaves.join(' ')} }`));
  });

  /** Runs `gatehouse yang` with a shell command behind its pipe. Resolves to the output of both. */
  const pipedTo = async (reader: string): Promise<{ readonly out: string; readonly err: string }> => {
    const script = `"${process.execPath}" "${COMMAND}" yang "${file}" | ${reader}; echo "\${PIPESTATUS[0]}" >&2`;
    const shell = spawn('bash', ['-c', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, err] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'close')]);
    return { out, err };
  };

  it('is complete if its reader starts later than a second', async () => {
    const all = await pipedTo('cat');
    assert.ok(all.out.length > 200_000);
    assert.equal(all.err, '0\n');
    // The process used to end a second after the command, with the pipe full.
    assert.deepEqual(await pipedTo('(sleep 2; cat)'), all);
  });

  it('ends the command without a message if its reader closes the pipe', async () => {
    assert.deepEqual(await pipedTo('head -c 1'), { out: '{', err: '141\n' });
  });
});
