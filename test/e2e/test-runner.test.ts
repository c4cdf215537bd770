import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const RUNNER = fileURLToPath(new URL('../run/main.js', import.meta.url));

interface RunResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function run(...args: readonly string[]): Promise<RunResult> {
  const child = spawn(process.execPath, [RUNNER, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = once(child, 'close');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await exit) as [number | null];
  return { code, out, err };
}

describe('the test runner', () => {
  it('refuses a file that does not exist, with exit code 64', async () => {
    const refused = await run('test/e2e/nothing.test.ts');
    assert.deepEqual([refused.code, refused.out], [64, '']);
    assert.match(refused.err, /^no test file test\/e2e\/nothing\.test\.ts\nRun 'npm test -- --help'/);
  });

  it('ends with exit code 1 when a test fails or leaves a handle open, and prints both and the counts', async () => {
    const { code, out } = await run('test/e2e/failing-suite.ts', '--jobs', '1');
    assert.equal(code, 1, out);
    assert.match(out, /^e2e +2 passed, 2 failed, 1 skipped +1 files +\d+\.\d s$/m);
    assert.match(out, /\n2 passed, 2 failed, 1 skipped\n$/);
    assert.match(out, /FAILED test\/e2e\/failing-suite\.ts: a suite fails\n/);
    assert.match(out, /\+ {3}vlan: 120\n *- {3}vlan: 121/);
    assert.match(out, /failing-suite\.js\n +it leaves open: 1 TCPServerWrap/);
    assert.match(out, /\nskipped:\n {2}test\/e2e\/failing-suite\.ts: a suite skips itself\n/);
  });
});
