import { checkWritten } from '../../config/check-written.js';
import { withoutBlanks } from '../../config/profile-schema.js';
import { packageModelOf } from '../../core/adapter-document.js';
import { type Fault, faultAt } from '../../core/fault.js';
import type { JsonSchema } from '../../core/schema.js';
import { changedAdapterSchema, newAdapterSchema } from '../../features/adapters/adapter-document.js';
import { newFormSchema } from '../../features/forms/form-schema.js';
import { compileSchema } from '../../json-schema/compile.js';
import { isJsonObject, type JsonObject, objectOf, ownMember } from '../../json/json-object.js';
import { valueAt } from '../../json/pointer.js';
import { didYouMean } from '../../lib/closest-name.js';
import { omit } from '../../lib/omit.js';
import { accessFaults } from '../../server/state/check-access.js';
import { checkRoles } from '../../server/state/check-operations.js';
import { referenceSyntax } from '../../server/state/configuration.js';
import type { Settings } from '../../settings/settings.js';
import { Refusal } from '../login/gateway.js';
import type { ManagementClient } from './management-client.js';
import type { CheckRecord, DeclaredRecord } from './record-kind.js';

/** Checks a new or changed adapter: its members, and its settings by the schema that its plugin has on the server. */
export const checkAdapterRecord: CheckRecord = async (client, record, isNew) => {
  const body = isNew ? newAdapterSchema : changedAdapterSchema;
  const faults = schemaFaults(record, '', body.properties.properties);
  const { model } = record.value;
  const settings = valueAt(record.value, SETTINGS_POINTER);
  if (faults.length > 0 || typeof model !== 'string') return faults;
  const types = objectOf(await readOnce(client, '/adapter-models/types'));
  const type = model.replace(packageModelOf(''), '');
  const alias = ownMember(types['aliases'], type);
  const plugin = typeof alias === 'string' ? alias : type;
  // An adapter may have the name of a type, but not that of a package of the product.
  const schema =
    (await adapterSchema(client, packageModelOf(plugin))) ?? (await adapterSchema(client, model));
  if (!schema) return [unknownModel(record, model, types['adapterModels'])];
  // The server accepts an adapter without settings, which does not start.
  if (!isJsonObject(settings) || Object.keys(settings).length === 0) return [];
  return schemaFaults(record, SETTINGS_POINTER, schema);
};

const SETTINGS_POINTER = '/properties/properties';

function adapterSchema(client: ManagementClient, name: string): Promise<JsonSchema | undefined> {
  return schemaIn(client, `/schema/adapters/${encodeURIComponent(name)}`);
}

function unknownModel(record: DeclaredRecord, model: string, types: unknown): Fault {
  const known = Array.isArray(types) ? types.map(String) : [];
  return faultAt(record.document, '/model', {
    code: 'plugin',
    message: `there is no such adapter plugin on the server${didYouMean(model, known)}`,
    fix: `Use one of ${known.join(', ')}, or install the npm package of this name on the server.`,
  });
}

/** Checks a profile by the schema and the names of operations of the server. */
export const checkProfileRecord: CheckRecord = async (client, record) => {
  const schema = await schemaIn(client, '/schema/profiles');
  if (!schema) return [];
  const value = withoutBlanks(record.value);
  const faults = schemaFaults({ ...record, value }, '', schema);
  if (faults.length > 0) return faults;
  const operations = valueAt(schema, '/properties/roles/propertyNames/examples');
  const { roles = {}, access = [] } = value as Partial<Pick<Settings, 'roles' | 'access'>>;
  const names = Array.isArray(operations) ? operations.map(String) : [];
  return [...checkRoles(roles, names), ...accessFaults(access, names)].map(({ pointer, ...details }) =>
    faultAt(record.document, pointer, details),
  );
};

/** Checks a form by the schema of this version. */
export const checkFormRecord: CheckRecord = (_client, record) =>
  Promise.resolve(schemaFaults(record, '', newFormSchema));

/** Returns the check of a rule: the preview of its change, which only administrators may ask for. */
export function ruleCheck(path: string): CheckRecord {
  return async (client, record) => {
    const name = encodeURIComponent(record.name);
    const body = { properties: omit(record.value, 'name') };
    try {
      await client.send({ method: 'POST', path: `${path}/${name}/preview`, body });
      return [];
    } catch (error) {
      if (!(error instanceof Refusal) || error.status === 401) throw error;
      return error.status === 403 ? [] : refusalFaults(record, error);
    }
  };
}

/** Returns what a server refuses as faults of the file. Pointers of the server start at the body of the request. */
function refusalFaults({ document }: DeclaredRecord, { message, errors }: Refusal): readonly Fault[] {
  const fix = 'Correct the file.';
  if (errors.length === 0) return [faultAt(document, '/name', { code: 'refused', message, fix })];
  return errors.map((error) =>
    faultAt(document, error.pointer.replace(/^\/properties/, ''), {
      code: 'refused',
      message: error.message,
      fix,
    }),
  );
}

function schemaFaults(
  { name, value, document }: DeclaredRecord,
  at: string,
  schema: JsonSchema,
): readonly Fault[] {
  const part = { id: name, document, at, value: valueAt(value, at) };
  return checkWritten(part, { validate: compileSchema(schema), syntax: referenceSyntax }).faults;
}

/** Replies of a server, by client and path. */
const replies = new WeakMap<ManagementClient, Map<string, Promise<unknown>>>();

/** Returns the reply to a GET, which is sent once for each client; undefined for status 404. */
function readOnce(client: ManagementClient, path: string): Promise<unknown> {
  const known = replies.get(client) ?? new Map<string, Promise<unknown>>();
  replies.set(client, known);
  const reply = known.get(path) ?? readOrUndefined(client, path);
  known.set(path, reply);
  return reply;
}

async function readOrUndefined(client: ManagementClient, path: string): Promise<unknown> {
  try {
    return (await client.send({ method: 'GET', path })).value;
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return undefined;
    throw error;
  }
}

async function schemaIn(client: ManagementClient, path: string): Promise<JsonObject | undefined> {
  const schema = ownMember(await readOnce(client, path), 'schema');
  return isJsonObject(schema) ? schema : undefined;
}
