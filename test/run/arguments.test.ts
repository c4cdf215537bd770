import assert from 'node:assert/strict';
import { HELP, parseRunArguments, UsageError } from './arguments.js';
import { TIERS } from './tiers.js';

describe('the arguments of npm test', () => {
  it('name no tier: all but those that run only by name', () => {
    const options = parseRunArguments([]);
    assert.deepEqual(options?.tiers, ['unit', 'integration', 'e2e', 'browser', 'docs']);
    assert.deepEqual(options.files, []);
  });

  it('name tiers, files and options', () => {
    const options = parseRunArguments([
      'tools',
      'test/auth/jwk.test.ts',
      '--jobs',
      '3',
      '-g',
      'x',
      '--slowest',
    ]);
    assert.deepEqual(options, {
      tiers: ['tools'],
      files: ['test/auth/jwk.test.ts'],
      jobs: 3,
      grep: 'x',
      slowest: 10,
      changed: false,
      leakScan: false,
    });
  });

  it('ask for help, which tells every tier', () => {
    assert.equal(parseRunArguments(['--help']), undefined);
    for (const { name } of TIERS) assert.match(HELP, new RegExp(`^  ${name} `, 'm'));
  });

  const wrong: Readonly<Record<string, readonly [string[], RegExp]>> = {
    'a tier that does not exist': [['units'], /no tier units; the tiers are unit, /],
    'an option that does not exist': [['--fast'], /--fast/],
    'no number of jobs': [['--jobs', '0'], /--jobs must be a number from 1/],
  };
  for (const [what, [args, message]] of Object.entries(wrong))
    it(`are refused with what to write instead: ${what}`, () => {
      assert.throws(
        () => parseRunArguments(args),
        (error) => error instanceof UsageError && message.test(error.message),
      );
    });
});
