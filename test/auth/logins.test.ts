import assert from 'node:assert/strict';
import { createLoginThrottle } from '../../src/auth/login-throttle.js';
import { openLogins } from '../../src/auth/logins.js';
import type { LoginAttempt, Logins } from '../../src/core/login.js';
import { Problem } from '../../src/core/problem.js';
import { Secret } from '../../src/core/secret.js';
import { SignInFailure } from '../../src/core/sign-in.js';
import type { LocalIssuerSettings } from '../../src/core/settings.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { secretHash } from '../support/password-hash.js';

const PASSWORD = 'pw-of-ada-31f7';
const SETTINGS: LocalIssuerSettings = {
  enabled: true,
  tokenTtlSeconds: 600,
  keyFile: '/nowhere',
  users: [
    { username: 'ada', passwordHash: secretHash(PASSWORD), roles: ['admin'] },
    { username: 'bob', passwordHash: secretHash('pw-of-bob'), roles: ['engineering'] },
  ],
  clients: [{ clientId: 'backup', clientSecretHash: secretHash('s3cret-of-backup'), roles: ['admin'] }],
  accept: ['bearer'],
  attempts: { perUser: 3, perAddress: 5, windowSeconds: 60 },
};

type Try = Partial<Omit<LoginAttempt, 'password'>> & { readonly password?: string };

function attempt({ password = PASSWORD, ...rest }: Try = {}): LoginAttempt {
  return { name: 'ada', address: '192.0.2.1', kinds: ['user'], ...rest, password: new Secret(password) };
}

function bench(settings: Partial<LocalIssuerSettings> = {}) {
  const clock = createFakeScheduler();
  const guard = createLoginThrottle(clock);
  const open = (more: Partial<LocalIssuerSettings> = {}): Logins => {
    const opened = openLogins({ ...SETTINGS, ...settings, ...more }, { guard, clock });
    assert.ok('value' in opened);
    return opened.value;
  };
  return { clock, open, logins: open() };
}

async function failureOf(trying: Promise<unknown>): Promise<Problem> {
  try {
    await trying;
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return error;
  }
  return assert.fail('let in');
}

/** True when the answer needs no hash: those are made by threads, which report on a later turn of the event loop. */
function isAtOnce(trying: Promise<unknown>): Promise<boolean> {
  const answered = trying.then(
    () => true,
    () => true,
  );
  return Promise.race([answered, new Promise<boolean>((resolve) => setImmediate(resolve, false))]);
}

