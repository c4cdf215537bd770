import { dirname, join } from 'node:path';
import { cataloguePackage, catalogueTypes } from '../../adapters/plugin-packages.js';
import type { Plugins } from '../../adapters/plugins.js';
import { CATALOGUE_PLUGIN, isCatalogued } from '../../config/adapter-record.js';
import { catalogueSchema, completeAdapterSchema } from '../../config/adapter-schema.js';
import { readTemplates } from '../../config/adapter-templates.js';
import { profileSchema } from '../../config/profile-schema.js';
import { shortTypeOf } from '../../core/adapter-document.js';
import type { AdapterPlugin } from '../../core/adapter.js';
import type { DescribedOperation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { JsonSchema } from '../../core/schema.js';
import { isJsonObject } from '../../json/json-object.js';
import { pointerTo, valueAt } from '../../json/pointer.js';
import { PRODUCT_FOLDER } from '../../lib/version.js';
import type { AdapterConfig } from '../../server/state/configuration.js';
import { registeredModelOf } from '../../server/state/read-records.js';
import type { ActiveSnapshot } from '../../server/state/snapshot.js';
import type { SnapshotHolder } from '../../server/state/swap.js';
import { settingsSchema } from '../../settings/settings.js';
import type { SchemaDeps } from './operations.js';

interface SchemasInput {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly plugins: Plugins;
  readonly operations: readonly DescribedOperation[];
}

/** Returns the dependencies of the schema operations. The same schemas validate the configuration. */
export function schemasOf({ current, plugins, operations }: SchemasInput): SchemaDeps {
  const adapters = () => current.current().desired.adapters;
  const home = () => dirname(current.current().desired.main.written.document.file);
  const adapterTypes = (): readonly string[] => {
    const configuredTypes = adapters().flatMap(({ written }) => {
      // Absent for a registered adapter whose plugin is no longer installed.
      const type = valueAt(written.value, '/plugin');
      return typeof type === 'string' ? [type] : [];
    });
    return [...new Set([...plugins.types, ...configuredTypes, ...catalogueTypes(home())])].sort();
  };
  return {
    async adapterSchema(name) {
      const adapter = adapters().find(({ id }) => id === name);
      if (adapter) return adapterSchemaOf(adapter);
      const model = registeredModelOf(name, plugins, home());
      if (plugins.has(model)) return completeAdapterSchema((await loadUsablePlugin(model, plugins)).options);
      const folder = cataloguePackage(model, home());
      if (folder === undefined || !plugins.has(CATALOGUE_PLUGIN)) return undefined;
      return catalogueSchema(
        await optionsSchemaOf(await loadUsablePlugin(CATALOGUE_PLUGIN, plugins), { folder }),
      );
    },
    applicationSchema: (name) =>
      current.current().applications.has(name) ? applicationSchemaOf(name) : undefined,
    profileSchema: () => describedProfileSchema(operations),
    adapterTemplates: onceLoaded(() => readTemplates(join(PRODUCT_FOLDER, 'config', 'examples'))),
    adapterTypes,
    typeAliases() {
      const types = adapterTypes();
      const aliases = plugins.types.flatMap((type) => {
        const short = shortTypeOf(type);
        return short === undefined || types.includes(short) ? [] : [[short, type] as const];
      });
      return Object.fromEntries(aliases);
    },
  };
}

/** Returns the schema of profiles with the names of the operations whose roles a profile may set. */
function describedProfileSchema(described: readonly DescribedOperation[]): JsonSchema {
  const { roles, ...others } = profileSchema['properties'] as Readonly<Record<string, JsonSchema>>;
  const operations = described.map(({ name }) => name);
  return {
    ...profileSchema,
    properties: { ...others, roles: { ...roles, propertyNames: { examples: operations } } },
  };
}

async function adapterSchemaOf({ plugin, written, record }: AdapterConfig): Promise<JsonSchema> {
  const options = await optionsSchemaOf(plugin, valueAt(written.value, '/options'));
  return record && isCatalogued(record.document, written.value)
    ? catalogueSchema(options)
    : completeAdapterSchema(options);
}

/**
 * Returns the plugin's schema for these options; its general schema if the specific schema is not available.
 */
async function optionsSchemaOf(plugin: AdapterPlugin, options: unknown): Promise<JsonSchema> {
  const complete = await plugin.optionsFor?.(options).catch(() => undefined);
  return complete ?? plugin.options;
}

async function loadUsablePlugin(type: string, plugins: Plugins): Promise<AdapterPlugin> {
  try {
    return await plugins.load(type);
  } catch (cause) {
    throw new Problem('adapter_unavailable', `the plugin "${type}" cannot be used`, { cause });
  }
}

/** Section of the main file that contains the settings of an application. */
const SETTINGS_SECTIONS: Readonly<Record<string, string>> = { JsonForms: 'forms', Tools: 'egress' };

function applicationSchemaOf(name: string): JsonSchema {
  const section = SETTINGS_SECTIONS[name];
  if (section === undefined) return { ...EMPTY_SETTINGS, title: name };
  return withoutRestart(valueAt(settingsSchema, pointerTo('/properties', section)) as JsonSchema);
}

/** Returns a schema without the marks of settings that need a restart, which clients do not know. */
function withoutRestart({ 'x-restart': _, ...schema }: JsonSchema): JsonSchema {
  const { properties } = schema;
  if (!isJsonObject(properties)) return schema;
  const members = Object.entries(properties as Readonly<Record<string, JsonSchema>>);
  return {
    ...schema,
    properties: Object.fromEntries(members.map(([name, member]) => [name, withoutRestart(member)])),
  };
}

const EMPTY_SETTINGS: JsonSchema = { type: 'object', additionalProperties: false, properties: {} };

/** Returns a function that loads a value on its first call, and again only after a failure. */
function onceLoaded<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
