import type { JsonSchema } from '../../core/schema.js';
import { type Content, type Html, html } from '../../http/html.js';
import type {
  OpenApiContent,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiReference,
  OpenApiResponse,
} from '../../http/openapi-types.js';
import { valueAt } from '../../json/pointer.js';
import {
  alternativesOf,
  fieldsOf,
  isSchema,
  membersOf,
  requiresMember,
  type Resolve,
  resolverOf,
  typesOf,
} from './fields.js';

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

/** Renders an operation: its summary, and its details in a section that the reader opens. */
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
      ${parameterTable(operation.parameters ?? [], resolve)}${requestPart(operation, resolve)}${responsesPart(resolvedResponses(document, responses), resolve)}
    </details>
  </section> `;
}

function parameterTable(parameters: readonly OpenApiParameter[], resolve: Resolve): Html {
  const rows = parameters.map((parameter) => {
    const [field] = fieldsOf(parameter.schema, resolve);
    const type = `${parameter.in}, ${field?.type ?? 'text'}${parameter.required ? ', required' : ''}`;
    const meaning = [parameter.description, field?.meaning].filter(Boolean);
    return [html`<code>${parameter.name}</code>`, type, meaning.join('. ')];
  });
  return table('Parameters', ['Name', 'Location and type', 'Meaning'], rows);
}

function requestPart({ requestBody }: OpenApiOperation, resolve: Resolve): Html {
  if (!requestBody) return html``;
  return html`<h4>Body</h4>
    <p>
      ${requestBody.required ? '' : 'Optional. '}As ${Object.keys(requestBody.content).join(' or ')}.
    </p>
    ${contentPart(requestBody.content, 'Body', resolve)}`;
}

function responsesPart(responses: Responses, resolve: Resolve): Html {
  const errors = responses.filter(([, response]) => isProblem(response));
  return html`${responses.filter(([, response]) => !isProblem(response)).map((response) => responsePart(response, resolve))}${table(
    'Errors, as application/problem+json',
    ['Status', 'Codes'],
    errors.map(([status, { description }]) => [statusText(status), description]),
  )}`;
}

function responsePart([status, { content = {}, description }]: Responses[number], resolve: Resolve): Html {
  const types = Object.keys(content);
  return html`<h4>Response ${statusText(status)}</h4>
    <p>${description}${types.length > 0 ? ` As ${types.join(' or ')}.` : undefined}</p>
    ${contentPart(content, 'Response', resolve)}`;
}

function statusText(status: string): string {
  return status === 'default' ? 'any other' : status;
}

/** Returns true for an error response; the page describes its body once for all operations. */
function isProblem({ content = {} }: OpenApiResponse): boolean {
  const types = Object.keys(content);
  return types.length === 1 && types[0] === PROBLEM_TYPE;
}

/** Renders the schema and an example of a body. All media types of the body have the same schema. */
function contentPart(content: OpenApiContent, caption: string, resolve: Resolve): Html {
  const [[type, { schema, example: recorded }] = ['', {}]] = Object.entries(content).filter(
    ([, { schema }]) => schema,
  );
  if (!schema || type === PROBLEM_TYPE) return html``;
  const rows = fieldsOf(schema, resolve).map(({ name, type, isRequired, meaning }) => [
    html`<code>${name === '' ? '(the value)' : name}</code>`,
    isRequired && name !== '' ? `${type}, required` : type,
    meaning,
  ]);
  const example = JSON.stringify(recorded ?? exampleOf(schema, resolve), null, 2);
  const exampleBlock = html`<p class="quiet">For example:</p>
    <pre><code>${example}</code></pre> `;
  return html`${table(caption, ['Name', 'Type', 'Meaning'], rows)}${isJson(type) ? exampleBlock : undefined}`;
}

function isJson(type: string): boolean {
  return type.endsWith('json') || type === 'application/x-www-form-urlencoded';
}

type Responses = readonly (readonly [status: string, response: OpenApiResponse])[];

function resolvedResponses(document: OpenApiDocument, responses: OpenApiOperation['responses']): Responses {
  return Object.entries(responses).map(([status, response]) => [
    status,
    resolvedResponse(document, response),
  ]);
}

function resolvedResponse(
  document: OpenApiDocument,
  response: OpenApiResponse | OpenApiReference,
): OpenApiResponse {
  return '$ref' in response ? (valueAt(document, response.$ref.slice(1)) as OpenApiResponse) : response;
}

/** Renders a table, or nothing if there are no rows. The first cell of each row is its header. */
export function table(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly Content[])[],
): Html {
  if (rows.length === 0) return html``;
  // A narrow screen shows the cells as blocks. Screen readers recognize the table only by the roles.
  return html`<table role="table">
    <caption>
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${heads.map((head) => html`<th role="columnheader" scope="col">${head}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(row)}
    </tbody>
  </table> `;
}

function row([name, ...cells]: readonly Content[]): Html {
  return html`<tr role="row">
    <th role="rowheader" scope="row">${name}</th>
    ${cells.map((cell) => html`<td role="cell">${cell}</td>`)}
  </tr> `;
}

/** Maximum nesting of an example. The limit ends the recursion of schemas that contain themselves. */
const MAX_EXAMPLE_DEPTH = 8;

/** Returns a valid value: the example or default of the schema, or else the simplest value of its type. */
export function exampleOf(schema: JsonSchema, resolve: Resolve): unknown {
  return exampleAt(schema, { resolve, depth: 0 });
}

interface ExampleContext {
  readonly resolve: Resolve;
  readonly depth: number;
}

function exampleAt(unresolved: JsonSchema, context: ExampleContext): unknown {
  const schema = context.resolve(unresolved);
  const lists = [schema['examples'], schema['enum']].map((list): unknown =>
    Array.isArray(list) ? list[0] : undefined,
  );
  const fixed = [schema['const'], schema['default'], ...lists].find((value) => value !== undefined);
  if (fixed !== undefined) return fixed;
  const [first] = alternativesOf(schema);
  if (first && !schema['allOf'])
    return exampleAt({ ...schema, ...NO_ALTERNATIVES, ...context.resolve(first) }, context);
  const types = typesOf(schema);
  const type = types.find((name) => name !== 'null') ?? types[0] ?? 'object';
  return EXAMPLES[type]?.(schema, { ...context, depth: context.depth + 1 }) ?? null;
}

const NO_ALTERNATIVES = { oneOf: undefined, anyOf: undefined };

const EXAMPLES: Readonly<Record<string, (schema: JsonSchema, context: ExampleContext) => unknown>> = {
  string: exampleText,
  integer: exampleNumber,
  number: exampleNumber,
  boolean: () => true,
  array: exampleList,
  object: exampleObject,
};

/** Returns the required members, or all members if the schema requires none. */
function exampleObject(schema: JsonSchema, context: ExampleContext): object {
  const members = membersOf(schema);
  const required = members.filter(([name]) => requiresMember(schema, name));
  const shown = context.depth > MAX_EXAMPLE_DEPTH ? [] : required.length > 0 ? required : members;
  return Object.fromEntries(shown.map(([name, member]) => [name, exampleAt(member, context)]));
}

function exampleList({ items }: JsonSchema, context: ExampleContext): readonly unknown[] {
  return isSchema(items) && context.depth <= MAX_EXAMPLE_DEPTH ? [exampleAt(items, context)] : [];
}

function exampleNumber({ minimum }: JsonSchema): number {
  return typeof minimum === 'number' ? minimum : 1;
}

/** Example texts that match the patterns of this API. */
const EXAMPLE_TEXTS = [
  'text',
  '/path',
  'application/json',
  'https://host.example/path',
  '2020-01-31T12:00:00.000Z',
  '0123456789abcdef01234567',
  '1',
];

const FORMAT_EXAMPLES: Readonly<Record<string, string>> = {
  uri: 'https://host.example/path',
  'date-time': '2020-01-31T12:00:00.000Z',
  date: '2020-01-31',
};

function exampleText({ format, pattern, minLength }: JsonSchema): string {
  const formatted = typeof format === 'string' ? FORMAT_EXAMPLES[format] : undefined;
  if (formatted !== undefined) return formatted;
  const length = typeof minLength === 'number' ? minLength : 0;
  const expression = typeof pattern === 'string' ? new RegExp(pattern, 'u') : /^/;
  const match = EXAMPLE_TEXTS.find((text) => text.length >= length && expression.test(text));
  return match ?? 'x'.repeat(Math.min(Math.max(length, 1), 100));
}