describe('logins', () => {
  it('let a user in by name and password, as what the configuration says', async () => {
    const { logins } = bench();
    const { mark, ...account } = await logins.logIn(attempt());
    assert.deepEqual(account, { kind: 'user', name: 'ada', roles: ['admin'] });
    assert.match(mark, /^[\w-]{43}$/);
    assert.equal(logins.tokenTtlSeconds, 600);
    assert.deepEqual([...logins.accept], ['bearer']);
  });

  it('keep users and clients apart', async () => {
    const { logins } = bench();
    const client = { name: 'backup', password: 's3cret-of-backup' };
    assert.equal((await logins.logIn(attempt({ ...client, kinds: ['client'] }))).kind, 'client');
    assert.equal(
      (await failureOf(logins.logIn(attempt({ ...client, kinds: ['user'] })))).code,
      'invalid_credentials',
    );
    assert.equal((await failureOf(logins.logIn(attempt({ kinds: ['client'] })))).code, 'invalid_credentials');
  });

  it('refuse an unknown name and a wrong password in the same words, and never repeat what was typed', async () => {
    const { logins } = bench();
    const wrong = await failureOf(logins.logIn(attempt({ password: 'wr0ng-pw' })));
    const unknown = await failureOf(logins.logIn(attempt({ name: 'my-p4ssword', password: 'wr0ng-pw' })));
    assert.equal(wrong.message, 'Invalid credentials');
    assert.deepEqual(wrong.extras.headers, { 'www-authenticate': 'Bearer' });
    assert.deepEqual(unknown.extras.headers, wrong.extras.headers);
    assert.deepEqual([unknown.code, unknown.message], [wrong.code, wrong.message]);
    assert.equal(wrong.extras.outcome, 'invalid_credentials, ada, from 192.0.2.1');
    assert.match(
      unknown.extras.outcome ?? '',
      /^invalid_credentials, unknown user [0-9a-f]{12}, from 192\.0\.2\.1$/,
    );
    assert.doesNotMatch(JSON.stringify([wrong, wrong.extras, unknown, unknown.extras]), /p4ssword|wr0ng/);
  });

  it('make a hash for an unknown name as well, so that time tells nothing', async () => {
    const { logins } = bench();
    assert.ok(!(await isAtOnce(logins.logIn(attempt({ name: 'eve' })))));
    assert.ok(!(await isAtOnce(logins.logIn(attempt({ name: 'backup' })))));
  });

  it('do not let in an unknown name with the password whose hash costs its time', async () => {
    const { logins } = bench({ users: SETTINGS.users.slice(0, 1), clients: [] });
    assert.equal((await failureOf(logins.logIn(attempt({ name: 'eve' })))).code, 'invalid_credentials');
  });

  it('know nobody without accounts, or while the built-in issuer is off', async () => {
    for (const settings of [{ users: [], clients: [] }, { enabled: false }])
      assert.equal((await failureOf(bench(settings).logins.logIn(attempt()))).code, 'invalid_credentials');
  });

  it('tell whether there are users: only those have a page to log in', () => {
    const { open } = bench();
    const hasUsers = (more: Partial<LocalIssuerSettings>): boolean => open(more).hasUsers;
    assert.deepEqual([{}, { users: [] }, { enabled: false }, { enabled: false, users: [] }].map(hasUsers), [
      true,
      false,
      false,
      false,
    ]);
  });

  it('tell what failed when it was no guess, as it was', async () => {
    const { clock } = bench();
    const broken = new Error('no memory for a hash');
    const guard = { ...createLoginThrottle(clock), checkPassword: () => Promise.reject(broken) };
    const opened = openLogins(SETTINGS, { guard, clock });
    assert.ok('value' in opened);
    await assert.rejects(opened.value.logIn(attempt()), broken);
  });

  it('refuse the right password of a locked name, and tell how long', async () => {
    const { clock, logins } = bench();
    for (let time = 0; time < 3; time += 1) await failureOf(logins.logIn(attempt({ password: 'x' })));
    assert.ok(await isAtOnce(logins.logIn(attempt())), 'a hash was made for a locked name');
    const locked = await failureOf(logins.logIn(attempt({ address: '198.51.100.1' })));
    assert.equal(locked.code, 'too_many_requests');
    assert.deepEqual(locked.extras.headers, { 'retry-after': '60' });
    assert.equal(locked.message, 'Too many wrong passwords or tokens; try again in 60 s.');
    assert.equal((await logins.logIn(attempt({ name: 'bob', password: 'pw-of-bob' }))).name, 'bob');
    await clock.pass(60_000);
    assert.equal((await logins.logIn(attempt())).name, 'ada');
  });

  it('lock an unknown name like one that exists', async () => {
    const { logins } = bench();
    const codes: string[] = [];
    for (let time = 0; time < 4; time += 1)
      codes.push((await failureOf(logins.logIn(attempt({ name: 'eve' })))).code);
    assert.deepEqual(codes, [...Array<string>(3).fill('invalid_credentials'), 'too_many_requests']);
  });

  it('stay locked after a reload, and for a password that is remembered', async () => {
    const { logins, open } = bench();
    await logins.logIn(attempt());
    for (let time = 0; time < 3; time += 1) await failureOf(logins.logIn(attempt({ password: 'x' })));
    assert.equal((await failureOf(logins.logIn(attempt()))).code, 'too_many_requests');
    assert.equal((await failureOf(open().logIn(attempt()))).code, 'too_many_requests');
  });

  it('count no password that was right', async () => {
    const { open } = bench();
    for (let time = 0; time < 6; time += 1) assert.equal((await open().logIn(attempt())).name, 'ada');
  });

  it('lock an address whatever the names', async () => {
    const { logins } = bench();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await failureOf(logins.logIn(attempt({ name })));
    assert.equal((await failureOf(logins.logIn(attempt()))).code, 'too_many_requests');
    assert.equal((await logins.logIn(attempt({ address: '192.0.2.2' }))).name, 'ada');
  });

  it('look at no more guesses than the limit, though they come all at once', async () => {
    const { logins } = bench();
    const guesses = Array.from({ length: 10 }, (_, at) =>
      failureOf(logins.logIn(attempt({ password: `${at}` }))),
    );
    const codes = (await Promise.all(guesses)).map(({ code }) => code);
    assert.equal(codes.filter((code) => code === 'invalid_credentials').length, 3);
    assert.equal((await failureOf(logins.logIn(attempt()))).code, 'too_many_requests');
  });

  it('turn away who comes when two are looked at and eight wait, without counting them', async () => {
    const { logins } = bench({ attempts: { perUser: 100, perAddress: 100, windowSeconds: 60 } });
    const all = Array.from({ length: 12 }, () => logins.logIn(attempt()).catch((error: unknown) => error));
    const busy = (await Promise.all(all)).filter((one) => one instanceof Problem);
    assert.deepEqual(
      busy.map(({ code, status, extras }) => [code, status, extras.headers]),
      Array(2).fill(['login_busy', 503, { 'retry-after': '2' }]),
    );
    assert.deepEqual(
      busy.map(({ message }) => message),
      Array(2).fill('Too many passwords are being checked; this password was not checked.'),
    );
  });

  it('remember a right password for a minute, and forget it with its configuration', async () => {
    const { clock, logins, open } = bench();
    await logins.logIn(attempt());
    assert.ok(await isAtOnce(logins.logIn(attempt())));
    assert.ok(!(await isAtOnce(open().logIn(attempt()))));
    assert.ok(!(await isAtOnce(logins.logIn(attempt({ password: 'x' })))));
    await clock.pass(60_000);
    assert.ok(!(await isAtOnce(logins.logIn(attempt()))));
    const changed = open({ users: SETTINGS.users.slice(1) });
    assert.equal((await failureOf(changed.logIn(attempt()))).code, 'invalid_credentials');
  });
});

