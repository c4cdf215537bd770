import { everywhere } from '../../domain/component.js';
import { LOG_LEVELS, type LogLevel } from '../../domain/log.js';
import type { LogSettings } from '../../domain/settings.js';
import type { ActiveSnapshot } from '../../runtime/live-snapshot.js';
import { outputsOf } from '../../log/outputs-of.js';
import { levelsOf } from '../../runtime/log-levels.js';

/** The quietest level that is written to any output: of an adapter's lines, or of those that have no level of their own. */
export function writtenLevel(
  { desired, logLevel }: Pick<ActiveSnapshot, 'desired' | 'logLevel'>,
  settings: Pick<LogSettings, 'file' | 'syslog'>,
  adapter?: string,
): LogLevel {
  const found = desired.adapters.find(({ id }) => id === adapter);
  const levels = found ? levelsOf(found, logLevel) : everywhere(logLevel);
  const used = [...outputsOf(settings)].map((output) => levels[output]);
  return [...LOG_LEVELS].reverse().find((level) => used.includes(level)) ?? logLevel;
}
