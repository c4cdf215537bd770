import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isXml } from '../syntax/other-format.js';
import { decodeSource } from '../syntax/source-text.js';
import type { SourceText } from '../syntax/statement.js';

/**
 * Library of modules and submodules that the given texts import or include. Without a revision, `find`
 * returns the newest. The lookup is synchronous, because compilation is synchronous.
 */
export interface ModuleRegistry {
  find(name: string, revision: string | undefined): SourceText | undefined;
}

/** Library without modules. */
export const NO_LIBRARY: ModuleRegistry = { find: () => undefined };

/** Creates a library of the modules in texts. */
export function textLibrary(texts: readonly SourceText[]): ModuleRegistry {
  const textsWithHeadings = texts.map((text) => ({ text, heading: headingOf(text.text) }));
  const newestFirst = textsWithHeadings.sort((a, b) =>
    compareText(b.heading?.revision ?? '', a.heading?.revision ?? ''),
  );
  return {
    find: (name, revision) =>
      newestFirst.find(
        ({ heading }) => heading?.name === name && (revision === undefined || heading.revision === revision),
      )?.text,
  };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Name, kind and newest revision of the module or submodule in a text. */
interface Heading {
  readonly name: string;
  readonly kind: 'module' | 'submodule';
  readonly revision: string | undefined;
}

const COMMENT = /\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*/y;
const WHITE_SPACE = /[\s\uFEFF]+/y;
const MODULE_HEADER = /(module|submodule)\s+["']?([A-Za-z_][A-Za-z0-9_.-]*)/y;
const REVISION = /(?:^|[\s;{}])revision\s+["']?(\d{4}-\d{2}-\d{2})/g;
const YIN_HEADER = /<(?:[\w.-]+:)?(module|submodule)\s[^>]*?\bname\s*=\s*["']([A-Za-z_][A-Za-z0-9_.-]*)["']/;
const YIN_REVISION = /<(?:[\w.-]+:)?revision\s+date\s*=\s*["'](\d{4}-\d{2}-\d{2})["']/g;

/**
 * Reads the heading of a text without parsing it. Returns undefined if the text does not begin with a module.
 */
export function headingOf(text: string): Heading | undefined {
  if (isXml(text)) {
    const [, kind, name] = YIN_HEADER.exec(text.slice(0, MAX_YIN_HEADER_OFFSET)) ?? [];
    return headingWith({ kind, name }, text, YIN_REVISION);
  }
  let at = 0;
  for (;;) {
    const end = endOfMatch(WHITE_SPACE, text, at) ?? endOfMatch(COMMENT, text, at);
    if (end === undefined) break;
    at = end;
  }
  MODULE_HEADER.lastIndex = at;
  const [, kind, name] = MODULE_HEADER.exec(text) ?? [];
  return headingWith({ kind, name }, text, REVISION);
}

function headingWith(
  { kind, name }: { readonly kind: string | undefined; readonly name: string | undefined },
  text: string,
  revision: RegExp,
): Heading | undefined {
  if (name === undefined) return undefined;
  const revisions = [...text.matchAll(revision)].map(([, date = '']) => date).sort();
  return { name, kind: kind === 'module' ? 'module' : 'submodule', revision: revisions.at(-1) };
}

function endOfMatch(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found ? at + found[0].length : undefined;
}

/** Maximum number of characters before the root element of a YIN text, usually a copyright comment. */
const MAX_YIN_HEADER_OFFSET = 64 * 1024;

/** Maximum depth of subdirectories that are searched. */
const MAX_DIRECTORY_DEPTH = 8;

interface LibraryEntry {
  readonly file: string;
  /** Name of the file in faults. */
  readonly label: string;
  /** Revision from the file name, or from the text if the file name has no revision. */
  revision: string | undefined;
  text: SourceText | undefined;
}

/**
 * Creates a library of the modules in directories and their subdirectories. Finds modules by file name:
 * `name.yang` or `name@2024-01-31.yang`, or with the
 * suffix `.yin`. Directories are listed once; a file is read on first use. A
 * requested name never becomes part of a path, so that no name leads out of the directories. Faults contain
 * the path of a file, or the result of `labelOf` if callers must not learn paths.
 */
export function directoryLibrary(
  directories: readonly string[],
  labelOf: (file: string) => string = (file) => file,
): ModuleRegistry {
  const entries = new Map<string, LibraryEntry[]>();
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
        if (candidates.length > 1 || revision !== undefined) ensureRevision(entry);
      const matches =
        revision === undefined
          ? candidates
          : candidates.filter((candidate) => candidate.revision === revision);
      // Among equal revisions, the first directory in the list has priority.
      const newest = matches.reduce<LibraryEntry | undefined>(
        (a, b) => (a && (a.revision ?? '') >= (b.revision ?? '') ? a : b),
        undefined,
      );
      return newest && readEntry(newest);
    },
  };
}

interface YangFile {
  readonly file: string;
  readonly name: string;
  readonly revision: string | undefined;
}

/** Returns the YANG files in a directory and its subdirectories. Symbolic links are skipped. */
function yangFilesIn(directory: string, depth: number): readonly YangFile[] {
  const items = readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return items.flatMap((item) => {
    const file = join(directory, item.name);
    if (item.isDirectory()) return depth < MAX_DIRECTORY_DEPTH ? yangFilesIn(file, depth + 1) : [];
    const [, name, revision] = /^([^@]+)(?:@(\d{4}-\d{2}-\d{2}))?\.(?:yang|yin)$/.exec(item.name) ?? [];
    return name !== undefined && item.isFile() ? [{ file, name, revision }] : [];
  });
}

function readEntry(entry: LibraryEntry): SourceText {
  return (entry.text ??= decodeSource(entry.label, readFileSync(entry.file)));
}

function ensureRevision(entry: LibraryEntry): void {
  entry.revision ??= headingOf(readEntry(entry).text)?.revision ?? '';
}
