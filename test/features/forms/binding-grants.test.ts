import assert from 'node:assert/strict';
import { LOCAL_ISSUER, type Principal } from '../../../src/core/principal.js';
import { Problem } from '../../../src/core/problem.js';
import { createBindingGrants } from '../../../src/features/forms/binding-grants.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

const ADA: Principal = { subject: 'ada', issuer: LOCAL_ISSUER, roles: ['admin'], expiresAt: 4e9 };

/** Opens grants with these accounts; callers with one of the roles may send queries. */
function openGrants(accounts: Record<string, readonly string[]>, queryRoles = ['admin']) {
  const requireQueryRole = (principal: Principal | undefined): void => {
    if (!principal?.roles.some((role) => queryRoles.includes(role)))
      throw new Problem('forbidden', 'needs another role');
  };
  const logins = () => ({ rolesOf: (name: string) => accounts[name] });
  return createBindingGrants({ requireQueryRole, logins, clock: createFakeScheduler() });
}

const notGranted = { code: 'binding_not_granted', message: /^ada / };

describe('grants of bindings', () => {
  it('are given by callers who may send queries, and by nobody else', () => {
    const { grantOf, authorOf } = openGrants({ ada: ['admin'] });
    const grant = grantOf(ADA);
    assert.ok(grant);
    assert.deepEqual(authorOf(grant).roles, ['admin']);
    assert.equal(grantOf({ ...ADA, roles: ['engineering'] }), null);
    assert.equal(grantOf(undefined), null);
  });

  it('end when the account of the author loses the role or is removed', () => {
    const grant = openGrants({ ada: ['admin'] }).grantOf(ADA);
    assert.ok(grant);
    for (const accounts of [{ ada: ['engineering'] }, {}])
      assert.throws(() => openGrants(accounts).authorOf(grant), notGranted);
  });

  it('end when the roles of an author of another issuer may not send queries any more', () => {
    const grant = openGrants({ ada: [] }).grantOf({ ...ADA, issuer: 'https://idp.test' });
    assert.ok(grant);
    assert.deepEqual(openGrants({ ada: [] }).authorOf(grant).roles, ['admin']);
    assert.throws(() => openGrants({}, ['network']).authorOf(grant), notGranted);
  });
});
