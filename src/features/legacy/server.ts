import { ADMIN_ROLES, listSchemaOf, objectSchemaWith, type LegacyHandler } from './legacy-operation.js';

/** Returns the status of the server, like `GET /status`. */
export const isAlive: LegacyHandler = {
  id: 'isAlive',
  summary: 'Get the status of the server, its services and its adapters.',
  description: 'Returns the same as `getHealthStatus`.',
  roles: 'public',
  optionalToken: true,
  through: ['health.getHealthStatus'],
  reply: { title: 'Server status', ...objectSchemaWith('services', 'apps', 'adapters') },
  serve: (call, { dispatch }) => dispatch('health.getHealthStatus', call),
};

/** Lists the active logins. The replies contain no tokens, only values that identify them. */
export const getActiveSessions: LegacyHandler = {
  id: 'getActiveSessions',
  summary: 'List the logins whose token is still valid, with their tokens masked.',
  description: 'Returns the users and clients whose token is valid, with a masked token. Changes nothing.',
  roles: ADMIN_ROLES,
  through: [],
  body: { title: 'Ignored body', type: 'object', description: 'The server ignores the body' },
  bodyOptional: true,
  reply: listSchemaOf('Active sessions', {
    type: 'object',
    required: ['user', 'kind', 'issuedAt', 'expiresAt', 'token'],
    properties: {
      user: { type: 'string' },
      kind: { type: 'string' },
      issuedAt: { type: 'string', format: 'date-time' },
      expiresAt: { type: 'string', format: 'date-time' },
      token: { type: 'string', description: 'Identifies the token, but cannot be used as a token' },
    },
  }),
  serve: async (_call, { sessions }) => ({
    body: (await sessions()).map(({ user, kind, issuedAt, expiresAt, token }) => ({
      user,
      kind,
      token,
      issuedAt: new Date(issuedAt).toISOString(),
      expiresAt: new Date(expiresAt).toISOString(),
    })),
  }),
};
