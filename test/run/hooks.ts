import type { Context } from 'mocha';
import '../support/console-texts.js';
import { openFileFolder, recordTest, recordTestFile } from '../support/leak-scan.js';
import { runChecks } from './after-file.js';
import { processorSeconds, writeFileRecord } from './file-records.js';
import { type OpenResources, openResources, waitUntilClosed } from './open-resources.js';

// Mocha's root hooks: they run before and after each test file, in the process that runs it (`mocha
// --require`).

openFileFolder();

let since = performance.now();
let cpu = processorSeconds();
let before: OpenResources = {};

export const mochaHooks = {
  async beforeAll(this: Context) {
    // From now on Mocha's own timer for this hook exists, as in the other hook.
    await Promise.resolve();
    before = openResources();
    recordTestFile(fileOf(this));
  },
  beforeEach(this: Context) {
    recordTest(this.currentTest?.fullTitle() ?? '');
  },
  async afterAll(this: Context) {
    const file = fileOf(this);
    const { replies, faults } = runChecks();
    const left = await waitUntilClosed(before);
    writeFileRecord({
      file,
      seconds: (performance.now() - since) / 1000,
      cpuSeconds: processorSeconds() - cpu,
      replies,
    });
    openFileFolder();
    since = performance.now();
    cpu = processorSeconds();
    // Mocha does not know the file of a root hook.
    const wrong = [
      ...faults.map((fault) => `a reply is not as documented: ${fault}`),
      ...left.map((kind) => `it leaves open: ${kind}`),
    ];
    if (wrong.length > 0) throw new Error(`${file}\n${wrong.join('\n')}`);
  },
};

/** Returns the path of the compiled test file of a root hook. */
function fileOf({ test }: Context): string {
  return test?.parent?.suites[0]?.file ?? '';
}
