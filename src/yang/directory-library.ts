import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { headingOf, type ModuleRegistry } from './modules/library.js';
import type { SourceText } from './syntax/statement.js';

/** Deepest folder below a directory that is looked into. */
const DEPTH = 8;

interface Entry {
  readonly file: string;
  /** What faults call the file. */
  readonly label: string;
  /** From the file's name; read from the text where the name has none. */
  revision: string | undefined;
  text: SourceText | undefined;
}

/**
 * Modules in directories and the folders below them, by the names of their files: `name.yang` or
 * `name@2024-01-31.yang`. Directories are listed once; a file is read when it is first asked for. What is asked for
 * never becomes part of a path, so no name leads out of the directories. Faults call a file by its path, or as `labelOf`
 * says where callers must not learn paths.
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
      // Directories that were named first win among equals.
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

/** Files of a directory and those below it, links left out. */
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
