import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, readPage, ROOT, rowsBelow } from '../docs/markdown.js';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly license?: string;
  /** The form of old packages. */
  readonly licenses?: readonly { readonly type: string }[];
}

const readJson = (...path: readonly string[]): unknown =>
  JSON.parse(readFileSync(join(ROOT, ...path), 'utf8'));

/** The manifests, each with the heading of its table in the page. */
const SECTIONS = {
  'package.json': '## Server',
  'console/package.json': '## Pages',
  'test/package.json': '## Tests and checks',
} as const;

const page = readPage('docs/dependencies.md');
const { packages } = readJson('package-lock.json') as {
  readonly packages: Readonly<Record<string, Manifest | undefined>>;
};

/** Returns the rows of a table: name, license, task. */
function rowsOf(heading: string): readonly (readonly [name: string, license: string, task: string])[] {
  return rowsBelow(page, heading).flatMap(([cell, license = '', task = '']) => {
    const name = codeOf(cell);
    return name === undefined ? [] : [[name, license, task] as const];
  });
}

/** Returns the license that a package declares in its own manifest. */
function installedLicenseOf(name: string): string | undefined {
  const { license, licenses } = readJson('node_modules', name, 'package.json') as Manifest;
  return license ?? licenses?.[0]?.type;
}

describe('docs/dependencies.md', () => {
  for (const [file, heading] of Object.entries(SECTIONS)) {
    const rows = rowsOf(heading);

    it(`has one line for each package of ${file}, and no other line`, () => {
      const { dependencies, devDependencies } = readJson(file) as Manifest;
      const names = [...Object.keys(dependencies ?? {}), ...Object.keys(devDependencies ?? {})];
      assert.deepEqual(rows.map(([name]) => name).sort(), names.sort());
    });

    it(`states the licenses of the packages of ${file}, and their tasks`, () => {
      assert.ok(rows.length > 0);
      for (const [name, license, task] of rows) {
        assert.equal(license, installedLicenseOf(name), name);
        // The lock file has no license for packages with the old form of the declaration.
        assert.equal(packages[`node_modules/${name}`]?.license ?? license, license, name);
        assert.match(task, /^\S.{9}/, name);
      }
    });
  }
});
