import type { Call } from '../../core/operation.js';
import {
  about,
  ADMIN,
  askEither,
  bodyWith,
  doneReply,
  listOf,
  objectWith,
  type LegacyPair,
  resultsOf,
  type LegacyHandler,
  type ServingDeps,
} from './legacy-operation.js';

/** An adapter or an application as their lists return it. */
interface Listed {
  readonly metadata: { readonly isActive: boolean; readonly activeSync: boolean };
  readonly data: Service;
}

/** The old name for both adapters and applications. */
interface Service {
  readonly name: string;
  readonly type?: string | null;
}

const ADAPTERS = 'adapters.getAdapters';
const LISTS = [ADAPTERS, 'applications.getApplications'] as const;

const serviceReply = objectWith('name', 'type', 'model', 'properties');

/** Deletes a registered adapter. */
export const deleteServiceConfig: LegacyHandler = {
  id: 'deleteServiceConfig',
  summary: 'Delete a registered adapter after stopping it.',
  roles: ADMIN,
  through: ['adapters.deleteAdapter'],
  reply: doneReply,
  audited: true,
  serve: (call, { ask }) => ask('adapters.deleteAdapter', call),
};

/** Lists the names of the adapters and applications that the active profile includes. */
export const getActiveServiceNames: LegacyHandler = {
  id: 'getActiveServiceNames',
  summary: 'List the names of the active adapters and applications.',
  roles: ADMIN,
  through: LISTS,
  reply: listOf('Names of active services', { type: 'string' }),
  serve: async (call, { ask }) => ({ body: activeNames(await servicesOf(call, ask)) }),
};

/** Lists the names of the adapters that the active profile includes. */
export const getActiveAdapterNames: LegacyHandler = {
  id: 'getActiveAdapterNames',
  summary: 'List the names of the active adapters.',
  roles: ADMIN,
  through: [ADAPTERS],
  reply: listOf('Names of active adapters', { type: 'string' }),
  serve: async (call, { ask }) => ({ body: activeNames(await resultsOf(ask, ADAPTERS, call)) }),
};

/** Lists the documents of all adapters and applications. */
export const getServiceConfigs: LegacyHandler = {
  id: 'getServiceConfigs',
  summary: 'List the adapters and the applications.',
  roles: ADMIN,
  through: LISTS,
  reply: listOf('Services', serviceReply),
  async serve(call, { ask }) {
    const all = await servicesOf(call, ask);
    return { body: all.map(({ data }) => data) };
  },
};

/** Returns for each adapter and application whether it is active, and whether it runs as stored. */
export const syncServiceConfigs: LegacyHandler = {
  id: 'syncServiceConfigs',
  summary: 'List whether each adapter and application is active, and whether it runs as stored.',
  roles: ADMIN,
  through: LISTS,
  reply: listOf('Services and their state', objectWith('name', 'type', 'isActive', 'activeSync')),
  async serve(call, { ask }) {
    const all = await servicesOf(call, ask);
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

const SCHEMAS: LegacyPair = ['schema.getAdapterSchema', 'schema.getApplicationSchema'];

/** Returns the schemas of the settings of all adapters and applications. */
export const getServiceSchemas: LegacyHandler = {
  id: 'getServiceSchemas',
  summary: 'Get the JSON Schemas of the settings of all adapters and applications, by name.',
  roles: ADMIN,
  through: [...LISTS, ...SCHEMAS],
  reply: { title: 'Schemas by service', type: 'object', additionalProperties: { type: 'object' } },
  async serve(call, { ask }) {
    const all = await servicesOf(call, ask);
    const schemas = all.map(async ({ data: { name } }) => {
      const { body } = await askEither(ask, SCHEMAS, about(call, name));
      return [name, (body as { readonly schema: object }).schema] as const;
    });
    return { body: Object.fromEntries(await Promise.all(schemas)) };
  },
};

/** Registers an adapter and starts it immediately. */
export const createServiceConfig: LegacyHandler<Service> = {
  id: 'createServiceConfig',
  summary: 'Create an adapter and start it.',
  roles: ADMIN,
  through: ['adapters.createAdapter'],
  body: bodyWith('New service', { name: 'The name', model: 'The plugin' }),
  reply: doneReply,
  audited: true,
  target: ({ body }) => body.name,
  serve: (call, { ask }) => ask('adapters.createAdapter', { ...call, body: { properties: call.body } }),
};

const UPDATES: LegacyPair = ['adapters.updateAdapter', 'applications.updateApplication'];

/** Updates an adapter or an application; absent members stay unchanged. */
export const saveServiceConfig: LegacyHandler<Service> = {
  id: 'saveServiceConfig',
  summary: 'Update a registered adapter or an application; absent members stay unchanged.',
  roles: ADMIN,
  through: UPDATES,
  body: bodyWith('Changed service', { name: 'The name' }),
  reply: doneReply,
  audited: true,
  target: ({ body }) => body.name,
  serve(call, { ask }) {
    const { name, type } = call.body;
    const change = { ...about(call, name), body: { properties: call.body } };
    // Adapters and applications do not accept each other's documents.
    return type === 'Application' ? ask(UPDATES[1], change) : askEither(ask, UPDATES, change);
  },
};

async function servicesOf(call: Call, ask: ServingDeps['ask']): Promise<readonly Listed[]> {
  const lists = await Promise.all(LISTS.map((operation) => resultsOf<Listed>(ask, operation, call)));
  return lists.flat();
}

function activeNames(services: readonly Listed[]): readonly string[] {
  return services.filter(({ metadata }) => metadata.isActive).map(({ data }) => data.name);
}
