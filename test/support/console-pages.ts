import type { Page } from 'playwright-core';

/** Every page of the console that needs nothing but a server, by its path below `/ui`. */
export const PAGES = [
  '/',
  '/adapters',
  '/adapters/core1',
  '/health',
  '/log',
  '/limits',
  '/notifications',
  '/forms',
  '/yang',
  '/tasks',
  '/profiles',
  '/new-profile',
  '/deprecations',
  '/secrets',
  '/access',
  '/audit',
  '/api',
  '/rest',
] as const;

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
