import type { Call } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import {
  callWithName,
  ADMIN_ROLES,
  dispatchToEither,
  bodySchemaWith,
  doneReplySchema,
  listSchemaOf,
  objectSchemaWith,
  type OperationPair,
  allResultsOf,
  type LegacyHandler,
  type LegacyHandlerDeps,
} from './legacy-operation.js';

/** An adapter or an application as their lists return it. */
interface ListedComponent {
  readonly metadata: { readonly isActive: boolean; readonly activeSync: boolean };
  readonly data: Service;
}

/** An adapter or an application, as old clients know it. */
interface Service {
  readonly name: string;
  readonly type?: string | null;
}

const LIST_ADAPTERS = 'adapters.getAdapters';
const LIST_OPERATIONS = [LIST_ADAPTERS, 'applications.getApplications'] as const;

const serviceSchema = objectSchemaWith('name', 'type', 'model', 'properties');

export const deleteServiceConfig: LegacyHandler = {
  id: 'deleteServiceConfig',
  summary: 'Delete a registered adapter after stopping it.',
  description: 'Stops a registered adapter after its running calls, and deletes it.',
  roles: ADMIN_ROLES,
  through: ['adapters.deleteAdapter'],
  reply: doneReplySchema,
  audited: true,
  serve: (call, { dispatch }) => dispatch('adapters.deleteAdapter', call),
};

/** Lists the names of the adapters and applications that the active profile includes. */
export const getActiveServiceNames: LegacyHandler = {
  id: 'getActiveServiceNames',
  summary: 'List the names of the active adapters and applications.',
  description: 'Returns the names of the adapters and applications that the active profile includes.',
  roles: READERS,
  through: LIST_OPERATIONS,
  reply: listSchemaOf('Names of active services', { type: 'string' }),
  serve: async (call, { dispatch }) => ({ body: activeNames(await servicesOf(call, dispatch)) }),
};

export const getActiveAdapterNames: LegacyHandler = {
  id: 'getActiveAdapterNames',
  summary: 'List the names of the active adapters.',
  description: 'Returns the names of the adapters that the active profile includes.',
  roles: READERS,
  through: [LIST_ADAPTERS],
  reply: listSchemaOf('Names of active adapters', { type: 'string' }),
  serve: async (call, { dispatch }) => ({
    body: activeNames(await allResultsOf(dispatch, LIST_ADAPTERS, call)),
  }),
};

/** Lists the documents of all adapters and applications. */
export const getServiceConfigs: LegacyHandler = {
  id: 'getServiceConfigs',
  summary: 'List the adapters and the applications.',
  description: 'Returns all adapters and applications without their state. Changes nothing.',
  roles: READERS,
  through: LIST_OPERATIONS,
  reply: listSchemaOf('Services', serviceSchema),
  async serve(call, { dispatch }) {
    const all = await servicesOf(call, dispatch);
    return { body: all.map(({ data }) => data) };
  },
};

/** Returns for each adapter and application whether it is active, and whether it runs as stored. */
export const syncServiceConfigs: LegacyHandler = {
  id: 'syncServiceConfigs',
  summary: 'List whether each adapter and application is active, and whether it runs as stored.',
  description: 'Returns the state of all adapters and applications. Changes nothing.',
  roles: READERS,
  through: LIST_OPERATIONS,
  reply: listSchemaOf('Services and their state', objectSchemaWith('name', 'type', 'isActive', 'activeSync')),
  async serve(call, { dispatch }) {
    const all = await servicesOf(call, dispatch);
    return {
      body: all.map(({ metadata: { isActive, activeSync }, data: { name, type } }) => ({
        name,
        type,
        isActive,
        activeSync,
      })),
    };
  },
};

const SCHEMA_OPERATIONS: OperationPair = ['schema.getAdapterSchema', 'schema.getApplicationSchema'];

/** Returns the schemas of the settings of all adapters and applications. */
export const getServiceSchemas: LegacyHandler = {
  id: 'getServiceSchemas',
  summary: 'Get the JSON Schemas of the settings of all adapters and applications, by name.',
  description: 'Returns the schema of the settings of each adapter and each application. Changes nothing.',
  roles: READERS,
  through: [...LIST_OPERATIONS, ...SCHEMA_OPERATIONS],
  reply: { title: 'Schemas by service', type: 'object', additionalProperties: { type: 'object' } },
  async serve(call, { dispatch }) {
    const all = await servicesOf(call, dispatch);
    const schemas = all.map(async ({ data: { name } }) => {
      const { body } = await dispatchToEither(dispatch, SCHEMA_OPERATIONS, callWithName(call, name));
      return [name, (body as { readonly schema: object }).schema] as const;
    });
    return { body: Object.fromEntries(await Promise.all(schemas)) };
  },
};

export const createServiceConfig: LegacyHandler<Service> = {
  id: 'createServiceConfig',
  summary: 'Create an adapter and start it.',
  description: 'Stores an adapter in the database and starts it. Its plugin must accept the settings.',
  roles: ADMIN_ROLES,
  through: ['adapters.createAdapter'],
  body: bodySchemaWith('New service', { name: 'The name', model: 'The plugin' }, {}),
  reply: doneReplySchema,
  audited: true,
  target: ({ body }) => body.name,
  serve: (call, { dispatch }) =>
    dispatch('adapters.createAdapter', { ...call, body: { properties: call.body } }),
};

const UPDATE_OPERATIONS: OperationPair = ['adapters.updateAdapter', 'applications.updateApplication'];

export const saveServiceConfig: LegacyHandler<Service> = {
  id: 'saveServiceConfig',
  summary: 'Update a registered adapter or an application; absent members stay unchanged.',
  description:
    'Stores the sent members of an adapter and restarts it, or changes the log levels of an application.',
  roles: ADMIN_ROLES,
  through: UPDATE_OPERATIONS,
  body: bodySchemaWith('Changed service', { name: 'The name' }, {}),
  reply: doneReplySchema,
  audited: true,
  target: ({ body }) => body.name,
  serve(call, { dispatch }) {
    const { name, type } = call.body;
    const change = { ...callWithName(call, name), body: { properties: call.body } };
    // Adapters reject the documents of applications, and applications reject those of adapters.
    return type === 'Application'
      ? dispatch(UPDATE_OPERATIONS[1], change)
      : dispatchToEither(dispatch, UPDATE_OPERATIONS, change);
  },
};

async function servicesOf(
  call: Call,
  dispatch: LegacyHandlerDeps['dispatch'],
): Promise<readonly ListedComponent[]> {
  const lists = await Promise.all(
    LIST_OPERATIONS.map((operation) => allResultsOf<ListedComponent>(dispatch, operation, call)),
  );
  return lists.flat();
}

function activeNames(services: readonly ListedComponent[]): readonly string[] {
  return services.filter(({ metadata }) => metadata.isActive).map(({ data }) => data.name);
}
