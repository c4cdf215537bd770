import { TRANSPORTS, type ComponentOverrides } from '../../core/component.js';
import { LOG_LEVELS, type LogLevel } from '../../core/log.js';

/** Returns the log levels in `loggerProps` (wire section 5.1); skips values that are not a level. */
export function levelsFrom(loggerProps: Readonly<Record<string, unknown>>): ComponentOverrides['levels'] {
  const { console_level: console, log_level: file, syslog } = loggerProps;
  const said = { console, file, syslog: (syslog as { readonly level?: unknown } | undefined)?.level };
  return Object.fromEntries(
    TRANSPORTS.flatMap((transport) => (isLevel(said[transport]) ? [[transport, said[transport]]] : [])),
  );
}

function isLevel(value: unknown): value is LogLevel {
  return LOG_LEVELS.some((level) => level === value);
}
