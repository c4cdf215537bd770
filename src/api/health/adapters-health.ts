import { listQuerySchema, listSchema, queryList } from '../../core/list-query.js';
import type { Operation } from '../../core/operation.js';
import { adapterOf } from '../../core/snapshot.js';
import { adapterHealth, componentSchema, collectHealth } from './component-health.js';
import type { HealthDeps } from './deps.js';

/** Returns the health of all adapters; accepts a list query. */
export const getAdaptersHealth: Operation<HealthDeps> = {
  id: 'getAdaptersHealth',
  summary: 'List the health of the adapters.',
  method: 'GET',
  path: '/health/adapters',
  roles: ['admin'],
  query: listQuerySchema,
  reply: listSchema('Health of adapters', componentSchema),
  async handle({ query, principal }, deps) {
    const look = collectHealth(deps, principal?.roles);
    const describe = deps.describeAdapters();
    const body = await deps.lease((snapshot) => {
      const all = [...snapshot.adapters.values()].map((instance) =>
        adapterHealth(instance, describe(instance), { look, snapshot }),
      );
      return Promise.resolve(queryList(all, query, { nameOf: ({ id }) => id }));
    });
    return { body };
  },
};

/** Returns the health of one adapter. */
export const getAdapterHealth: Operation<HealthDeps> = {
  id: 'getAdapterHealth',
  summary: 'Get the health of an adapter.',
  method: 'GET',
  path: '/health/adapters/:name',
  roles: ['admin'],
  reply: { title: 'Health of an adapter', ...componentSchema },
  async handle({ params, principal }, deps) {
    const look = collectHealth(deps, principal?.roles);
    const describe = deps.describeAdapters();
    const body = await deps.lease((snapshot) => {
      const instance = adapterOf(snapshot, params['name'] ?? '');
      return Promise.resolve(adapterHealth(instance, describe(instance), { look, snapshot }));
    });
    return { body };
  },
};
