import { type SectionName, SECTIONS } from '../../site/src/sections.js';
import type { Page } from './markdown.js';
import { countWords } from './prose.js';

/** The sections whose words are limited. The reference is generated. */
export const COUNTED = ['tutorial', 'how-to', 'explanation'] as const satisfies readonly SectionName[];

/** Returns true if a path names a page of one of the sections of the site. */
export function isSitePage(path: string): boolean {
  return SECTIONS.some(({ name }) => isIn(name, path));
}

/** Returns true if a path names a page of a section. */
export function isIn(section: SectionName, path: string): boolean {
  return path.startsWith(`docs/${section}/`) && path.endsWith('.md');
}

/** Returns the number of words of the prose of a section: without front matter, code blocks and tables. */
export function wordsOf(section: SectionName, pages: readonly Page[]): number {
  return pages
    .filter(({ path }) => isIn(section, path))
    .reduce((sum, { prose }) => sum + countWords(withoutTables(prose)), 0);
}

/** Returns a text without the rows of tables. */
export function withoutTables(prose: string): string {
  return prose.replaceAll(/^\s*\|.*$/gm, '');
}
