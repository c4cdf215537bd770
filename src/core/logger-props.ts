import type { Transport } from './component.js';
import type { LogLevel } from './log.js';

/** Members that clients expect besides the levels; gatehouse does not use them (wire section 5.1). */
const PRESETS = {
  description: 'Logging',
  log_max_files: 100,
  log_max_file_size: 1_048_576,
  log_directory: '',
  log_filename: '',
  log_timezone_offset: 0,
};

/**
 * Returns the member `loggerProps` of a component: the levels in use, merged over the members that a client
 * stored.
 */
export function loggerPropsOf(
  levels: Readonly<Record<Transport, LogLevel>>,
  kept: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const { syslog: own } = kept;
  // Clients may store any value here; a string must not be spread into its characters.
  const syslog = { ...(typeof own === 'object' ? own : {}), level: levels.syslog };
  return { ...PRESETS, ...kept, log_level: levels.file, console_level: levels.console, syslog };
}
