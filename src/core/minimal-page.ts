import { type Content, html } from './html.js';

/** What a page that needs nothing else shows. */
export interface MinimalPage {
  readonly title: string;
  readonly content: Content;
  /** Path to which the browser goes on by itself. */
  readonly goOn?: string;
}

/** Headers of a bare page: it loads nothing, runs nothing, stands in no frame, and its address is told to nobody. */
export const MINIMAL_PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'referrer-policy': 'no-referrer',
} as const;

/** Media type of a page. */
export const PAGE_TYPE = 'text/html; charset=utf-8';

/** Text of the smallest page there can be: no style, no script. Content is escaped. */
export function minimalPage({ title, content, goOn }: MinimalPage): string {
  const refresh = goOn === undefined ? undefined : html`<meta http-equiv="refresh" content="0; url=${goOn}">`;
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
