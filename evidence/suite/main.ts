import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { report, SABOTAGED } from '../report.js';
import { runSuite } from './run-suite.js';
import { type Course, judge } from './verdicts.js';

// Repeats all tests: a test that passes in one run and fails in another is flaky. `npm run evidence -- suite
// [RUNS [FILES]]`: FILES are compiled tests, as mocha accepts them
const [runs = '100', ...files] = process.argv.slice(2);
const RUNS = Number(runs);

const { path: folder } = temporaryFolder();
const courses: Course[] = [];
for (let run = 1; run <= RUNS; run += 1) {
  const course = await runSuite({
    files: SABOTAGED ? [moodyTest(run)] : files,
    reportFile: join(folder, 'report.json'),
  });
  courses.push(course);
  const { passed, failed, seconds } = course;
  process.stderr.write(`run ${run}: ${passed.length} passed, ${failed.length} failed, ${seconds} s\n`);
  for (const { test, message } of failed) process.stderr.write(`  ${test}: ${message}\n`);
}
const { tests, flaky, failing } = judge(courses);
report('suite', tests > 0 && flaky.length + failing.length === 0, {
  runs: RUNS,
  tests,
  flaky: flaky.length,
  failing: failing.length,
  names: [...flaky, ...failing],
  seconds: courses.map(({ seconds }) => seconds),
});

/** A test that fails in every second run. */
function moodyTest(run: number): string {
  const file = join(folder, 'moody.test.cjs');
  writeFileSync(file, `it('is moody', () => { if (${run} % 2 === 0) throw new Error('today I fail'); });\n`);
  return file;
}
