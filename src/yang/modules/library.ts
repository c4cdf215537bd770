import type { SourceText } from '../syntax/statement.js';

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
