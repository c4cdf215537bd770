import assert from 'node:assert/strict';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { TestServer } from '../../support/test-server.js';
import { eventually } from '../../support/until.js';
import { openDemo, post, shareDemo } from './demo.js';
import { followGuides } from './follow-guides.js';
import { inFolder, type OpenSetting, withMachine } from './installations.js';

followGuides({
  'docs/how-to/back-up-and-restore.md': openAudit,
  'docs/how-to/collect-logs-and-traces.md': shareDemo,
  'docs/how-to/deploy-on-kubernetes.md': withMachine,
  'docs/how-to/fix-problems.md': shareDemo,
  'docs/how-to/install.md': () => Promise.resolve(inFolder()),
  'docs/how-to/keep-records-in-git.md': withCommands,
  'docs/how-to/limit-callers.md': shareDemo,
  'docs/how-to/monitor.md': shareDemo,
  'docs/how-to/prepare-for-production.md': () => Promise.resolve(inFolder()),
  'docs/how-to/rotate-certificates.md': () => Promise.resolve(inFolder()),
  'docs/how-to/run-a-cluster.md': () => Promise.resolve(inFolder()),
  'docs/how-to/run-with-systemd.md': withMachine,
  'docs/how-to/send-notifications.md': shareDemo,
  'docs/how-to/use-client-certificates.md': () => Promise.resolve(inFolder()),
  'docs/how-to/use-the-audit-trail.md': openAudit,
  'docs/how-to/upgrade.md': withCommands,
});

/** The demo server, at the address that the command `gatehouse` connects to. */
async function withCommands(): Promise<OpenSetting> {
  const setting = await openDemo();
  return { ...setting, env: { ...setting.env, GATEHOUSE: setting.world.url } };
}

/** More failures than one page of the search in the guide returns. */
const FAILURES = 25;

/** Starts the demo with failed calls before and after the audit file is moved. */
async function openAudit(): Promise<OpenSetting> {
  const { world, ...setting } = await openDemo();
  const file = join(setting.folder, 'data/audit.log');
  await fail(world);
  renameSync(file, `${file}.1`);
  await eventually(async () => {
    await fail(world);
    assert.ok(existsSync(file));
  });
  for (let count = 0; count < FAILURES; count += 1) await fail(world);
  return setting;
}

/** Sends a call of ada through a disabled adapter. */
async function fail(world: TestServer): Promise<void> {
  const params = { path: '/', accept: '*/*', method: 'DELETE' };
  const { status } = await post(world, '/orchestrator_manager/restAction/off', { params, body: {} });
  assert.equal(status, 503);
}
