import type { Writable } from 'node:stream';
import { ConfigError } from '../core/fault.js';
import { failureClass } from '../secrets/secret-error.js';
import type { LogSettings } from '../settings/log.js';
import { openLog } from '../telemetry/log/open-log.js';
import { type ConfigLoaderOptions, createConfigLoader, settingsOf } from './config-loader.js';

/** Settings of the log before a configuration is read. */
const DEFAULT_LOG: LogSettings = { level: 'info', format: 'auto', file: null, rotation: null, syslog: null };

/**
 * Writes one line about a failed start to the log of the configuration, so that programs that read the log see the reason, too.
 * If the configuration has faults, the line goes to standard output, or to `stream`. Does not throw.
 */
export async function logStartFailure(
  error: unknown,
  options: ConfigLoaderOptions,
  stream?: Writable,
): Promise<void> {
  const { log, close } = openLog(await logSettingsOf(options), { ...(stream && { stream }) });
  if (error instanceof ConfigError) log.error(`start failed: ${reasonOf(error)}`, { faults: error.faults });
  else log.error('start failed', { error });
  await close();
}

/** Returns whose fault it is: Vault may be unavailable although the configuration is right. */
function reasonOf({ faults }: ConfigError): string {
  const isOutage = faults.length > 0 && faults.every(({ code }) => failureClass(code) === 'unavailable');
  return isOutage ? 'Vault is not available' : 'the configuration has faults';
}

async function logSettingsOf(options: ConfigLoaderOptions): Promise<LogSettings> {
  try {
    return settingsOf(await (await createConfigLoader(options)).read()).log;
  } catch {
    return DEFAULT_LOG;
  }
}
