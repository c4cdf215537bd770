import type { Transport } from './component.js';
import type { LogLevel } from './log.js';

/**
 * Default members that clients expect in addition to the levels; gatehouse does not use them (wire section
 * 5.1).
 */
const DEFAULT_MEMBERS = {
  description: 'Logging',
  log_max_files: 100,
  log_max_file_size: 1_048_576,
  log_directory: '',
  log_filename: '',
  log_timezone_offset: 0,
};

/** Returns the member `loggerProps` of a component. The levels in use replace those that a client stored. */
export function loggerPropsOf(
  levels: Readonly<Record<Transport, LogLevel>>,
  stored: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const { syslog: storedSyslog } = stored;
  // Clients may store any value here; a string must not be spread into its characters.
  const syslog = { ...(typeof storedSyslog === 'object' ? storedSyslog : {}), level: levels.syslog };
  return { ...DEFAULT_MEMBERS, ...stored, log_level: levels.file, console_level: levels.console, syslog };
}
