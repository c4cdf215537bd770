import type { OpenApiDocument } from '../../core/openapi.js';
import { valueAt } from '../../core/pointer.js';
import { fieldsOf } from './fields.js';
import { type Html, html } from '../../core/html.js';
import { resolverOf } from './schema-reader.js';
import { table } from './table.js';

/** What the document tells of one code. */
interface ListedProblem {
  readonly status: number;
  readonly title: string;
  readonly recommendation: string;
}

const SCHEMA = '/components/schemas/Problem';

/** Shows the body of every failure, and the codes that it can have. */
export function problemSection(document: OpenApiDocument): Html {
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
