import type { OpenApiDocument } from '../../core/openapi.js';
import type { Operation } from '../../core/operation.js';
import type { DocumentationDeps } from './deps.js';
import { apiPage } from './page.js';
import { STYLE_SOURCE } from './style.js';

/** Headers of the page: it loads and runs nothing, and no link passes on a token in its URL. */
const HEADERS = {
  'content-security-policy': `default-src 'none'; style-src '${STYLE_SOURCE}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
} as const;

/**
 * Returns the API description as one self-contained page. The page contains the same data as `getOpenApi`,
 * including the roles of this installation, so it also requires a token; browsers send the token as a cookie.
 */
export const getDocs: Operation<DocumentationDeps> = {
  id: 'getDocs',
  summary: 'Render this API as an HTML page.',
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
