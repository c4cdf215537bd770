import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Names the folder of a leak scan; set by `test/run/leak-scan.ts`. */
export const SCAN_FOLDER = 'GATEHOUSE_LEAK_SCAN';

/** Names the folder for the output of the current test file, below the folder of the leak scan. */
const FILE_FOLDER = 'GATEHOUSE_LEAK_SCAN_FILE';

/** Number of the current test in its file, from 1; absent outside tests. */
const TEST_NUMBER = 'GATEHOUSE_LEAK_SCAN_TEST';

/** Files and folders in which a leak scan keeps the output of a test file, below its folder. */
export const KEPT = { output: 'output', files: 'tmp', testFile: 'test-file', tests: 'tests' } as const;

/** Files in which a leak scan keeps JSON lines of each process, below the folder of the leak scan. */
export const RECORDS = { secrets: 'secrets', inputs: 'inputs' } as const;

/** Minimum length in bytes; shorter values occur in texts by chance. */
const SHORTEST = 12;

const folder = process.env[SCAN_FOLDER] ?? '';

/** True while everything that tests write is kept, to be searched for secrets when the tests have ended. */
export const IS_LEAK_SCAN = folder !== '';

let fileNumber = 0;
let testNumber = 0;

/**
 * Creates the folder for the output of the next test file of this process. Child processes inherit it by their
 * environment.
 */
export function openFileFolder(): void {
  if (!IS_LEAK_SCAN) return;
  fileNumber += 1;
  testNumber = 0;
  setFileFolder(process.env, join(folder, `${process.pid}-${fileNumber}`));
  Reflect.deleteProperty(process.env, TEST_NUMBER);
}

/** Creates a folder for output and sets it in the environment of a process. */
export function setFileFolder(env: NodeJS.ProcessEnv, path: string): void {
  for (const name of [KEPT.output, KEPT.files]) mkdirSync(join(path, name), { recursive: true });
  env[FILE_FOLDER] = path;
  env['TMPDIR'] = join(path, KEPT.files);
}

/** Records the test file whose output the current folder receives. */
export function recordTestFile(file: string): void {
  if (!IS_LEAK_SCAN) return;
  if (!tmpdir().startsWith(fileFolder()))
    throw new Error('a test has assigned process.env; set and restore single variables (setEnvironment)');
  writeFileSync(join(fileFolder(), KEPT.testFile), file);
}

/** Records the start of a test: the following output of this process is attributed to it. */
export function recordTest(title: string): void {
  if (!IS_LEAK_SCAN) return;
  testNumber += 1;
  process.env[TEST_NUMBER] = String(testNumber);
  appendFileSync(join(fileFolder(), KEPT.tests), `${JSON.stringify(title)}\n`);
}

/** Records output of this process during a leak scan. */
export function keepOutput(kind: string, text: string | Uint8Array): void {
  if (!IS_LEAK_SCAN) return;
  const name = `${kind}-${process.pid}-${process.env[TEST_NUMBER] ?? '0'}`;
  appendFileSync(join(fileFolder(), KEPT.output, name), text);
}

/** Registers a secret value; the leak scan searches for it in everything that was kept. */
export function keepSecret(value: string): void {
  if (Buffer.byteLength(value) >= SHORTEST) keepRecord('secrets', value);
}

/** Appends a value for the leak scan; does nothing without a leak scan. */
export function keepRecord(kind: keyof typeof RECORDS, value: unknown): void {
  if (IS_LEAK_SCAN)
    appendFileSync(join(folder, RECORDS[kind], String(process.pid)), `${JSON.stringify(value)}\n`);
}

function fileFolder(): string {
  return process.env[FILE_FOLDER] ?? folder;
}
