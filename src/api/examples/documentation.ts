// Written by test/e2e/description-examples.test.ts: UPDATE_GOLDEN=1 npm test -- test/e2e/description-examples.test.ts
import type { OperationExample } from '../../core/operation.js';

/** Examples of the operations of one application, by the id of the operation. */
export const examples: Readonly<Record<string, OperationExample>> = {
  getOpenApi: {
    reply: {
      openapi: '3.1.0',
      jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
      info: {
        title: 'gatehouse',
        version: '1.0.0',
        description: 'Edge proxy for network orchestrators. Errors are problem documents (RFC 9457).',
      },
      servers: [{ url: '/' }],
      tags: [
        {
          name: 'tools',
          description: 'Standalone tools: one REST call to an address that the operator allows.',
        },
        {
          name: 'orchestrator-manager',
          description: 'Calls to orchestrators through the adapters that are configured for them.',
        },
      ],
      paths: {
        '/tools/restCall': {
          post: {
            operationId: 'restCall',
            summary: 'Run one REST call to a URI.',
            description:
              'Sends one HTTP request to a URI that `egress.allow` permits, and returns the JSON or the text of the response. Needs no adapter, and adds no credentials of the server. Roles: admin, engineering.',
          },
        },
        '/orchestrator_manager/restAction/{adapterId}': {
          post: {
            operationId: 'restAction',
            summary: 'Send a REST action to an orchestrator through an adapter.',
            description:
              'Sends a request that changes an orchestrator through an adapter, which adds the credentials. Any status of the orchestrator is a result. The server sends a request again only if the orchestrator refused the credentials. Roles: admin.',
          },
        },
        '/nso_manager/restAction/{adapterId}': {
          post: {
            operationId: 'restActionAlias',
            summary: 'Send a REST action to an orchestrator through an adapter.',
            description:
              'Sends a request that changes an orchestrator through an adapter, which adds the credentials. Any status of the orchestrator is a result. The server sends a request again only if the orchestrator refused the credentials. The same operation as `restAction`, at another path. Roles: admin.',
          },
        },
      },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          basic: {
            type: 'http',
            scheme: 'basic',
            description:
              'Name and password, of a user or a client of the configuration, in the header Authorization (RFC 7617)',
          },
          cookie: { type: 'apiKey', in: 'cookie', name: 'token' },
        },
        headers: {
          RequestId: {
            description: 'Identifies the request in the log: the id that was sent, or a new id',
            required: true,
            schema: { type: 'string' },
          },
          CacheControl: {
            description: 'Caches must not store the response',
            required: true,
            schema: { type: 'string', const: 'no-store' },
          },
          Challenge: {
            description: 'How to send a token (RFC 9110 section 11.6.1)',
            required: true,
            schema: { type: 'string' },
          },
        },
        responses: {
          Problem400: {
            description:
              'The request failed: invalid_json, malformed_request, invalid_request, invalid_path, invalid_uri, invalid_header, schema_invalid, invalid_grant_request, logout_token_invalid, yang_invalid, upstream_rejected, proxy_not_supported.',
            headers: {
              'x-request-id': { $ref: '#/components/headers/RequestId' },
              'cache-control': { $ref: '#/components/headers/CacheControl' },
              ratelimit: { $ref: '#/components/headers/RateLimit' },
            },
            content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
          },
          Problem401: {
            description: 'The request failed: invalid_credentials, unauthorized.',
            headers: {
              'x-request-id': { $ref: '#/components/headers/RequestId' },
              'cache-control': { $ref: '#/components/headers/CacheControl' },
              ratelimit: { $ref: '#/components/headers/RateLimit' },
            },
            content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
          },
          Problem403: {
            description:
              'The request failed: forbidden, csrf_refused, adapter_forbidden, requester_excluded, binding_not_granted, egress_denied.',
            headers: {
              'x-request-id': { $ref: '#/components/headers/RequestId' },
              'cache-control': { $ref: '#/components/headers/CacheControl' },
              ratelimit: { $ref: '#/components/headers/RateLimit' },
            },
            content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
          },
        },
      },
    },
  },
  getConfigSchema: {
    reply: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'gatehouse adapter',
      description: 'One orchestrator. Paths are relative to this file.',
    },
  },
};
