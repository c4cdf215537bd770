import type {
  OpenApiContent,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiReference,
  OpenApiResponse,
} from '../../core/openapi.js';
import { valueAt } from '../../core/pointer.js';
import { fieldsOf } from './fields.js';
import { type Html, html } from '../../core/html.js';
import {
  type Resolve,
  resolverOf,
  alternativesOf,
  isRequired,
  isSchema,
  membersOf,
  typesOf,
} from './schema-reader.js';
import { table } from './table.js';
import type { JsonSchema } from '../../core/schema.js';

/** Maximum nesting of an example, which ends the recursion of schemas that contain themselves. */
const DEPTH = 8;

/** Returns a valid value: the example or default of the schema, or else the simplest value of its type. */
export function exampleOf(schema: JsonSchema, resolve: Resolve): unknown {
  return valueOf(schema, { resolve, depth: 0 });
}

interface ApiPath {
  readonly resolve: Resolve;
  readonly depth: number;
}

function valueOf(written: JsonSchema, way: ApiPath): unknown {
  const schema = way.resolve(written);
  const lists = [schema['examples'], schema['enum']].map((list): unknown => (Array.isArray(list) ? list[0] : undefined)); // prettier-ignore
  const given = [schema['const'], schema['default'], ...lists].find((value) => value !== undefined);
  if (given !== undefined) return given;
  const [first] = alternativesOf(schema);
  if (first && !schema['allOf']) return valueOf({ ...schema, ...NO_CHOICE, ...way.resolve(first) }, way);
  const types = typesOf(schema);
  const kind = types.find((type) => type !== 'null') ?? types[0] ?? 'object';
  return KINDS[kind]?.(schema, { ...way, depth: way.depth + 1 }) ?? null;
}

const NO_CHOICE = { oneOf: undefined, anyOf: undefined };

const KINDS: Readonly<Record<string, (schema: JsonSchema, way: ApiPath) => unknown>> = {
  string: textOf,
  integer: numberOf,
  number: numberOf,
  boolean: () => true,
  array: listOf,
  object: objectOf,
};

/** Returns the required members; all members if the schema requires no member. */
function objectOf(schema: JsonSchema, way: ApiPath): object {
  const members = membersOf(schema);
  const needed = members.filter(([name]) => isRequired(schema, name));
  const shown = way.depth > DEPTH ? [] : needed.length > 0 ? needed : members;
  return Object.fromEntries(shown.map(([name, member]) => [name, valueOf(member, way)]));
}

function listOf({ items }: JsonSchema, way: ApiPath): readonly unknown[] {
  return isSchema(items) && way.depth <= DEPTH ? [valueOf(items, way)] : [];
}

function numberOf({ minimum }: JsonSchema): number {
  return typeof minimum === 'number' ? minimum : 1;
}

/** Example texts that match the patterns of this API. */
const TEXTS = [
  'text',
  '/path',
  'application/json',
  'https://host.example/path',
  '2020-01-31T12:00:00.000Z',
  '0123456789abcdef01234567',
  '1',
];

const FORMATS: Readonly<Record<string, string>> = {
  uri: 'https://host.example/path',
  'date-time': '2020-01-31T12:00:00.000Z',
  date: '2020-01-31',
};

function textOf({ format, pattern, minLength }: JsonSchema): string {
  const formatted = typeof format === 'string' ? FORMATS[format] : undefined;
  if (formatted !== undefined) return formatted;
  const least = typeof minLength === 'number' ? minLength : 0;
  const form = typeof pattern === 'string' ? new RegExp(pattern, 'u') : /^/;
  const fitting = TEXTS.find((text) => text.length >= least && form.test(text));
  return fitting ?? 'x'.repeat(Math.min(Math.max(least, 1), 100));
}

/** One operation with all its routes. */
export interface ListedOperation {
  /** The operation at its first path. */
  readonly operation: OpenApiOperation;
  /** Routes such as `GET /path`; the first route is the preferred route. */
  readonly routes: readonly string[];
}

const PROBLEM_TYPE = 'application/problem+json';

/** Returns the id of an operation without the name of its application. */
export function nameOf({ 'x-operation': name }: OpenApiOperation): string {
  return name.slice(name.indexOf('.') + 1);
}

