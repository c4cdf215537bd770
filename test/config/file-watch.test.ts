import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  watch as observe,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileStates, FileWatch } from '../../src/config/file-watch.js';
import { createFakeScheduler, type FakeScheduler } from '../support/fake-scheduler.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

describe('FileWatch', () => {
  let watching: FileWatch | undefined;
  afterEach(() => watching?.close());

  const watch = async (path: string, states = fileStates(path), namedFiles?: () => readonly string[]) => {
    const scheduler = createFakeScheduler();
    let notifications = 0;
    watching = new FileWatch({
      path,
      states: await states,
      scheduler,
      onChange: () => (notifications += 1),
      ...(namedFiles && { namedFiles }),
    });
    await scheduler.pass(500);
    return { scheduler, notifications: () => notifications };
  };

  /** Creates a folder with an empty main file, and one with a certificate. */
  const folders = () => {
    const [{ path: folder }, { path: other }] = [temporaryFolder(), temporaryFolder()];
    const [path, cert] = [join(folder, 'gatehouse.yaml'), join(other, 'tls.crt')];
    for (const file of [path, cert]) writeFileSync(file, '');
    return { folder, other, path, cert };
  };

  /** Resolves when the first or the latest check is complete. */
  const isQuiet = (scheduler: FakeScheduler) => until(() => scheduler.next() === 10_000);

  /** Lets the time of quiet pass after a change that the system reports. */
  const passQuiet = async (scheduler: FakeScheduler): Promise<void> => {
    await until(() => scheduler.next() === 500);
    await scheduler.pass(500);
  };

  /** Watches a folder. `changed` waits for the next notification. */
  const open = async (namedFiles?: () => readonly string[]) => {
    const { folder, path } = folders();
    mkdirSync(join(folder, 'adapters'));
    const { scheduler, notifications } = await watch(path, fileStates(path), namedFiles);
    await isQuiet(scheduler);
    const changed = async (): Promise<void> => {
      const before = notifications();
      await until(() => scheduler.next() === 500);
      await scheduler.pass(499);
      assert.equal(notifications(), before);
      // The system may report one change as several events, each of which delays the check.
      while (notifications() === before) await scheduler.pass(1);
      assert.equal(notifications(), before + 1);
    };
    return { folder, path, scheduler, changed, notifications };
  };

  it('notifies after a change of a file that the configuration names, and of one that it names later', async () => {
    const { cert } = folders();
    const named = [cert];
    const { folder, changed, notifications } = await open(() => named);
    const key = join(folder, 'tls.key');
    writeFileSync(key, 'first');
    assert.equal(notifications(), 0);
    writeFileSync(cert, 'second');
    await changed();
    named.push(key);
    await watching?.noteNamedFiles();
    writeFileSync(key, 'second');
    await changed();
  });

  it('notifies once after each kind of file change, when the file is quiet', async () => {
    const { folder, path, changed } = await open();
    const adapter = join(folder, 'adapters', 'nso1.yaml');
    appendFileSync(path, 'a');
    await changed();
    writeFileSync(join(folder, 'next'), 'b');
    renameSync(join(folder, 'next'), path);
    await changed();
    writeFileSync(adapter, 'c');
    await changed();
    rmSync(adapter);
    await changed();
  });

  it('detects an adapter folder that is created later or replaced', async () => {
    const { folder, changed } = await open();
    rmSync(join(folder, 'adapters'), { recursive: true });
    mkdirSync(join(folder, 'others'));
    writeFileSync(join(folder, 'others', 'nso1.yaml'), 'a');
    renameSync(join(folder, 'others'), join(folder, 'adapters'));
    await changed();
    writeFileSync(join(folder, 'adapters', 'nso2.yaml'), 'b');
    await changed();
  });

  it('detects a ConfigMap that Kubernetes replaces by its link', async () => {
    const { path: mount } = temporaryFolder();
    for (const version of ['one', 'two']) {
      mkdirSync(join(mount, version));
      writeFileSync(join(mount, version, 'gatehouse.yaml'), `version ${version} of the file`);
    }
    symlinkSync('one', join(mount, '..data'));
    symlinkSync('..data/gatehouse.yaml', join(mount, 'gatehouse.yaml'));
    const path = join(mount, 'gatehouse.yaml');
    const { scheduler, notifications } = await watch(path);
    symlinkSync('two', join(mount, 'next'));
    renameSync(join(mount, 'next'), join(mount, '..data'));
    await passQuiet(scheduler);
    await until(() => notifications() === 1);
  });

  it('notifies of a change between the first read and the start of the watch', async () => {
    const { path } = folders();
    const states = await fileStates(path);
    writeFileSync(path, 'another text');
    const { notifications } = await watch(path, Promise.resolve(states));
    await until(() => notifications() === 1);
  });

  it('detects within ten seconds a changed link that causes no system event (bug: never detected)', async () => {
    const { path: place } = temporaryFolder();
    for (const release of ['one', 'two']) {
      mkdirSync(join(place, release, 'adapters'), { recursive: true });
      writeFileSync(join(place, release, 'gatehouse.yaml'), `release ${release}`);
    }
    symlinkSync('one', join(place, 'current'));
    const path = join(place, 'current', 'gatehouse.yaml');
    const { scheduler, notifications } = await watch(path);
    symlinkSync('two', join(place, 'next'));
    renameSync(join(place, 'next'), join(place, 'current'));
    await isQuiet(scheduler);
    await scheduler.pass(10_000);
    await until(() => notifications() === 1);
    await isQuiet(scheduler);
    writeFileSync(join(place, 'two', 'adapters', 'nso1.yaml'), 'a');
    await scheduler.pass(10_000);
    await until(() => notifications() === 2);
    await isQuiet(scheduler);
    await watching?.close();
    assert.equal(scheduler.next(), undefined);
  });

  it('ignores other files in the folder', async () => {
    const { folder, scheduler, notifications, path } = await open();
    writeFileSync(join(folder, 'gatehouse.log'), 'a line\n');
    writeFileSync(join(folder, 'adapters', 'README'), 'a line\n');
    appendFileSync(path, 'a');
    await passQuiet(scheduler);
    await until(() => notifications() === 1);
  });

  /** Makes a change, and waits until the system has reported it for a name in the folder. */
  const reported = async (folder: string, name: string, change: () => void): Promise<void> => {
    let isReported = false;
    const watcher = observe(folder, (_event, reportedName) => {
      isReported ||= reportedName === name;
    });
    change();
    await until(() => isReported);
    watcher.close();
    // The other watchers of the folder get the event in the same turn.
    await new Promise((resolve) => setImmediate(resolve));
  };

  it('checks nothing after a change of another file in each of the folders', async () => {
    const { cert, other } = folders();
    const { folder, scheduler } = await open(() => [cert]);
    for (const place of [folder, join(folder, 'adapters'), other]) {
      await reported(place, 'others.txt', () => {
        writeFileSync(join(place, 'others.txt'), 'a line');
      });
      assert.equal(scheduler.next(), 10_000, place);
    }
    // The folder of adapters is still watched.
    writeFileSync(join(folder, 'adapters', 'nso1.yaml'), '');
    await until(() => scheduler.next() === 500);
  });

  it('watches the folder that a link of the name "adapters" leads to now', async () => {
    const { folder, path } = folders();
    for (const name of ['one', 'two']) mkdirSync(join(folder, name));
    symlinkSync('one', join(folder, 'adapters'));
    const { scheduler, notifications } = await watch(path);
    await isQuiet(scheduler);
    symlinkSync('two', join(folder, 'next'));
    renameSync(join(folder, 'next'), join(folder, 'adapters'));
    await passQuiet(scheduler);
    await isQuiet(scheduler);
    assert.equal(notifications(), 0);
    writeFileSync(join(folder, 'two', 'nso1.yaml'), 'a');
    await passQuiet(scheduler);
    await until(() => notifications() === 1);
  });

  it('watches the code of plugins, and notifies only if the code of one has changed', async () => {
    const { path, cert: code } = folders();
    const outdated: string[] = [];
    const scheduler = createFakeScheduler();
    let notifications = 0;
    watching = new FileWatch({
      path,
      states: await fileStates(path),
      codeOnDisk: () => Promise.resolve({ paths: [code], outdated }),
      scheduler,
      onChange: () => (notifications += 1),
    });
    await scheduler.pass(500);
    await isQuiet(scheduler);
    appendFileSync(code, 'a');
    await passQuiet(scheduler);
    await isQuiet(scheduler);
    assert.equal(notifications, 0);
    outdated.push('restconf');
    await scheduler.pass(10_000);
    await until(() => notifications === 1);
  });

  it('no longer watches the folder of a file that the configuration does not name any more', async () => {
    const { cert, other } = folders();
    const named = [cert];
    const { scheduler, notifications } = await open(() => named);
    named.pop();
    await scheduler.pass(10_000);
    await isQuiet(scheduler);
    await reported(other, 'tls.crt', () => {
      appendFileSync(cert, 'a');
    });
    assert.equal(scheduler.next(), 10_000);
    assert.equal(notifications(), 0);
  });
});
