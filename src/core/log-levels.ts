import type { ComponentOverrides, Transport } from './component.js';
import type { LogLevel } from './log.js';
import type { ComponentKind } from './platform-state.js';

/** Levels that decide which log lines are written. */
export interface LogLevels {
  /** Level of lines without a component, and of components without a level. */
  readonly base: LogLevel;
  /** Levels of components, by kind and by name. */
  readonly components: Readonly<Record<ComponentKind, ReadonlyMap<string, ComponentOverrides['levels']>>>;
}

type Levels = ComponentOverrides['levels'];

/** Returns the overrides with these levels: permanently, or until `until` (milliseconds since 1970). */
export function withLevels(
  overrides: ComponentOverrides,
  levels: Levels,
  until?: number,
): ComponentOverrides {
  const { goBack } = overrides;
  const next = { ...overrides, levels: { ...overrides.levels, ...levels } };
  // A second temporary change keeps the levels from before the first temporary change as the levels to
  // restore.
  if (until !== undefined)
    return { ...next, goBack: { at: until, levels: goBack?.levels ?? overrides.levels } };
  return goBack ? { ...next, goBack: { ...goBack, levels: { ...goBack.levels, ...levels } } } : next;
}

/**
 * Returns the overrides with the levels that a client sent. Ignores levels that are already in use, because
 * clients send back the levels that they have read.
 */
export function withSentLevels(overrides: ComponentOverrides, sent: Levels): ComponentOverrides {
  const changed = Object.entries(sent).filter(
    ([transport, level]) => level !== overrides.levels[transport as keyof Levels],
  );
  return withLevels(overrides, Object.fromEntries(changed));
}

/** Returns the overrides at a time, in milliseconds since 1970, without expired levels. */
export function afterLevels(overrides: ComponentOverrides, now: number): ComponentOverrides {
  const { goBack, ...permanent } = overrides;
  return goBack && goBack.at <= now ? { ...permanent, levels: goBack.levels } : overrides;
}

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
