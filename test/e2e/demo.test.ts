import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../docs/markdown.js';

const COMMAND = join(ROOT, 'dist/bin/gatehouse.js');

describe('gatehouse demo --once', () => {
  it('completes the tour and exits with code 0', async () => {
    // Rejects on any other exit code.
    const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, 'demo', '--once'], {
      timeout: 15_000,
    });
    assert.match(stdout, /Every answer was right\.\s*$/);
    assert.ok(!stdout.includes('of-the-orchestrator'), 'the password was printed');
  });
});
