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

describe('the search for inputs that a parser trips over', function () {
  this.timeout(240_000);

  function search(words: readonly string[], isSabotaged = false): { status: number | null; line: Line } {
    const script = fileURLToPath(new URL('main.js', import.meta.url));
    const env = { ...process.env, SEED: '1', EVIDENCE_SABOTAGE: isSabotaged ? '1' : '0' };
    const { status, stdout } = spawnSync(process.execPath, [script, ...words], { env, encoding: 'utf8' });
    return { status, line: JSON.parse(stdout) as Line };
  }

  it('finds a fault behind four bytes, and tells the shortest input that has it', () => {
    const { status, line } = search(['--seconds', '200', 'throws'], true);
    assert.equal(status, 1);
    const { kind, input } = line.targets['throws']?.failure ?? {};
    assert.deepEqual([kind, input], ['crash', 'YANG']);
  });

  it('stops a parser that does not end behind four bytes, and tells the input', () => {
    const { status, line } = search(['--seconds', '200', 'loops'], true);
    assert.equal(status, 1);
    const { kind, input = '' } = line.targets['loops']?.failure ?? {};
    assert.equal(kind, 'hang');
    assert.match(input, /^YANG/);
  });

  it('goes on at full speed until the parser has read as many inputs as asked', () => {
    const { status, line } = search(['--seconds', '0', '--executions', '20000', 'bearer', 'cookies']);
    assert.equal(status, 0);
    assert.equal(line.holds, true);
    assert.ok(line.least >= 20_000);
  });
});
