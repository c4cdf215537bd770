import assert from 'node:assert/strict';
import { describeOperations } from '../../src/features/operations.js';
import { compileSchema } from '../../src/json-schema/compile.js';
import { column } from '../support/columns.js';

/** Operations without a body: their path contains all input. */
const BODILESS =
  /^(platform\.refreshSecrets|audit\.startVerification|notifications\.testNotificationReceiver|adapters\.testSavedAdapterConnection|console\.testAdapter|profiles\.switchActiveProfile|(adapters|applications)\.(start|stop|restart)\w+|(adapters|profiles)\.(confirm|cancel)\w+)$/;

/** Operations that use POST but change nothing. */
const UNRECORDED: Readonly<Record<string, string>> = {
  'access-rules.previewAccessRule': 'answers a question about what was sent',
  'limits.previewLimitRule': 'answers a question about what was sent',
  'deprecations.getActiveSessions': 'lists, with a POST',
  'deprecations.getChangeLog': 'tells, with a POST',
  'json-forms.validateData': 'answers a question about what was sent',
  'json-forms.validateForm': 'answers a question about what was sent',
  'json-forms.decodeSchema': 'answers a question about what was sent',
};

describe('operations', () => {
  const operations = describeOperations();

  it('have unique names and paths', () => {
    const names = operations.map(({ name }) => name);
    const routes = operations.flatMap(({ paths, row }) => paths.map((path) => `${row.method} ${path}`));
    assert.equal(new Set(names).size, names.length);
    assert.equal(new Set(routes).size, routes.length);
    assert.ok(names.length >= 4);
  });

  it('are audited if they change state or send data to other systems', () => {
    const silent = operations.filter(({ row }) => row.method !== 'GET' && row.audited !== true);
    assert.deepEqual(silent.map(({ name }) => name).sort(), Object.keys(UNRECORDED).sort());
  });

  it('are audited if they run without the audit trail, and only take rights away', () => {
    const revoking = operations.filter(({ row }) => row.onlyRevokes);
    assert.deepEqual([...column(revoking, 'name')].sort(), ['login.backChannelLogout', 'login.closeSession']);
    for (const { row, name } of revoking) assert.equal(row.audited, true, name);
  });

  for (const { name, row } of operations) {
    it(`${name} has roles, a summary and valid schemas`, () => {
      const roles = typeof row.roles === 'string' ? [] : row.roles;
      assert.ok(typeof row.roles === 'string' || roles.length > 0);
      for (const role of roles) assert.match(role, /^(admin|engineering|viewer)$/);
      assert.match(row.summary, /^[A-Z].{10,}\.$/);
      assert.doesNotThrow(() => compileSchema(row.reply));
      if (row.body) compileSchema(row.body);
      if (row.method === 'POST' || row.method === 'PUT')
        assert.ok(row.body ?? BODILESS.test(name), 'a body is described');
    });
  }

  it('that admit viewers only read, and none of them returns secrets, audit records or tasks', () => {
    const forViewers = operations.filter(({ row: { roles } }) => roles.includes('viewer'));
    const wide = forViewers.filter(
      ({ name, row }) => (row.method !== 'GET' && !UNRECORDED[name]) || row.audited === true,
    );
    assert.deepEqual(column(wide, 'name'), []);
    for (const { name } of forViewers) assert.doesNotMatch(name, /audit|secret|^tasks\.|getRequest$/i);
    // Every other read of the console and of management admits viewers.
    const others = operations.filter(
      ({ name, row: { method, roles } }) =>
        method === 'GET' &&
        Array.isArray(roles) &&
        !roles.includes('viewer') &&
        !/^(deprecations|tasks)\./.test(name),
    );
    assert.deepEqual(others.map(({ name }) => name).sort(), [
      'access-rules.getAccessRule',
      'access-rules.getAccessRuleHistory',
      'access-rules.getAccessRuleVersion',
      'access-rules.getAccessRules',
      'access-rules.getRemovedAccessRules',
      'access.getAccessDecision',
      'access.getAdapterAccess',
      'access.getOperationAccess',
      'audit.exportAuditCsv',
      'audit.exportAuditJsonLines',
      'audit.getAudit',
      'audit.getVerification',
      'console.getRequest',
      'console.getSecrets',
      'console.getVaultPaths',
    ]);
  });

  it('of the specification have the specified paths and roles', () => {
    const listed = [
      ['POST /tools/restCall', 'admin,engineering'],
      ['POST /orchestrator_manager/restAction/:adapterId', 'admin'],
      ['POST /orchestrator_manager/restQuery/:adapterId', 'admin'],
      ['POST /nso_manager/restAction/:adapterId', 'admin'],
      ['POST /nso_manager/restQuery/:adapterId', 'admin'],
      ['POST /json-forms/forms', 'admin'],
      ['DELETE /json-forms/forms', 'admin'],
      ['GET /json-forms/forms/:id', 'admin,viewer'],
      ['GET /json-forms/forms', 'admin,viewer'],
      ['POST /json-forms/import/forms', 'admin'],
      ['POST /json-forms/forms/import', 'admin'],
      ['PUT /json-forms/forms/:id', 'admin'],
      ['POST /json-forms/validate-data', 'admin'],
      ['POST /json-forms/validate-form/:id', 'admin'],
      ['GET /profiles', 'admin,viewer'],
      ['GET /profiles/:id', 'admin,viewer'],
      ['POST /profiles', 'admin'],
      ['POST /profiles/import', 'admin'],
      ['GET /profiles/:id/export', 'admin,viewer'],
      ['PUT /profiles/:id', 'admin'],
      ['PUT /profiles/:id/active', 'admin'],
      ['DELETE /profiles/:id', 'admin'],
      ['ANY /proxy/:adapterId/*', 'admin'],
    ];
    const rows = new Map<string, string>(
      operations.flatMap(({ paths, row }) =>
        paths.map((path) => [`${row.method} ${path}`, String(row.roles)] as const),
      ),
    );
    for (const [route = '', roles] of listed) assert.equal(rows.get(route), roles, route);
  });
});
