import { everywhere } from '../../../core/component.js';
import { LOG_LEVELS, type LogLevel } from '../../../core/log.js';
import type { LogSettings } from '../../../core/settings.js';
import type { ActiveSnapshot } from '../../../server/reload/active-snapshot.js';
import { outputsOf } from '../../../telemetry/log/outputs-of.js';
import { levelsOf } from '../../../server/reload/log-levels.js';

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
