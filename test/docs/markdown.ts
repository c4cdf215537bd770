import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { anchorOf } from '../../site/src/anchors.js';
import { splitFrontMatter } from '../../site/src/front-matter.js';

/** The root of the checkout. This file runs from `dist/test/docs`. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A fenced code block. */
export interface Block {
  /** File and line, to find the block again. */
  readonly place: string;
  /** Info string after the opening fence, for example `yaml`. */
  readonly language: string;
  /** Mark in the comment before the fence, as `marks.ts` explains. Undefined without a mark. */
  readonly mark: string | undefined;
  readonly text: string;
}

/** A parsed Markdown file. */
export interface Page {
  /** Path relative to the root of the checkout. */
  readonly path: string;
  readonly blocks: readonly Block[];
  /** The members of the front matter, which VitePress and GitHub show. Empty without front matter. */
  readonly matter: Readonly<Record<string, unknown>>;
  /** The text without its front matter, and without its fenced blocks and their marks. */
  readonly prose: string;
}

/** Pages at the root of the checkout. */
const ROOT_PAGES = [
  'README.md',
  'CHANGELOG.md',
  'ARCHITECTURE.md',
  'CODE_OF_CONDUCT.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
];

const FENCE = /^(?:<!-- ([^\n]+) -->\n\n?)?```([^\n]*)\n(.*?)^```$/gms;

/** Reads one Markdown file by its path relative to the root of the checkout. */
export function readPage(path: string): Page {
  return parsePage(path, readFileSync(join(ROOT, path), 'utf8'));
}

/** Parses the text of a Markdown file. */
export function parsePage(path: string, text: string): Page {
  const blocks = [...text.matchAll(FENCE)].map((match) => ({
    place: `${path}:${text.slice(0, match.index + match[0].indexOf('```')).split('\n').length}`,
    language: match[2] ?? '',
    mark: match[1],
    text: match[3] ?? '',
  }));
  const { members: matter, body } = splitFrontMatter(text);
  return { path, blocks, matter, prose: body.replace(FENCE, '') };
}

/** Reads the pages at the root, and every Markdown file in `config`, `deploy`, `docs`, `examples` and `plugins`. */
export function readPages(): readonly Page[] {
  const found = ['config', 'deploy', 'docs', 'examples', 'plugins'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
      .filter((path) => !/(?:^|\/)(?:\.site|node_modules)\//.test(path)),
  );
  return [...ROOT_PAGES, ...found.sort()].map(readPage);
}

/** Returns the texts of the headings, including their backticks. */
export function headingsOf({ prose }: Page): readonly string[] {
  return [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading);
}

/** Returns the anchors of a page, as GitHub derives them from its headings. */
export function anchorsOf(page: Page): readonly string[] {
  return headingsOf(page).map(anchorOf);
}

/**
 * Returns the cells of the table rows below a heading, up to the next heading. The head of a table is a row
 * as well.
 */
export function rowsBelow({ prose }: Page, heading: string): readonly (readonly string[])[] {
  const [, below = ''] = prose.split(`\n${heading}\n`);
  const [section = ''] = below.split(/^#{1,6} /m, 1);
  return [...section.matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) =>
    row.split(' | ').map((cell) => cell.trim()),
  );
}

/** Returns the texts inside backticks. */
export function codesIn(text = ''): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** Returns the text inside backticks. Returns undefined if the cell contains anything else. */
export function codeOf(cell: string | undefined): string | undefined {
  return /^`([^`]+)`$/.exec(cell ?? '')?.[1];
}
