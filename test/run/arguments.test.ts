import assert from 'node:assert/strict';
import { HELP, parseRunArguments, UsageError } from './arguments.js';
import { TIERS } from './tiers.js';

describe('parseRunArguments', () => {
  it('selects every tier except those that run only by name', () => {
    const options = parseRunArguments([]);
    assert.deepEqual(options?.tiers, [
      'shape',
      'unit',
      'integration',
      'e2e',
      'browser',
      'docs',
      'clients',
      'openbao',
      'keycloak',
    ]);
    assert.deepEqual(options.files, []);
  });

  it('reads tiers, files and options', () => {
    const options = parseRunArguments([
      'tools',
      'test/auth/jwk.test.ts',
      '--jobs',
      '3',
      '-g',
      'x',
      '--slowest',
      '--rerun-failed',
    ]);
    assert.deepEqual(options, {
      tiers: ['tools'],
      files: ['test/auth/jwk.test.ts'],
      jobs: 3,
      grep: 'x',
      slowest: 10,
      changed: false,
      leakScan: false,
      rerunFailed: true,
    });
  });

  it('returns undefined for --help, whose text lists every tier', () => {
    assert.equal(parseRunArguments(['--help']), undefined);
    for (const { name } of TIERS) assert.match(HELP, new RegExp(`^  ${name} `, 'm'));
  });

  const wrong: Readonly<Record<string, readonly [string[], RegExp]>> = {
    'an unknown tier': [['units'], /no tier units; the tiers are shape, unit, /],
    'an unknown option': [['--fast'], /--fast/],
    'an invalid number of jobs': [['--jobs', '0'], /--jobs must be a number from 1/],
  };
  for (const [what, [args, message]] of Object.entries(wrong))
    it(`rejects ${what} with the permitted values`, () => {
      assert.throws(
        () => parseRunArguments(args),
        (error) => error instanceof UsageError && message.test(error.message),
      );
    });
});
