import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../test/docs/markdown.js';

/** Output of one run of a group, and its origin. */
export interface EvidenceRecord {
  readonly group: string;
  readonly holds: boolean;
  /** Version of Node.js. */
  readonly node: string;
  /** Of the package, and the commit. */
  readonly version: string;
  readonly commit: string;
  /** Day, as in ISO 8601. */
  readonly date: string;
  readonly [figure: string]: unknown;
}

/** Records by file name: the group, with the suffix `.sabotaged` for a sabotaged run. */
export type Records = Readonly<Record<string, EvidenceRecord>>;

const FOLDER = join(ROOT, 'docs', 'evidence');

/** Keeps the line that a group printed in `docs/evidence/`. */
export function keepRecord(line: string, sabotaged: boolean): void {
  const found = JSON.parse(line) as Pick<EvidenceRecord, 'group' | 'holds' | 'node'>;
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  const record: EvidenceRecord = {
    ...found,
    version,
    commit: commit(),
    date: new Date().toISOString().slice(0, 10),
  };
  mkdirSync(FOLDER, { recursive: true });
  const name = `${found.group}${sabotaged ? '.sabotaged' : ''}.json`;
  writeFileSync(join(FOLDER, name), `${JSON.stringify(record, null, 2)}\n`);
}

/** Returns all stored records. */
export function readRecords(): Records {
  const names = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.json')) : [];
  return Object.fromEntries(
    names
      .sort()
      .map((name) => [
        name.replace(/\.json$/, ''),
        JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as EvidenceRecord,
      ]),
  );
}

/** Returns the checked out commit, with the suffix `+` if the product's files differ from it. */
function commit(): string {
  const git = (...words: readonly string[]): string =>
    spawnSync('git', words, { cwd: ROOT, encoding: 'utf8' }).stdout.trim();
  const isChanged = git('status', '--porcelain', '--', 'src', 'plugins', 'package-lock.json') !== '';
  return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? '+' : ''}`;
}
