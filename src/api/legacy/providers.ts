import type { AdapterDocument } from '../../core/adapter-document.js';
import { formatFault } from '../../core/fault.js';
import type { Call, Reply } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import {
  about,
  ADMIN,
  doneReply,
  listOf,
  memberOf,
  orElse,
  resultsOf,
  type LegacyHandler,
  type ServingDeps,
} from './legacy-operation.js';

/** The old name of an adapter; contains less than the document of an adapter. */
interface Provider {
  readonly id?: string | null;
  /** Type of the adapter, and also its plugin if `model` is absent. */
  readonly type?: string | null;
  readonly model?: string | null;
  readonly brokers?: readonly string[] | null;
  readonly groups?: readonly unknown[] | null;
  readonly properties?: object | null;
}

/** An adapter as `adapters.getAdapters` returns it. */
interface Listed {
  readonly data: AdapterDocument;
}

const text = { type: ['string', 'null'] } as const;

const members = {
  id: text,
  type: text,
  model: { ...text, description: 'The plugin; absent in a new one: it is the type' },
  brokers: { type: ['array', 'null'] },
  groups: { type: ['array', 'null'] },
  properties: { type: ['object', 'null'] },
  _id: { description: 'Of another platform; not kept' },
} as const;

/** Deletes a registered adapter. */
export const deleteProvider: LegacyHandler = {
  id: 'deleteProvider',
  summary: 'Delete a registered adapter after stopping it.',
  roles: ADMIN,
  through: ['adapters.deleteAdapter'],
  reply: doneReply,
  audited: true,
  serve: (call, { ask }) => ask('adapters.deleteAdapter', about(call, call.params['id'])),
};

/** Lists the names of the adapters. */
export const getProviders: LegacyHandler = {
  id: 'getProviders',
  summary: 'List the names of the adapters.',
  roles: ADMIN,
  through: ['adapters.getAdapters'],
  reply: listOf('Names of adapters', { type: 'string' }),
  async serve(call, { ask }) {
    const all = await resultsOf<Listed>(ask, 'adapters.getAdapters', call);
    return { body: all.map(({ data }) => data.name).sort() };
  },
};

/** Returns an adapter. */
export const getProvider: LegacyHandler = {
  id: 'getProvider',
  summary: 'Get an adapter.',
  roles: ADMIN,
  through: ['adapters.getAdapter'],
  reply: { title: 'Provider', type: 'object', required: ['id', 'type', 'properties'], properties: members },
  async serve(call, { ask }) {
    const reply = await ask('adapters.getAdapter', about(call, call.params['id']));
    const { model, properties } = (reply.body as Listed).data;
    const provider: Provider = { ...properties, model };
    return { ...reply, body: provider };
  },
};

/** Returns the schema of an adapter's settings. */
export const getProviderSchema: LegacyHandler = {
  id: 'getProviderSchema',
  summary: 'Get the JSON Schema of the settings of an adapter.',
  roles: ADMIN,
  through: ['schema.getAdapterSchema'],
  reply: { title: 'JSON Schema of an adapter', type: 'object' },
  serve: (call, { ask }) => schemaOf(about(call, call.params['id']), ask),
};

const schemasReply = {
  title: 'Schemas by type of adapter',
  type: 'object',
  additionalProperties: { type: 'object' },
} as const;

const SCHEMAS = ['schema.getAdapterModelTypes', 'schema.getAdapterSchema'] as const;

/** Returns the schemas of the settings of all types of adapters. */
export const getProviderSchemas: LegacyHandler = {
  id: 'getProviderSchemas',
  summary: 'Get the JSON Schemas of the settings of all types of adapters.',
  roles: ADMIN,
  through: SCHEMAS,
  reply: schemasReply,
  serve: async (call, { ask }) => ({ body: await schemasByType(call, ask) }),
};

/** Reloads the plugins, for example after a plugin was repaired, and returns the schemas. */
export const updateProviderSchemas: LegacyHandler<{ readonly id?: string | null } | undefined> = {
  id: 'updateProviderSchemas',
  summary: 'Reload the configuration and the plugins, and get the schemas of the settings of adapters.',
  roles: ADMIN,
  // A reload also reads every secret, so callers need the roles of `refreshSecrets` too.
  through: [...SCHEMAS, 'platform.refreshSecrets'],
  body: {
    title: 'Which schema',
    type: 'object',
    properties: { id: { ...text, description: 'An adapter, or a type; absent: all types' } },
  },
  bodyOptional: true,
  reply: { title: 'The schema, or the schemas by type', type: 'object' },
  audited: true,
  target: ({ body }) => body?.id ?? '',
  async serve(call, { ask, reread }) {
    const faults = await reread();
    if (faults.length > 0)
      throw new Problem('not_taken_up', `read, but not live: ${faults.map(formatFault).join('; ')}`);
    const id = call.body?.id ?? '';
    return id === '' ? { body: await schemasByType(call, ask) } : schemaOf(about(call, id), ask);
  },
};

/** Updates an adapter, or registers it if it does not exist. */
export const putProvider: LegacyHandler<Provider> = {
  id: 'putProvider',
  summary: 'Update an adapter, or create it if it does not exist.',
  roles: ADMIN,
  through: ['adapters.updateAdapter', 'adapters.createAdapter'],
  body: { title: 'Provider to keep', type: 'object', additionalProperties: false, properties: members },
  reply: doneReply,
  audited: true,
  serve(call, { ask }) {
    const { model, type, id, brokers, groups, properties } = call.body;
    const name = call.params['id'] ?? '';
    const own = { id, type, brokers, groups, properties };
    const said = (plugin: string | null | undefined): Call => ({
      ...about(call, name),
      // JSON omits undefined members, and absent members stay unchanged.
      body: {
        properties: JSON.parse(
          JSON.stringify({ name, model: plugin ?? undefined, properties: own }),
        ) as unknown,
      },
    });
    return orElse(
      'adapter_not_found',
      () => ask('adapters.updateAdapter', said(model)),
      () => ask('adapters.createAdapter', said(model ?? type)),
    );
  },
};

async function schemaOf(call: Call, ask: ServingDeps['ask']): Promise<Reply> {
  return memberOf(await ask('schema.getAdapterSchema', call), 'schema');
}

async function schemasByType(call: Call, ask: ServingDeps['ask']): Promise<object> {
  const { body } = await ask('schema.getAdapterModelTypes', call);
  const { adapterModels } = body as { readonly adapterModels: readonly string[] };
  const schemas = adapterModels.map(async (type) =>
    // Omits a plugin that cannot be used, because it has no schema.
    orElse(
      'adapter_unavailable',
      async () => [[type, (await schemaOf(about(call, type), ask)).body] as const],
      () => [],
    ),
  );
  return Object.fromEntries((await Promise.all(schemas)).flat());
}
