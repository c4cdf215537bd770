import { type Transport, TRANSPORTS } from '../../domain/component.js';
import { LOG_LEVELS, type LogLevel } from '../../domain/log.js';
import { managementBody } from '../../domain/management-body.js';
import type { Operation } from '../../domain/operation.js';
import { doneSchema } from '../../domain/management-reply.js';
import type { LifecycleDeps } from './deps.js';
import { type Lifecycle, wishFor } from './lifecycle.js';

/** Which lines, and from which level on. */
interface LevelBody {
  readonly properties: { readonly transport?: Transport; readonly level: LogLevel };
}

const bodySchema = managementBody('Log level', {
  type: 'object',
  required: ['level'],
  additionalProperties: false,
  properties: {
    transport: { enum: TRANSPORTS, description: 'Absent: all' },
    level: { enum: LOG_LEVELS },
  },
});

/** Row that changes what is logged of components of a kind, at once (wire sections 5.2 and 5.3). */
export function logLevelOperation<Deps extends LifecycleDeps>(
  life: Lifecycle<Deps>,
): Operation<Deps, LevelBody> {
  return {
    id: `update${life.noun}Logging`,
    summary: `Change what is logged of an ${life.kind}.`,
    method: 'PUT',
    path: '/:name/loglevel',
    roles: ['admin'],
    body: bodySchema,
    reply: doneSchema('Changed log level'),
    audited: true,
    async handle({ params, body }, deps) {
      const { name = '' } = params;
      const { transport, level } = body.properties;
      const transports = transport ? [transport] : TRANSPORTS;
      const levels = Object.fromEntries(transports.map((one) => [one, level]));
      const change = await wishFor(
        { life, name, next: (wish) => ({ ...wish, levels: { ...wish.levels, ...levels } }) },
        deps,
      );
      return { body: { status: 'OK', message: `Successfully updated the log level of ${name}.` }, change };
    },
  };
}
