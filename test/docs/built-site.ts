import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BASE } from '../../site/src/finish.js';
import { ROOT } from './markdown.js';

/** Folder of the built documentation site. */
export const SITE = join(ROOT, 'docs', '.site');

/** Returns the HTML files of a built site: path in the site and content. */
export function readBuiltPages(site: string): ReadonlyMap<string, string> {
  const names = readdirSync(site, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.html'))
    .map((entry) => relative(site, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  return new Map(names.sort().map((name) => [name, readFileSync(join(site, name), 'utf8')]));
}

/** Returns the links of a page to the site itself that lead to no file, or to no element of the page. */
export function brokenLinksOf(
  name: string,
  pages: ReadonlyMap<string, string>,
  site: string,
): readonly string[] {
  const links = [...(pages.get(name) ?? '').matchAll(/\s(?:href|src)="([^"]*)"/g)].map(
    ([, link = '']) => link,
  );
  return [...new Set(links)].filter((link) => !/^(?:https?:|mailto:|data:)/.test(link) && !resolves(link));

  function resolves(link: string): boolean {
    const { pathname, hash } = new URL(link.replaceAll('&amp;', '&'), `http://site${BASE}${name}`);
    if (!pathname.startsWith(BASE)) return false;
    const path = decodeURIComponent(pathname.slice(BASE.length));
    const page = [path, `${path}.html`, join(path, 'index.html')].find((one) => pages.has(one));
    if (page === undefined) return path !== '' && existsSync(join(site, path)) && hash === '';
    const id = decodeURIComponent(hash.slice(1));
    return id === '' || pages.get(page)?.includes(` id="${id}"`) === true;
  }
}
