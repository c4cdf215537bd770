import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { readClaims } from '../../src/auth/claims.js';
import { createVerifier } from '../../src/auth/verifier.js';
import type { JsonObject } from '../../src/json/json-object.js';
import { makeIssuer, signToken } from '../support/tokens.js';
import { acceptNow, manualClock, NOW, refusalOf, trustSecret, verifierOf } from './fixtures.js';

const rules = {
  issuer: 'https://idp.test',
  audience: ['gatehouse'],
  rolesClaim: '/roles',
  clockToleranceSeconds: 30,
  maxLifetimeSeconds: 3600,
  nameClaim: ['preferred_username', 'email'],
  acceptIdTokens: false,
};
const basics = { iss: rules.issuer, aud: 'gatehouse', sub: 'a' };

const exp = NOW + 60;
const read = (claims: JsonObject, settings: object = {}) =>
  readClaims({ ...basics, exp, ...claims }, { ...rules, ...settings }, NOW);

function verdictOn(claims: JsonObject): string {
  try {
    readClaims({ ...basics, ...claims }, rules, NOW);
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('readClaims on the times of a token', () => {
  const NOT_EXP = 'exp is not a number of seconds';
  const NOT_NBF = 'nbf is not a number of seconds';
  const cases: readonly (readonly [JsonObject, string])[] = [
    [{}, 'exp is missing'],
    [{ exp: null }, NOT_EXP],
    [{ exp: `${exp}` }, NOT_EXP],
    [{ exp: exp + 0.5 }, 'accepted'],
    [{ exp: NOW - 29 }, 'accepted'],
    [{ exp: NOW - 29.5 }, 'exp has passed'],
    [{ exp: NOW - 30 }, 'exp has passed'],
    [{ exp: -1 }, 'exp has passed'],
    [{ exp: Infinity }, NOT_EXP],
    [{ exp: 2 ** 53 }, NOT_EXP],
    [{ exp: NaN }, NOT_EXP],
    [{ exp: [exp] }, NOT_EXP],
    [{ exp: true }, NOT_EXP],
    [{ exp, nbf: `${NOW}` }, NOT_NBF],
    [{ exp, nbf: null }, NOT_NBF],
    [{ exp, nbf: -Infinity }, NOT_NBF],
    [{ exp, nbf: NOW + 30.9 }, 'accepted'],
    [{ exp, nbf: NOW + 31 }, 'nbf is in the future'],
    [{ exp, iat: NOW - 0.5 }, 'accepted'],
    [{ exp, iat: `${NOW}` }, 'iat is not a number of seconds'],
    [{ exp, iat: NOW + 31 }, 'iat is in the future'],
    [{ exp: NOW + 3631, iat: NOW }, 'the token lives longer than 3600 seconds'],
    [{ exp, aud: 'other' }, 'jwt audience invalid. expected: gatehouse'],
    [{ exp, aud: [] }, 'jwt audience invalid. expected: gatehouse'],
  ];
  it('accepts each case, or reports the claim that is wrong', () => {
    for (const [claims, expected] of cases) assert.equal(verdictOn(claims), expected, inspect(claims));
  });

  it('rejects times that JSON numbers cannot represent', async () => {
    const idp = makeIssuer();
    const payload = (exp: string): string => JSON.stringify({ ...basics, exp: 0 }).replace(':0}', `:${exp}}`);
    for (const exp of ['1e400', '9007199254740993', '-1e400', '"2000000300"', 'null', '{}']) {
      const token = idp.signTexts('{"alg":"ES256"}', payload(exp));
      assert.match(await refusalOf(verifierOf(idp, manualClock()), token), /exp|number/);
    }
    for (const exp of ['2.0000003e9', '2000000300.75']) {
      const token = idp.signTexts('{"alg":"ES256"}', payload(exp));
      assert.equal(acceptNow(verifierOf(idp, manualClock()), token).expiresAt, NOW + 300);
    }
  });

  it('agrees with an independent calculation for integers of any size (property)', async () => {
    const near = fc.integer({ min: -70, max: 70 });
    const far = fc.integer({ min: -NOW, max: 2 ** 40 });
    const offset = fc.oneof({ weight: 4, arbitrary: near }, far);
    const shape = fc.record({
      exp: offset,
      nbf: fc.option(offset),
      iat: fc.option(offset),
      tolerance: fc.constantFrom(0, 1, 30),
      life: fc.constantFrom(1, 60, 2 ** 41),
      second: fc.integer({ min: 1, max: 2 ** 35 }),
    });
    const secret = randomBytes(32);
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(shape, async ({ exp, nbf, iat, tolerance, life, second }) => {
        const times = { exp: second + exp, nbf: nbf && second + nbf, iat: iat && second + iat };
        const limits = { clockToleranceSeconds: tolerance, maxLifetimeSeconds: life };
        const settings = { ...rules, ...limits, algorithms: ['HS256'] };
        const clock = manualClock(second);
        const verifier = createVerifier({ issuers: [trustSecret(settings, secret)], clock, cacheSize: 0 });
        const payload = JSON.stringify({ ...basics, ...withoutNulls(times) });
        const token = signToken({ algorithm: 'HS256', key: secret, header: '{"alg":"HS256"}', payload });
        if (oracle(withoutNulls(times), { tolerance, life, second })) {
          accepted += 1;
          assert.equal(acceptNow(verifier, token).expiresAt, times.exp);
        } else await refusalOf(verifier, token);
      }),
      { numRuns: 5000 },
    );
    assert.ok(accepted > 500, `too few valid tokens to prove anything: ${accepted}`);
  });
});

type Times = Partial<Record<'exp' | 'nbf' | 'iat', number>>;

function withoutNulls(times: Readonly<Record<string, number | null>>): Times {
  return Object.fromEntries(Object.entries(times).filter(([, value]) => value !== null));
}

function oracle(times: Times, given: { tolerance: number; life: number; second: number }): boolean {
  const [now, s, life] = [BigInt(given.second), BigInt(given.tolerance), BigInt(given.life)];
  const exp = BigInt(times.exp ?? 0);
  const nbf = times.nbf === undefined ? now : BigInt(times.nbf);
  const iat = times.iat === undefined ? now : BigInt(times.iat);
  return nbf - s <= now && now < exp + s && iat - s <= now && exp - iat <= life + s;
}

describe('readClaims on the roles of a token', () => {
  const idp = makeIssuer();

  const rolesOf = (...sent: Parameters<typeof read>) => read(...sent).roles;

  const SIMILAR = ['ADMIN', 'admin ', 'admin\u0000', 'ａｄｍｉｎ'];
  const cases: readonly (readonly [unknown, readonly string[]])[] = [
    [['admin'], ['admin']],
    ['admin engineering admin'.split(' '), ['admin', 'engineering']],
    [[], []],
    [undefined, []],
    [null, []],
    [SIMILAR, SIMILAR],
    ['admin', ['admin']],
    ['', []],
    ['admin,engineering', ['admin,engineering']],
    [{ admin: true }, []],
    [{ 0: 'admin', length: 1 }, []],
    [[['admin']], []],
    [['admin', 1], ['admin']],
    [[null, 'admin', ''], ['admin']],
    [true, []],
  ];
  it('returns the expected value for each input', () => {
    for (const [roles, expected] of cases)
      assert.deepEqual(rolesOf({ roles }), expected, JSON.stringify(roles));
  });

  it('reports why the token grants no role (bug: "(none)" for a claim of another type)', () => {
    const faultOf = (...sent: Parameters<typeof read>) => read(...sent).rolesFault;
    assert.equal(faultOf({ roles: ['admin'] }), undefined);
    assert.equal(faultOf({}), 'The token has no claim at /roles.');
    assert.equal(faultOf({}, { rolesClaim: ['/a', '/b'] }), 'The token has no claim at /a, /b.');
    assert.equal(faultOf({ roles: [] }), 'The claim at /roles is an empty list.');
    assert.equal(faultOf({ roles: '' }), 'The claim at /roles is an empty text.');
    for (const [roles, kind] of [
      [{ admin: true }, 'an object'],
      [7, 'a number'],
      [[1], 'a list with a number'],
      [true, 'a boolean'],
    ] as const)
      assert.equal(faultOf({ roles }), `The claim at /roles is ${kind}, neither a text nor a list of texts.`);
    for (const overage of [{ _claim_names: { groups: 'src1' } }, { hasgroups: true }])
      for (const roles of [undefined, [], ['a-role-without-rights']])
        assert.match(
          faultOf({ ...overage, ...(roles && { roles }) }) ?? '',
          /leaves out the groups of a caller who has too many \(group overage\)/,
        );
  });

  it('reads roles only from the configured claim', () => {
    assert.deepEqual(rolesOf({ role: ['admin'], groups: ['admin'] }), []);
    assert.deepEqual(rolesOf({ a: { b: ['x'] }, roles: ['admin'] }, { rolesClaim: '/a/b' }), ['x']);
    assert.deepEqual(rolesOf({ 'a.b': ['x'] }, { rolesClaim: '/a.b' }), ['x']);
    assert.deepEqual(rolesOf({ a: { b: ['x'] } }, { rolesClaim: '/a.b' }), []);
    assert.deepEqual(rolesOf({ 'https://x/roles': ['x'] }, { rolesClaim: '/https:~1~1x~1roles' }), ['x']);
  });

  it('reads own members only, so that a prototype in the payload grants nothing', () => {
    const payload = JSON.parse('{"__proto__":{"roles":["admin"]}}') as JsonObject;
    assert.deepEqual(rolesOf(Object.assign(JSON.parse('{}') as object, payload)), []);
    const token = idp.signTexts(
      '{"alg":"ES256","roles":["admin"]}',
      JSON.stringify({ ...basics, exp }).replace('{', '{"__proto__":{"roles":["admin"]},'),
    );
    assert.deepEqual(acceptNow(verifierOf(idp, manualClock()), token).roles, []);
    for (const rolesClaim of ['/constructor', '/__proto__', '/toString/name'])
      assert.deepEqual(rolesOf({}, { rolesClaim }), []);
  });

  it('rejects more than 1000 roles', () => {
    const roles = (count: number): string[] => Array.from({ length: count }, (_, at) => `r${at}`);
    assert.equal(rolesOf({ roles: roles(1000) }).length, 1000);
    assert.throws(() => rolesOf({ roles: roles(1001) }), /1000 roles/);
  });

  it('translates roles by the role map and drops unmapped roles', () => {
    const roleMap = { 'net-admins': 'admin', ops: 'engineering', root: 'admin' };
    assert.deepEqual(rolesOf({ roles: ['net-admins', 'root', 'admin', 'Ops'] }, { roleMap }), ['admin']);
    assert.deepEqual(rolesOf({ roles: ['constructor', '__proto__', 'toString'] }, { roleMap }), []);
    assert.deepEqual(rolesOf({ roles: ['admin'] }, { roleMap: {} }), []);
  });

  it('identity review 1: reads the roles of several claims', () => {
    const rolesClaim = ['/realm_access/roles', '/resource_access/gatehouse/roles', '/groups'];
    const claims = {
      realm_access: { roles: ['net-ops'] },
      resource_access: { gatehouse: { roles: ['admin', 'net-ops'] } },
      groups: { no: 'list' },
    };
    assert.deepEqual(rolesOf(claims, { rolesClaim }), ['net-ops', 'admin']);
    assert.deepEqual(rolesOf({ groups: ['/network/admins'] }, { rolesClaim }), ['/network/admins']);
    const many = Array.from({ length: 600 }, (_, at) => `r${at}`);
    assert.throws(() => rolesOf({ a: many, b: many }, { rolesClaim: ['/a', '/b'] }), /1000 roles/);
  });

  it('maps names by patterns of the role map, in addition to the exact name', () => {
    const roleMap = { 'net-*': 'noc', 'net-admins': 'admin', '*,ou=noc,*': ['noc', 'viewer'] };
    assert.deepEqual(rolesOf({ roles: ['net-admins'] }, { roleMap }), ['admin', 'noc']);
    assert.deepEqual(rolesOf({ roles: ['cn=x,ou=noc,dc=test'] }, { roleMap }), ['noc', 'viewer']);
    assert.deepEqual(rolesOf({ roles: ['subnet-x', 'NET-x'] }, { roleMap }), []);
  });

  it('grants roles for values of claims, besides the roles of the token', () => {
    const claimRoles = [
      { claim: 'department', values: ['NOC *'], roles: 'noc' },
      { claim: '/org/sites', values: ['berlin', 7], roles: ['berlin', 'viewer'] },
      { claim: 'scope', values: ['gatehouse'], roles: 'engineering' },
      { claim: 'staff', values: [true], roles: 'staff' },
    ];
    assert.deepEqual(rolesOf({ department: 'NOC West' }, { claimRoles }), ['noc']);
    assert.deepEqual(rolesOf({ roles: ['a'], org: { sites: ['x', 7] } }, { claimRoles }), ['a', 'berlin', 'viewer']); // prettier-ignore
    assert.deepEqual(rolesOf({ roles: ['a'], scope: 'openid gatehouse' }, { claimRoles, roleMap: { a: 'admin' } }), ['admin', 'engineering']); // prettier-ignore
    assert.deepEqual(rolesOf({ staff: 'true', scope: 'gatehouse2', department: { a: 'NOC x' } }, { claimRoles }), []); // prettier-ignore
    assert.throws(() => rolesOf({ department: Array(1001).fill('x') }, { claimRoles }), /1000 values/);
  });

  it('identity review 1: maps one role of the token to several roles, and keeps the names of the token', () => {
    const roleMap = { 'net-admins': ['admin', 'engineering'], 'net-ops': 'engineering' };
    const { roles, tokenRoles } = read({ roles: ['net-admins', 'net-ops', 'other'] }, { roleMap });
    assert.deepEqual(roles, ['admin', 'engineering']);
    assert.deepEqual(tokenRoles, ['net-admins', 'net-ops', 'other']);
  });
});

describe('readClaims on the name and the client of the caller', () => {
  const EMAIL = { email: 'a@x.test' };
  const PROFILE = { name: 'Alice', profile: { login: 'al' } };
  const names: readonly (readonly [what: string, JsonObject, string | undefined, settings?: object])[] = [
    [
      'identity review 8: reads the name beside the subject',
      { preferred_username: 'alice', ...EMAIL },
      'alice',
    ],
    ['uses the email without a name', EMAIL, 'a@x.test'],
    ['does not use an email that is not verified', { ...EMAIL, email_verified: false }, undefined],
    ['has none without these claims', { name: 'Alice' }, undefined],
    ['has none that is the subject', { preferred_username: 'a' }, undefined],
    ['skips an empty text', { preferred_username: ' ', ...EMAIL }, 'a@x.test'],
    ['skips a list', { preferred_username: ['alice'] }, undefined],
    ['skips a long text', { preferred_username: 'a'.repeat(257) }, undefined],
    ['skips control characters', { preferred_username: 'alice\n' }, undefined],
    ['skips characters that turn the direction of text', { preferred_username: 'alice\u202e' }, undefined],
    ['uses the configured claim', PROFILE, 'Alice', { nameClaim: 'name' }],
    ['uses the first one, by pointer', PROFILE, 'al', { nameClaim: ['/profile/login', 'name'] }],
    ['skips absent ones', PROFILE, 'Alice', { nameClaim: ['constructor', '/profile/none', 'name'] }],
    ['has a default', EMAIL, 'a@x.test', { nameClaim: undefined }],
  ];
  for (const [what, claims, expected, settings] of names)
    it(what, () => {
      assert.equal(read(claims, settings).name, expected);
    });

  it('takes the client from client_id, else from azp, if it is a usable name', () => {
    assert.equal(read({ client_id: 'portal', azp: 'other' }).client, 'portal');
    assert.equal(read({ azp: 'portal' }).client, 'portal');
    for (const azp of ['', 3, null, {}, 'x'.repeat(257)]) assert.equal(read({ azp }).client, undefined);
  });
});
