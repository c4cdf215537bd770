import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeOperations } from '../../src/features/operations.js';
import { languages, messagesOf } from '../support/console-texts.js';
import { ROOT } from './source-files.js';

const PAGES = join(ROOT, 'console/src/pages');

/** Folders with parts that several pages or the frame around them show, and without a page of the navigation. */
const PARTS = ['rules', 'history', 'request', 'sign-in', 'traffic'];

/** A page of the console (`console/src/app/page-route.ts`). */
interface Route {
  readonly path: string;
  readonly area: string;
  readonly key?: string;
  readonly needs: string;
  readonly guide: string;
}

describe('the folder of a page', () => {
  const operations = new Set(describeOperations().map(({ row }) => row.id));
  const texts = languages().map((language) => ({ language, areas: messagesOf(language) }));
  let listed: readonly Route[];
  before(async () => {
    listed = ((await load('app/pages.js')) as { readonly PAGES: readonly Route[] }).PAGES;
  });

  for (const page of readdirSync(PAGES).filter((name) => !PARTS.includes(name)))
    it(`${page} has everything that a page needs`, async () => {
      assert.deepEqual(await lacksOf(page), []);
    });

  it('has a path and a key that no other page has', () => {
    assert.ok(listed.length >= 20);
    for (const member of ['path', 'key'] as const) {
      const values = listed.flatMap((route) => route[member] ?? []);
      assert.deepEqual([...new Set(values)], values);
    }
  });

  async function lacksOf(page: string): Promise<readonly string[]> {
    if (!existsSync(join(PAGES, page, 'route.ts'))) return [`console/src/pages/${page}/route.ts`];
    const routes = Object.entries(await load(`pages/${page}/route.js`)) as [string, Route][];
    return routes.flatMap(([name, route]) => {
      const { area, needs, guide } = route;
      const messages = texts.flatMap(({ language, areas }) =>
        ['title', 'page.help']
          .filter((key) => areas[area]?.[key] === undefined)
          .map((key) => `console/src/pages/${page}/messages/${language}/${area}.json: ${key}`),
      );
      return [
        ...messages,
        ...(listed.includes(route) ? [] : [`console/src/app/pages.ts: ${name}`]),
        ...(existsSync(join(ROOT, `docs/how-to/${guide}.md`)) ? [] : [`docs/how-to/${guide}.md`]),
        ...(operations.has(needs) ? [] : [`an operation ${needs}`]),
      ];
    });
  }
});

/** Loads a compiled module of the console. Its types need those of browsers, which the tests do not have. */
async function load(path: string): Promise<object> {
  return (await import(new URL(`../../console/src/${path}`, import.meta.url).href)) as object;
}
