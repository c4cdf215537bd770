import assert from 'node:assert/strict';
import request from 'supertest';
import { compileSchema } from '../../../src/json-schema/compile.js';
import { ask, buildTestApi, TOKENS } from '../../support/http-server.js';
import { openLoginApi } from './login-api.js';

const OPEN = [
  { id: 'restCall', provenance: 'Tools', roles: ['admin', 'engineering'] },
  { id: 'getForms', provenance: 'JsonForms', roles: ['admin', 'readonly'] },
  { id: 'createForm', provenance: 'JsonForms', roles: ['admin'] },
  { id: 'getTaskPage', provenance: 'JsonForms', roles: ['admin', 'engineering'] },
  { id: 'whoami', provenance: 'Login', roles: 'authenticated' },
  { id: 'login', provenance: 'Login', roles: 'public' },
] as const;

describe('GET /whoami', () => {
  const { operations } = openLoginApi({ open: OPEN });
  const api = request(buildTestApi({ operations }).handler);
  const whoAmI = (token: string) => ask(api.get('/whoami').set('authorization', `Bearer ${token}`));

  it('lists the methods that the caller may call, by application', async () => {
    const admin = await whoAmI(TOKENS.admin);
    assert.deepEqual(admin.body['methods'], {
      Tools: ['restCall'],
      JsonForms: ['getForms', 'createForm', 'getTaskPage'],
      Login: ['whoami', 'login'],
    });
    const reader = await whoAmI(TOKENS.reader);
    assert.deepEqual(reader.body['methods'], { JsonForms: ['getForms'], Login: ['whoami', 'login'] });
    assert.deepEqual(admin.body['missingRoles'], {});
    assert.deepEqual(reader.body['missingRoles'], {
      restCall: ['admin', 'engineering'],
      createForm: ['admin'],
      getTaskPage: ['admin', 'engineering'],
    });
  });

  it('returns the members and the kinds of ids that clients expect', async () => {
    const { body } = await whoAmI(TOKENS.admin);
    const row = operations.find(({ row: { id } }) => id === 'whoami')?.row;
    assert.deepEqual(compileSchema(row?.reply ?? {})(body).violations, []);
    const { id, groups, roles, ...rest } = body;
    assert.match(String(id), /^[0-9a-f]{24}$/);
    const [group] = groups as { id: string; name: string; provenance: string }[];
    assert.deepEqual([group?.name, roles], ['admin', [group?.id]]);
    assert.match(group?.id ?? '', /^[0-9a-f]{24}$/);
    assert.deepEqual([rest['username'], rest['firstname']], ['ada', 'ada']);
    assert.equal(rest['provenance'], 'https://idp.test');
  });

  it('lists the pages that the caller may open, in the order that clients expect (wire 1.4)', async () => {
    assert.deepEqual((await whoAmI(TOKENS.admin)).body['routes'], [
      '/json-forms/',
      '/json-forms/task/ShowJsonForm',
      '/json-forms/task/RenderJsonSchema',
      '/json-forms/task/RenderYangForm',
    ]);
    assert.deepEqual((await whoAmI(TOKENS.reader)).body['routes'], []);
  });

  it('returns stable ids that differ between callers', async () => {
    const [one, two] = [await whoAmI(TOKENS.admin), await whoAmI(TOKENS.admin)];
    assert.deepEqual(one.body, two.body);
    assert.notEqual((await whoAmI(TOKENS.reader)).body['id'], one.body['id']);
  });

  it('rejects an anonymous caller with 401', async () => {
    assert.equal((await ask(api.get('/whoami'))).status, 401);
  });
});
