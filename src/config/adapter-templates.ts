import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LineCounter } from 'yaml';
import { isJsonObject, type JsonObject } from '../json/json-object.js';
import { omit } from '../lib/omit.js';
import type { AdapterTemplate } from './adapter-template.js';
import { parseYaml } from './yaml.js';

/** An example file with what people look for: name and description of the orchestrator, and its login. */
interface Example extends Pick<AdapterTemplate, 'title' | 'summary' | 'login'> {
  /** Name of the file in `config/examples`, without its suffix. */
  readonly id: string;
}

const TOKEN = 'Token';
const BASIC = 'HTTP Basic';
const SESSION = 'Session login';
const OAUTH2 = 'OAuth 2.0 client credentials';

/** The example files, in the order of their titles. */
const EXAMPLES: readonly Example[] = [
  example('ansible-awx', 'Ansible AWX', ['Automation controller', TOKEN]),
  example('cisco-aci', 'Cisco ACI (APIC)', ['Data center fabric controller', SESSION]),
  example('cisco-catalyst-center', 'Cisco Catalyst Center', [
    'Campus network controller, formerly DNA Center',
    SESSION,
  ]),
  example('cisco-sdwan', 'Cisco Catalyst SD-WAN Manager', ['SD-WAN controller, formerly vManage', SESSION]),
  example('cisco-sdwan-jwt', 'Cisco Catalyst SD-WAN Manager 20.18.1 or later', [
    'SD-WAN controller',
    'JSON Web Token',
  ]),
  example('cisco-meraki', 'Cisco Meraki', ['Cloud-managed networks, Dashboard API v1', 'API key']),
  example('cisco-nso', 'Cisco NSO', ['Network Services Orchestrator, RESTCONF', BASIC]),
  example('juniper-apstra', 'Juniper Apstra', ['Data center fabric controller', SESSION]),
  example('netbox', 'NetBox 4.5 or later', ['Network source of truth', TOKEN]),
  example('netbox-v1-token', 'NetBox before 5.0', ['Network source of truth', 'Token of version 1']),
  example('nokia-nsp', 'Nokia NSP', ['Network Services Platform', OAUTH2]),
  example('onap-sdnc', 'ONAP SDNC', ['Software defined network controller, RESTCONF', BASIC]),
  example('opendaylight', 'OpenDaylight', ['Network controller, RESTCONF', BASIC]),
  example('servicenow', 'ServiceNow', ['IT service management, Table API', OAUTH2]),
  example('vmware-nsx', 'VMware NSX', ['Network virtualization', SESSION]),
];

function example(id: string, title: string, [summary, login]: readonly [string, string]): Example {
  return { id, title, summary, login };
}

/** Returns the names of the example files that have a template. */
export function templateIds(): readonly string[] {
  return EXAMPLES.map(({ id }) => id);
}

/**
 * Reads the templates of adapters from the example files. Omits `tls`, whose files exist only on the machine of an author. A file
 * that is not installed has no template.
 */
export async function readTemplates(folder: string): Promise<readonly AdapterTemplate[]> {
  const templates = await Promise.all(
    EXAMPLES.map(async (found) => {
      const value = await readExample(join(folder, `${found.id}.yaml`));
      if (!value) return [];
      const { plugin } = value;
      const settings = omit(value, 'plugin', 'tls');
      return typeof plugin === 'string' ? [{ ...found, model: plugin, settings }] : [];
    }),
  );
  return templates.flat();
}

async function readExample(file: string): Promise<JsonObject | undefined> {
  try {
    const value: unknown = parseYaml(await readFile(file, 'utf8'), new LineCounter())?.toJS();
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
