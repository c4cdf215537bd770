import assert from 'node:assert/strict';
import type { Principal } from '../../src/core/principal.js';
import { requireRole } from '../../src/http/authorize.js';

const ADA = { subject: 'ada', issuer: 'https://idp.test', expiresAt: 1 };

describe('requireRole', () => {
  const detailOf = (principal: Principal): string => {
    try {
      requireRole('demo.getThing', ['admin'], principal);
    } catch (error) {
      return (error as Error).message;
    }
    return assert.fail('admitted');
  };

  it('names what is wrong with the claim of the roles, beside the roles that other claims grant', () => {
    const rolesFault = 'The token has no claim at /roles.';
    assert.match(
      detailOf({ ...ADA, roles: [], rolesFault }),
      /The token has these roles: \(none\)\. The token has no claim at \/roles\.$/,
    );
    assert.match(
      detailOf({ ...ADA, roles: ['noc'], tokenRoles: [], rolesFault }),
      /these roles: \(none\); roleMap makes of them: noc\. The token has no claim at \/roles\.$/,
    );
  });
});
