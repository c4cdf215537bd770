import { type Content, html } from './html.js';

/** Content of a minimal page. */
export interface MinimalPage {
  readonly title: string;
  readonly content: Content;
  /** Path to which the browser is redirected automatically. */
  readonly refreshTo?: string;
}

/**
 * Headers of a minimal page. The page loads no resource, runs no script, cannot be framed and sends no
 * referrer.
 */
export const MINIMAL_PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'referrer-policy': 'no-referrer',
} as const;

/** Media type of an HTML page. */
export const PAGE_TYPE = 'text/html; charset=utf-8';

/** Returns the HTML of a page without styles and scripts. Escapes the content. */
export function minimalPage({ title, content, refreshTo }: MinimalPage): string {
  const refresh =
    refreshTo === undefined ? undefined : html`<meta http-equiv="refresh" content="0; url=${refreshTo}">`;
  return html`<!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    ${refresh}
    <title>${title}</title>
    </head>
    <body>
    <main>
    <h1>${title}</h1>
    ${content}
    </main>
    </body>
    </html>
    `.html;
}
