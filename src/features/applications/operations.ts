import { everywhere } from '../../core/component.js';
import { loggerPropsOf, withSentLevels } from '../../core/log-levels.js';
import type { Application, Operation } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import { listRow, listSchema, queryList } from '../../http/list-query.js';
import type { FromSchema } from '../../settings/from-schema.js';
import type { ApplicationsDeps, ApplicationView } from '../adapters/deps.js';
import { changelogOperation } from '../adapters/get-changelogs.js';
import { changeOverrides, type Lifecycle, lifecycleOperations } from '../adapters/lifecycle.js';
import { levelsFrom, logLevelOperation } from '../adapters/log-levels.js';
import { changeNote, commentMember } from '../lib/change-terms.js';
import { doneSchema, entrySchema, managementBody } from '../lib/management-schemas.js';

/** Schema of an application in replies (wire section 5.3). */
const applicationSchema = {
  title: 'Application',
  type: 'object',
  required: ['name', 'type', 'model', 'properties', 'isEncrypted', 'loggerProps'],
  properties: {
    name: { type: 'string' },
    type: { const: 'Application' },
    model: { type: 'string' },
    properties: { type: 'object' },
    isEncrypted: { type: 'boolean' },
    loggerProps: { type: 'object' },
    virtual: { type: 'boolean' },
  },
} as const;

const applicationEntrySchema = entrySchema(
  'Application entry',
  { isActive: 'Always true', activeSync: 'Always true' },
  { data: applicationSchema },
);

const getApplications: Operation<ApplicationsDeps> = {
  id: 'getApplications',
  summary: 'List the applications.',
  description: 'Returns one page of the applications of this process with their log levels.',
  method: 'GET',
  path: '',
  topics: ['adapters'],
  roles: READERS,
  ...listRow,
  reply: listSchema('Applications', applicationEntrySchema),
  handle({ query }, { applications }) {
    const { results, total } = queryList(applications(), query, {
      nameOf: ({ name }) => name,
      recordOf: applicationDocument,
    });
    return { body: { results: results.map(applicationEntry), total } };
  },
};

const getApplication: Operation<ApplicationsDeps> = {
  id: 'getApplication',
  summary: 'Get an application.',
  description: 'Returns an application with its log levels.',
  problems: ['application_not_found'],
  method: 'GET',
  path: '/:name',
  roles: READERS,
  reply: applicationEntrySchema,
  handle: ({ params }, deps) => ({ body: applicationEntry(requireApplication(deps, params['name'])) }),
};

/** Returns the reply of {@link getApplication} (wire section 5.3). */
function applicationEntry(view: ApplicationView): object {
  return { metadata: { isActive: true, activeSync: true }, data: applicationDocument(view) };
}

/** Returns an application as clients see it; `loggerProps` contains the log levels in use. */
function applicationDocument({ name, overrides, presetLevel }: ApplicationView): object {
  return {
    name,
    type: 'Application',
    model: `gatehouse/${name}`,
    properties: {},
    isEncrypted: true,
    loggerProps: loggerPropsOf({ ...everywhere(presetLevel), ...overrides.levels }),
    virtual: false,
  };
}

/** Returns the application with this name. Throws `application_not_found`. */
function requireApplication({ applications }: ApplicationsDeps, name = ''): ApplicationView {
  const view = applications().find((application) => application.name === name);
  if (!view) throw new Problem('application_not_found', `there is no application "${name}"`);
  return view;
}

const applicationLifecycle: Lifecycle<ApplicationsDeps> = {
  kind: 'application',
  noun: 'Application',
  problems: ['application_not_found', 'not_taken_up'],
  find: requireApplication,
  noteOf: () => '',
  requireStartable: () => undefined,
};

/** Request body of an update; only the log levels of an application can be changed. */
const changedApplicationSchema = managementBody(
  'Changed application',
  {
    type: 'object',
    additionalProperties: false,
    properties: {
      name: { type: ['string', 'null'] },
      type: { enum: ['Application', '', null] },
      model: { type: ['string', 'null'] },
      properties: { type: ['object', 'null'], maxProperties: 0 },
      isEncrypted: { type: ['boolean', 'null'] },
      loggerProps: { type: ['object', 'null'] },
      virtual: { enum: [false, null] },
      _id: { description: 'Id on another platform; ignored' },
    },
  },
  commentMember,
);

const updateApplication: Operation<ApplicationsDeps, FromSchema<typeof changedApplicationSchema>> = {
  id: 'updateApplication',
  summary: 'Update the log levels of an application.',
  description: 'Changes the log levels of an application. Nothing else of an application can change.',
  problems: ['application_not_found', 'not_taken_up'],
  method: 'PUT',
  path: '/:name',
  roles: ['admin'],
  body: changedApplicationSchema,
  reply: doneSchema('Updated application', applicationSchema),
  audited: true,
  async handle(call, deps) {
    const {
      params: { name = '' },
      body,
    } = call;
    const levels = levelsFrom(body.properties.loggerProps ?? {});
    const change = await changeOverrides(
      {
        lifecycle: applicationLifecycle,
        name,
        next: (overrides) => withSentLevels(overrides, levels),
        act: () => ({ entry: { action: 'log-level' }, note: changeNote(call, body, deps.now()) }),
      },
      deps,
    );
    const data = applicationDocument(requireApplication(deps, name));
    return { body: { status: 'OK', message: `Successfully updated ${name}.`, data }, change };
  },
};

const updateApplicationProperties: Operation<ApplicationsDeps> = {
  id: 'updateApplicationProperties',
  summary: 'Replace the settings of an application; only an empty object is accepted.',
  description: 'Accepts only empty settings, because applications have no settings. Changes nothing.',
  problems: ['application_not_found'],
  method: 'PUT',
  path: '/:name/properties',
  roles: ['admin'],
  body: managementBody('Settings of an application', { type: 'object', maxProperties: 0 }, {}),
  reply: doneSchema('Updated application settings'),
  audited: true,
  handle({ params }, deps) {
    const { name } = requireApplication(deps, params['name']);
    return { body: { status: 'OK', message: `Successfully updated ${name}.` } };
  },
};

/**
 * The application that manages the applications of this process (wire section 5.3). The second prefix exists
 * because the specification uses the singular in one path.
 */
export const applications: Application<ApplicationsDeps> = {
  name: 'applications',
  summary: 'Start and stop the applications of this process, and change their log levels.',
  prefixes: ['/applications', '/application'],
  operations: [
    ...[getApplications, getApplication, updateApplication, updateApplicationProperties],
    ...[logLevelOperation(applicationLifecycle), changelogOperation(applicationLifecycle)],
    ...lifecycleOperations(applicationLifecycle),
  ],
};
