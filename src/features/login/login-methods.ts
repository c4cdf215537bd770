import type { Operation } from '../../core/operation.js';
import type { LoginDeps } from './deps.js';

const loginMethodsSchema = {
  title: 'Ways to log in at a shell',
  type: 'object',
  required: ['password', 'issuers'],
  properties: {
    password: {
      type: 'boolean',
      description: 'True if users can log in with a name and a password, at /login',
    },
    issuers: {
      type: 'array',
      description: 'Identity providers with a public client for "gatehouse login"',
      items: {
        type: 'object',
        required: ['issuer', 'name', 'clientId', 'scopes'],
        properties: {
          issuer: { type: 'string' },
          name: { type: 'string', description: 'Name for people' },
          clientId: { type: 'string', description: 'Id of the public client at the issuer' },
          scopes: {
            type: 'array',
            items: { type: 'string' },
            description: 'Scopes to request in addition to openid',
          },
        },
      },
    },
  },
} as const;

export const getLoginMethods: Operation<LoginDeps> = {
  id: 'getLoginMethods',
  summary: 'List the ways to log in at a shell.',
  description:
    'Returns whether users can log in with a password, and the identity providers that `gatehouse login` can use.',
  method: 'GET',
  path: '/login/methods',
  roles: 'public',
  reply: loginMethodsSchema,
  replyHeaders: { 'cache-control': 'Caches may keep the response for a minute' },
  handle: (_call, { lease, tokens }) =>
    lease(({ logins, shellProviders: issuers }) =>
      Promise.resolve({
        body: { password: tokens !== undefined && logins.hasUsers, issuers },
        headers: { 'cache-control': 'public, max-age=60' },
      }),
    ),
};
