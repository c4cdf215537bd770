import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { valueAt } from '../../../src/json/pointer.js';
import { systemScheduler } from '../../../src/lib/clock.js';
import { collectGarbage } from '../../../src/lib/collect-garbage.js';
import type { Resolution } from '../../../src/secrets/open-secrets.js';
import { createAdapterFactories } from '../../../src/server/adapter-factories.js';
import { createConfigLoader } from '../../../src/server/config-loader.js';
import { type BuiltSnapshot, buildSnapshot } from '../../../src/server/state/build.js';
import { enabledSections } from '../../../src/server/state/configuration.js';
import { planSnapshot } from '../../../src/server/state/plan.js';
import { resolveSections } from '../../../src/server/state/resolve.js';
import type { ActiveSnapshot } from '../../../src/server/state/snapshot.js';
import { createRedactor } from '../../../src/telemetry/log/redactor.js';
import { makeCertificate } from '../../support/certificates.js';
import { memoryLog } from '../../support/memory-log.js';
import { recordingPlugin } from '../../support/recording-plugin.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

const MAIN = 'vault: { address: "https://vault.example", auth: { method: token } }\n';
const adapter = (more = ''): string => `plugin: recording\nbaseUrl: http://127.0.0.1:9\n${more}`;

/** The value of `replyBytes` for which opening an upstream throws. */
const FAILING_REPLY_BYTES = 666;

function setUp() {
  const folder = temporaryFolder().path;
  const { pluginFolder, created } = recordingPlugin();
  const { log, lines } = memoryLog();
  const closed: string[] = [];
  const realFactories = createAdapterFactories({ clock: systemScheduler, log });
  const factories: typeof realFactories = {
    ...realFactories,
    async openUpstream(settings, context) {
      if (settings.replyBytes === FAILING_REPLY_BYTES) throw new TypeError('boom');
      const opened = await realFactories.openUpstream(settings, context);
      if ('faults' in opened) return opened;
      const close = (): Promise<void> => {
        closed.push(JSON.stringify(settings.options));
        return opened.value.close();
      };
      return { value: { ...opened.value, close } };
    },
  };
  const values = new Map<string, Resolution>();
  const secrets = { resolve: () => Promise.resolve(values) };
  const redactor = createRedactor();
  const configPath = join(folder, 'gatehouse.yaml');
  mkdirSync(join(folder, 'adapters'));
  writeFileSync(configPath, MAIN);
  const build = async (previous?: ActiveSnapshot, only?: ReadonlySet<string>): Promise<BuiltSnapshot> => {
    const { desired, faults } = await (
      await createConfigLoader({ configPath, env: {}, pluginFolder })
    ).read();
    assert.deepEqual(faults, []);
    const resolved = await resolveSections(enabledSections(desired), secrets);
    const plan = await planSnapshot(previous, { desired, resolved, generation: 1, only });
    return buildSnapshot(previous, plan, { redactor, factories, log, clock: systemScheduler });
  };
  const snapshot = async (...buildArguments: Parameters<typeof build>): Promise<ActiveSnapshot> => {
    const built = await build(...buildArguments);
    if ('faults' in built) assert.fail(JSON.stringify(built.faults));
    return built.snapshot;
  };
  const write = (id: string, text: string): void => {
    writeFileSync(join(folder, 'adapters', `${id}.yaml`), text);
  };
  return { folder, build, snapshot, write, values, closed, created, lines, configPath };
}

