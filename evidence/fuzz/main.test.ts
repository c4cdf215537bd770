import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

interface Line {
  readonly holds: boolean;
  readonly least: number;
  readonly targets: Readonly<
    Record<string, { readonly failure?: { readonly kind: string; readonly input: string } }>
  >;
}

describe('the fuzzer', function () {
  this.timeout(240_000);

  function search(words: readonly string[], isSabotaged = false): { status: number | null; line: Line } {
    const script = fileURLToPath(new URL('main.js', import.meta.url));
    const env = { ...process.env, SEED: '1', EVIDENCE_SABOTAGE: isSabotaged ? '1' : '0' };
    const { status, stdout } = spawnSync(process.execPath, [script, ...words], { env, encoding: 'utf8' });
    return { status, line: JSON.parse(stdout) as Line };
  }

  it('finds a crash that needs four bytes, and reports the shortest failing input', () => {
    const { status, line } = search(['--seconds', '200', 'throws'], true);
    assert.equal(status, 1);
    const { kind, input } = line.targets['throws']?.failure ?? {};
    assert.deepEqual([kind, input], ['crash', 'YANG']);
  });

  it('stops a parser that hangs after four bytes, and reports the input', () => {
    const { status, line } = search(['--seconds', '200', 'loops'], true);
    assert.equal(status, 1);
    const { kind, input = '' } = line.targets['loops']?.failure ?? {};
    assert.equal(kind, 'hang');
    assert.match(input, /^YANG/);
  });

  it('continues until the parser has read the requested number of inputs', () => {
    const { status, line } = search(['--seconds', '0', '--executions', '20000', 'bearer', 'cookies']);
    assert.equal(status, 0);
    assert.equal(line.holds, true);
    assert.ok(line.least >= 20_000);
  });
});
