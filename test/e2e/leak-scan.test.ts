import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import { temporaryFolder } from '../support/temporary-folder.js';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Scans a suite that prints a secret in base64 if `leak` is "yes". */
async function scan(leak: 'yes' | 'no'): Promise<{ readonly code: number | null; readonly said: string }> {
  const args = [here('../run/main.js'), '--leak-scan', 'test/e2e/leaking-suite.ts'];
  const env = { ...process.env, LEAK: leak, TMPDIR: temporaryFolder().path };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const said = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
  return { code: await exit, said };
}

describe('the leak scan', () => {
  it('X-01 fails when an output contains a secret, and names the output and the encoding', async () => {
    const { code, said } = await scan('yes');
    assert.equal(code, 1, said);
    assert.match(said, /output\/stdout-\d+ at byte \d+: the secret c4n4…, raw base64 at 0/);
  });

  it('X-01 passes when no output contains a secret', async () => {
    const { code, said } = await scan('no');
    assert.equal(code, 0, said);
    assert.match(said, /leak scan: 1 secrets in \d+ outputs of 1 MB, 0 found/);
  });
});
