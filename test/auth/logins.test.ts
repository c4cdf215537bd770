import assert from 'node:assert/strict';
import { createLoginThrottle, type LoginThrottle } from '../../src/auth/login-throttle.js';
import { createLoginCache, openLogins } from '../../src/auth/logins.js';
import { invalidToken, RejectedToken } from '../../src/auth/rejected-token.js';
import type { Account, LoginAttempt, Logins } from '../../src/core/login.js';
import { Problem } from '../../src/core/problem.js';
import { Secret } from '../../src/core/secret.js';
import { SignInFailure, withCaller } from '../../src/core/sign-in.js';
import type { LocalIssuerSettings } from '../../src/settings/settings.js';
import { column } from '../support/columns.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { secretHash } from '../support/password-hash.js';
import { manualClock } from './fixtures.js';

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

type AttemptOptions = Partial<Omit<LoginAttempt, 'password'>> & { readonly password?: string };

function attempt({ password = PASSWORD, ...rest }: AttemptOptions = {}): LoginAttempt {
  return { name: 'ada', address: '192.0.2.1', kinds: ['user'], ...rest, password: new Secret(password) };
}

function setUpLogins(
  settings: Partial<LocalIssuerSettings> = {},
  wrap: (throttle: LoginThrottle) => LoginThrottle = (throttle) => throttle,
) {
  const clock = createFakeScheduler();
  const guard = wrap(createLoginThrottle(clock));
  const open = (more: Partial<LocalIssuerSettings> = {}): Logins => {
    const opened = openLogins({ ...SETTINGS, ...settings, ...more }, { guard, clock });
    assert.ok('value' in opened);
    return opened.value;
  };
  return { clock, open, logins: open() };
}

async function failureOf(attempted: Promise<unknown>): Promise<Problem> {
  try {
    await attempted;
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return error;
  }
  return assert.fail('let in');
}

async function loginCodeOf(logins: Logins, options?: AttemptOptions): Promise<string> {
  return (await failureOf(logins.logIn(attempt(options)))).code;
}

async function fail(
  logins: Logins,
  times: number,
  options: AttemptOptions = { password: 'x' },
): Promise<void> {
  for (let time = 0; time < times; time += 1)
    assert.equal(await loginCodeOf(logins, options), 'invalid_credentials');
}

/**
 * Returns true if the answer needs no hash: hashes are computed by threads, which report on a later turn of
 * the event loop.
 */
function isAtOnce(attempted: Promise<unknown>): Promise<boolean> {
  const answered = attempted.then(
    () => true,
    () => true,
  );
  return Promise.race([answered, new Promise<boolean>((resolve) => setImmediate(resolve, false))]);
}

