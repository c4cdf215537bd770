import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from '@formatjs/icu-messageformat-parser';
import type { Plugin } from 'vite';

const HERE = dirname(fileURLToPath(import.meta.url));
const SHARED = join(HERE, 'messages');
const PAGES = join(HERE, 'src/pages');
const MAIN = join(HERE, 'src/app/main.tsx');

/** The areas of messages that the task pages show. */
const TASK_AREAS = ['form', 'problems', 'task'];

/** Messages of a page that the console shows before the page is loaded. */
const PAGE_KEYS = ['title', 'page.help'];

/** Messages by area and key: texts, and syntax trees of those with placeholders. */
type Texts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Provides the module `virtual:messages`, which loads the messages of a language. One file of a language has the messages
 * that the console shows without a page, and one file each those in the folder of a page, which are loaded with the pages
 * that show them. The ICU texts are parsed here, so that the pages need no parser. A text that a language lacks is English.
 */
export function messages(isTask: boolean): Plugin {
  return {
    name: 'messages',
    resolveId: (id) => (id.startsWith('virtual:messages') ? id : undefined),
    load(id) {
      if (id === 'virtual:messages') {
        const languages = readdirSync(SHARED).map((one) => `${one}: () => import('virtual:messages/${one}')`);
        return `export default { ${languages.join(', ')} };`;
      }
      const [, language, page] = /^virtual:messages\/(\w+)\/?(.*)$/.exec(id) ?? [];
      if (language === undefined) return undefined;
      if (page) return `export default ${JSON.stringify(textsOf(join(PAGES, page, 'messages'), language))};`;
      return isTask
        ? `export const texts = ${JSON.stringify(pick(textsOf(SHARED, language), TASK_AREAS))}, pages = {};`
        : consoleMessages(language);
    },
  };
}

/** Returns the module with the messages of the console, and with functions that load those of each page. */
function consoleMessages(language: string): string {
  const first = pagesShownFrom(MAIN);
  const names = readdirSync(PAGES)
    .flatMap((page) => Object.entries(textsOf(join(PAGES, page, 'messages'), language)))
    .map(([area, texts]) => [area, pick(texts, PAGE_KEYS)] as const);
  const folders = [SHARED, ...first.map((page) => join(PAGES, page, 'messages'))];
  const whole = folders.flatMap((folder) => Object.entries(textsOf(folder, language)));
  const texts = Object.fromEntries([...names, ...whole]);
  const pages = readdirSync(PAGES)
    .map((page) => join(PAGES, page, 'route.ts'))
    .filter((route) => existsSync(route))
    .flatMap((route) => {
      const shown = pagesShownFrom(route).filter((page) => !first.includes(page));
      const imports = shown.map((page) => `import('virtual:messages/${language}/${page}')`);
      const areas = [...readFileSync(route, 'utf8').matchAll(/area: '([\w-]+)'/g)].map(([, area]) => area);
      return [...new Set(areas)].map((area) => `'${area}': () => Promise.all([${imports.join(', ')}])`);
    });
  return `export const texts = ${JSON.stringify(texts)}, pages = { ${pages.join(', ')} };`;
}

/** Returns the folders of pages whose messages a module shows, or a module that it imports. A page is imported by its own route. */
function pagesShownFrom(start: string): readonly string[] {
  const seen = new Set([start]);
  for (const file of seen) {
    const isOtherRoute = file.endsWith('/route.ts') && file !== start;
    const found = readFileSync(file, 'utf8').matchAll(isOtherRoute ? STATIC_IMPORT : ANY_IMPORT);
    for (const [, name = ''] of found) {
      const source = ['.ts', '.tsx']
        .map((end) => resolve(dirname(file), name.replace(/\.js$/, end)))
        .find((one) => one !== file && existsSync(one));
      if (source?.startsWith(join(HERE, 'src/'))) seen.add(source);
    }
  }
  const areas = [...seen].flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/textOf\('([\w-]+)'\)/g),
  ]);
  const shown = new Set(areas.map(([, area]) => `${area}.json`));
  return readdirSync(PAGES).filter((page) => {
    const folder = join(PAGES, page, 'messages/en');
    return existsSync(folder) && readdirSync(folder).some((file) => shown.has(file));
  });
}

const STATIC_IMPORT = /^(?:import|export) (?!type )[^;]*?from '(\..*?)';/gm;
const ANY_IMPORT = /(?:^(?:import|export) (?!type )[^;]*?from |\bimport\()'(\..*?)'/gm;

/** Returns the messages in a folder by area; none if there is no such folder. */
function textsOf(folder: string, language: string): Texts {
  const files = existsSync(folder) ? readdirSync(join(folder, 'en')) : [];
  return Object.fromEntries(
    files.map((file) => [
      file.replace('.json', ''),
      { ...parsed(join(folder, 'en', file)), ...parsed(join(folder, language, file)) },
    ]),
  );
}

function parsed(file: string): Readonly<Record<string, unknown>> {
  if (!existsSync(file)) return {};
  const texts = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>);
  return Object.fromEntries(texts.map(([key, text]) => [key, /[{}'<]/.test(text) ? parse(text) : text]));
}

function pick<Value>(from: Readonly<Record<string, Value>>, keys: readonly string[]): Record<string, Value> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => keys.includes(key)));
}
