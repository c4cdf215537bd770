import assert from 'node:assert/strict';
import { runCommand } from '../support/command-io.js';

const COMMANDS = [
  'serve',
  'check',
  'secrets',
  'secrets check',
  'secrets migrate',
  'token',
  'hash',
  'openapi',
];

describe('the gatehouse command', () => {
  it('lists its commands for --help, for help and without arguments', async () => {
    for (const args of [['--help'], ['help'], []]) {
      const { code, out } = await runCommand(args);
      assert.equal(code, 0);
      for (const name of COMMANDS.filter((one) => !one.includes(' ')))
        assert.match(out, new RegExp(`^  ${name} `, 'm'));
    }
  });

  for (const name of COMMANDS) {
    it(`explains ${name} with --help and rejects an unknown option`, async () => {
      const { code, out } = await runCommand([...name.split(' '), '--help']);
      assert.equal(code, 0);
      assert.match(out, new RegExp(`^Usage: gatehouse ${name}`));
      const wrong = await runCommand([...name.split(' '), '--oops']);
      assert.equal(wrong.code, 64);
      assert.match(wrong.err, /--oops/);
      assert.match(wrong.err, new RegExp(`See gatehouse ${name} --help`));
    });
  }

  it('prints its version, and all commands for a word without a near command', async () => {
    for (const word of ['--version', '-v', 'version'])
      assert.match((await runCommand([word])).out, /^\d+\.\d+\.\d+(?:\+[0-9a-f]{8})?\n$/);
    const { code, err } = await runCommand(['frobnicate']);
    assert.equal(code, 64);
    assert.match(err, /Commands:\n/);
  });
});