describe('faults of accounts', () => {
  const user = SETTINGS.users[0]!;
  const client = SETTINGS.clients[0]!;
  for (const [what, settings, pointer, code] of [
    [
      'a hash of another form',
      { users: [{ ...user, passwordHash: new Secret('$argon2id$x') }] },
      '/users/0/passwordHash',
      'auth_hash',
    ],
    [
      'a password for a hash',
      { clients: [{ ...client, clientSecretHash: new Secret('p') }] },
      '/clients/0/clientSecretHash',
      'auth_hash',
    ],
    ['two users with one name', { users: [user, user] }, '/users/1/username', 'auth_name'],
    [
      'a client with the name of a user',
      { clients: [client, { ...client, clientId: 'ada' }] },
      '/clients/1/clientId',
      'auth_name',
    ],
    [
      'more roles than a token holds',
      { users: [{ ...user, roles: ['r'.repeat(3000)] }] },
      '/users/0/roles',
      'auth_roles',
    ],
  ] as const)
    // prettier-ignore
    it(`name ${what}`, () => {
      const clock = createFakeScheduler();
      const opened = openLogins({ ...SETTINGS, ...settings }, { guard: createLoginThrottle(clock), clock });
      assert.ok('faults' in opened);
      assert.deepEqual(opened.faults.map((fault) => [fault.pointer, fault.code]), [[pointer, code]]);
    });
});

describe('what is wrong with an account', () => {
  const user = SETTINGS.users[0]!;
  const faultsOf = (users: LocalIssuerSettings['users']) => {
    const clock = createFakeScheduler();
    const opened = openLogins({ ...SETTINGS, users }, { guard: createLoginThrottle(clock), clock });
    return 'faults' in opened ? opened.faults.map(({ message, fix }) => `${message} | ${fix}`) : [];
  };

  it('is told with what to do', () => {
    assert.deepEqual(faultsOf([user, { ...user, passwordHash: new Secret('p') }]), [
      'is the name of another user or client above | Give every user and client a unique name.',
      'is not of the form $scrypt$ln=17,r=8,p=1$salt$hash | Create the hash with: gatehouse hash',
    ]);
    assert.deepEqual(faultsOf([{ ...user, roles: ['r'.repeat(2045)] }]), [
      'is longer than 2048 bytes, which is more than a token may carry | Give fewer roles, or shorter names.',
    ]);
    assert.deepEqual(faultsOf([{ ...user, roles: ['r'.repeat(2044)] }]), []);
  });
});

describe('what somebody may have guessed', () => {
  const wrong = (error: Error) => () => Promise.reject(error);
  const refused = new Problem('unauthorized', 'no');
  const codeOf = async (trying: Promise<unknown>): Promise<string> => (await failureOf(trying)).code;

  it('is looked at so many times from one network, however right it is then', async () => {
    const { logins, clock } = bench();
    const guess = (address: string) => logins.guess(address, wrong(refused));
    for (const last of [1, 2, 3]) assert.equal(await codeOf(guess(`2001:db8::${last}`)), 'unauthorized');
    const right = () => logins.guess('2001:db8::4', () => Promise.resolve('seen'));
    assert.equal(await codeOf(right()), 'too_many_requests');
    assert.equal(await logins.guess('192.0.2.1', () => Promise.resolve('seen')), 'seen');
    await clock.pass(60_000);
    assert.equal(await right(), 'seen');
  });

  it('is not counted when it was right, or when nobody could tell', async () => {
    const { logins } = bench();
    const away = new SignInFailure('issuer_unavailable', 'away');
    for (let time = 0; time < 5; time += 1) {
      await logins.guess('192.0.2.1', () => Promise.resolve());
      await assert.rejects(logins.guess('192.0.2.1', wrong(away)), away);
    }
    const bad = new SignInFailure('not_accepted', 'bad');
    for (let time = 0; time < 3; time += 1) await assert.rejects(logins.guess('192.0.2.1', wrong(bad)), bad);
    assert.equal(await codeOf(logins.guess('192.0.2.1', wrong(bad))), 'too_many_requests');
  });

  it('locks nobody out who has a name', async () => {
    const { logins } = bench();
    for (let time = 0; time < 3; time += 1)
      await assert.rejects(logins.guess('192.0.2.1', wrong(refused)), refused);
    assert.equal((await logins.logIn(attempt())).name, 'ada');
  });
});
