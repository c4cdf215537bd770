import { stageAt } from '../core/deprecation.js';
import type { DescribedOperation } from '../core/operation.js';
import type { AllowDeps } from './authorize.js';
import {
  applicationOf,
  type OpenApiEntry,
  PROBLEM_SCHEMA,
  RESPONSE_HEADERS,
  RESPONSES,
  SECURITY_SCHEMES,
} from './openapi-components.js';
import { operationObject, streamObject } from './openapi-operation.js';
import { createSchemaComponents, type SchemaComponents } from './openapi-schemas.js';
import type { OpenApiComponents, OpenApiDocument, OpenApiInfo } from './openapi-types.js';

/** Options of the API description that the operations do not define. */
interface OpenApiOptions {
  readonly version: string;
  /** Platform release of the server. The description marks operations that this release deprecates. */
  readonly release?: string;
  /** Returns the roles that may currently call an operation; default: the roles of its definition. */
  readonly rolesOf?: AllowDeps['rolesOf'];
}

/**
 * Describes the operations and their aliases as an OpenAPI 3.1 document. The output is deterministic. An
 * operation has the id of its definition, and so has an alias. At the other prefixes of its application, the id ends
 * in `Alias`.
 */
export function openApiDocument(
  operations: readonly DescribedOperation[],
  options: OpenApiOptions,
): OpenApiDocument {
  const schemas = createSchemaComponents();
  schemas.describe(PROBLEM_SCHEMA);
  const paths = pathsOf(entriesOf(operations, options), schemas.describe);
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: infoOf(options),
    servers: [{ url: '/' }],
    tags: tagsOf(operations),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: RESPONSE_HEADERS,
      responses: usedResponses(paths),
      schemas: schemas.all(),
    },
  };
}

function infoOf({ version }: OpenApiOptions): OpenApiInfo {
  return {
    title: 'gatehouse',
    version,
    description: 'Edge proxy for network orchestrators. Errors are problem documents (RFC 9457).',
    contact: { name: 'The operator of this server' },
    license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
  };
}

/** Returns the error responses to which the operations refer. */
function usedResponses(paths: OpenApiDocument['paths']): OpenApiComponents['responses'] {
  const text = JSON.stringify(paths);
  const used = Object.entries(RESPONSES).filter(([name]) =>
    text.includes(`"#/components/responses/${name}"`),
  );
  return Object.fromEntries(used);
}

function tagsOf(operations: readonly DescribedOperation[]): OpenApiDocument['tags'] {
  const descriptions = new Map(
    operations.map((operation) => [applicationOf(operation), operation.applicationSummary]),
  );
  return [...descriptions].map(([name, description]) => ({ name, description }));
}

function entriesOf(
  operations: readonly DescribedOperation[],
  { release, rolesOf = ({ row }) => row.roles }: OpenApiOptions,
): readonly OpenApiEntry[] {
  const problemsOf = new Map(operations.map(({ name, row: { problems = [] } }) => [name, problems]));
  return operations.flatMap((operation) => {
    const { paths } = operation;
    // An operation through others can fail as they do.
    const inherited = operation.row.through?.flatMap((name) => problemsOf.get(name) ?? []) ?? [];
    const row = { ...operation.row, problems: [...(operation.row.problems ?? []), ...inherited] };
    const { deprecation } = row;
    const isDeprecated = release !== undefined && deprecation && stageAt(release, deprecation) !== 'current';
    const ids = operationIdsOf(operation);
    return paths.map((path, index) => ({
      ...operation,
      row,
      path,
      operationId: ids[index] ?? row.id,
      firstId: row.id,
      admittedRoles: rolesOf(operation),
      isDeprecated: isDeprecated === true,
    }));
  });
}

/** Returns the ids of an operation in the order of its paths. */
function operationIdsOf({ row, paths }: DescribedOperation): readonly string[] {
  const ids = paths.map((path) => {
    if (path.endsWith(row.path)) return row.id;
    return row.aliases?.find((alias) => path.endsWith(alias.path))?.id ?? row.id;
  });
  return ids.map((id, index) => (ids.indexOf(id) === index ? id : `${id}Alias`));
}

function pathsOf(
  entries: readonly OpenApiEntry[],
  describe: SchemaComponents['describe'],
): OpenApiDocument['paths'] {
  const paths: Record<string, OpenApiDocument['paths'][string]> = {};
  for (const entry of entries) {
    const template = entry.path.replaceAll(/:([^/]+)/g, '{$1}').replace(/\*$/, '{path}');
    paths[template] = { ...paths[template], ...Object.fromEntries(methodsOf(entry, describe)) };
  }
  return paths;
}

const ANY_METHODS = ['delete', 'get', 'head', 'options', 'patch', 'post', 'put'];

/**
 * Returns the operation objects by method. An operation for any method has an object with a distinct id for
 * each method, for example `passThroughGet`.
 */
function methodsOf(
  entry: OpenApiEntry,
  describe: SchemaComponents['describe'],
): readonly (readonly [string, ReturnType<typeof operationObject>])[] {
  const { method } = entry.row;
  if (method !== 'ANY') return [[method.toLowerCase(), operationObject(entry, describe)]];
  return ANY_METHODS.map((method) => {
    const operationId = entry.operationId + method.charAt(0).toUpperCase() + method.slice(1);
    return [method, streamObject({ ...entry, operationId, firstId: operationId }, describe)];
  });
}
