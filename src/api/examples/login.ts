// Written by test/e2e/description-examples.test.ts: UPDATE_GOLDEN=1 npm test -- test/e2e/description-examples.test.ts
import type { OperationExample } from '../../core/operation.js';

/** Examples of the operations of one application, by the id of the operation. */
export const examples: Readonly<Record<string, OperationExample>> = {
  login: { body: { username: 'ada', password: 'a-long-password' } },
  getToken: {
    body: { grant_type: 'client_credentials', client_id: 'backup', client_secret: 'a-long-password' },
    reply: {
      access_token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl',
      token_type: 'Bearer',
      expires_in: 3600,
    },
  },
  getLoginMethods: { reply: { password: true, issuers: [] } },
  whoami: {
    reply: {
      id: '0123456789abcdef01234567',
      provenance: 'local_aaa',
      username: 'ada',
      firstname: 'ada',
      subject: 'ada',
      groups: [{ id: '0123456789abcdef01234567', provenance: 'local_aaa', name: 'admin' }],
      routes: ['/json-forms/', '/json-forms/task/ShowJsonForm'],
      methods: {
        Tools: ['restCall'],
        OrchestratorManager: ['restAction', 'restQuery'],
        JsonForms: ['createForm', 'getForms'],
      },
      missingRoles: {},
      roles: ['0123456789abcdef01234567'],
      expiresIn: 3600,
      isRenewable: false,
    },
  },
  getSignIn: {
    reply: {
      local: true,
      token: true,
      cookies: true,
      issuers: [{ issuer: 'http://host.example', name: 'host.example' }],
    },
  },
  openSession: {
    body: { token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl' },
    reply: {
      id: '0123456789abcdef01234567',
      provenance: 'local_aaa',
      username: 'ada',
      firstname: 'ada',
      subject: 'ada',
      groups: [{ id: '0123456789abcdef01234567', provenance: 'local_aaa', name: 'admin' }],
      routes: ['/json-forms/', '/json-forms/task/ShowJsonForm'],
      methods: {
        Tools: ['restCall'],
        OrchestratorManager: ['restAction', 'restQuery'],
        JsonForms: ['createForm', 'getForms'],
      },
      missingRoles: {},
      roles: ['0123456789abcdef01234567'],
      expiresIn: 3567,
      isRenewable: false,
    },
  },
  renewSession: {
    body: { idleSeconds: 20 },
    reply: { state: 'ended', reason: 'the browser has no session' },
  },
  closeSession: { reply: { ended: false } },
  backChannelLogout: {
    body: { logout_token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl' },
    reply: { ended: 0 },
  },
};
