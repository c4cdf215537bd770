import { type Transport, TRANSPORTS } from '../../core/component.js';
import { LOG_LEVELS, type LogLevel } from '../../core/log.js';
import { managementBody } from '../../core/management-body.js';
import type { Operation } from '../../core/operation.js';
import { withLevels } from '../../core/temporary-levels.js';
import { doneSchema } from '../../core/management-reply.js';
import type { LifecycleDeps } from './deps.js';
import { type Lifecycle, overridesFor } from './lifecycle.js';

/** Maximum duration of a temporary log level, in seconds. */
const MOST_SECONDS = 30 * 86_400;

/** Transport, minimum level and duration of a log level change. */
interface LevelBody {
  readonly properties: {
    readonly transport?: Transport;
    readonly level: LogLevel;
    readonly seconds?: number;
  };
}

const bodySchema = managementBody('Log level', {
  type: 'object',
  required: ['level'],
  additionalProperties: false,
  properties: {
    transport: { enum: TRANSPORTS, description: 'Absent: all' },
    level: { enum: LOG_LEVELS },
    seconds: {
      type: 'integer',
      minimum: 1,
      maximum: MOST_SECONDS,
      description: 'Time after which it goes back to what it was; absent: it stays',
    },
  },
});

/** Creates the operation that changes the log level of components of a kind (wire sections 5.2 and 5.3). */
export function logLevelOperation<Deps extends LifecycleDeps>(
  life: Lifecycle<Deps>,
): Operation<Deps, LevelBody> {
  return {
    id: `update${life.noun}Logging`,
    summary: `Update the log level of an ${life.kind}.`,
    method: 'PUT',
    path: '/:name/loglevel',
    roles: ['admin'],
    body: bodySchema,
    reply: doneSchema('Changed log level'),
    audited: true,
    async handle({ params, body }, deps) {
      const { name = '' } = params;
      const { transport, level, seconds } = body.properties;
      const transports = transport ? [transport] : TRANSPORTS;
      const levels = Object.fromEntries(transports.map((one) => [one, level]));
      const until = seconds === undefined ? undefined : deps.now() + seconds * 1000;
      const change = await overridesFor(
        { life, name, next: (overrides) => withLevels(overrides, levels, until) },
        deps,
      );
      const end = until === undefined ? '' : ` until ${new Date(until).toISOString()}`;
      const message = `Successfully updated the log level of ${name}${end}.`;
      return { body: { status: 'OK', message }, change };
    },
  };
}
