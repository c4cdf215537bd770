import assert from 'node:assert/strict';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.js';
import type { TestServer } from '../../support/test-server.js';
import { eventually } from '../../support/until.js';
import { type OpenSetting, type PageSettings, withMachine } from '../installations.js';
import { openDemo, post } from './demo.js';

/** The pages about installation and operation whose commands are executed, each with its initial environment. */
export const OPERATING: PageSettings = {
  'docs/guides/audit.md': openAudit,
  'docs/guides/certificates.md': withPort,
  'docs/guides/console.md': withForm,
  'docs/guides/deploying.md': withMachine,
  'docs/guides/git.md': withCommands,
  'docs/guides/operating.md': withWorkers,
  'docs/guides/troubleshooting.md': openDemo,
};

/** The demo server, at the address that the command `gatehouse` connects to. */
async function withCommands(): Promise<OpenSetting> {
  const setting = await openDemo();
  return { ...setting, env: { ...setting.env, GATEHOUSE: setting.world.url } };
}

/** Starts the demo and adds the configuration of another server with workers. */
async function withWorkers(): Promise<OpenSetting> {
  const { env, ...setting } = await openDemo();
  const folder = join(setting.folder, 'release');
  const main = join(folder, 'gatehouse.yaml');
  mkdirSync(join(folder, 'adapters'), { recursive: true });
  writeFileSync(
    main,
    `server: { listen: "127.0.0.1:0", workers: 2 }
storage: { url: "sqlite:data/gatehouse.db" }
audit: { file: data/audit.log }
auth: { local: { keyFile: data/local-issuer.pem } }
`,
  );
  return { ...setting, env: { ...env, GATEHOUSE_CONFIG: main } };
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

/** Starts the demo with a form. */
async function withForm(): Promise<OpenSetting> {
  const { world, ...setting } = await openDemo();
  const { status } = await post(world, '/json-forms/forms', { name: 'Provision VLAN', schema: {} });
  assert.equal(status, 200);
  return setting;
}

/** Creates an empty folder. Servers of the guide listen on a free port. */
function withPort(): Promise<OpenSetting> {
  return Promise.resolve({
    folder: temporaryFolder().path,
    env: {},
    names: new Map([['0.0.0.0:3443', '127.0.0.1:0']]),
    close: () => Promise.resolve(),
  });
}
