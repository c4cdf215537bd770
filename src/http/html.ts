/** A fragment of HTML in which all external text is escaped. */
export interface Html {
  readonly html: string;
}

/**
 * Values in a fragment. Strings are escaped, fragments are not, and `undefined` renders as an empty string.
 */
export type Content = string | number | Html | readonly Content[] | undefined;

/**
 * Creates a fragment from a template literal. Removes the indentation of lines. Attributes must use double
 * quotes.
 */
export function html(texts: TemplateStringsArray, ...values: readonly Content[]): Html {
  const raw = texts.map((text) => text.replaceAll(/\n\s+/g, '\n'));
  return { html: String.raw({ raw }, ...values.map(renderContent)) };
}

/** Creates a fragment from text that needs no escaping, such as a style sheet of this project. */
export function verbatim(text: string): Html {
  return { html: text };
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function renderContent(value: Content): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
  return 'html' in value ? value.html : value.map(renderContent).join('');
}

/** Content of a minimal page. */
interface MinimalPage {
  readonly title: string;
  readonly content: Content;
  /** Path to which the browser is redirected automatically. */
  readonly refreshTo?: string;
}

/** Style sheet of a minimal page: the colors and sizes of the console, in the theme of the browser. */
const MINIMAL_STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
body { display: grid; place-items: center; min-block-size: 90vh; margin: 0 1.25rem; background: light-dark(#fff, #16191d); color: light-dark(#151d29, #e8ecf1); }
main { max-inline-size: 34rem; }
h1 { font-size: 1.375rem; font-weight: 600; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.25rem 1rem; }
dt { color: light-dark(#52606f, #a4b0bd); }
dd { margin: 0; }
a { color: light-dark(#0b57a4, #7db8f5); }
`;

/** Digest of the style sheet (CSP Level 3); `test/http/html.test.ts` computes it. */
const MINIMAL_STYLE_DIGEST = 'sha256-S4vahEaYMcYMXzAGOVtkBVHA8tl7tD+5eQmP/f1MjXQ=';

/**
 * Headers of a minimal page. The page loads no resource, runs no script, cannot be framed and sends no
 * referrer. Its only style sheet is allowed by its digest.
 */
export const MINIMAL_PAGE_HEADERS = {
  'content-security-policy': `default-src 'none'; style-src '${MINIMAL_STYLE_DIGEST}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'`,
  'referrer-policy': 'no-referrer',
} as const;

/** Media type of an HTML page. */
export const PAGE_TYPE = 'text/html; charset=utf-8';

/** Returns the HTML of a page without scripts and resources. Escapes the content. */
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
    <style>${verbatim(MINIMAL_STYLE)}</style>
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

/**
 * Policy of every page: no external content, no inline content, and no script from text (CSP Level 3, Trusted
 * Types).
 */
const BASE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
];

/**
 * Returns the `Content-Security-Policy` of a page that these origins may frame; `self` is the origin of this
 * server. Without origins, the page cannot be framed.
 */
export function pagePolicy(frameAncestors: readonly string[] = []): string {
  const sources = frameAncestors.length === 0 ? ['none'] : frameAncestors;
  const ancestors = sources.map((source) => (source.includes(':') ? source : `'${source}'`));
  return [...BASE_POLICY, `frame-ancestors ${ancestors.join(' ')}`].join('; ');
}

/** Headers of a page that cannot be framed. */
export const PAGE_HEADERS = {
  'content-security-policy': pagePolicy(),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const satisfies Readonly<Record<string, string>>;
