import { createHash } from 'node:crypto';
import { type Html, html, verbatim } from '../../http/html.js';
import type { OpenApiDocument } from '../../http/openapi-types.js';
import { valueAt } from '../../json/pointer.js';
import { fieldsOf, resolverOf } from './fields.js';
import { type ListedOperation, nameOf, operationSection, table } from './operation-section.js';

/**
 * Renders the complete description as one HTML page that loads and runs nothing. The same document results in
 * the same page.
 */
export function apiPage(document: OpenApiDocument): string {
  const { info, tags } = document;
  const operations = operationsOf(document);
  const ofTag = (name: string) => operations.filter(({ operation }) => operation.tags.includes(name));
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>${info.title} ${info.version}: the API</title>
        <style>${verbatim(STYLE)}</style>
      </head>
      <body>
        <a class="skip" href="#content">To the operations</a>
        <header>
          <h1>The API of ${info.title}</h1>
          <p>
            Version ${info.version}. ${info.description} For programs:
            <a href="/openapi.json">openapi.json</a>. Guides: <a href="/docs/guide/">documentation</a>.
          </p>
        </header>
        <nav aria-label="Contents">
          <h2>Contents</h2>
          <ul>
            <li><a href="#tokens">Tokens</a></li>
            ${tags.map(({ name }) => contentsOf(name, ofTag(name)))}
            <li><a href="#problems">Problems</a></li>
          </ul>
        </nav>
        <main id="content">
          ${tokenSection(document)}${tags.map((tag) => chapter(document, tag, ofTag(tag.name)))}${problemSection(document)}
        </main>
      </body>
    </html> `.html;
}

/** Returns each operation once, even if it has several paths or methods. */
function operationsOf({ paths }: OpenApiDocument): readonly ListedOperation[] {
  const listed = new Map<string, ListedOperation>();
  for (const [path, item] of Object.entries(paths))
    for (const [method, operation] of Object.entries(item)) {
      const earlier = listed.get(operation['x-operation']);
      const route = `${method.toUpperCase()} ${path}`;
      listed.set(operation['x-operation'], {
        operation: earlier?.operation ?? operation,
        routes: [...(earlier?.routes ?? []), route],
      });
    }
  return [...listed.values()];
}

function contentsOf(name: string, operations: readonly ListedOperation[]): Html {
  const links = operations.map(
    ({ operation }) => html`<li><a href="#${operation['x-operation']}">${nameOf(operation)}</a></li> `,
  );
  return html`<li>
    <a href="#${chapterId(name)}">${name}</a>
    <ul>
      ${links}
    </ul>
  </li> `;
}

function chapter(
  document: OpenApiDocument,
  { name, description }: OpenApiDocument['tags'][number],
  operations: readonly ListedOperation[],
): Html {
  return html`<section aria-labelledby="${chapterId(name)}">
    <h2 id="${chapterId(name)}">${name}</h2>
    <p>${description}</p>
    ${operations.map((operation) => operationSection(document, operation))}
  </section> `;
}

/** Returns the anchor of a chapter. Anchors of operations contain a dot, so the two never collide. */
function chapterId(name: string): string {
  return `application-${name}`;
}

function tokenSection({ components }: OpenApiDocument): Html {
  const rows = Object.entries(components.securitySchemes).map(([name, { description }]) => [
    name,
    description,
  ]);
  return html`<section aria-labelledby="tokens">
    <h2 id="tokens">Tokens</h2>
    <p>
      Every operation that is not public requires a token. Of these ways to send it, this server accepts those
      that its configuration allows.
    </p>
    ${table('Ways to send a token', ['Name', 'Description'], rows)}
  </section> `;
}

/** Description of one problem code in the document. */
interface ListedProblem {
  readonly status: number;
  readonly title: string;
  readonly recommendation: string;
}

/** Pointer to the schema of the body of error responses. */
const PROBLEM_SCHEMA = '/components/schemas/Problem';

/** Renders the members of an error response, and the possible codes. */
function problemSection(document: OpenApiDocument): Html {
  const codes = valueAt(document, `${PROBLEM_SCHEMA}/properties/code/x-problems`) ?? {};
  const problems = Object.entries(codes as Readonly<Record<string, ListedProblem>>);
  const fields = fieldsOf({ $ref: `#${PROBLEM_SCHEMA}` }, resolverOf(document));
  return html`<section aria-labelledby="problems">
    <h2 id="problems">Problems</h2>
    <p>Every error response is a document of type application/problem+json. Its "code" is for programs.</p>
    ${table(
      'Members of a problem',
      ['Name', 'Type', 'Meaning'],
      fields.map(({ name, type, meaning }) => [
        html`<code>${name}</code>`,
        type,
        name === 'code' ? 'One of the codes below.' : meaning,
      ]),
    )}${table(
      'Codes',
      ['Code', 'Status', 'Meaning', 'What to do'],
      problems.map(([code, { status, title, recommendation }]) => [
        html`<code>${code}</code>`,
        status,
        title,
        recommendation,
      ]),
    )}
  </section> `;
}

/** Style sheet of the page, for narrow and wide screens, in light and dark colors, without images. */
const STYLE = `
:root { color-scheme: light dark; --ground: #fff; --text: #1b1f24; --quiet: #515a64; --line: #d0d7de; --tint: #f3f5f7; --link: #0550ae; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #14171b; --text: #e6e9ec; --quiet: #a9b2bb; --line: #3a424b; --tint: #1e2329; --link: #79b8ff; }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0 auto; max-width: 70rem; padding: 1rem; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { position: static; }
h1, h2, h3, h4 { line-height: 1.25; margin: 1.5em 0 .5em; }
h2 { border-bottom: 1px solid var(--line); padding-bottom: .25em; }
h3 { font-size: 1.05rem; }
.route { display: block; font: 600 1rem/1.5 ui-monospace, monospace; }
.quiet { color: var(--quiet); }
nav ul { columns: 16rem; padding-left: 1.25rem; }
section section { border-top: 1px solid var(--line); }
details { margin: .5rem 0 1.5rem; }
summary { cursor: pointer; color: var(--link); min-height: 1.5rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .9rem; }
pre { background: var(--tint); border: 1px solid var(--line); padding: .75rem; white-space: pre-wrap; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; }
caption { text-align: left; color: var(--quiet); }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .75rem .35rem 0; text-align: left; vertical-align: top; }
@media (max-width: 40rem) {
  table, caption, tbody, tr, th, td { display: block; }
  thead { position: absolute; left: -99rem; }
  tr { border-bottom: 1px solid var(--line); padding: .35rem 0; }
  th, td { border: 0; padding: .1rem 0; }
}
`;

/** Source of a content security policy that allows only this style sheet. */
export const STYLE_SOURCE = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;
