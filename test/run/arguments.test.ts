import assert from 'node:assert/strict';
import { column } from '../support/columns.js';
import { parseRunArguments, UsageError } from './arguments.js';
import { TIERS } from './tiers.js';

describe('parseRunArguments', () => {
  it('selects the tiers that need no other program', () => {
    const options = parseRunArguments([]);
    assert.deepEqual(options.tiers, ['shape', 'unit', 'integration', 'e2e']);
    assert.deepEqual(options.files, []);
  });

  it('selects all tiers with --all', () => {
    assert.deepEqual(parseRunArguments(['--all']).tiers, column(TIERS, 'name'));
  });

  it('reads tiers, files and options', () => {
    const options = parseRunArguments([
      'tools',
      'test/auth/jwk.test.ts',
      '--jobs',
      '3',
      '-g',
      'x',
      '--rerun-failed',
    ]);
    assert.deepEqual(options, {
      tiers: ['tools'],
      files: ['test/auth/jwk.test.ts'],
      jobs: 3,
      grep: 'x',
      changed: false,
      changedTests: false,
      leakScan: false,
      rerunFailed: true,
      writeTable: false,
    });
  });

  const wrong: Readonly<Record<string, readonly [string[], RegExp]>> = {
    'an unknown tier': [['units'], /no tier units; the tiers are shape, unit, /],
    'an unknown option': [['--fast'], /--fast/],
    'an invalid number of jobs': [['--jobs', '0'], /--jobs must be a number from 1/],
    'results of a part of the tests': [['--results', 'x.json', '-g', 'x'], /cannot be combined with --grep/],
  };
  for (const [what, [args, message]] of Object.entries(wrong))
    it(`rejects ${what} with the permitted values`, () => {
      assert.throws(
        () => parseRunArguments(args),
        (error) => error instanceof UsageError && message.test(error.message),
      );
    });
});
