import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readTemplates, templateIds } from '../../src/config/adapter-templates.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const FOLDER = join(import.meta.dirname, '../../../config/examples');

/** Name, title, description and login of each template. */
const DOCUMENTED = [
  ['ansible-awx', 'Ansible AWX', 'Automation controller', 'Token'],
  ['cisco-aci', 'Cisco ACI (APIC)', 'Data center fabric controller', 'Session login'],
  [
    'cisco-catalyst-center',
    'Cisco Catalyst Center',
    'Campus network controller, formerly DNA Center',
    'Session login',
  ],
  ['cisco-sdwan', 'Cisco Catalyst SD-WAN Manager', 'SD-WAN controller, formerly vManage', 'Session login'],
  [
    'cisco-sdwan-jwt',
    'Cisco Catalyst SD-WAN Manager 20.18.1 or later',
    'SD-WAN controller',
    'JSON Web Token',
  ],
  ['cisco-meraki', 'Cisco Meraki', 'Cloud-managed networks, Dashboard API v1', 'API key'],
  ['cisco-nso', 'Cisco NSO', 'Network Services Orchestrator, RESTCONF', 'HTTP Basic'],
  ['juniper-apstra', 'Juniper Apstra', 'Data center fabric controller', 'Session login'],
  ['netbox', 'NetBox 4.5 or later', 'Network source of truth', 'Token'],
  ['netbox-v1-token', 'NetBox before 5.0', 'Network source of truth', 'Token of version 1'],
  ['nokia-nsp', 'Nokia NSP', 'Network Services Platform', 'OAuth 2.0 client credentials'],
  ['onap-sdnc', 'ONAP SDNC', 'Software defined network controller, RESTCONF', 'HTTP Basic'],
  ['opendaylight', 'OpenDaylight', 'Network controller, RESTCONF', 'HTTP Basic'],
  ['servicenow', 'ServiceNow', 'IT service management, Table API', 'OAuth 2.0 client credentials'],
  ['vmware-nsx', 'VMware NSX', 'Network virtualization', 'Session login'],
];

/** Types of authentication in the settings that each described login may have. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  'HTTP Basic': ['basic'],
  'OAuth 2.0 client credentials': ['oauth2'],
  'Session login': ['login'],
  'JSON Web Token': ['login'],
  Token: ['bearer'],
  'Token of version 1': ['header'],
  'API key': ['bearer'],
};

describe('the templates of adapters', () => {
  it('have a title, a description and a login that people look for', async () => {
    const templates = await readTemplates(FOLDER);
    assert.deepEqual(
      templates.map(({ id, title, summary, login }) => [id, title, summary, login]),
      DOCUMENTED,
    );
  });

  it('log in as their description says', async () => {
    for (const { id, login, settings } of await readTemplates(FOLDER)) {
      const { type } = settings['auth'] as { readonly type: string };
      assert.ok(TYPES[login]?.includes(type), `${id}: ${login}, ${type}`);
    }
  });

  it('are one for each example file, in the order of their titles', async () => {
    const files = readdirSync(FOLDER).flatMap((name) => /^(.+)\.yaml$/.exec(name)?.[1] ?? []);
    assert.deepEqual([...templateIds()].sort(), files.sort());
    const templates = await readTemplates(FOLDER);
    assert.equal(templates.length, files.length);
    const titles = templates.map(({ title }) => title);
    const sorted = [...titles].sort((first, second) => first.localeCompare(second, 'en'));
    assert.deepEqual(titles, sorted);
  });

  it('have settings that name a base URL, contain no files, and refer to Vault for every secret', async () => {
    for (const { id, model, settings } of await readTemplates(FOLDER)) {
      assert.match(model, /^(?:restconf|http-rest)$/, id);
      assert.match(String(settings['baseUrl']), /^https:\/\//, id);
      assert.equal(settings['tls'], undefined, id);
      assert.match(JSON.stringify(settings['auth']), /\$VAULT_adapters\//, id);
    }
  });

  it('are empty where the examples are not installed', async () => {
    assert.deepEqual(await readTemplates(temporaryFolder().path), []);
  });
});
