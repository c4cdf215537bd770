import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../src/core/schema.js';
import type {
  OpenApiDocument,
  OpenApiHeader,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiReference,
  OpenApiResponse,
} from '../../src/http/openapi-types.js';
import { valueAt } from '../../src/json/pointer.js';
import { parsedJson } from './parsed-json.js';

export interface SeenReply {
  readonly method: string;
  /** With or without a host. */
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Returns the differences between a reply and the API description; empty when the reply is as documented. */
export type CheckReply = (reply: SeenReply) => readonly string[];

const ID = 'urn:gatehouse:openapi';

/**
 * Creates a check of replies against an OpenAPI 3.1 document: status, media type, headers that every such
 * reply has, and the body by its schema. An undocumented path or method may only be refused, with a
 * documented problem.
 */
export function createReplyCheck(document: OpenApiDocument): CheckReply {
  const routes = routesOf(document);
  const judge = createJudge(document);
  const refusal: Pick<OpenApiOperation, 'responses'> = {
    responses: { default: { $ref: '#/components/responses/Problem' } },
  };
  return (reply) => {
    const path = pathOf(reply.url);
    const method = reply.method === 'HEAD' ? 'get' : reply.method.toLowerCase();
    const found = routes.find(({ pattern, item }) => pattern.test(path) && item[method])?.item[method];
    const documented = responseOf(document, found ?? refusal, reply.status);
    if (!documented) return [`the status is not documented${found ? '' : ', nor is the operation'}`];
    return [...faultsOfHeaders(document, documented, reply), ...judge(documented, reply)];
  };
}

interface DocumentedRoute {
  readonly pattern: RegExp;
  readonly item: Readonly<Record<string, OpenApiOperation>>;
}

/** Returns the routes; paths without parameters precede those whose parameters would match them. */
function routesOf({ paths }: OpenApiDocument): readonly DocumentedRoute[] {
  const literalFirst = (one: string, other: string): number =>
    one.split('{').length - other.split('{').length;
  return Object.entries(paths)
    .sort(([one], [other]) => literalFirst(one, other))
    .map(([template, item]) => {
      const [operation] = Object.values(item);
      const pattern = template
        .replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
        .replaceAll(/\{([^}]+)\}/g, (_all, name: string) => (isRest(operation, name) ? '.*' : '[^/]+'));
      return { pattern: new RegExp(`^${pattern}/?$`, 's'), item };
    });
}

function isRest({ parameters = [] }: OpenApiOperation = NO_OPERATION, name: string): boolean {
  return parameters.some((one: OpenApiParameter) => one.name === name && one['x-rest']);
}

const NO_OPERATION = { parameters: [] } as unknown as OpenApiOperation;

/** Returns the path that is routed: without host, query and redundant slashes. */
function pathOf(url: string): string {
  const [path = ''] = url.replace(/^https?:\/\/[^/?]+/i, '').split('?');
  return path.replaceAll(/\/{2,}/g, '/') || '/';
}

function responseOf(
  document: OpenApiDocument,
  { responses }: Pick<OpenApiOperation, 'responses'>,
  status: number,
): OpenApiResponse | undefined {
  // `default` describes failures only: a success without its own description is undocumented.
  const rest = status >= 400 ? responses['default'] : undefined;
  const found = responses[String(status)] ?? responses[`${Math.trunc(status / 100)}XX`] ?? rest;
  return found && dereferenced<OpenApiResponse>(document, found);
}

function dereferenced<T extends object>(document: OpenApiDocument, value: T | OpenApiReference): T {
  return '$ref' in value ? (valueAt(document, value.$ref.slice(1)) as T) : value;
}

function faultsOfHeaders(
  document: OpenApiDocument,
  { headers = {} }: OpenApiResponse,
  reply: SeenReply,
): readonly string[] {
  return Object.entries(headers).flatMap(([name, header]) => {
    const { required } = dereferenced<OpenApiHeader>(document, header);
    return required && reply.headers[name] === undefined ? [`the header ${name} is missing`] : [];
  });
}

/** Looks at media type and body. */
function createJudge(
  document: OpenApiDocument,
): (response: OpenApiResponse, reply: SeenReply) => readonly string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
  formats.default(ajv);
  ajv.addSchema(document, ID);
  const faultsOf = (schema: JsonSchema, value: unknown): readonly string[] => {
    const { $ref } = schema as { $ref?: string };
    const validate = $ref === undefined ? ajv.compile(schema) : ajv.getSchema(ID + $ref);
    if (!validate) return [`the document has no ${$ref ?? ''}`];
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message }) => `the body at "${instancePath}" ${message ?? ''}`,
    );
  };
  return ({ content }, { method, headers, text }) => {
    if (!content || method === 'HEAD') return [];
    const [type = ''] = String(headers['content-type']).split(';');
    const described = content[type] ?? content['*/*'];
    if (!described) return [`the media type ${type} is not documented`];
    if (!described.schema) return [];
    if (!type.endsWith('json')) return faultsOf(described.schema, text);
    const value = parsedJson(text);
    return value === undefined ? ['the body is no JSON'] : faultsOf(described.schema, value);
  };
}
