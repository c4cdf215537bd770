import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../docs/markdown.js';
import { FLAGS } from '../support/gatehouse-command.js';
import { SYSTEMD_ANALYZE } from '../support/need-list.js';
import { itWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { assertValid, stopSecondsOf, shipped } from './shipped.js';

/** The maximum exposure of the unit by `systemd-analyze security`, from 0 to 10. */
const EXPOSURE = 2;

describe('the systemd unit', () => {
  const unit = shipped('systemd/gatehouse.service');
  const socket = shipped('systemd/gatehouse.socket');
  const main = shipped('systemd/gatehouse.yaml');
  const valueOf = (key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

  /** Runs systemd-analyze on the units, with the Node.js of this machine: "verify" checks that the program exists. */
  function analyze(...words: readonly string[]) {
    const { path } = temporaryFolder();
    const files = ['gatehouse.socket', 'gatehouse.service'].map((name) => join(path, name));
    for (const [at, text] of [socket, unit.replace('/usr/bin/node', process.execPath)].entries())
      writeFileSync(files[at] ?? '', text);
    return spawnSync('systemd-analyze', [...words, ...files], { encoding: 'utf8' });
  }

  it('starts Node.js with the same flags as the image and npm', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const words = FLAGS.join(' ');
    assert.ok(
      valueOf('ExecStart').startsWith(`/usr/bin/node ${words} /opt/gatehouse/dist/bin/gatehouse.js serve `),
    );
    assert.ok(scripts['start']?.endsWith(`node ${words} dist/bin/gatehouse.js serve`));
  });

  itWith(
    SYSTEMD_ANALYZE,
    'passes systemd-analyze verify, with a socket that stays open during a restart',
    () => {
      assert.equal(/^ListenStream=(.*)$/m.exec(socket)?.[1], /listen: (\S+)/.exec(main)?.[1]);
      const { status, stdout, stderr } = analyze('verify');
      assert.deepEqual([status, stderr], [0, ''], stdout);
    },
  );

  itWith(SYSTEMD_ANALYZE, `has an exposure level below ${EXPOSURE} of 10`, () => {
    const { stdout, stderr } = analyze('security', '--offline=yes', '--no-pager');
    const found = /exposure level for gatehouse\.service: ([\d.]+)/.exec(stdout)?.[1];
    assert.ok(Number(found) < EXPOSURE, `${found ?? ''}${stderr}`);
  });

  it('reads variables from the optional Debian defaults file', () => {
    assert.equal(valueOf('EnvironmentFile'), '-/etc/default/gatehouse');
    assert.match(
      readFileSync(join(ROOT, 'docs/how-to/run-with-systemd.md'), 'utf8'),
      /`\/etc\/default\/gatehouse`/,
    );
  });

  it('gives active calls enough time to end and does not restart after a configuration error', () => {
    assert.ok(parseInt(valueOf('TimeoutStopSec'), 10) > stopSecondsOf(main));
    assert.deepEqual(valueOf('RestartPreventExitStatus').split(' '), ['64', '78']);
  });

  it('ships a valid configuration that uses the folders and credentials of the unit', async () => {
    await assertValid(main, { env: { CREDENTIALS_DIRECTORY: '/run/credentials/gatehouse.service' } });
    const written = main.match(/\/var\/\w+\/\w+/g) ?? [];
    const made = [`/var/lib/${valueOf('StateDirectory')}`, `/var/log/${valueOf('LogsDirectory')}`];
    assert.deepEqual([...new Set(written)].sort(), made.sort());
    const credentials = [...unit.matchAll(/^LoadCredential=(\w+):/gm)].map(([, name]) => name);
    const used = [...main.matchAll(/\$\{CREDENTIALS_DIRECTORY\}\/(\w+)/g)].map(([, name]) => name);
    assert.deepEqual(used, credentials);
  });
});
