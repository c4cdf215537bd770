import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../support/temporary-folder.js';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

interface ScanResult {
  readonly code: number | null;
  readonly report: string;
  /** Findings of the test file: output, encoding and test, without numbers of processes and tests. */
  readonly found: readonly string[];
}

/** Scans a suite that leaks a secret if `leak` is "yes". */
async function scan(leak: 'yes' | 'no'): Promise<ScanResult> {
  const args = [here('../run/main.js'), '--leak-scan', 'test/e2e/leaking-suite.ts'];
  const env = { ...process.env, LEAK: leak, TMPDIR: temporaryFolder().path };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const report = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
  const [, own = ''] = /^LEAK test\/e2e\/leaking-suite\.ts\n((?: .*\n)*)/m.exec(report) ?? [];
  const lines = own.matchAll(/^ {2}\S+\/([a-z]+(?:-log)?)\S* at byte \d+: the secret c4n4…, (.*)$/gm);
  return { code: await exit, report, found: [...lines].map(([, output, how]) => `${output}: ${how}`).sort() };
}

describe('the leak scan', () => {
  it('X-01 fails when an output contains a secret, and names test file, test, output and encoding', async () => {
    const { code, report, found } = await scan('yes');
    assert.equal(code, 1, report);
    assert.deepEqual(
      found,
      [
        'changed: raw',
        'memory-log: raw, test: a suite logs it',
        'output: raw',
        'stdout: raw base64 at 0, test: a suite prints it',
        'stdout: raw, test: a suite starts a process that prints it',
      ],
      report,
    );
    assert.match(report, /registers the file: writeInput\(path, text\) or registerInput\(path\)/);
  });

  it('X-01 passes when only registered inputs contain a secret', async () => {
    const { code, report } = await scan('no');
    assert.equal(code, 0, report);
    assert.match(report, /leak scan: 1 secrets in \d+ outputs of 1 MB, 1 registered inputs, 0 found/);
  });
});
