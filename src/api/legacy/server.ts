import { ADMIN, listOf, objectWith, type LegacyHandler } from './legacy-operation.js';

/** Reports the status, as the probe of 2018. */
export const isAlive: LegacyHandler = {
  id: 'isAlive',
  summary: 'Get the status of the server, its services and its adapters.',
  roles: 'public',
  through: ['health.getHealthStatus'],
  reply: { title: 'Server status', ...objectWith('services', 'apps', 'adapters') },
  serve: (call, { ask }) => ask('health.getHealthStatus', call),
};

/** Lists the active logins. Returns no tokens, but values that identify them and cannot be used as tokens. */
export const getActiveSessions: LegacyHandler = {
  id: 'getActiveSessions',
  summary: 'List the logins whose token is still valid, with their tokens masked.',
  roles: ADMIN,
  through: [],
  body: { title: 'Nothing', type: 'object', description: 'Nothing in it is looked at' },
  bodyOptional: true,
  reply: listOf('Active sessions', {
    type: 'object',
    required: ['user', 'kind', 'issuedAt', 'expiresAt', 'token'],
    properties: {
      user: { type: 'string' },
      kind: { type: 'string' },
      issuedAt: { type: 'string', format: 'date-time' },
      expiresAt: { type: 'string', format: 'date-time' },
      token: { type: 'string', description: 'Stands for the token' },
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
