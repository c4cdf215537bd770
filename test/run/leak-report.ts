import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { hashOfInput, type RegisteredInput } from '../support/input-file.js';
import { searchFor } from '../support/leak-scan-search.js';
import { KEPT, RECORDS } from '../support/leak-scan.js';
import { sourceOf } from './paths.js';

/** A secret that was found in the output of tests. */
export interface Leak {
  /** The test file that ran when the output was written. */
  readonly testFile: string;
  /** Title of the test that ran, or that started the process; absent for files and outside tests. */
  readonly test?: string;
  /** Path of the output, relative to the folder of the leak scan. */
  readonly path: string;
  /** Byte offset. */
  readonly at: number;
  /** First characters of the secret. */
  readonly secret: string;
  readonly form: string;
}

/** Result of a leak scan. */
interface LeakReport {
  readonly secrets: number;
  /** Number of searched files. */
  readonly outputs: number;
  /** Size of the searched files. */
  readonly bytes: number;
  /** Number of files that were not searched because they are registered inputs. */
  readonly inputs: number;
  readonly leaks: readonly Leak[];
}

/** Searches everything that was kept in the folder of a leak scan for every secret. */
export function scanFolder(folder: string): LeakReport {
  const secrets = secretsIn(folder);
  const isInput = inputsIn(folder);
  const search = searchFor(secrets);
  const records = Object.values(RECORDS).map((name) => join(folder, name) + sep);
  const leaks: Leak[] = [];
  let outputs = 0;
  let bytes = 0;
  let inputs = 0;
  for (const path of filesBelow(folder)) {
    if (records.some((record) => path.startsWith(record))) continue;
    const content = readFileSync(path);
    if (isInput(path, content)) {
      inputs += 1;
      continue;
    }
    outputs += 1;
    bytes += content.length;
    for (const { secret, form, at } of search(content))
      leaks.push({
        ...originOf(folder, relative(folder, path)),
        at,
        secret: `${secrets[secret]?.slice(0, 4)}…`,
        form,
      });
  }
  return { secrets: secrets.length, outputs, bytes, inputs, leaks };
}

/** Returns the test file, and the test if it is known, that wrote an output. */
function originOf(folder: string, path: string): Pick<Leak, 'testFile' | 'test' | 'path'> {
  const [fileFolder = '', kind, name = ''] = path.split(sep);
  const [file] = linesOf(join(folder, fileFolder, KEPT.testFile));
  const number = kind === KEPT.output ? Number(name.split('-').at(-1)) : 0;
  const title = linesOf(join(folder, fileFolder, KEPT.tests))[number - 1];
  const testFile = file === undefined ? 'outside the test files' : sourceOf(file);
  return { testFile, path, ...(title !== undefined && { test: JSON.parse(title) as string }) };
}

function secretsIn(folder: string): readonly string[] {
  // Skips values that look like references: they appear in configurations and are not secret.
  return [...new Set(recordsIn(folder, RECORDS.secrets) as readonly string[])].filter(
    (value) => !value.startsWith('$'),
  );
}

/** Returns a function that recognizes registered inputs whose content is the same as on registration. */
function inputsIn(folder: string): (path: string, content: Buffer) => boolean {
  const hashes = new Map<string, Set<string>>();
  for (const { path, hash } of recordsIn(folder, RECORDS.inputs) as readonly RegisteredInput[])
    hashes.set(path, (hashes.get(path) ?? new Set()).add(hash));
  return (path, content) => hashes.get(path)?.has(hashOfInput(content)) === true;
}

function recordsIn(folder: string, kind: string): readonly unknown[] {
  return filesBelow(join(folder, kind))
    .flatMap(linesOf)
    .map((line) => JSON.parse(line) as unknown);
}

function linesOf(path: string): readonly string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
}

function filesBelow(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
