import type { OpenApiDocument } from '../../core/openapi.js';
import { type Html, html, verbatim } from '../../core/html.js';
import { type ListedOperation, nameOf, operationSection } from './operation-section.js';
import { STYLE } from './style.js';
import { table } from './table.js';
import { valueAt } from '../../core/pointer.js';
import { fieldsOf } from './fields.js';
import { resolverOf } from './schema-reader.js';

/** Description of one problem code in the document. */
interface ListedProblem {
  readonly status: number;
  readonly title: string;
  readonly recommendation: string;
}

const SCHEMA = '/components/schemas/Problem';

/** Renders the body of failures and the possible codes. */
function problemSection(document: OpenApiDocument): Html {
  const codes = valueAt(document, `${SCHEMA}/properties/code/x-problems`) ?? {};
  const problems = Object.entries(codes as Readonly<Record<string, ListedProblem>>);
  const fields = fieldsOf({ $ref: `#${SCHEMA}` }, resolverOf(document));
  return html`<section aria-labelledby="problems">
    <h2 id="problems">Problems</h2>
    <p>Every failure is a document of type application/problem+json. Programs compare its "code".</p>
    ${table(
      'Members of a problem',
      ['Name', 'Type', 'Meaning'],
      fields.map(({ name, type, meaning }) => [
        html`<code>${name}</code>`,
        type,
        name === 'code' ? 'One of those below.' : meaning,
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
            <a href="/openapi.json">openapi.json</a>.
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

/** Lists each operation once, even if it has several paths or methods. */
function operationsOf({ paths }: OpenApiDocument): readonly ListedOperation[] {
  const listed = new Map<string, ListedOperation>();
  for (const [path, item] of Object.entries(paths))
    for (const [method, operation] of Object.entries(item)) {
      const known = listed.get(operation['x-operation']);
      const route = `${method.toUpperCase()} ${path}`;
      listed.set(operation['x-operation'], {
        operation: known?.operation ?? operation,
        routes: [...(known?.routes ?? []), route],
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
      An operation that is not open to everyone asks for a token, sent in one of these ways as far as this
      server is configured to take it.
    </p>
    ${table('Ways to send a token', ['Name', 'How'], rows)}
  </section> `;
}
