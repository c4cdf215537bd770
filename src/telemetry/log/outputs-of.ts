import type { Transport } from '../../core/component.js';
import type { LogSettings } from '../../core/settings.js';

/** Returns the configured outputs of the log. */
export function outputsOf({ file, syslog }: Pick<LogSettings, 'file' | 'syslog'>): ReadonlySet<Transport> {
  return new Set<Transport>([
    'console',
    ...(file === null ? [] : ['file' as const]),
    ...(syslog ? ['syslog' as const] : []),
  ]);
}
