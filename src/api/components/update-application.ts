import { managementBody } from '../../core/management-body.js';
import type { Operation } from '../../core/operation.js';
import { withSentLevels } from '../../core/temporary-levels.js';
import { doneSchema } from '../../core/management-reply.js';
import { applicationDocument, foundApplication } from './application-document.js';
import { applicationLife } from './application-lifecycle.js';
import { applicationSchema, changedApplicationSchema } from './application-schema.js';
import type { ApplicationsDeps } from './deps.js';
import { levelsFrom } from './log-levels.js';
import { overridesFor } from './lifecycle.js';

interface ApplicationBody {
  readonly properties: { readonly loggerProps?: Readonly<Record<string, unknown>> | null };
}

/** Updates the log levels of an application. */
export const updateApplication: Operation<ApplicationsDeps, ApplicationBody> = {
  id: 'updateApplication',
  summary: 'Update the log levels of an application.',
  method: 'PUT',
  path: '/:name',
  roles: ['admin'],
  body: changedApplicationSchema,
  reply: doneSchema('Updated application', applicationSchema),
  audited: true,
  async handle({ params, body }, deps) {
    const { name = '' } = params;
    const levels = levelsFrom(body.properties.loggerProps ?? {});
    const change = await overridesFor(
      { life: applicationLife, name, next: (overrides) => withSentLevels(overrides, levels) },
      deps,
    );
    const data = applicationDocument(foundApplication(deps, name));
    return { body: { status: 'OK', message: `Successfully updated ${name}.`, data }, change };
  },
};

/** Accepts only empty settings, because applications have no settings. */
export const updateApplicationProperties: Operation<ApplicationsDeps> = {
  id: 'updateApplicationProperties',
  summary: 'Replace the settings of an application; only an empty object is accepted.',
  method: 'PUT',
  path: '/:name/properties',
  roles: ['admin'],
  body: managementBody('Settings of an application', { type: 'object', maxProperties: 0 }),
  reply: doneSchema('Updated application'),
  audited: true,
  handle({ params }, deps) {
    const { name } = foundApplication(deps, params['name']);
    return { body: { status: 'OK', message: `Successfully updated ${name}.` } };
  },
};
