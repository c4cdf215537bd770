import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { runCommand } from '../support/command-io.js';

/** Returns what bash proposes after these words of a command line; the last word may be incomplete. */
async function proposals(...words: readonly string[]): Promise<readonly string[]> {
  const { out } = await runCommand(['completion', 'bash']);
  const line = words.map((word) => `'${word}'`).join(' ');
  const script = `${out}COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _gatehouse; echo "\${COMPREPLY[*]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  assert.equal(stderr, '');
  return stdout.trim().split(' ');
}

describe('gatehouse completion', () => {
  it('completes commands, their second words and their options in bash', async () => {
    assert.deepEqual(await proposals('gatehouse', 'se'), ['serve', 'secrets']);
    assert.deepEqual(await proposals('gatehouse', 'secrets', 'm'), ['migrate']);
    assert.deepEqual(await proposals('gatehouse', 'check', '--p'), [
      '--plugin-timeout',
      '--probe',
      '--production',
    ]);
  });

  it('lists every command for each shell', async () => {
    const { out: overview } = await runCommand(['--help']);
    const names = [...overview.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name);
    assert.ok(names.length > 10);
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { out } = await runCommand(['completion', shell]);
      assert.deepEqual(
        names.filter((name) => !new RegExp(`\\b${name}\\b`).test(out)),
        [],
        shell,
      );
    }
  });

  it('names the shells if none or another is given', async () => {
    for (const args of [[], ['tcsh'], ['bash', 'x']]) {
      const { code, err } = await runCommand(['completion', ...args]);
      assert.equal(code, 64);
      assert.match(err, /name a shell: bash, zsh or fish/);
    }
  });
});