describe('buildSnapshot', () => {
  it('reuses every unchanged adapter of the previous snapshot', async () => {
    const { snapshot, write, created, closed } = setUp();
    write('a', adapter('options: { id: a }\n'));
    write('b', adapter('options: { id: b }\n'));
    const first = await snapshot();
    write('b', adapter('options: { id: b2 }\n'));
    const second = await snapshot(first);
    assert.equal(second.adapters.get('a'), first.adapters.get('a'));
    assert.notEqual(second.adapters.get('b'), first.adapters.get('b'));
    assert.equal(second.verifier, first.verifier);
    await first.close();
    assert.deepEqual([closed, created()], [['{"id":"b"}'], ['a', 'b', 'b']]);
    await second.close();
    assert.deepEqual([...closed].sort(), ['{"id":"a"}', '{"id":"b"}', '{"id":"b2"}']);
  });

  it('keeps the document of an adapter whose plugin changes its options (bug: the plugin had the document itself)', async () => {
    const { snapshot, write } = setUp();
    write('a', adapter('options: { tags: [core] }\n'));
    const first = await snapshot();
    assert.deepEqual(valueAt(first.written.get('a'), '/options/tags'), ['core']);
    await first.close();
  });

  it('closes a deleted adapter, and rebuilds the parts whose settings in the main file changed', async () => {
    const { snapshot, write, folder, configPath, closed } = setUp();
    write('a', adapter('options: { id: a }\n'));
    const first = await snapshot();
    rmSync(join(folder, 'adapters', 'a.yaml'));
    writeFileSync(configPath, `${MAIN}egress: { timeoutMs: 1000 }\n`);
    const second = await snapshot(first);
    await first.close();
    assert.deepEqual(closed, ['{"id":"a"}']);
    assert.notEqual(second.verifier, first.verifier);
    await second.close();
  });

  it('rebuilds an adapter when a secret or a file that it references changes', async () => {
    const { snapshot, write, folder, values } = setUp();
    const [firstCertificate, secondCertificate] = [
      await makeCertificate({ dns: 'a' }),
      await makeCertificate({ dns: 'b' }),
    ];
    writeFileSync(join(folder, 'ca.pem'), firstCertificate.cert);
    write('a', adapter('auth: { type: bearer, token: $VAULT_a#t }\n'));
    write('b', adapter('tls: { caFile: ../ca.pem }\n'));
    values.set('a/auth/token', { value: 'token-1' });
    const first = await snapshot();
    values.set('a/auth/token', { value: 'token-2' });
    writeFileSync(join(folder, 'ca.pem'), secondCertificate.cert);
    const rotated = await snapshot(first, new Set(['a']));
    assert.notEqual(rotated.adapters.get('a'), first.adapters.get('a'));
    assert.equal(rotated.adapters.get('b'), first.adapters.get('b'));
    const reloaded = await snapshot(rotated);
    assert.equal(reloaded.adapters.get('a'), rotated.adapters.get('a'));
    assert.notEqual(reloaded.adapters.get('b'), first.adapters.get('b'));
    for (const each of [first, rotated, reloaded]) await each.close();
  });

  it('releases the previous snapshot once that is closed (bug: each snapshot kept all previous ones in memory)', async () => {
    const { snapshot, write } = setUp();
    write('a', adapter());
    const begin = async (): Promise<[WeakRef<ActiveSnapshot>, ActiveSnapshot]> => {
      const first = await snapshot();
      write('a', adapter('enabled: false\n'));
      const second = await snapshot(first);
      await first.close();
      return [new WeakRef(first), second];
    };
    const [first, second] = await begin();
    await until(() => {
      collectGarbage('regular');
      return first.deref() === undefined;
    });
    await second.close();
  });

  it('logs only once why an adapter is dead', async () => {
    const { snapshot, write, values, lines } = setUp();
    write('a', adapter('auth: { type: bearer, token: $VAULT_a#t }\n'));
    values.set('a/auth/token', { code: 'VAULT_NOT_FOUND', message: 'm', fix: 'f' });
    const first = await snapshot();
    const second = await snapshot(first);
    assert.deepEqual(second.adapters.get('a')?.state(), {
      name: 'DEAD',
      cause: 'secret',
      reason: 'VAULT_NOT_FOUND at /auth/token',
    });
    assert.equal(lines.filter(({ message }) => message.startsWith('adapter is dead')).length, 1);
  });

  it('keeps a serving adapter if a secret of its replacement is missing, and logs that once', async () => {
    const { snapshot, write, values, lines } = setUp();
    write('a', adapter());
    const first = await snapshot();
    write('a', adapter('auth: { type: bearer, token: $VAULT_a#t }\n'));
    values.set('a/auth/token', { code: 'VAULT_SEALED', message: 'm', fix: 'f' });
    const second = await snapshot(first);
    const third = await snapshot(second);
    assert.equal(third.adapters.get('a'), first.adapters.get('a'));
    assert.deepEqual([...third.outdated], [['a', 'VAULT_SEALED at /auth/token']]);
    assert.equal(lines.filter(({ message }) => message.startsWith('adapter not replaced')).length, 1);
    write('a', adapter('enabled: false\n'));
    const stopped = await snapshot(third);
    assert.deepEqual([stopped.adapters.get('a')?.state().name, stopped.outdated.size], ['STOPPED', 0]);
  });

  it('applies changed access rules even if the replacement cannot start (bug: the previous rules stayed in force)', async () => {
    const { snapshot, write, values } = setUp();
    write('a', adapter());
    const first = await snapshot();
    values.set('a/auth/token', { code: 'VAULT_SEALED', message: 'm', fix: 'f' });
    const missingSecret = 'auth: { type: bearer, token: $VAULT_a#t }\n';
    write('a', adapter(`${missingSecret}access: [{ methods: [GET] }]\n`));
    const bound = await snapshot(first);
    assert.deepEqual([bound.adapters.get('a')?.state().name, bound.outdated.size], ['DEAD', 0]);
    await first.close();
    await bound.close();
  });

  it('keeps the previous adapter if its certificates become invalid (bug: no other adapter got its rotated secret)', async () => {
    const { build, snapshot, write, folder, values, lines } = setUp();
    const bearerAuth = (id: string): string => `auth: { type: bearer, token: $VAULT_${id}#t }\n`;
    const withCa = `${bearerAuth('a')}tls: { caFile: ../ca.pem }\n`;
    const { cert } = await makeCertificate({ dns: 'a' });
    writeFileSync(join(folder, 'ca.pem'), cert);
    write('a', adapter(withCa));
    write('b', adapter(bearerAuth('b')));
    for (const id of ['a', 'b']) values.set(`${id}/auth/token`, { value: 'token-1' });
    const first = await snapshot();
    writeFileSync(join(folder, 'ca.pem'), cert.slice(0, 100));
    for (const id of ['a', 'b']) values.set(`${id}/auth/token`, { value: 'token-2' });
    const rotated = await snapshot(first, new Set(['a', 'b']));
    const again = await snapshot(rotated);
    assert.equal(again.adapters.get('a'), first.adapters.get('a'));
    assert.deepEqual([...again.outdated], [['a', 'tls at /tls/caFile']]);
    assert.notEqual(again.adapters.get('b'), first.adapters.get('b'));
    assert.equal(lines.filter(({ message }) => message.startsWith('adapter not replaced')).length, 1);
    write('a', adapter(`${withCa}replyBytes: 1000\n`));
    assert.ok('faults' in (await build(again)));
    for (const each of [first, rotated, again]) await each.close();
  });

  it('closes only the new adapters when it refuses a configuration', async () => {
    const { build, snapshot, write, closed } = setUp();
    write('a', adapter('options: { id: a }\n'));
    write('b', adapter('options: { id: b }\n'));
    const first = await snapshot();
    write('a', adapter('options: { id: a2 }\n'));
    write('b', adapter('tls: { caFile: nowhere.pem }\n'));
    const refused = await build(first);
    assert.ok('faults' in refused && refused.faults[0]?.pointer === '/tls/caFile');
    assert.deepEqual(closed, ['{"id":"a2"}']);
    assert.equal(first.adapters.get('a')?.state().name, 'RUNNING');
  });

  it('closes the new adapters when it throws (bug: a new adapter kept probing, and the previous adapters were never closed)', async () => {
    const { build, snapshot, write, closed } = setUp();
    for (const id of ['a', 'b', 'c']) write(id, adapter(`options: { id: ${id} }\n`));
    const first = await snapshot();
    write('a', adapter(`replyBytes: ${FAILING_REPLY_BYTES}\n`));
    write('b', adapter('options: { id: b2 }\n'));
    await assert.rejects(build(first), /boom/);
    assert.deepEqual(closed, ['{"id":"b2"}']);
    await first.close();
    assert.deepEqual([...closed].sort(), ['{"id":"a"}', '{"id":"b"}', '{"id":"b2"}', '{"id":"c"}']);
  });
});
