import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { calculateJwkThumbprint, decodeProtectedHeader, exportJWK, jwtVerify } from 'jose';
import { accountsOf } from '../../src/auth/accounts.js';
import { type LocalIssuer, openLocalIssuer } from '../../src/auth/local-issuer.js';
import { createVerifier } from '../../src/auth/verifier.js';
import { ConfigError } from '../../src/core/fault.js';
import { Secret } from '../../src/core/secret.js';
import type { LocalIssuerSettings } from '../../src/settings/settings.js';
import { rsaKeys } from '../support/keys.js';
import { openBelow, TELLS_OPEN_FILES } from '../support/open-files.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { watchSyncs } from '../support/watched-syncs.js';
import { acceptNow, manualClock, NOW, refusalOf } from './fixtures.js';

const FAULT_TEXTS: Readonly<Record<string, readonly [what: string, fix: string]>> = {
  local_key_missing: [
    'does not exist',
    'Start the server, which creates the key. If it runs already, restore the file, or restart the server: the tokens of the lost key then end.',
  ],
  local_key_mode: [
    'may be read or written by others',
    'Run: chmod 600 FILE. In Kubernetes, mount the secret with defaultMode: 0440 and an fsGroup.',
  ],
  local_key_kind: [
    'does not hold an EC P-256 private key as PEM',
    'Move the file away, and a new key is made; tokens that the old one signed end with it.',
  ],
  local_key_read: ['cannot be read (CODE)', 'Let this process read the file.'],
  local_key_write: [
    'cannot be made (CODE)',
    'Let this process write to the folder, or set auth.local.keyFile to a file in another one.',
  ],
};

