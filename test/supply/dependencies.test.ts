import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
  'test/package.json': '## Tests',
  'scripts/package.json': '## Checks, and tests of `npm run test:all`',
  'site/package.json': '## Documentation site',
} as const;

const page = readPage('docs/dependencies.md');

/** Returns the rows of a table: name, license, task. */
function rowsOf(heading: string): readonly (readonly [name: string, license: string, task: string])[] {
  return rowsBelow(page, heading).flatMap(([cell, license = '', task = '']) => {
    const name = codeOf(cell);
    return name === undefined ? [] : [[name, license, task] as const];
  });
}

/** Returns the licenses of a package by the lock file of a manifest and by the installed package, as far as they state one. */
function licensesOf(name: string, manifest: string): readonly string[] {
  const lock = join(dirname(manifest), 'package-lock.json');
  const { packages } = readJson(existsSync(join(ROOT, lock)) ? lock : 'package-lock.json') as {
    readonly packages: Readonly<Record<string, Manifest | undefined>>;
  };
  const installed = join('node_modules', name, 'package.json');
  const sources = [
    packages[`node_modules/${name}`],
    ...(existsSync(join(ROOT, installed)) ? [readJson(installed) as Manifest] : []),
  ];
  return sources.flatMap((source) => source?.license ?? source?.licenses?.[0]?.type ?? []);
}

describe('docs/dependencies.md', () => {
  for (const [file, heading] of Object.entries(SECTIONS).filter(([name]) => existsSync(join(ROOT, name)))) {
    const rows = rowsOf(heading);

    it(`has one line for each package of ${file}, and no other line`, () => {
      const { dependencies, devDependencies } = readJson(file) as Manifest;
      const names = [...Object.keys(dependencies ?? {}), ...Object.keys(devDependencies ?? {})];
      assert.deepEqual(rows.map(([name]) => name).sort(), names.sort());
    });

    it(`states the licenses of the packages of ${file}, and their tasks`, () => {
      assert.ok(rows.length > 0);
      for (const [name, license, task] of rows) {
        assert.deepEqual([...new Set(licensesOf(name, file))], [license], name);
        assert.match(task, /^\S.{9}/, name);
      }
    });
  }
});