describe('openLogins', () => {
  it('logs a user in by name and password with the configured roles', async () => {
    const { logins } = setUpLogins();
    const { mark, ...account } = await logins.logIn(attempt());
    assert.deepEqual(account, { kind: 'user', name: 'ada', roles: ['admin'] });
    assert.match(mark, /^[\w-]{43}$/);
    assert.equal(logins.tokenTtlSeconds, 600);
    assert.deepEqual([...logins.accept], ['bearer']);
  });

  it('separates users and clients', async () => {
    const { logins } = setUpLogins();
    const client = { name: 'backup', password: 's3cret-of-backup' };
    assert.equal((await logins.logIn(attempt({ ...client, kinds: ['client'] }))).kind, 'client');
    assert.equal(await loginCodeOf(logins, { ...client, kinds: ['user'] }), 'invalid_credentials');
    assert.equal(await loginCodeOf(logins, { kinds: ['client'] }), 'invalid_credentials');
  });

  it('rejects an unknown name and a wrong password with the same message and never repeats the input', async () => {
    const { logins } = setUpLogins();
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

  it('computes a hash for an unknown name as well, so that the response time is the same, and refuses it', async () => {
    const { logins } = setUpLogins({ users: SETTINGS.users.slice(0, 1) });
    assert.ok(!(await isAtOnce(logins.logIn(attempt({ name: 'eve' })))));
    assert.ok(!(await isAtOnce(logins.logIn(attempt({ name: 'backup' })))));
    const { logins: one } = setUpLogins({ users: SETTINGS.users.slice(0, 1), clients: [] });
    assert.equal(await loginCodeOf(one, { name: 'eve' }), 'invalid_credentials');
  });

  it('rejects every login without accounts and while the built-in issuer is disabled, and says that there are no users', async () => {
    assert.equal(setUpLogins().logins.hasUsers, true);
    for (const settings of [{ users: [], clients: [] }, { enabled: false }]) {
      const { logins } = setUpLogins(settings);
      assert.equal(logins.hasUsers, false);
      assert.equal(await loginCodeOf(logins), 'invalid_credentials');
    }
  });

  it('passes on an internal error unchanged', async () => {
    const broken = new Error('no memory for a hash');
    const { logins } = setUpLogins({}, (throttle) => ({
      ...throttle,
      checkPassword: () => Promise.reject(broken),
    }));
    await assert.rejects(logins.logIn(attempt()), broken);
  });

  it('rejects the correct password of a locked name and reports the remaining time', async () => {
    const { clock, logins } = setUpLogins();
    await fail(logins, 3);
    assert.ok(await isAtOnce(logins.logIn(attempt())), 'a hash was made for a locked name');
    const locked = await failureOf(logins.logIn(attempt()));
    assert.equal(locked.code, 'too_many_requests');
    assert.deepEqual(locked.extras.headers, { 'retry-after': '60' });
    assert.equal(locked.message, 'Too many wrong passwords or tokens; try again in 60 s.');
    assert.equal((await logins.logIn(attempt({ name: 'bob', password: 'pw-of-bob' }))).name, 'bob');
    await clock.pass(60_000);
    assert.equal((await logins.logIn(attempt())).name, 'ada');
  });

  it('locks an unknown name like an existing one', async () => {
    const { logins } = setUpLogins();
    await fail(logins, 3, { name: 'eve' });
    assert.equal(await loginCodeOf(logins, { name: 'eve' }), 'too_many_requests');
  });

  it('keeps a name locked after a reload', async () => {
    const { logins, open } = setUpLogins();
    await fail(logins, 3);
    assert.equal(await loginCodeOf(open()), 'too_many_requests');
  });

  it('finding F10: wrong passwords from another address lock neither the name nor its logins', async () => {
    const { logins } = setUpLogins();
    const guesser = { password: 'x', address: '198.51.100.1' };
    await fail(logins, 3, guesser);
    assert.equal(await loginCodeOf(logins, guesser), 'too_many_requests');
    assert.equal((await logins.logIn(attempt())).name, 'ada');
  });

  it('finding F10: wrong passwords from the same address lock out who has logged in before only after 30 guesses', async () => {
    const { logins } = setUpLogins();
    await logins.logIn(attempt());
    for (let time = 0; time < 29; time += 1) await loginCodeOf(logins, { password: 'x' });
    assert.equal((await logins.logIn(attempt())).name, 'ada');
    await loginCodeOf(logins, { password: 'x' });
    assert.equal(await loginCodeOf(logins), 'too_many_requests');
  });

  it('does not count correct passwords', async () => {
    const { open } = setUpLogins();
    for (let time = 0; time < 6; time += 1) assert.equal((await open().logIn(attempt())).name, 'ada');
  });

  it('checks at most the limit of concurrent guesses', async () => {
    const { logins } = setUpLogins();
    const guesses = Array.from({ length: 10 }, (_, at) =>
      failureOf(logins.logIn(attempt({ password: `${at}` }))),
    );
    const codes = (await Promise.all(guesses)).map(({ code }) => code);
    assert.equal(codes.filter((code) => code === 'invalid_credentials').length, 3);
    assert.equal(await loginCodeOf(logins), 'too_many_requests');
  });

  it('clients review G1: concurrent logins with one name and password share one hash, from any address', async () => {
    let hashes = 0;
    const { logins } = setUpLogins({}, (throttle) => ({
      ...throttle,
      checkPassword(checked, matches) {
        hashes += 1;
        return throttle.checkPassword(checked, matches);
      },
    }));
    const { logIn } = logins;
    const fleet = Array.from({ length: 200 }, (_, at) => logIn(attempt({ address: `192.0.2.${at}` })));
    assert.deepEqual(new Set(column(await Promise.all(fleet), 'name')), new Set(['ada']));
    assert.equal(hashes, 1);
    // Each address is remembered.
    assert.ok(await isAtOnce(logIn(attempt({ address: '192.0.2.199' }))));
    // The same wrong password is one guess; other passwords, and clients in place of users, are checked each time.
    const wrong = Array.from({ length: 50 }, () => loginCodeOf(logins, { password: 'x' }));
    assert.deepEqual(new Set(await Promise.all(wrong)), new Set(['invalid_credentials']));
    assert.equal(hashes, 2);
    await Promise.all([
      fail(logins, 1, { password: 'y' }),
      fail(logins, 1, { password: 'y', kinds: ['client'] }),
    ]);
    assert.equal(hashes, 4);
    await fail(logins, 1, { password: 'z', address: '192.0.2.200' });
  });

  it('rejects logins without counting them while two are checked and eight of the account wait', async () => {
    const { logins } = setUpLogins({ attempts: { perUser: 100, perAddress: 100, windowSeconds: 60 } });
    const all = Array.from({ length: 12 }, (_, at) =>
      logins.logIn(attempt({ password: `${at}` })).catch((error: unknown) => error),
    );
    const other = logins.logIn(attempt({ name: 'bob', password: 'pw-of-bob' }));
    const busy = (await Promise.all(all)).filter(
      (one): one is Problem => one instanceof Problem && one.code !== 'invalid_credentials',
    );
    assert.deepEqual(
      busy.map(({ code, status, extras }) => [code, status, extras.headers]),
      Array(2).fill(['login_busy', 503, { 'retry-after': '2' }]),
    );
    assert.equal((await other).name, 'bob', 'another account has its turn');
    assert.deepEqual(
      column(busy, 'message'),
      Array(2).fill('Too many passwords are being checked; this password was not checked.'),
    );
  });

  it('caches a correct password for a day and drops it with its configuration', async () => {
    const { clock, logins, open } = setUpLogins();
    await logins.logIn(attempt());
    assert.ok(await isAtOnce(logins.logIn(attempt())));
    assert.ok(!(await isAtOnce(open().logIn(attempt()))));
    assert.ok(!(await isAtOnce(logins.logIn(attempt({ password: 'x' })))));
    await clock.pass(86_400_000);
    assert.ok(!(await isAtOnce(logins.logIn(attempt()))));
    const changed = open({ users: SETTINGS.users.slice(1) });
    assert.equal(await loginCodeOf(changed), 'invalid_credentials');
  });
});

describe('account faults', () => {
  const [user, client] = [SETTINGS.users[0]!, SETTINGS.clients[0]!];
  const ofRoles = (length: number) => ({ users: [{ ...user, roles: ['r'.repeat(length)] }] });
  const faultsOf = (settings: Partial<LocalIssuerSettings>) => {
    const clock = createFakeScheduler();
    const opened = openLogins({ ...SETTINGS, ...settings }, { guard: createLoginThrottle(clock), clock });
    return 'faults' in opened ? opened.faults : [];
  };

  const HASH = {
    code: 'auth_hash',
    message: 'is not of the form $scrypt$ln=17,r=8,p=1$salt$hash',
    fix: 'Create the hash with: gatehouse hash',
  };
  const NAME = {
    code: 'auth_name',
    message: 'is the name of another user or client above',
    fix: 'Give every user and client a unique name.',
  };
  const ROLES = {
    code: 'auth_roles',
    message: 'is longer than 2048 bytes, which is more than a token may carry',
    fix: 'Give fewer roles, or shorter names.',
  };
  const argon = { ...user, passwordHash: new Secret('$argon2id$x') };
  const plain = { ...client, clientSecretHash: new Secret('p') };
  for (const [what, settings, pointer, fault] of [
    ['a hash in another format', { users: [argon] }, '/users/0/passwordHash', HASH],
    ['a plaintext password instead of a hash', { clients: [plain] }, '/clients/0/clientSecretHash', HASH],
    ['two users with the same name', { users: [user, user] }, '/users/1/username', NAME],
    [
      'a client with the name of a user',
      { clients: [client, { ...client, clientId: 'ada' }] },
      '/clients/1/clientId',
      NAME,
    ],
    ['more roles than a token can carry', ofRoles(2045), '/users/0/roles', ROLES],
  ] as const)
    // prettier-ignore
    it(`report ${what}`, () => {
      assert.deepEqual(faultsOf(settings), [{ pointer, ...fault }]);
    });

  it('are all reported, and none for the longest list of roles', () => {
    const both = faultsOf({ users: [user, { ...argon, username: 'ada' }] });
    assert.deepEqual(column(both, 'code'), ['auth_name', 'auth_hash']);
    assert.deepEqual(faultsOf(ofRoles(2044)), []);
  });
});

describe('createLoginCache', () => {
  const account = (name: string): Account => ({ kind: 'user', name, roles: [], mark: name });

  it('evicts the oldest login at its maximum size', () => {
    const logins = createLoginCache({ clock: manualClock(), size: 2 });
    const found = () => ['a', 'b', 'c'].map((name) => logins.find(attempt({ name }))?.name);
    for (const name of ['a', 'b']) logins.add(attempt({ name }), account(name));
    assert.deepEqual(found(), ['a', 'b', undefined]);
    logins.add(attempt({ name: 'c' }), account('c'));
    assert.deepEqual(found(), [undefined, 'b', 'c']);
  });

  it('finding F10: finds a login by name, password, kind and address until it expires', () => {
    const clock = manualClock();
    const logins = createLoginCache({ clock, ttlMs: 2_000 });
    logins.add(attempt(), account('ada'));
    for (const other of [{ password: 'q' }, { kinds: ['client'] }, { address: '192.0.2.2' }] as const)
      assert.equal(logins.find(attempt(other)), undefined);
    clock.seconds += 1;
    assert.equal(logins.find(attempt())?.name, 'ada');
    clock.seconds += 1;
    assert.equal(logins.find(attempt())?.name, 'ada', 'its last use extends its lifetime');
    clock.seconds += 2;
    assert.equal(logins.find(attempt()), undefined);
  });
});

describe('guess', () => {
  const wrong = (error: Error) => () => Promise.reject(error);
  const refused = new Problem('unauthorized', 'no');
  const problemCodeOf = async (attempted: Promise<unknown>) => (await failureOf(attempted)).code;

  it('limits rejected attempts per network', async () => {
    const { logins, clock } = setUpLogins();
    const guess = (address: string) => problemCodeOf(logins.guess(address, wrong(refused)));
    for (const last of [1, 2, 3, 4, 5]) assert.equal(await guess(`2001:db8::${last}`), 'unauthorized');
    assert.equal(await guess('2001:db8::6'), 'too_many_requests');
    assert.equal(await guess('192.0.2.1'), 'unauthorized');
    await clock.pass(60_000);
    assert.equal(await guess('2001:db8::6'), 'unauthorized');
  });

  it('finding F9: accepts a right token after any number of wrong ones from the same address', async () => {
    const { logins } = setUpLogins();
    for (let time = 0; time < 10; time += 1) await failureOf(logins.guess('192.0.2.1', wrong(refused)));
    assert.equal(await logins.guess('192.0.2.1', () => Promise.resolve('seen')), 'seen');
    assert.equal((await logins.logIn(attempt())).name, 'ada', 'wrong tokens do not lock passwords');
  });

  it('does not count accepted attempts and attempts without a result', async () => {
    const { logins } = setUpLogins();
    const away = new SignInFailure('issuer_unavailable', 'away');
    for (let time = 0; time < 5; time += 1) {
      await logins.guess('192.0.2.1', () => Promise.resolve());
      await assert.rejects(logins.guess('192.0.2.1', wrong(away)), away);
    }
    const bad = new SignInFailure('not_accepted', 'bad');
    for (let time = 0; time < 5; time += 1) await assert.rejects(logins.guess('192.0.2.1', wrong(bad)), bad);
    assert.equal(await problemCodeOf(logins.guess('192.0.2.1', wrong(bad))), 'too_many_requests');
  });

  it('identity review 2: counts a caller whom the issuer has confirmed by itself, from every address', async () => {
    const { logins } = setUpLogins();
    const failureFor = (subject: string): Error[] => {
      const caller = { issuer: 'https://idp.test', subject };
      return [
        withCaller(new SignInFailure('not_accepted', 'no'), caller),
        invalidToken(new RejectedToken('audience', 'no', caller)),
      ];
    };
    const codeOf = async (address: string, error: Error): Promise<string> => {
      const outcome: unknown = await logins.guess(address, wrong(error)).catch((thrown: unknown) => thrown);
      return outcome instanceof Problem ? outcome.code : (outcome as SignInFailure).problem;
    };
    const [signIn, token] = failureFor('alice') as [Error, Error];
    assert.equal(await codeOf('192.0.2.1', signIn), 'not_accepted');
    assert.equal(await codeOf('192.0.2.2', token), 'unauthorized');
    assert.equal(await codeOf('192.0.2.3', signIn), 'not_accepted');
    assert.equal(await codeOf('192.0.2.4', signIn), 'too_many_requests');
    // Neither another person at the same address nor the address itself is affected.
    assert.equal(await codeOf('192.0.2.1', failureFor('bob')[0] ?? assert.fail()), 'not_accepted');
    assert.equal(await codeOf('192.0.2.4', refused), 'unauthorized');
    assert.equal(await logins.guess('192.0.2.4', () => Promise.resolve('alice')), 'alice');
  });
});