describe('openLocalIssuer', () => {
  let folder: string;
  let keyFile: string;
  const clock = manualClock();
  beforeEach(() => {
    folder = temporaryFolder().path;
    keyFile = join(folder, 'keys', 'signing.pem');
    clock.seconds = NOW;
  });

  function open(createKey = true): Promise<LocalIssuer> {
    return openLocalIssuer({ keyFile, clock, tokenTtlSeconds: 3600, createKey });
  }

  async function faultCodeOf(opening: Promise<LocalIssuer>): Promise<string | undefined> {
    const error: unknown = await opening.then(() => undefined, (reason: unknown) => reason); // prettier-ignore
    assert.ok(error instanceof ConfigError);
    const [fault, ...others] = error.faults;
    assert.ok(fault && others.length === 0);
    const { file, pointer, code, message, fix } = fault;
    assert.deepEqual([file, pointer], [keyFile, '']);
    const expected = FAULT_TEXTS[code] ?? [];
    assert.equal(
      message.replace(/\(E[A-Z]+\)/, '(CODE)'),
      `the signing key of the built-in issuer ${expected[0]}`,
    );
    assert.equal(fix, expected[1]?.replace('FILE', keyFile));
    return code;
  }

  it('creates its key once, readable only by its owner', async () => {
    assert.equal((await open()).created, true);
    assert.equal(statSync(keyFile).mode & 0o777, 0o600);
    assert.equal(statSync(join(folder, 'keys')).mode & 0o777, 0o700);
    assert.match(readFileSync(keyFile, 'utf8'), /^-----BEGIN PRIVATE KEY-----/);
    const text = readFileSync(keyFile, 'utf8');
    assert.equal((await open()).created, false);
    assert.equal(readFileSync(keyFile, 'utf8'), text);
    assert.deepEqual(readdirSync(join(folder, 'keys')), ['signing.pem']);
  });

  it('syncs its key to disk before the first token and leaves no file open', async () => {
    await watchSyncs(async (kinds) => {
      await open();
      await open();
      assert.deepEqual(kinds, ['file', 'folder']);
    });
    if (TELLS_OPEN_FILES) assert.deepEqual(openBelow(folder), []);
  });

  it('creates one key when several processes start concurrently', async () => {
    const opened = await Promise.all(Array.from({ length: 12 }, () => open()));
    assert.equal(opened.filter(({ created }) => created).length, 1);
    const kids = opened.map(
      ({ issueToken: issue }) => decodeProtectedHeader(issue({ subject: 'a', roles: [] })).kid,
    );
    assert.equal(new Set(kids).size, 1);
    assert.deepEqual(readdirSync(join(folder, 'keys')), ['signing.pem']);
  });

  it('signs tokens that the verifier and jose accept', async () => {
    const { issuer, issueToken: issue } = await open();
    const token = issue({ subject: 'anna', roles: ['admin', 'engineering'] });
    const principal = acceptNow(createVerifier({ issuers: [issuer], clock }), token);
    const given = { subject: 'anna', roles: ['admin', 'engineering'] };
    assert.deepEqual(principal, { ...given, issuer: 'gatehouse', expiresAt: NOW + 3600 });
    const key = createPublicKey(readFileSync(keyFile));
    const names = { issuer: 'gatehouse', audience: 'gatehouse', algorithms: ['ES256'] };
    const verified = await jwtVerify(token, key, { ...names, currentDate: new Date(NOW * 1000) });
    const { payload, protectedHeader } = verified;
    assert.deepEqual(Object.keys(payload).sort(), ['aud', 'exp', 'iat', 'iss', 'jti', 'roles', 'sub']);
    assert.equal(payload.iat, NOW);
    const kid = await calculateJwkThumbprint(await exportJWK(key));
    assert.deepEqual(protectedHeader, { alg: 'ES256', typ: 'JWT', kid });
    assert.notEqual(issue({ subject: 'anna', roles: [] }), issue({ subject: 'anna', roles: [] }));
  });

  it('accepts a login token with the current roles while its account keeps its password', async () => {
    const { issuerFor, markKey, issue } = await open();
    const settings = (...users: readonly LocalIssuerSettings['users'][number][]) => ({
      enabled: true,
      users,
      clients: [],
    });
    const ada = { username: 'ada', passwordHash: new Secret('$scrypt$1'), roles: ['admin'] };
    const mark = accountsOf(settings(ada), markKey).get('ada')?.account.mark ?? '';
    const { token } = issue({ subject: 'ada', roles: ['admin'], account: mark });
    const verifierWith = (...users: readonly (typeof ada)[]) =>
      createVerifier({ issuers: [issuerFor(settings(...users))], clock });
    assert.deepEqual(acceptNow(verifierWith(ada), token).roles, ['admin']);
    assert.deepEqual(acceptNow(verifierWith({ ...ada, roles: ['viewer'] }), token).roles, ['viewer']);
    for (const verifier of [
      verifierWith(),
      verifierWith({ ...ada, username: 'bob' }),
      verifierWith({ ...ada, passwordHash: new Secret('$scrypt$2') }),
    ])
      assert.match(await refusalOf(verifier, token), /account of the token/);
    const own = issue({ subject: 'nobody', roles: ['admin'] });
    assert.deepEqual(acceptNow(verifierWith(), own.token).roles, ['admin']);
  });

  it('limits the lifetime of its tokens', async () => {
    const { issuer, issueToken: issue } = await open();
    const verifier = createVerifier({ issuers: [issuer], clock });
    const token = issue({ subject: 'a', roles: [], ttlSeconds: 86_400 });
    acceptNow(verifier, token);
    const short = issue({ subject: 'a', roles: [], ttlSeconds: 1 });
    acceptNow(verifier, short);
    clock.seconds += 60;
    assert.match(await refusalOf(verifier, short), /expired/);
    for (const ttlSeconds of [0, -1, 86_401, 1.5, NaN, Infinity])
      assert.throws(() => issue({ subject: 'a', roles: [], ttlSeconds }), RangeError);
  });

  it('issues no token that the verifier would reject', async () => {
    const { issueToken: issue } = await open();
    assert.throws(() => issue({ subject: '', roles: [] }), /subject/);
    assert.throws(() => issue({ subject: 'x'.repeat(257), roles: [] }), /subject/);
    assert.throws(() => issue({ subject: 'a', roles: Array.from({ length: 1001 }, () => 'x') }), /roles/);
    const long = Array.from({ length: 500 }, (_, at) => `a-rather-long-role-${at}`);
    assert.throws(() => issue({ subject: 'a', roles: long }), /fewer roles/);
  });

  it('creates no key unless createKey is set', async () => {
    assert.equal(await faultCodeOf(open(false)), 'local_key_missing');
    assert.deepEqual(readdirSync(folder), []);
  });

  it('rejects a key file that others may access', async () => {
    await open();
    for (const mode of [0o640, 0o604, 0o620, 0o666]) {
      chmodSync(keyFile, mode);
      assert.equal(await faultCodeOf(open()), 'local_key_mode');
    }
  });

  it('rejects a file with other contents and keeps it unchanged', async () => {
    mkdirSync(join(folder, 'keys'));
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
    const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
    const pems = [p384, rsaKeys('local-issuer').privateKey].map((key) =>
      key.export({ type: 'pkcs8', format: 'pem' }),
    );
    const texts = ['', 'hello', ...pems, p256.export({ type: 'spki', format: 'pem' })].map(String);
    for (const text of texts) {
      writeFileSync(keyFile, text, { mode: 0o600 });
      assert.equal(await faultCodeOf(open()), 'local_key_kind');
      assert.equal(readFileSync(keyFile, 'utf8'), text);
    }
  });

  it('reports that the key file cannot be read or created', async () => {
    mkdirSync(keyFile, { recursive: true, mode: 0o700 });
    assert.equal(await faultCodeOf(open()), 'local_key_read');
    writeFileSync(join(folder, 'file'), '');
    keyFile = join(folder, 'file', 'signing.pem');
    assert.equal(await faultCodeOf(open()), 'local_key_read');
    keyFile = join(folder, 'x'.repeat(250));
    assert.equal(await faultCodeOf(open()), 'local_key_write');
  });
});
