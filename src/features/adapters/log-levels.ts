import { type ComponentOverrides, TRANSPORTS } from '../../core/component.js';
import { withLevels } from '../../core/log-levels.js';
import { LOG_LEVELS, type LogLevel } from '../../core/log.js';
import type { Operation } from '../../core/operation.js';
import type { FromSchema } from '../../settings/from-schema.js';
import { changeNote, commentMember } from '../lib/change-terms.js';
import { doneSchema, managementBody } from '../lib/management-schemas.js';
import type { LifecycleDeps } from './deps.js';
import { changeOverrides, type Lifecycle } from './lifecycle.js';

/** Maximum duration of a temporary log level, in seconds. */
const MAX_TEMPORARY_SECONDS = 30 * 86_400;

/** Transport, minimum level and duration of a log level change. */
const logLevelBodySchema = managementBody(
  'Log level',
  {
    type: 'object',
    required: ['level'],
    additionalProperties: false,
    properties: {
      transport: {
        enum: TRANSPORTS,
        description: 'Destination of the log lines; absent: all destinations',
      },
      level: { enum: LOG_LEVELS },
      seconds: {
        type: 'integer',
        minimum: 1,
        maximum: MAX_TEMPORARY_SECONDS,
        description: 'Time until the previous level applies again; absent: the new level is permanent',
      },
    },
  },
  commentMember,
);

/** Creates the operation that changes the log level of components of a kind (wire sections 5.2 and 5.3). */
export function logLevelOperation<Deps extends LifecycleDeps>(
  lifecycle: Lifecycle<Deps>,
): Operation<Deps, FromSchema<typeof logLevelBodySchema>> {
  return {
    id: `update${lifecycle.noun}Logging`,
    summary: `Update the log level of an ${lifecycle.kind}.`,
    description: `Sets the least important level that the log of an ${lifecycle.kind} contains, for one destination or for all. With \`seconds\`, the previous level returns afterwards.`,
    problems: lifecycle.problems,
    method: 'PUT',
    path: '/:name/loglevel',
    roles: ['admin'],
    body: logLevelBodySchema,
    reply: doneSchema('Changed log level'),
    audited: true,
    async handle(call, deps) {
      const {
        params: { name = '' },
        body,
      } = call;
      const { transport, level, seconds } = body.properties;
      const transports = transport ? [transport] : TRANSPORTS;
      const levels = Object.fromEntries(transports.map((destination) => [destination, level]));
      const until = seconds === undefined ? undefined : deps.now() + seconds * 1000;
      const change = await changeOverrides(
        {
          lifecycle,
          name,
          next: (overrides) => withLevels(overrides, levels, until),
          act: () => ({
            entry: { action: 'log-level', detail: level, until },
            note: changeNote(call, body, deps.now()),
          }),
        },
        deps,
      );
      const end = until === undefined ? '' : ` until ${new Date(until).toISOString()}`;
      const message = `Successfully updated the log level of ${name}${end}.`;
      return { body: { status: 'OK', message }, change };
    },
  };
}

/** Returns the log levels in `loggerProps` (wire section 5.1); skips values that are not log levels. */
export function levelsFrom(loggerProps: Readonly<Record<string, unknown>>): ComponentOverrides['levels'] {
  const { console_level: console, log_level: file, syslog } = loggerProps;
  const sent = { console, file, syslog: (syslog as { readonly level?: unknown } | undefined)?.level };
  return Object.fromEntries(
    TRANSPORTS.flatMap((transport) => (isLevel(sent[transport]) ? [[transport, sent[transport]]] : [])),
  );
}

function isLevel(value: unknown): value is LogLevel {
  return LOG_LEVELS.some((level) => level === value);
}
