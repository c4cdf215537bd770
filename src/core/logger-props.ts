import type { Transport } from './component.js';
import type { LogLevel } from './log.js';

/** What clients expect beside the levels; nothing here uses it (wire section 5.1). */
const PRESETS = {
  description: 'Logging',
  log_max_files: 100,
  log_max_file_size: 1_048_576,
  log_directory: '',
  log_filename: '',
  log_timezone_offset: 0,
};

/** The member `loggerProps` of a component: the levels in use, over what a client keeps there. */
export function loggerPropsOf(
  levels: Readonly<Record<Transport, LogLevel>>,
  kept: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const { syslog: own } = kept;
  // Clients may have kept anything there; the characters of a text are no members.
  const syslog = { ...(typeof own === 'object' ? own : {}), level: levels.syslog };
  return { ...PRESETS, ...kept, log_level: levels.file, console_level: levels.console, syslog };
}
