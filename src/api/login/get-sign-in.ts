import type { Operation } from '../../core/operation.js';
import type { LoginDeps } from './deps.js';

const replySchema = {
  title: 'Ways to sign in',
  type: 'object',
  required: ['local', 'token', 'cookies', 'issuers'],
  properties: {
    local: { type: 'boolean', description: 'With a name and a password, at /login' },
    token: { type: 'boolean', description: 'With a token that one has, at /console/session' },
    cookies: {
      type: 'boolean',
      description: 'False where no cookie is accepted: then no browser can sign in',
    },
    issuers: {
      type: 'array',
      description: 'At an identity provider, through /console/oidc/begin',
      items: {
        type: 'object',
        required: ['issuer', 'name'],
        properties: { issuer: { type: 'string' }, name: { type: 'string' } },
      },
    },
  },
} as const;

/** Returns the ways to sign in with a browser. The operation is public and returns nothing else. */
export const getSignIn: Operation<LoginDeps> = {
  id: 'getSignIn',
  summary: 'List the ways to sign in with a browser.',
  method: 'GET',
  path: '/console/sign-in',
  roles: 'public',
  reply: replySchema,
  handle: (_call, { lease, tokens }) =>
    lease(({ logins, signIns: { providers } }) => {
      const local = tokens !== undefined && logins.hasUsers;
      const cookies = logins.accept.has('cookie');
      const issuers = providers.map(({ issuer, name }) => ({ issuer, name }));
      return Promise.resolve({ body: { local, token: true, cookies, issuers } });
    }),
};
