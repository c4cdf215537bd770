import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('main.js', import.meta.url));

/** Groups that run as programs of their own, with the size at which they are sure to fail when something is broken. */
const SHORT: readonly (readonly [group: string, size: string])[] = [
  ['reload', '3'],
  ['crash', '3'],
  ['model', '200'],
  ['storm', '200'],
];

describe('a group whose part was broken on purpose', function () {
  this.timeout(120_000);

  for (const [group, size] of SHORT)
    it(`fails: ${group}`, () => {
      const { status, stdout } = spawnSync(process.execPath, [MAIN, '--sabotage', group, size], {
        encoding: 'utf8',
      });
      assert.equal(status, 1, stdout);
      assert.equal((JSON.parse(stdout) as { readonly holds: boolean }).holds, false);
    });
});
