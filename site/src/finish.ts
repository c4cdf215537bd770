import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Path of the site on the server. */
export const BASE = '/docs/guide/';

/** A built page without inline scripts and styles, and the files that take their place. */
export interface StrictPage {
  readonly html: string;
  /** Name in `assets/` and content of the scripts. */
  readonly scripts: ReadonlyMap<string, string>;
}

/** Style attributes that the style sheet of the theme or the script of a page replaces. */
const REPLACED_STYLES = new Set(['--vp-vh:0px;', 'position:relative;']);

const INLINE_SCRIPT = /<script((?:\s(?!src=)[\w-]+(?:="[^"]*")?)*)>(.*?)<\/script>/gs;

const STYLE_ATTRIBUTE = /(<[a-z][^<>]*?)\sstyle="([^"]*)"/g;

/** What the policy of the pages blocks: other inline styles, handlers in attributes, and `javascript:` addresses. */
const BLOCKED = /<style[\s>]|<[a-z][^<>]*\s(?:style|on[a-z]+)=|href="javascript:/i;

/** Text files that are compressed, from this size in bytes. */
const COMPRESSED = /\.(?:html|js|css|svg)$/;
const MIN_COMPRESSED_BYTES = 512;

/**
 * Moves the inline scripts of a page to files and removes known style attributes, because the Content-Security-Policy
 * of gatehouse permits neither. Throws an Error if the page has anything else that the policy blocks.
 */
export function toStrictPage(html: string): StrictPage {
  const scripts = new Map<string, string>();
  const withFiles = html.replaceAll(INLINE_SCRIPT, (_, attributes: string, code: string) => {
    const name = `inline.${digestOf(code)}.js`;
    scripts.set(name, code);
    return `<script${attributes} src="${BASE}assets/${name}"></script>`;
  });
  const strict = withFiles.replaceAll(STYLE_ATTRIBUTE, (match, before: string, style: string) =>
    REPLACED_STYLES.has(style) ? before : match,
  );
  const [blocked] = BLOCKED.exec(strict) ?? [];
  if (blocked !== undefined) throw new Error(`the policy of the pages blocks ${blocked}`);
  return { html: strict, scripts };
}

/**
 * Prepares a built site for gatehouse: makes its pages strict, links the style sheet with the colors of code, and writes
 * a copy that is compressed with gzip beside each text file. A copy with Brotli would double the files for little.
 */
export function finishSite(folder: string, codeStyles: string): void {
  const assets = join(folder, 'assets');
  mkdirSync(assets, { recursive: true });
  const sheet = `code.${digestOf(codeStyles)}.css`;
  writeFileSync(join(assets, sheet), codeStyles);
  for (const page of filesIn(folder).filter((name) => name.endsWith('.html'))) {
    const { html, scripts } = strictPageOf(join(folder, page));
    for (const [name, code] of scripts) writeFileSync(join(assets, name), code);
    const link = `<link rel="stylesheet" href="${BASE}assets/${sheet}">`;
    writeFileSync(join(folder, page), html.replace('</head>', `${link}\n  </head>`));
  }
  // Only a server that renders pages reads this file.
  if (existsSync(join(folder, 'hashmap.json'))) rmSync(join(folder, 'hashmap.json'));
  for (const name of filesIn(folder).filter((file) => COMPRESSED.test(file))) compress(join(folder, name));
}

function strictPageOf(file: string): StrictPage {
  try {
    return toStrictPage(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

function compress(file: string): void {
  const bytes = readFileSync(file);
  if (bytes.length < MIN_COMPRESSED_BYTES) return;
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
