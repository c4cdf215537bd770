// Builds the parts that the selected tests need, and runs the tests: `node scripts/test.mjs --help`.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);

if (args.includes('--help') || args.includes('-h')) process.stdout.write(help());
else {
  run('scripts/ready.mjs', ['tests', 'code']);
  // The compiled runner knows the files of each tier, and which programs are installed.
  const { partsToBuild } = await import(pathToFileURL(join(root, 'dist', 'test', 'run', 'files.js')).href);
  const parts = partsToBuild(args);
  if (parts.length > 0) run('scripts/ready.mjs', ['tests', 'code', ...parts]);
  run('dist/test/run/main.js', args);
}

function run(script, words) {
  const { status } = spawnSync(process.execPath, [join(root, script), ...words], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** Returns the help. It needs no package, because a new user asks for it first. */
function help() {
  const tiers = JSON.parse(readFileSync(join(root, 'test', 'tiers.json'), 'utf8'));
  const lines = (isInAll) =>
    tiers
      .filter(({ onlyInAll = false }) => onlyInAll === isInAll)
      .map(({ name, about }) => `  ${name.padEnd(12)} ${about}`)
      .join('\n');
  return `Builds what the tests need, and runs them in parallel processes.

Usage: npm test -- [TIER...] [FILE...] [options]

Tiers of npm test, which need no other program:
${lines(false)}

Tiers that npm run test:all adds, each if its program is installed:
${lines(true)}

FILE is a test file, for example test/auth/jwk.test.ts.

Options:
  --all            all tiers, like npm run test:all
  --grep TEXT      only tests whose full title matches this regular expression
  --jobs N         processes (default: ${availableParallelism() + 1}, one more than there are processors)
  --changed        only shape, unit and integration tests that import a file changed since the last
                   commit, and changed test files of every tier
  --changed-tests  only test files changed since the last commit, and one test file for each other changed
                   file below test/
  --leak-scan      log everything, and search all that was written for secrets
  --rerun-failed   run files with a failed test once more, by themselves, if they are few; tests that pass
                   then are listed as flaky and do not fail the run
  --results FILE   write what ran and what was skipped to FILE, if no test fails
  --after FILE     leave out the test files that passed in the run that wrote FILE, unless one of their skipped
                   tests can run now. Both runs must be of one commit, without changes, and of one Node.js
  --write-table    write the table of the tiers in CONTRIBUTING.md with the times of this run
  --help           print this text
`;
}
