import type { DescribedOperation } from '../domain/operation.js';
import type { JsonSchema } from '../domain/schema.js';
import { problemSchema } from './problem-schema.js';

type Json = Readonly<Record<string, unknown>>;

/** One operation at one of its paths, with its unique name. */
interface Entry extends DescribedOperation {
  readonly path: string;
  readonly operationId: string;
  /** Name under which the schemas of all its paths stand. */
  readonly schemaName: string;
}

/**
 * Describes the operations as an OpenAPI 3.1 document, aliases included. The same rows always give the same document.
 * An operation's id is its row's; an alias adds what is its own, and an id that two applications share is led by the application.
 */
export function openApiDocument(
  operations: readonly DescribedOperation[],
  info: { readonly version: string },
): object {
  const entries = entriesOf(operations);
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: { title: 'gatehouse', version: info.version, description: DESCRIPTION },
    tags: [...new Set(operations.map(applicationOf))].map((name) => ({ name })),
    paths: pathsOf(entries),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      responses: { Problem: PROBLEM_RESPONSE },
      schemas: { Problem: problemSchema, ...Object.fromEntries(entries.flatMap(schemasOf)) },
    },
  };
}

const DESCRIPTION = 'Edge proxy for network orchestrators. Errors are problem documents (RFC 9457).';

const PROBLEM_RESPONSE = {
  description: 'The request failed; "code" says how, "recommendation" what to do next.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

function entriesOf(operations: readonly DescribedOperation[]): readonly Entry[] {
  const ids = operations.map(({ row }) => row.id);
  return operations.flatMap((operation) => {
    const { row, paths } = operation;
    const shared = ids.indexOf(row.id) !== ids.lastIndexOf(row.id);
    const id = shared ? identifier(operation.name) : row.id;
    return paths.map((path, at) => {
      const own = path.endsWith(row.path) ? path.slice(0, -row.path.length) : path;
      const operationId = at === 0 ? id : `${id}_${identifier(own)}`;
      return { ...operation, path, operationId, schemaName: id };
    });
  });
}

function pathsOf(entries: readonly Entry[]): Json {
  const paths: Record<string, Json> = {};
  for (const entry of entries) {
    const template = entry.path.replaceAll(/:([^/]+)/g, '{$1}').replace(/\*$/, `{${REST}}`);
    paths[template] = { ...paths[template], ...Object.fromEntries(methodsOf(entry)) };
  }
  return paths;
}

/** Name of what stands for `*`, the rest of a path with its slashes. */
const REST = 'path';
const ANY = ['delete', 'get', 'head', 'options', 'patch', 'post', 'put'];

/** A row for any method stands at each of them, with an id of its own. */
function methodsOf(entry: Entry): readonly (readonly [string, Json])[] {
  const { method } = entry.row;
  if (method !== 'ANY') return [[method.toLowerCase(), operationObject(entry)]];
  return ANY.map((one) => [one, streamObject({ ...entry, operationId: `${entry.operationId}_${one}` })]);
}

/** Whatever is sent and whatever comes back is the orchestrator's affair. */
function streamObject(entry: Entry): Json {
  const passed = { description: 'What the orchestrator answers: any status, any body.' };
  return {
    ...operationObject(entry),
    responses: { '2XX': passed, '3XX': passed, ...problemResponses(entry) },
  };
}

function operationObject(entry: Entry): Json {
  const { row, operationId, schemaName } = entry;
  const parameters = parametersOf(entry.path);
  return {
    operationId,
    summary: row.summary,
    description: row.roles === 'public' ? 'No token needed.' : `Roles: ${row.roles.join(', ')}.`,
    tags: [applicationOf(entry)],
    ...(parameters.length > 0 && { parameters }),
    ...(row.body && { requestBody: { required: true, content: jsonContent(`${schemaName}Body`) } }),
    responses: {
      '200': { description: 'Done.', content: replyContent(row.replyType, `${schemaName}Reply`) },
      ...problemResponses(entry),
    },
    security: row.roles === 'public' ? [] : [{ bearer: [] }],
    'x-roles': row.roles,
  };
}

function parametersOf(path: string): readonly Json[] {
  return [...path.replace(/\*$/, `:${REST}`).matchAll(/:([^/]+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function problemResponses({ row }: Entry): Json {
  const statuses = [
    ...(row.body ? ['400', '413', '415'] : []),
    ...(row.roles === 'public' ? [] : ['401', '403']),
    ...(row.path.includes(':') ? ['404'] : []),
    ...(row.audited ? ['503'] : []),
    'default',
  ];
  return Object.fromEntries(statuses.map((status) => [status, { $ref: '#/components/responses/Problem' }]));
}

function replyContent(type: string | undefined, schemaName: string): Json {
  const [media = ''] = (type ?? 'application/json').split(';');
  return { [media]: { schema: { $ref: `#/components/schemas/${schemaName}` } } };
}

function jsonContent(schemaName: string): Json {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${schemaName}` } } };
}

function schemasOf({ row, schemaName }: Entry): readonly (readonly [string, Json])[] {
  const reply = [`${schemaName}Reply`, moved(row.reply, `${schemaName}Reply`)] as const;
  return row.body ? [[`${schemaName}Body`, moved(row.body, `${schemaName}Body`)], reply] : [reply];
}

/** The schema as it reads from its new place: references to its own parts follow it there. */
function moved(schema: JsonSchema, name: string): Json {
  const own = Object.entries(schema).filter(([key]) => !['$id', '$schema'].includes(key));
  return rebased(Object.fromEntries(own), `#/components/schemas/${name}`) as Json;
}

function rebased(value: unknown, base: string): unknown {
  if (Array.isArray(value)) return value.map((item) => rebased(item, base));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]: [string, unknown]) => {
    const local = key === '$ref' && typeof member === 'string' && member.startsWith('#');
    return [key, local ? base + member.slice(1) : rebased(member, base)] as const;
  });
  return Object.fromEntries(members);
}

function applicationOf({ name }: DescribedOperation): string {
  return name.slice(0, name.indexOf('.'));
}

function identifier(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_|_$/g, '');
}