/** Renders an operation: its summary, and the details on demand. */
export function operationSection(document: OpenApiDocument, { operation, routes }: ListedOperation): Html {
  const { summary, description, responses, 'x-operation': id } = operation;
  const resolve = resolverOf(document);
  return html`<section id="${id}" aria-labelledby="${id}-name">
    <h3 id="${id}-name">${routes.map((route) => html`<span class="route">${route}</span>`)}</h3>
    <p>
      ${summary} <span class="quiet">${description} In the configuration: <code>${id}</code></span>
    </p>
    <details>
      <summary>Details of ${nameOf(operation)}</summary>
      ${parameterTable(operation.parameters ?? [], resolve)}${requestPart(operation, resolve)}${answersPart(wholeResponses(document, responses), resolve)}
    </details>
  </section> `;
}

function parameterTable(parameters: readonly OpenApiParameter[], resolve: Resolve): Html {
  const rows = parameters.map((parameter) => {
    const [field] = fieldsOf(parameter.schema, resolve);
    const where = `${parameter.in}, ${field?.type ?? 'text'}${parameter.required ? ', needed' : ''}`;
    const meaning = [parameter.description, field?.meaning].filter(Boolean);
    return [html`<code>${parameter.name}</code>`, where, meaning.join('. ')];
  });
  return table('Parameters', ['Name', 'Where and type', 'Meaning'], rows);
}

function requestPart({ requestBody }: OpenApiOperation, resolve: Resolve): Html {
  if (!requestBody) return html``;
  return html`<h4>Body</h4>
    <p>
      ${requestBody.required ? '' : 'Can be left out. '}As ${Object.keys(requestBody.content).join(' or ')}.
    </p>
    ${contentPart(requestBody.content, 'Body', resolve)}`;
}

function answersPart(responses: Responses, resolve: Resolve): Html {
  const failures = responses.filter(([, response]) => isProblem(response));
  return html`${responses.filter(([, response]) => !isProblem(response)).map((one) => answerPart(one, resolve))}${table(
    'Failures, as application/problem+json',
    ['Status', 'Codes'],
    failures.map(([status, { description }]) => [statusWords(status), description]),
  )}`;
}

function answerPart([status, { content = {}, description }]: Responses[number], resolve: Resolve): Html {
  const types = Object.keys(content);
  return html`<h4>Answer ${statusWords(status)}</h4>
    <p>${description}${types.length > 0 ? ` As ${types.join(' or ')}.` : undefined}</p>
    ${contentPart(content, 'Answer', resolve)}`;
}

function statusWords(status: string): string {
  return status === 'default' ? 'any other' : status;
}

/** Returns true for a response that is a problem, which is described once for all operations. */
function isProblem({ content = {} }: OpenApiResponse): boolean {
  const types = Object.keys(content);
  return types.length === 1 && types[0] === PROBLEM_TYPE;
}

/** Renders the schema of a body, which is the same for all its media types, with an example. */
function contentPart(content: OpenApiContent, caption: string, resolve: Resolve): Html {
  const [[type, { schema }] = ['', {}]] = Object.entries(content).filter(([, { schema }]) => schema);
  if (!schema || type === PROBLEM_TYPE) return html``;
  const rows = fieldsOf(schema, resolve).map(({ name, type, isNeeded, meaning }) => [
    html`<code>${name === '' ? '(the whole)' : name}</code>`,
    isNeeded && name !== '' ? `${type}, needed` : type,
    meaning,
  ]);
  const example = JSON.stringify(exampleOf(schema, resolve), null, 2);
  const sample = html`<p class="quiet">For example:</p>
    <pre><code>${example}</code></pre> `;
  return html`${table(caption, ['Name', 'Type', 'Meaning'], rows)}${isJson(type) ? sample : undefined}`;
}

function isJson(type: string): boolean {
  return type.endsWith('json') || type === 'application/x-www-form-urlencoded';
}

type Responses = readonly (readonly [status: string, response: OpenApiResponse])[];

function wholeResponses(document: OpenApiDocument, responses: OpenApiOperation['responses']): Responses {
  return Object.entries(responses).map(([status, response]) => [status, whole(document, response)]);
}

function whole(document: OpenApiDocument, response: OpenApiResponse | OpenApiReference): OpenApiResponse {
  return '$ref' in response ? (valueAt(document, response.$ref.slice(1)) as OpenApiResponse) : response;
}
