import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMPOSING, readSources, ROOT, type SourceFile } from './source-files.js';

/** One number about the structure of the code, with the limit that `numbers.test.ts` holds it to. */
export interface StructureNumber {
  readonly about: string;
  readonly value: number;
  /** The largest permitted value: a change that needs more lowers another number or says why here. */
  readonly limit: number;
  /** What version 3 of the architecture aims at. */
  readonly aim: number;
}

/** Returns the numbers of the structure of `src`, the tests and the console, counted now. */
export function structureNumbers(): readonly StructureNumber[] {
  const sources = readSources('src', 'plugins');
  const src = sources.filter(({ path }) => path.startsWith('src/'));
  const core = src.filter(({ path }) => path.startsWith('src/core/'));
  return [
    // Adapters from OpenAPI documents, methods as tools, rules and limits as records, impact of a stop, expressions of forms, scheduled suspensions, rights of open streams,
    // limits of what waits for other processes and devices, and levels of comments in formatted files.
    { about: 'lines of src', value: linesOf(src), limit: 131_000, aim: 95_000 },
    { about: 'files of src', value: src.length, limit: 1_046, aim: 850 },
    { about: 'lines of src/core', value: linesOf(core), limit: 5_880, aim: 4_500 },
    { about: 'files of src/core', value: core.length, limit: 54, aim: 60 },
    { about: 'uses of Pick and Omit in src', value: picks(src), limit: 375, aim: 150 },
    {
      about: 'lines of files that may import anything',
      value: linesOf(src.filter(({ path }) => COMPOSING.test(path))),
      limit: 6_000,
      aim: 8_000,
    },
    { about: 'files of src with one importer', value: onceImported(sources), limit: 357, aim: 200 },
    { about: 'lines of test', value: lines('test'), limit: 132_700, aim: 110_000 },
    // Editors of pages, translations and calculated values of forms.
    { about: 'lines of console/src', value: lines('console/src'), limit: 50_600, aim: 43_000 },
  ];
}

function linesOf(files: readonly SourceFile[]): number {
  return files.reduce((total, { lines: own }) => total + own - 1, 0);
}

/** Counts the lines of TypeScript and JavaScript that git tracks below a folder. */
function lines(folder: string): number {
  const tracked = execFileSync('git', ['ls-files', folder], { cwd: ROOT, encoding: 'utf8' }).split('\n');
  return tracked
    .filter((path) => /\.(?:tsx?|js)$/.test(path))
    .reduce((total, path) => total + readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1, 0);
}

function picks(files: readonly SourceFile[]): number {
  return files.reduce(
    (total, { path }) =>
      total + (readFileSync(join(ROOT, path), 'utf8').match(/\b(?:Pick|Omit)</g)?.length ?? 0),
    0,
  );
}

function onceImported(files: readonly SourceFile[]): number {
  const importers = new Map<string, number>();
  for (const { imports } of files)
    for (const target of new Set(imports)) importers.set(target, (importers.get(target) ?? 0) + 1);
  return files.filter(({ path }) => path.startsWith('src/') && importers.get(path) === 1).length;
}
