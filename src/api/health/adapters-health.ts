import { listQuerySchema, listSchema, queryList } from '../../core/list-query.js';
import type { Operation } from '../../core/operation.js';
import { adapterOf } from '../../core/snapshot.js';
import { adapterHealth, componentSchema, collectHealth } from './component-health.js';
import type { HealthDeps } from './deps.js';

/** How all adapters stand; a list query chooses among them. */
export const getAdaptersHealth: Operation<HealthDeps> = {
  id: 'getAdaptersHealth',
  summary: 'Tell how the adapters stand.',
  method: 'GET',
  path: '/health/adapters',
  roles: ['admin'],
  query: listQuerySchema,
  reply: listSchema('Health of adapters', componentSchema),
  async handle({ query, principal }, deps) {
    const look = collectHealth(deps, principal?.roles);
    const factsOf = deps.describeAdapters();
    const body = await deps.lease((snapshot) => {
      const all = [...snapshot.adapters.values()].map((instance) =>
        adapterHealth(instance, factsOf(instance), { look, snapshot }),
      );
      return Promise.resolve(queryList(all, query, { nameOf: ({ id }) => id }));
    });
    return { body };
  },
};

/** How one adapter stands. */
export const getAdapterHealth: Operation<HealthDeps> = {
  id: 'getAdapterHealth',
  summary: 'Tell how an adapter stands.',
  method: 'GET',
  path: '/health/adapters/:name',
  roles: ['admin'],
  reply: { title: 'Health of an adapter', ...componentSchema },
  async handle({ params, principal }, deps) {
    const look = collectHealth(deps, principal?.roles);
    const factsOf = deps.describeAdapters();
    const body = await deps.lease((snapshot) => {
      const instance = adapterOf(snapshot, params['name'] ?? '');
      return Promise.resolve(adapterHealth(instance, factsOf(instance), { look, snapshot }));
    });
    return { body };
  },
};
