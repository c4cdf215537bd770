import type { SourceText } from '../syntax/statement.js';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Source of modules and submodules that are imported or included but not given.
 * Without a revision, the newest is returned. The lookup is synchronous, because it happens during
 * compilation.
 */
export interface ModuleRegistry {
  find(name: string, revision: string | undefined): SourceText | undefined;
}

/** Empty library. */
export const NO_LIBRARY: ModuleRegistry = { find: () => undefined };

/** Creates a library of texts. */
export function textLibrary(texts: readonly SourceText[]): ModuleRegistry {
  const headed = texts.map((text) => ({ text, heading: headingOf(text.text) }));
  const newestFirst = headed.sort((a, b) => compare(b.heading?.revision ?? '', a.heading?.revision ?? ''));
  return {
    find: (name, revision) =>
      newestFirst.find(
        ({ heading }) => heading?.name === name && (revision === undefined || heading.revision === revision),
      )?.text,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Name and revision of the module or submodule in a text, read from its first lines without parsing it. */
export interface Heading {
  readonly name: string;
  readonly kind: 'module' | 'submodule';
  readonly revision: string | undefined;
}

const COMMENTS = /\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*/y;
const BLANKS = /[\s\uFEFF]+/y;
const HEAD = /(module|submodule)\s+["']?([A-Za-z_][A-Za-z0-9_.-]*)/y;
const REVISION = /(?:^|[\s;{}])revision\s+["']?(\d{4}-\d{2}-\d{2})/g;

/** Returns the heading of a text; undefined if it does not begin like a module. */
export function headingOf(text: string): Heading | undefined {
  let at = 0;
  for (;;) {
    const end = after(BLANKS, text, at) ?? after(COMMENTS, text, at);
    if (end === undefined) break;
    at = end;
  }
  HEAD.lastIndex = at;
  const [, kind, name] = HEAD.exec(text) ?? [];
  if (name === undefined) return undefined;
  const revisions = [...text.matchAll(REVISION)].map(([, date = '']) => date).sort();
  return { name, kind: kind === 'module' ? 'module' : 'submodule', revision: revisions.at(-1) };
}

function after(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found ? at + found[0].length : undefined;
}

/** Maximum depth of folders below a directory. */
const DEPTH = 8;

interface Entry {
  readonly file: string;
  /** Name of the file in faults. */
  readonly label: string;
  /** Revision from the name of the file, or from its text if the name has no revision. */
  revision: string | undefined;
  text: SourceText | undefined;
}

/**
 * Returns a library of the modules in directories and the folders below them, by the names of their files:
 * `name.yang` or `name@2024-01-31.yang`. Directories are listed once; a file is read on first use.
 * A requested name never becomes part of a path, so no name leads out of the directories. Faults name a file
 * by its path, or by `labelOf` if callers must not learn paths.
 */
export function directoryLibrary(
  directories: readonly string[],
  labelOf: (file: string) => string = (file) => file,
): ModuleRegistry {
  const entries = new Map<string, Entry[]>();
  for (const directory of directories)
    for (const { file, name, revision } of yangFilesIn(directory, 0)) {
      const entry = { file, label: labelOf(file), revision, text: undefined };
      const known = entries.get(name);
      if (known) known.push(entry);
      else entries.set(name, [entry]);
    }
  return {
    find(name, revision) {
      const candidates = entries.get(name) ?? [];
      for (const entry of candidates)
        if (candidates.length > 1 || revision !== undefined) learnRevision(entry);
      const fitting =
        revision === undefined ? candidates : candidates.filter((one) => one.revision === revision);
      // Among equal revisions, the directory that was named first wins.
      const best = fitting.reduce<Entry | undefined>(
        (a, b) => (a && (a.revision ?? '') >= (b.revision ?? '') ? a : b),
        undefined,
      );
      return best && read(best);
    },
  };
}

interface YangFile {
  readonly file: string;
  readonly name: string;
  readonly revision: string | undefined;
}

/** Returns the files of a directory and of the folders below it, without links. */
function yangFilesIn(directory: string, depth: number): readonly YangFile[] {
  const items = readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return items.flatMap((item) => {
    const file = join(directory, item.name);
    if (item.isDirectory()) return depth < DEPTH ? yangFilesIn(file, depth + 1) : [];
    const [, name, revision] = /^([^@]+)(?:@(\d{4}-\d{2}-\d{2}))?\.yang$/.exec(item.name) ?? [];
    return name !== undefined && item.isFile() ? [{ file, name, revision }] : [];
  });
}

function read(entry: Entry): SourceText {
  return (entry.text ??= { file: entry.label, text: readFileSync(entry.file, 'utf8') });
}

function learnRevision(entry: Entry): void {
  entry.revision ??= headingOf(read(entry).text)?.revision ?? '';
}
