import { stageAt } from '../core/deprecation.js';
import type { OpenApiDocument } from '../core/openapi.js';
import type { DescribedOperation } from '../core/operation.js';
import type { AllowDeps } from './authorize.js';
import {
  applicationOf,
  type OpenApiEntry,
  RESPONSE_HEADERS,
  RESPONSES,
  schemasOf,
  SECURITY_SCHEMES,
} from './openapi-components.js';
import { operationObject, streamObject } from './openapi-operation.js';

/** Options of the API description that the operations do not define. */
export interface OpenApiOptions {
  readonly version: string;
  /** Platform release of the server. The description marks operations that this release deprecates. */
  readonly release?: string;
  /** Returns the roles that may currently call an operation; default: the roles of its definition. */
  readonly rolesOf?: AllowDeps['rolesOf'];
}

/**
 * Describes the operations and their aliases as an OpenAPI 3.1 document. The output is deterministic. An
 * operation has the id of its definition. The id of an alias also contains its path. An id that two
 * applications share also contains the application.
 */
export function openApiDocument(
  operations: readonly DescribedOperation[],
  options: OpenApiOptions,
): OpenApiDocument {
  const { version } = options;
  const entries = entriesOf(operations, options);
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: { title: 'gatehouse', version, description: DESCRIPTION },
    servers: [{ url: '/' }],
    tags: tagsOf(operations),
    paths: pathsOf(entries),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: RESPONSE_HEADERS,
      responses: RESPONSES,
      schemas: schemasOf(entries),
    },
  };
}

const DESCRIPTION = 'Edge proxy for network orchestrators. Errors are problem documents (RFC 9457).';

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
  const ids = operations.map(({ row }) => row.id);
  return operations.flatMap((operation) => {
    const { row, paths } = operation;
    const isShared = ids.indexOf(row.id) !== ids.lastIndexOf(row.id);
    const id = isShared ? identifier(operation.name) : row.id;
    const { deprecation } = row;
    const isDeprecated = release !== undefined && deprecation && stageAt(release, deprecation) !== 'current';
    return paths.map((path, index) => {
      const prefix = path.endsWith(row.path) ? path.slice(0, -row.path.length) : path;
      const operationId = index === 0 ? id : `${id}_${identifier(prefix)}`;
      return {
        ...operation,
        path,
        operationId,
        schemaName: id,
        admittedRoles: rolesOf(operation),
        isDeprecated: isDeprecated === true,
      };
    });
  });
}

function pathsOf(entries: readonly OpenApiEntry[]): OpenApiDocument['paths'] {
  const paths: Record<string, OpenApiDocument['paths'][string]> = {};
  for (const entry of entries) {
    const template = entry.path.replaceAll(/:([^/]+)/g, '{$1}').replace(/\*$/, '{path}');
    paths[template] = { ...paths[template], ...Object.fromEntries(methodsOf(entry)) };
  }
  return paths;
}

const ANY_METHODS = ['delete', 'get', 'head', 'options', 'patch', 'post', 'put'];

/**
 * Returns the operation objects by method. An operation for any method has an object with a distinct id for
 * each method.
 */
function methodsOf(entry: OpenApiEntry): readonly (readonly [string, ReturnType<typeof operationObject>])[] {
  const { method } = entry.row;
  if (method !== 'ANY') return [[method.toLowerCase(), operationObject(entry)]];
  return ANY_METHODS.map((method) => [
    method,
    streamObject({ ...entry, operationId: `${entry.operationId}_${method}` }),
  ]);
}

function identifier(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_|_$/g, '');
}
