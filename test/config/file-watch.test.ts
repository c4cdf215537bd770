import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileStates, FileWatch } from '../../src/config/file-watch.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

describe('the watch on the files of a configuration', () => {
  let watching: FileWatch | undefined;
  afterEach(() => watching?.close());

  /** Watches a file, and counts the news. */
  const watch = async (path: string, states = fileStates(path)) => {
    const scheduler = createFakeScheduler();
    let news = 0;
    watching = new FileWatch({ path, states: await states, scheduler, onChange: () => (news += 1) });
    await scheduler.pass(500);
    return { scheduler, news: () => news };
  };

  /** Watches a folder; `changed` waits for the next notification, `quiet` asserts that none arrives. */
  const open = async () => {
    const { path: folder } = temporaryFolder();
    const path = join(folder, 'gatehouse.yaml');
    writeFileSync(path, 'release: "1"\n');
    mkdirSync(join(folder, 'adapters'));
    const { scheduler, news } = await watch(path);
    // The first look is over.
    await until(() => scheduler.next() === 10_000);
    const changed = async (): Promise<void> => {
      const before = news();
      await until(() => scheduler.next() === 500);
      await scheduler.pass(499);
      assert.equal(news(), before);
      // The system may report one change as several events, each of which delays the check.
      while (news() === before) await scheduler.pass(1);
      assert.equal(news(), before + 1);
    };
    return { folder, path, scheduler, changed, news };
  };

  it('tells of each way of changing a file, once it is quiet', async () => {
    const { folder, path, changed } = await open();
    const ways: readonly (() => void)[] = [
      () => {
        appendFileSync(path, 'a');
      },
      () => {
        writeFileSync(join(folder, 'next'), 'b');
        renameSync(join(folder, 'next'), path);
      },
      () => {
        writeFileSync(join(folder, 'adapters', 'nso1.yaml'), 'c');
      },
      () => {
        rmSync(join(folder, 'adapters', 'nso1.yaml'));
      },
    ];
    for (const change of ways) {
      change();
      await changed();
    }
  });

  it('sees a folder of adapters that comes later, and one that is replaced', async () => {
    const { folder, changed } = await open();
    rmSync(join(folder, 'adapters'), { recursive: true });
    mkdirSync(join(folder, 'others'));
    writeFileSync(join(folder, 'others', 'nso1.yaml'), 'a');
    renameSync(join(folder, 'others'), join(folder, 'adapters'));
    await changed();
    writeFileSync(join(folder, 'adapters', 'nso2.yaml'), 'b');
    await changed();
  });

  it('sees a ConfigMap that Kubernetes swaps by its link', async () => {
    const { path: mount } = temporaryFolder();
    for (const version of ['one', 'two']) {
      mkdirSync(join(mount, version));
      writeFileSync(join(mount, version, 'gatehouse.yaml'), `version ${version} of the file`);
    }
    symlinkSync('one', join(mount, '..data'));
    symlinkSync('..data/gatehouse.yaml', join(mount, 'gatehouse.yaml'));
    const path = join(mount, 'gatehouse.yaml');
    const { scheduler, news } = await watch(path);
    symlinkSync('two', join(mount, 'next'));
    renameSync(join(mount, 'next'), join(mount, '..data'));
    await until(() => scheduler.next() === 500);
    await scheduler.pass(500);
    await until(() => news() === 1);
  });

  it('tells of a change between the reading and the watching', async () => {
    const { path: folder } = temporaryFolder();
    const path = join(folder, 'gatehouse.yaml');
    writeFileSync(path, 'a');
    const states = await fileStates(path);
    writeFileSync(path, 'another text');
    const { news } = await watch(path, Promise.resolve(states));
    await until(() => news() === 1);
  });

  it('sees by itself, within ten seconds, what the system tells nobody: another release behind a link (bug: never seen)', async () => {
    const { path: place } = temporaryFolder();
    for (const release of ['one', 'two']) {
      mkdirSync(join(place, release, 'adapters'), { recursive: true });
      writeFileSync(join(place, release, 'gatehouse.yaml'), `release ${release}`);
    }
    symlinkSync('one', join(place, 'current'));
    const path = join(place, 'current', 'gatehouse.yaml');
    const { scheduler, news } = await watch(path);
    symlinkSync('two', join(place, 'next'));
    renameSync(join(place, 'next'), join(place, 'current'));
    await until(() => scheduler.next() === 10_000);
    await scheduler.pass(10_000);
    await until(() => news() === 1);
    await until(() => scheduler.next() === 10_000);
    writeFileSync(join(place, 'two', 'adapters', 'nso1.yaml'), 'a');
    await scheduler.pass(10_000);
    await until(() => news() === 2);
    await until(() => scheduler.next() === 10_000);
    await watching?.close();
    assert.equal(scheduler.next(), undefined);
  });

  it('takes no notice of other files in the folder', async () => {
    const { folder, scheduler, news, path } = await open();
    writeFileSync(join(folder, 'gatehouse.log'), 'a line\n');
    writeFileSync(join(folder, 'adapters', 'README'), 'a line\n');
    appendFileSync(path, 'a');
    await until(() => scheduler.next() === 500);
    await scheduler.pass(500);
    await until(() => news() === 1);
  });
});
