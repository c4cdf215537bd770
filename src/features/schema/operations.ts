import type { AdapterTemplate } from '../../config/adapter-template.js';
import type { Application, Operation } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import type { JsonSchema } from '../../core/schema.js';
import { secretPointers } from './secret-pointers.js';

export interface SchemaDeps {
  /**
   * Returns the schema of the settings of the adapter with this name, as its plugin defines it. If no such
   * adapter exists, returns the schema for adapters of the plugin with this name; `undefined` if neither
   * exists. Throws `adapter_unavailable` if the plugin cannot be used.
   */
  readonly adapterSchema: (name: string) => Promise<JsonSchema | undefined>;
  /** Returns the schema of the settings of an application; `undefined` if the application does not exist. */
  readonly applicationSchema: (name: string) => JsonSchema | undefined;
  readonly profileSchema: () => JsonSchema;
  /** Returns the types that adapters can name as their model. */
  readonly adapterTypes: () => readonly string[];
  /** Returns the types that are other names of a type, with that type. */
  readonly typeAliases: () => Readonly<Record<string, string>>;
  /** Returns the templates of adapters for known orchestrators; reads them once. */
  readonly adapterTemplates: () => Promise<readonly AdapterTemplate[]>;
}

/** Schema of a schema in replies (wire section 5.5). */
const schemaReplySchema = {
  title: 'Settings schema',
  type: 'object',
  required: ['schema', 'decorators'],
  properties: {
    schema: { type: 'object', additionalProperties: true, description: 'JSON Schema of the settings' },
    decorators: {
      type: 'array',
      description: 'Locations of secrets in the settings; * in a pointer matches any member or item',
      items: {
        type: 'object',
        required: ['type', 'pointer'],
        properties: { type: { const: 'encryption' }, pointer: { type: 'string' } },
      },
    },
  },
} as const;

function schemaWithSecrets(schema: JsonSchema) {
  return {
    schema,
    decorators: secretPointers(schema).map((pointer) => ({ type: 'encryption', pointer })),
  };
}

/**
 * Returns the schema of an adapter's settings. Also accepts the name of a plugin, so that clients can get the
 * schema before they register an adapter.
 */
const getAdapterSchema: Operation<SchemaDeps> = {
  id: 'getAdapterSchema',
  summary: 'Get the JSON Schema of the settings of an adapter, or of the adapters of a plugin.',
  description:
    'Returns the schema of the settings of an adapter, as its plugin defines it, and the locations of secrets. Accepts the name of an adapter or of a plugin.',
  problems: ['adapter_not_found', 'adapter_unavailable'],
  method: 'GET',
  path: '/schema/adapters/:name',
  roles: READERS,
  reply: schemaReplySchema,
  async handle({ params: { name = '' } }, { adapterSchema }) {
    const schema = await adapterSchema(name);
    if (!schema)
      throw new Problem('adapter_not_found', `there is no adapter and no adapter plugin "${name}"`);
    return { body: schemaWithSecrets(schema) };
  },
};

const getApplicationSchema: Operation<SchemaDeps> = {
  id: 'getApplicationSchema',
  summary: 'Get the JSON Schema of the settings of an application.',
  description: 'Returns the schema of the settings of an application, which allows no members.',
  problems: ['application_not_found'],
  method: 'GET',
  path: '/schema/applications/:name',
  roles: READERS,
  reply: schemaReplySchema,
  handle({ params: { name = '' } }, { applicationSchema }) {
    const schema = applicationSchema(name);
    if (!schema) throw new Problem('application_not_found', `there is no application "${name}"`);
    return { body: schemaWithSecrets(schema) };
  },
};

const getProfileSchema: Operation<SchemaDeps> = {
  id: 'getProfileSchema',
  summary: 'Get the JSON Schema of profiles.',
  description: 'Returns the schema of all members of a profile, and the locations of secrets.',
  method: 'GET',
  path: '/schema/profiles',
  roles: READERS,
  reply: schemaReplySchema,
  handle(_call, { profileSchema }) {
    return { body: schemaWithSecrets(profileSchema()) };
  },
};

const adapterTypesSchema = {
  title: 'Adapter types',
  type: 'object',
  required: ['adapterModels', 'total', 'aliases'],
  properties: {
    adapterModels: { type: 'array', items: { type: 'string' } },
    total: { type: 'integer', minimum: 0 },
    aliases: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Types that are another name of a type, with that type',
    },
  },
} as const;

const getAdapterModelTypes: Operation<SchemaDeps> = {
  id: 'getAdapterModelTypes',
  summary: 'List the types of adapters.',
  description:
    'Returns the types that the `model` of an adapter can name: plugins, and community adapters that are installed beside the configuration.',
  method: 'GET',
  path: '/adapter-models/types',
  roles: READERS,
  reply: adapterTypesSchema,
  handle(_call, { adapterTypes, typeAliases }) {
    const aliases = typeAliases();
    const adapterModels = [...new Set([...adapterTypes(), ...Object.keys(aliases)])].sort();
    return { body: { adapterModels, total: adapterModels.length, aliases } };
  },
};

const templatesSchema = {
  title: 'Adapter templates',
  type: 'object',
  required: ['templates', 'total'],
  properties: {
    templates: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'title', 'summary', 'login', 'model', 'settings'],
        properties: {
          id: { type: 'string' },
          title: { type: 'string', description: 'Name of the orchestrator' },
          summary: { type: 'string', description: 'What the orchestrator is' },
          login: { type: 'string', description: 'Kind of its authentication, in words' },
          model: { type: 'string', description: 'Value of `model` for a new adapter' },
          settings: {
            type: 'object',
            additionalProperties: true,
            description: 'Settings with an example host; secrets are references to Vault',
          },
        },
      },
    },
    total: { type: 'integer', minimum: 0 },
  },
} as const;

const getAdapterTemplates: Operation<SchemaDeps> = {
  id: 'getAdapterTemplates',
  summary: 'List settings of adapters for known orchestrators.',
  description:
    'Returns a template for each orchestrator of the examples that come with the product: its plugin, and settings with an example host and references to secrets.',
  method: 'GET',
  path: '/adapter-templates',
  roles: READERS,
  reply: templatesSchema,
  async handle(_call, { adapterTemplates }) {
    const templates = await adapterTemplates();
    return { body: { templates, total: templates.length } };
  },
};

export const schema: Application<SchemaDeps> = {
  name: 'schema',
  summary: 'JSON Schemas of the settings of adapters, applications and profiles.',
  prefixes: [''],
  operations: [
    getAdapterSchema,
    getApplicationSchema,
    getProfileSchema,
    getAdapterModelTypes,
    getAdapterTemplates,
  ],
};
