import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const DEMO = fileURLToPath(new URL('../demo/main.js', import.meta.url));

describe('npm run demo -- --once', () => {
  it('takes the whole tour and ends with exit code 0', async () => {
    // Rejects on any other exit code.
    const { stdout } = await promisify(execFile)(process.execPath, [DEMO, '--once'], { timeout: 15_000 });
    assert.match(stdout, /Every answer was right\.\s*$/);
    assert.ok(!stdout.includes('of-the-orchestrator'), 'the password was printed');
  });
});
