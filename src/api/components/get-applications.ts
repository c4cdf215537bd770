import { listQuerySchema, listSchema, queryList } from '../../core/list-query.js';
import type { Operation } from '../../core/operation.js';
import { applicationDocument, applicationEntry, foundApplication } from './application-document.js';
import { applicationEntrySchema } from './application-schema.js';
import type { ApplicationsDeps } from './deps.js';

/** Lists the applications of this process (wire section 5.3). */
export const getApplications: Operation<ApplicationsDeps> = {
  id: 'getApplications',
  summary: 'List the applications.',
  method: 'GET',
  path: '',
  roles: ['admin'],
  query: listQuerySchema,
  reply: listSchema('Applications', applicationEntrySchema),
  handle({ query }, { applications }) {
    const { results, total } = queryList(applications(), query, {
      nameOf: ({ name }) => name,
      recordOf: applicationDocument,
    });
    return { body: { results: results.map(applicationEntry), total } };
  },
};

/** Returns one application. */
export const getApplication: Operation<ApplicationsDeps> = {
  id: 'getApplication',
  summary: 'Get an application.',
  method: 'GET',
  path: '/:name',
  roles: ['admin'],
  reply: applicationEntrySchema,
  handle: ({ params }, deps) => ({ body: applicationEntry(foundApplication(deps, params['name'])) }),
};
