import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callUrl } from '../../support/call.js';
import { CATALOGUE_ADAPTER } from '../../support/catalogue-adapter.js';
import { createInventoryDouble } from '../../support/inventory-double.js';
import { eventually } from '../../support/until.js';
import {
  type OpenSetting,
  type PageSettings,
  withCommunityAdapter,
  withPluginAuthor,
  withProperties,
} from '../installations.js';
import { openDemo } from './demo.js';

/** The pages about forms, YANG, plugins and the move from the platform whose commands are executed, each with its initial environment. */
export const BUILDING: PageSettings = {
  'docs/guides/community-adapters.md': withRunningAdapter,
  'docs/guides/forms.md': openDemo,
  'docs/guides/moving.md': withProperties,
  'docs/guides/plugins.md': withPluginAuthor,
  'docs/guides/yang.md': withModules,
};

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

/** Starts the demo with YANG modules in the folder. */
async function withModules(): Promise<OpenSetting> {
  const setting = await openDemo();
  mkdirSync(join(setting.folder, 'modules'));
  for (const [name, text] of Object.entries(MODULES)) writeFileSync(join(setting.folder, name), text);
  return setting;
}

/** Minimal versions of the modules that the guide names. */
const MODULES = {
  'ietf-interfaces.yang': `module ietf-interfaces {
  namespace "urn:ietf:params:xml:ns:yang:ietf-interfaces";
  prefix if;
  import ietf-yang-types { prefix yang; }
  container interfaces { leaf changed { type yang:date-and-time; } }
}
`,
  'iana-if-type.yang': `module iana-if-type {
  namespace "urn:ietf:params:xml:ns:yang:iana-if-type";
  prefix ianaift;
  identity iana-interface-type;
}
`,
  'modules/ietf-yang-types.yang': `module ietf-yang-types {
  namespace "urn:ietf:params:xml:ns:yang:ietf-yang-types";
  prefix yang;
  typedef date-and-time { type string; }
}
`,
} as const;
