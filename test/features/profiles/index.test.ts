import assert from 'node:assert/strict';
import { profileSchema } from '../../../src/config/profile-schema.js';
import { silentLog } from '../../../src/core/log.js';
import { completeProfile, openProfile } from '../../../src/features/profiles/index.js';
import { pointerTokens } from '../../../src/json/pointer.js';
import { systemScheduler } from '../../../src/lib/clock.js';
import { createAdapterFactories } from '../../../src/server/adapter-factories.js';
import { column } from '../../support/columns.js';

const factories = createAdapterFactories({ clock: systemScheduler, log: silentLog });

type Members = Readonly<Record<string, unknown>>;

const open = (members: Members) => openProfile({ id: 'p', ...members }, factories);

const valueOf = (members: Members): Members => {
  const opened = open(members);
  assert.ok('value' in opened, JSON.stringify(opened));
  return completeProfile(opened.value, factories);
};

const faultsOf = (members: Members) => {
  const opened = open(members);
  assert.ok('faults' in opened, 'nothing was refused');
  return opened.faults;
};

const faultLinesOf = (members: Members) => faultsOf(members).map(({ pointer, code }) => `${pointer} ${code}`);

/** Returns an object that contains only the value, at the pointer. */
const nested = (pointer: string, value: unknown) =>
  pointerTokens(pointer).reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Members;

