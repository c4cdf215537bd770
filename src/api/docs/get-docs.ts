import type { OpenApiDocument } from '../../core/openapi.js';
import type { Operation } from '../../core/operation.js';
import type { DocumentationDeps } from './deps.js';
import { apiPage } from './page.js';
import { STYLE_SOURCE } from './style.js';

/** The page loads nothing and runs nothing; a token in its URL must not follow a reader elsewhere. */
const HEADERS = {
  'content-security-policy': `default-src 'none'; style-src '${STYLE_SOURCE}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
} as const;

/**
 * Shows the API to people, in one page that needs nothing else. It tells what `getOpenApi` tells, the roles of this
 * installation included, so it asks for a token as well: browsers bring theirs as a cookie.
 */
export const getDocs: Operation<DocumentationDeps> = {
  id: 'getDocs',
  summary: 'Show this API as a page for people.',
  method: 'GET',
  path: '/docs',
  roles: 'authenticated',
  reply: { title: 'A page', type: 'string' },
  replyType: 'text/html; charset=utf-8',
  replyHeaders: {
    'content-security-policy': 'Nothing is loaded, and no script runs',
    'referrer-policy': 'The address of the page is told to nobody',
  },
  handle: (_call, { describeApi }) => ({ body: pageOf(describeApi()), headers: HEADERS }),
};

const pages = new WeakMap<OpenApiDocument, string>();

function pageOf(document: OpenApiDocument): string {
  const page = pages.get(document) ?? apiPage(document);
  pages.set(document, page);
  return page;
}
