import type { AdapterDocument } from '../../core/adapter-document.js';
import { formatFault } from '../../core/fault.js';
import type { Call, Reply } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import {
  callWithName,
  ADMIN_ROLES,
  doneReplySchema,
  listSchemaOf,
  replyWithMember,
  recoverFrom,
  allResultsOf,
  type LegacyHandler,
  type LegacyHandlerDeps,
} from './legacy-operation.js';

/** An adapter as old clients know it: a subset of the adapter document. */
interface Provider {
  readonly id?: string | null;
  /** Type of the adapter; also the name of its plugin if `model` is absent. */
  readonly type?: string | null;
  readonly model?: string | null;
  readonly brokers?: readonly string[] | null;
  readonly groups?: readonly unknown[] | null;
  readonly properties?: object | null;
}

/** An adapter as `adapters.getAdapters` returns it. */
interface ListedAdapter {
  readonly data: AdapterDocument;
}

const nullableText = { type: ['string', 'null'] } as const;

const providerProperties = {
  id: nullableText,
  type: nullableText,
  model: { ...nullableText, description: 'The plugin; default in a new provider: the type' },
  brokers: { type: ['array', 'null'], items: {} },
  groups: { type: ['array', 'null'], items: {} },
  properties: { type: ['object', 'null'] },
  _id: { description: 'Id from another platform; ignored' },
} as const;

export const deleteProvider: LegacyHandler = {
  id: 'deleteProvider',
  summary: 'Delete a registered adapter after stopping it.',
  description: 'Stops a registered adapter after its running calls, and deletes it.',
  roles: ADMIN_ROLES,
  through: ['adapters.deleteAdapter'],
  reply: doneReplySchema,
  audited: true,
  serve: (call, { dispatch }) => dispatch('adapters.deleteAdapter', callWithName(call, call.params['id'])),
};

export const getProviders: LegacyHandler = {
  id: 'getProviders',
  summary: 'List the names of the adapters.',
  description: 'Returns the names of all adapters in alphabetical order. Changes nothing.',
  roles: READERS,
  through: ['adapters.getAdapters'],
  reply: listSchemaOf('Names of adapters', { type: 'string' }),
  async serve(call, { dispatch }) {
    const all = await allResultsOf<ListedAdapter>(dispatch, 'adapters.getAdapters', call);
    return { body: all.map(({ data }) => data.name).sort() };
  },
};

export const getProvider: LegacyHandler = {
  id: 'getProvider',
  summary: 'Get an adapter.',
  description: 'Returns the properties and the model of an adapter. Changes nothing.',
  roles: READERS,
  through: ['adapters.getAdapter'],
  reply: {
    title: 'Provider',
    type: 'object',
    required: ['id', 'type', 'properties'],
    properties: providerProperties,
  },
  async serve(call, { dispatch }) {
    const reply = await dispatch('adapters.getAdapter', callWithName(call, call.params['id']));
    const { model, properties } = (reply.body as ListedAdapter).data;
    const provider: Provider = { ...properties, model };
    return { ...reply, body: provider };
  },
};

export const getProviderSchema: LegacyHandler = {
  id: 'getProviderSchema',
  summary: 'Get the JSON Schema of the settings of an adapter.',
  description: 'Returns the schema of the settings of an adapter, as its plugin defines it.',
  roles: READERS,
  through: ['schema.getAdapterSchema'],
  reply: { title: 'JSON Schema of an adapter', type: 'object' },
  serve: (call, { dispatch }) => schemaOf(callWithName(call, call.params['id']), dispatch),
};

const schemasReplySchema = {
  title: 'Schemas by type of adapter',
  type: 'object',
  additionalProperties: { type: 'object' },
} as const;

const SCHEMA_OPERATIONS = ['schema.getAdapterModelTypes', 'schema.getAdapterSchema'] as const;

export const getProviderSchemas: LegacyHandler = {
  id: 'getProviderSchemas',
  summary: 'Get the JSON Schemas of the settings of all types of adapters.',
  description: 'Returns the schema of the settings of each type of adapters. Changes nothing.',
  roles: READERS,
  through: SCHEMA_OPERATIONS,
  reply: schemasReplySchema,
  serve: async (call, { dispatch }) => ({ body: await schemasByType(call, dispatch) }),
};

export const updateProviderSchemas: LegacyHandler<{ readonly id?: string | null } | undefined> = {
  id: 'updateProviderSchemas',
  summary: 'Reload the configuration and the plugins, and get the schemas of the settings of adapters.',
  description:
    'Reads the configuration, the plugins and the secrets again. Returns the schema of one adapter or type, or of all types.',
  roles: ADMIN_ROLES,
  // A reload also reads every secret, so callers need the roles of `refreshSecrets` too.
  through: [...SCHEMA_OPERATIONS, 'platform.refreshSecrets'],
  body: {
    title: 'Schema to return',
    type: 'object',
    properties: { id: { ...nullableText, description: 'Name of an adapter or a type; default: all types' } },
  },
  bodyOptional: true,
  reply: { title: 'The schema, or the schemas by type', type: 'object' },
  audited: true,
  target: ({ body }) => body?.id ?? '',
  async serve(call, { dispatch, reload }) {
    const faults = await reload();
    if (faults.length > 0)
      throw new Problem(
        'not_taken_up',
        `the server read the configuration, but did not apply it: ${faults.map(formatFault).join('; ')}`,
      );
    const id = call.body?.id ?? '';
    return id === ''
      ? { body: await schemasByType(call, dispatch) }
      : schemaOf(callWithName(call, id), dispatch);
  },
};

export const putProvider: LegacyHandler<Provider> = {
  id: 'putProvider',
  summary: 'Update an adapter, or create it if it does not exist.',
  description: 'Stores the sent members of an adapter and restarts it, or registers a new adapter.',
  roles: ADMIN_ROLES,
  through: ['adapters.updateAdapter', 'adapters.createAdapter'],
  body: {
    title: 'Provider to store',
    type: 'object',
    additionalProperties: false,
    properties: providerProperties,
  },
  reply: doneReplySchema,
  audited: true,
  serve(call, { dispatch }) {
    const { model, type, id, brokers, groups, properties } = call.body;
    const name = call.params['id'] ?? '';
    const providerFields = { id, type, brokers, groups, properties };
    const documentCall = (plugin: string | null | undefined): Call => ({
      ...callWithName(call, name),
      // JSON omits undefined members, and absent members stay unchanged.
      body: {
        properties: JSON.parse(
          JSON.stringify({ name, model: plugin ?? undefined, properties: providerFields }),
        ) as unknown,
      },
    });
    return recoverFrom(
      'adapter_not_found',
      () => dispatch('adapters.updateAdapter', documentCall(model)),
      () => dispatch('adapters.createAdapter', documentCall(model ?? type)),
    );
  },
};

async function schemaOf(call: Call, dispatch: LegacyHandlerDeps['dispatch']): Promise<Reply> {
  return replyWithMember(await dispatch('schema.getAdapterSchema', call), 'schema');
}

async function schemasByType(call: Call, dispatch: LegacyHandlerDeps['dispatch']): Promise<object> {
  const { body } = await dispatch('schema.getAdapterModelTypes', call);
  const { adapterModels } = body as { readonly adapterModels: readonly string[] };
  const schemas = adapterModels.map(async (type) =>
    // The list omits plugins that cannot be loaded, because they have no schema.
    recoverFrom(
      'adapter_unavailable',
      async () => [[type, (await schemaOf(callWithName(call, type), dispatch)).body] as const],
      () => [],
    ),
  );
  return Object.fromEntries((await Promise.all(schemas)).flat());
}