describe('a profile', () => {
  it('has the defaults of all omitted members, except for the blocks of this server', () => {
    const profile = valueOf({ description: '' });
    assert.deepEqual(profile['services'], []);
    assert.deepEqual(profile['alarmProps'], []);
    assert.equal((profile['authenticationProps'] as { cookieName: string }).cookieName, 'token');
    assert.equal((profile['expressProps'] as { timeout: number }).timeout, 600_000);
    assert.deepEqual(profile['retryStrategy'], { maxRetries: 10, retryResetTimer: 60_000 });
    assert.deepEqual(profile['loggerProps'], {
      ...{ description: 'Logging', log_level: 'info', console_level: 'info', log_timezone_offset: 0 },
      ...{ log_max_files: 100, log_max_file_size: 1_048_576 },
      ...{ log_directory: '/var/log/pronghorn', log_filename: 'pronghorn.log' },
      syslog: {
        ...{ level: 'warning', host: '127.0.0.1', port: 514, protocol: 'udp4', facility: 'local0' },
        ...{ type: 'BSD', path: '', pid: 'process.pid', localhost: '', app_name: '', eol: '' },
      },
    });
    const servers = { maxRetriesPerRequest: 20, maxHeartbeatWriteRetries: 20 };
    assert.deepEqual(profile['redisProps'], { host: '127.0.0.1', port: 6379, db: 0, ...servers });
    for (const block of ['egress', 'roles', 'forms', 'log']) assert.ok(!(block in profile), block);
  });

  it('has a description for each member of its schema', () => {
    for (const [name, member] of Object.entries(profileSchema['properties'] as object))
      assert.notEqual((member as { description?: string }).description ?? '', '', name);
  });

  it('shares no object with another profile or with the request', () => {
    const sent = { other: { deep: [1] } };
    const [firstProfile, secondProfile] = [valueOf(sent), valueOf(sent)];
    assert.notEqual(firstProfile['redisProps'], secondProfile['redisProps']);
    assert.notEqual(firstProfile['other'], sent.other);
    assert.deepEqual(sent, { other: { deep: [1] } });
  });

  it('treats null and an empty string as an omitted member', () => {
    const blank = { services: null, description: null, redisProps: null, uiProps: '', egress: null };
    const expressProps = { timeout: '', express_https: { key: null } };
    assert.deepEqual(valueOf({ ...blank, expressProps }), valueOf({}));
  });

  it('keeps unknown members unchanged', () => {
    const own = { a: [null, { b: '' }], $schema: 'x', constructor: 1 };
    assert.deepEqual(valueOf({ newProps: own })['newProps'], own);
    const { redisProps } = valueOf({ redisProps: { host: 'redis', tls: { on: true } } });
    assert.deepEqual((redisProps as { tls: unknown }).tls, { on: true });
    assert.equal((redisProps as { port: unknown }).port, 6379);
  });

  it('keeps the blocks of this server as sent', () => {
    const egress = { allow: ['10.0.0.0/8:443'] };
    const log = { level: 'debug' };
    const roles = { 'tools.restCall': ['admin', 'viewer'] };
    const profile = valueOf({ egress, log, roles });
    assert.deepEqual([profile['egress'], profile['log'], profile['roles']], [egress, log, roles]);
  });

  it('rejects ids that a path cannot carry, and an unpaired surrogate (bug: different ids had the same stored name)', () => {
    for (const id of [undefined, null, '', '.', '..', 'a/b', 'a\0', 'a\nb', 'x'.repeat(129), 7, 'p\ud800'])
      assert.deepEqual(faultLinesOf({ id }), ['/id schema'], JSON.stringify([id]).slice(1, 13));
  });

  it('accepts common names as its id', () => {
    for (const id of ['test', 'Local NSO', 'a.b', '...', 'prüf 1', 'import', 'p\u{1f600} ä'])
      assert.equal(valueOf({ id })['id'], id);
  });

  it('rejects members of the wrong type, and its blocks with all their faults', () => {
    for (const [block, ...lines] of [
      [{ redisProps: 'x', services: [1] }, '/redisProps schema', '/services/0 schema'],
      [{ launchDelay: 1.5, uiProps: { home: 1 } }, '/launchDelay schema', '/uiProps/home schema'],
      [{ log: { level: 'loud', file: 'x' } }, '/log/file schema', '/log/level schema'],
      [{ forms: { maxBytes: 0 }, redisProps: 'x' }, '/forms/maxBytes schema', '/redisProps schema'],
      [{ egress: { allow: ['10.0.0.0/99:443'] } }, '/egress/allow/0 egress'],
      [{ roles: { 'profiles.updateProfile': ['viewer'] } }, '/roles/profiles.updateProfile lock_out'],
      [{ roles: { 'nobody.knows': ['admin'] } }, '/roles/nobody.knows roles'],
      [{ limits: { x: { burst: 3 } } }, '/limits/x limits', '/limits/x/burst limits'],
    ] as const)
      assert.deepEqual(faultLinesOf(block), lines);
  });

  for (const name of ['login.login', 'login.getToken'])
    it(`rejects a role for ${name} (bug: no user could log in to undo that)`, () => {
      assert.deepEqual(faultLinesOf({ roles: { [name]: ['admin'] } }), [`/roles/${name} lock_out`]);
    });

  for (const pointer of ['/description', '/redisProps/password', '/own/deep', '/egress/allow'])
    it(`rejects encrypted values and references at ${pointer}`, () => {
      const at = pointer === '/egress/allow' ? `${pointer}/0` : pointer;
      const value = (text: string) => nested(pointer, pointer === at ? text : [text]);
      assert.deepEqual(faultLinesOf(value('$ENC8ef3972b5766e6')), [`${at} ENC_REJECTED`]);
      assert.deepEqual(faultLinesOf(value('$VAULT_a/b#c')), [`${at} VAULT_REF_MISPLACED`]);
      assert.deepEqual(faultLinesOf(value('$SECRET_a $KEY_b')), [`${at} VAULT_REF_MISPLACED`]);
    });

  it('does not repeat an encrypted value that is a member name', () => {
    const faults = faultsOf({ own: { $ENC8ef3: 'x' }, log: { $ENC8ef3: 1 } });
    assert.deepEqual(column(faults, 'code'), ['ENC_REJECTED', 'ENC_REJECTED']);
    assert.doesNotMatch(JSON.stringify(faults), /8ef3/);
  });

  const SECRETS: readonly (readonly [pointer: string, text: string])[] = [
    ['/redisProps/password', 'hunter-2'],
    ['/redisProps/sentinelPassword', 'hunter-2'],
    ['/vaultProps/token', 'hunter-2'],
    ['/mongoProps/credentials/passwd', 'hunter-2'],
    ['/mongoProps/url', 'mongodb://u:hunter-2@h/db'],
    ['/prebuiltProps/repoConfigs/r/token', 'hunter-2'],
    ['/expressProps/express_https/key', '-----BEGIN RSA PRIVATE KEY-----\nhunter-2'],
    ['/authenticationProps/sso/config/client_secret', 'hunter-2'],
  ];
  it('rejects secrets, and recommends their removal without repeating them', () => {
    for (const [pointer, text] of SECRETS) {
      const faults = faultsOf(nested(pointer, text));
      assert.deepEqual(column(faults, 'pointer'), [pointer]);
      assert.match(faults[0]?.fix ?? '', /Remove it/, pointer);
      assert.doesNotMatch(JSON.stringify(faults), /hunter/, pointer);
    }
  });

  it('accepts no community string except "public"', () => {
    const alarm = (community: string) => ({ alarmProps: [{ ip: '192.0.2.1', community, type: 'trap' }] });
    valueOf(alarm('public'));
    assert.deepEqual(faultLinesOf(alarm('hunter-2')), ['/alarmProps/0/community profile_secret']);
  });

  it('is checked quickly even if its strings are very long', () => {
    valueOf({ own: [`a://${':'.repeat(500_000)}`, '-----BEGIN '.repeat(50_000), 'A '.repeat(250_000)] });
  });

  it('accepts empty secrets', () => {
    valueOf({
      redisProps: { password: '' },
      vaultProps: { token: null },
      authenticationProps: { logoutTime: 5 },
    });
  });
});
