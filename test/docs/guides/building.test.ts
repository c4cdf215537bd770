import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callUrl } from '../../support/call.js';
import { CATALOGUE_ADAPTER } from '../../support/catalogue-adapter.js';
import { createInventoryDouble } from '../../support/inventory-double.js';
import { eventually } from '../../support/until.js';
import { ROOT } from '../markdown.js';
import { openDemo, post, shareDemo } from './demo.js';
import { followGuides } from './follow-guides.js';
import { type OpenSetting, withCommunityAdapter, withPluginAuthor, withProperties } from './installations.js';

followGuides({
  'docs/how-to/convert-yang.md': withModules,
  'docs/how-to/embed-a-task-page.md': withForm,
  'docs/how-to/fetch-models-from-a-device.md': withLibrary,
  'docs/how-to/give-a-form-to-a-person.md': shareDemo,
  'docs/how-to/move-from-the-platform.md': withProperties,
  'docs/how-to/offer-choices-from-an-orchestrator.md': shareDemo,
  'docs/how-to/run-a-community-adapter.md': withRunningAdapter,
  'docs/how-to/store-a-form.md': openDemo,
  'docs/how-to/test-and-package-a-plugin.md': withPluginAuthor,
  'docs/how-to/validate-data.md': shareDemo,
  'docs/how-to/validate-with-yang.md': withModules,
  'docs/how-to/write-a-plugin.md': withPluginAuthor,
});

/** Opens an installation with the repository of an adapter, and starts the demo with this adapter as `inventory`. */
async function withRunningAdapter(): Promise<OpenSetting> {
  const installation = await withCommunityAdapter();
  // Its file holds the password, which therefore is no secret of the Vault.
  const password = randomUUID();
  const inventory = await createInventoryDouble({ password });
  const properties = {
    ...{ host: '127.0.0.1', port: inventory.port, protocol: 'http', base_path: '/api', version: 'v1' },
    authentication: { auth_method: 'request_token', username: 'gatehouse', password },
    healthcheck: { type: 'none' },
  };
  const demo = await openDemo({
    inventory: JSON.stringify({
      plugin: 'itential-adapter',
      baseUrl: `http://127.0.0.1:${inventory.port}`,
      options: { folder: CATALOGUE_ADAPTER, properties },
    }),
  });
  await eventually(async () => {
    const { text } = await callUrl(`${demo.world.url}/health/adapters/inventory`, {
      method: 'GET',
      token: demo.world.issueToken('admin'),
    });
    assert.match(text, /"RUNNING"/);
  });
  return {
    ...installation,
    ...(demo.port !== undefined && { port: demo.port }),
    env: { ...installation.env, ...demo.env },
    close: async () => {
      await Promise.all([installation.close(), demo.close()]);
      await inventory.close();
    },
  };
}

/** Starts the demo with a form, for the portal that its configuration names. */
async function withForm(): Promise<OpenSetting> {
  const { world, names, ...setting } = await openDemo();
  const { status } = await post(world, '/json-forms/forms', { name: 'Provision VLAN', schema: {} });
  assert.equal(status, 200);
  return {
    ...setting,
    names: new Map([...names, ['https://portal.gatehouse.example', 'https://portal.example']]),
  };
}

/** Published modules, by their names in the pages. */
const MODULES = {
  'ietf-interfaces.yang': 'ietf-interfaces@2018-02-20.yang',
  'iana-if-type.yang': 'iana-if-type@2026-03-17.yang',
  'modules/ietf-yang-types.yang': 'ietf-yang-types@2025-12-22.yang',
} as const;

/** Starts the demo with YANG modules in the folder. */
async function withModules(): Promise<OpenSetting> {
  const setting = await openDemo();
  mkdirSync(join(setting.folder, 'modules'));
  for (const [name, file] of Object.entries(MODULES))
    cpSync(join(ROOT, 'config/yang', file), join(setting.folder, name));
  return setting;
}

/** Starts the demo with an orchestrator that provides the published modules. */
async function withLibrary(): Promise<OpenSetting> {
  const setting = await openDemo();
  const modules = Object.values(MODULES).map((file) => {
    const [, name = '', revision = ''] = /^([^@]+)@(.+)\.yang$/.exec(file) ?? [];
    return { name, revision, text: readFileSync(join(ROOT, 'config/yang', file), 'utf8') };
  });
  setting.world.orchestrator.setLibrary({ form: 'yang-library', modules });
  return setting;
}
