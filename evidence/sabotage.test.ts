import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { GROUPS } from './groups.js';

const MAIN = fileURLToPath(new URL('main.js', import.meta.url));

/**
 * Groups that run as separate programs, with arguments that make them short but sure to fail when sabotaged.
 */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  reload: ['3'],
  leak: ['3', '1'],
  isolation: ['1', '300'],
  crash: ['3'],
  stalls: ['updateApplication'],
  model: ['200'],
  storm: ['200'],
  bombs: ['many properties'],
  'yang-bombs': ['double 40 times'],
  schema: ['600'],
  suite: ['2'],
  audit: ['3'],
};

/** Groups whose failure other tests check. */
const OWN_TESTS = 'jwt paths http json ssrf addresses hostile slow floods power fuzz faults mutation'.split(
  ' ',
);

/**
 * Groups that take minutes, or need something that some machines lack: run with `npm run evidence --
 * --sabotage`.
 */
const BY_HAND =
  'clocks restarts cluster starts descriptors disk vault rotation overload yang package first-call day'.split(
    ' ',
  );

describe('a sabotaged evidence group', function () {
  this.timeout(120_000);

  for (const [group, words] of Object.entries(SHORT))
    it(`fails: ${group}`, () => {
      const { status, stdout } = spawnSync(process.execPath, [MAIN, '--sabotage', group, ...words], {
        encoding: 'utf8',
      });
      assert.equal(status, 1, stdout);
      assert.equal((JSON.parse(stdout) as { readonly holds: boolean }).holds, false);
    });

  it('is checked for every group, here or elsewhere', () => {
    const tried = [...Object.keys(SHORT), ...OWN_TESTS, ...BY_HAND];
    assert.deepEqual(tried.sort(), Object.keys(GROUPS).sort());
  });
});
