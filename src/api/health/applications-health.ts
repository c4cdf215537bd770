import { listQuerySchema, listSchema, queryList } from '../../core/list-query.js';
import type { Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import { applicationHealth, componentSchema, collectHealth } from './component-health.js';
import type { HealthDeps } from './deps.js';

/** Returns the health of all applications; accepts a list query. */
export const getApplicationsHealth: Operation<HealthDeps> = {
  id: 'getApplicationsHealth',
  summary: 'List the health of the applications.',
  method: 'GET',
  path: '/health/applications',
  roles: ['admin'],
  query: listQuerySchema,
  reply: listSchema('Health of applications', componentSchema),
  async handle({ query }, deps) {
    const look = collectHealth(deps);
    const all = await deps.lease(({ applications }) => Promise.resolve([...applications.values()]));
    const reported = all.map((one) => applicationHealth(one, deps.describeApplication(one), look));
    return { body: queryList(reported, query, { nameOf: ({ id }) => id }) };
  },
};

/** Returns the health of one application. */
export const getApplicationHealth: Operation<HealthDeps> = {
  id: 'getApplicationHealth',
  summary: 'Get the health of an application.',
  method: 'GET',
  path: '/health/applications/:name',
  roles: ['admin'],
  reply: { title: 'Health of an application', ...componentSchema },
  async handle({ params: { name = '' } }, deps) {
    const one = await deps.lease(({ applications }) => Promise.resolve(applications.get(name)));
    if (!one) throw new Problem('application_not_found', `there is no application "${name}"`);
    return { body: applicationHealth(one, deps.describeApplication(one), collectHealth(deps)) };
  },
};
