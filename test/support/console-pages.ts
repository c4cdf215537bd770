import type { Page } from 'playwright-core';

/** The part of a page of the console that is read here (`console/src/app/page-route.ts`). */
interface Route {
  readonly path: string;
}

// The types of the pages need those of browsers, which the tests do not have.
const routes = (await import(new URL('../../console/src/app/pages.js', import.meta.url).href)) as {
  readonly PAGES: readonly Route[];
};

/** Every page of the console that needs nothing but a server, by its path below `/ui`. */
export const PAGES: readonly string[] = routes.PAGES.map(({ path }) =>
  path.replace('/adapters/:name', '/adapters/core1'),
).filter((path) => !path.includes(':'));

const UNAVAILABLE = { code: 'store_unavailable', detail: 'The database does not answer.' };

/** Makes all requests except `whoami` fail with status 503. */
export async function failRequests(page: Page): Promise<void> {
  await page.route(
    ({ pathname }) => !pathname.startsWith('/ui') && pathname !== '/whoami',
    (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify(UNAVAILABLE),
      }),
  );
}
