import assert from 'node:assert/strict';
import { runCommand } from '../support/command-io.js';

// docs/reference/cli.md has the help of each command, which test/docs compares.
describe('the gatehouse command', () => {
  it('lists its commands for --help, for help and without arguments', async () => {
    for (const args of [['--help'], ['help'], []]) {
      const { code, out } = await runCommand(args);
      assert.equal(code, 0);
      for (const name of ['serve', 'check', 'secrets', 'token', 'hash', 'openapi'])
        assert.match(out, new RegExp(`^  ${name} `, 'm'));
    }
  });

  it('prints its version, and all commands for a word without a near command', async () => {
    for (const word of ['--version', '-v', 'version'])
      assert.match((await runCommand([word])).out, /^\d+\.\d+\.\d+(?:\+[0-9a-f]{8})?\n$/);
    const { code, err } = await runCommand(['frobnicate']);
    assert.equal(code, 64);
    assert.match(err, /Commands:\n/);
  });
});
