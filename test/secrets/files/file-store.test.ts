import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findReferences } from '../../../src/secrets/find-references.js';
import { openSecrets, type SecretSource } from '../../../src/secrets/open-secrets.js';
import { openHttpClient } from '../../../src/upstream/client.js';
import { createFakeScheduler, type FakeScheduler } from '../../support/fake-scheduler.js';
import { memoryLog, type LogLine } from '../../support/memory-log.js';
import { createSecretMount } from '../../support/secret-mount.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

/** Quiet time before changes are read, and time between two polls, in milliseconds. */
const QUIET_MS = 500;
const POLL_MS = 10_000;

describe('secrets in files', () => {
  let root: string;
  let clock: FakeScheduler;
  let source: SecretSource;
  let lines: readonly LogLine[];
  let changes: (readonly string[])[];
  beforeEach(() => {
    root = temporaryFolder().path;
    clock = createFakeScheduler();
    const logged = memoryLog();
    ({ lines } = logged);
    const files = { root, maxBytes: 65_536, pollSeconds: POLL_MS / 1000, adapterScope: '' };
    source = openSecrets(
      { vault: null, secrets: { files } },
      { openHttpClient, env: {}, scheduler: clock, log: logged.log },
    );
    changes = [];
    source.onChange((owners) => changes.push([...owners].sort()));
  });
  afterEach(() => source.close());

  const write = (name: string, text: string, mode = 0o600): void => {
    writeFileSync(join(root, `${name}.next`), text, { mode });
    renameSync(join(root, `${name}.next`), join(root, name));
  };
  const use = async (owners: Readonly<Record<string, Readonly<Record<string, string>>>>): Promise<void> => {
    const located = Object.entries(owners).map(
      ([owner, document]) => [owner, findReferences(document).references] as const,
    );
    for (const [, references] of located) await source.resolve(references);
    source.watch(new Map(located));
  };
  /** Advances the clock only while a change is pending, until it is reported. */
  const passChange = async (): Promise<void> => {
    const count = changes.length;
    const isPending = (): boolean => (clock.next() ?? POLL_MS) <= QUIET_MS;
    while (changes.length === count) {
      await until(() => changes.length > count || isPending());
      await clock.pass(QUIET_MS);
    }
  };
  const values = async (document: Readonly<Record<string, string>>): Promise<readonly unknown[]> => {
    const resolved = await source.resolve(findReferences(document).references, 'held');
    return [...resolved.values()].map((one) => ('value' in one ? one.value : one.code));
  };

  it('follow a swap of the mount by Kubernetes, with all values of one moment', async () => {
    const folder = join(root, 'nso1');
    const mount = createSecretMount(folder, { user: 'u1', password: 'p1' });
    const document = { user: '$FILE_nso1/user', password: '$FILE_nso1/password' };
    await use({ nso1: document });
    assert.deepEqual(await values(document), ['u1', 'p1']);
    for (const next of [2, 3]) {
      mount.replace({ user: `u${next}`, password: `p${next}` });
      await passChange();
      assert.deepEqual(await values(document), [`u${next}`, `p${next}`]);
    }
    assert.deepEqual(new Set(changes.flat()), new Set(['nso1']));
  });

  it('follow a file that is replaced, and one that is written in place', async () => {
    write('a', 'one\n');
    await use({ nso1: { a: '$FILE_a' } });
    write('a', 'two\n');
    await passChange();
    writeFileSync(join(root, 'a'), 'three\n');
    await passChange();
    assert.deepEqual(await values({ a: '$FILE_a' }), ['three']);
  });

  it('find a change without a notification when they poll', async () => {
    const other = temporaryFolder().path;
    for (const [folder, key] of [
      ['one', '1'],
      ['two', '2'],
    ] as const) {
      mkdirSync(join(other, folder));
      writeFileSync(join(other, folder, 'key'), key, { mode: 0o600 });
    }
    // The watch is on the folder that the link led to: the file system does not report that the link is another.
    mkdirSync(join(root, 'mounts'));
    renameSync(other, join(root, 'mounts', 'all'));
    symlinkSync('mounts/all/one', join(root, 'linked'));
    await use({ nso1: { a: '$FILE_linked/key' } });
    await clock.pass(POLL_MS);
    symlinkSync('mounts/all/two', join(root, 'next'));
    renameSync(join(root, 'next'), join(root, 'linked'));
    await clock.pass(POLL_MS);
    await passChange();
    assert.deepEqual(await values({ a: '$FILE_linked/key' }), ['2']);
  });

  for (const [what, replace] of [
    ['deleted', () => undefined],
    ['replaced by a folder', (file: string) => mkdir(file)],
    ['replaced by a FIFO', (file: string) => execFileSync('mkfifo', [file])],
    ['replaced by a link out of the folder', (file: string) => symlink('/etc/hostname', file)],
    ['emptied', (file: string) => writeFile(file, '')],
  ] as const)
    it(`keep the last good value of a file that is ${what}, and recover`, async () => {
      write('a', 'one');
      await use({ nso1: { a: '$FILE_a' } });
      rmSync(join(root, 'a'));
      await replace(join(root, 'a'));
      await source.refresh();
      const [status] = source.inUse();
      assert.equal(status?.state, 'stale');
      assert.match(status.failure?.message ?? '', /^The file "a" /);
      assert.equal(source.status().state, 'degraded');
      assert.deepEqual(await values({ a: '$FILE_a' }), ['one']);
      rmSync(join(root, 'a'), { recursive: true, force: true });
      write('a', 'two');
      await source.refresh();
      assert.equal(source.status().state, 'running');
      assert.deepEqual(changes, [['nso1']]);
    });

  it('serve 36 references, and report one notification for a change of all', async () => {
    const names = Array.from({ length: 36 }, (_none, at) => `k${at}`);
    const mount = createSecretMount(join(root, 'all'), Object.fromEntries(names.map((name) => [name, '1'])));
    const document = Object.fromEntries(names.map((name) => [name, `$FILE_all/${name}`]));
    await use({ nso1: document });
    mount.replace(Object.fromEntries(names.map((name) => [name, '2'])));
    await passChange();
    assert.deepEqual(new Set(await values(document)), new Set(['2']));
    assert.deepEqual(changes, [['nso1']]);
  });

  it('warn once of a file that every user may read', async () => {
    write('a', 'one');
    chmodSync(join(root, 'a'), 0o644);
    await use({ nso1: { a: '$FILE_a' } });
    await source.refresh();
    const warnings = lines.filter(({ message }) => message === 'secret file is readable by every user');
    assert.equal(warnings.length, 1);
    assert.equal(warnings[0]?.fields['path'], 'a');
  });

  it('stop watching when they are closed', async () => {
    write('a', 'one');
    await use({ nso1: { a: '$FILE_a' } });
    await source.close();
    assert.equal(clock.next(), undefined);
  });

  it('are refused without a folder', async () => {
    const none = openSecrets(
      { vault: null, secrets: { files: null } },
      { openHttpClient, env: {}, scheduler: clock, log: memoryLog().log },
    );
    const resolved = await none.resolve(findReferences({ a: '$FILE_a' }).references);
    assert.deepEqual(
      [...resolved.values()].map((one) => ('code' in one ? one.code : 'value')),
      ['FILE_NOT_CONFIGURED'],
    );
    await none.close();
  });
});
