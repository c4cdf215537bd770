import { asSettings } from '../../config/settings-schema.js';
import { ConfigError } from '../../core/fault.js';
import type { Settings } from '../../core/settings.js';
import type { Desired } from './desired-state.js';
import { locateFault } from './config-section.js';
import type { Resolved } from './resolve-sections.js';

/** The main file with its secrets, for what is opened once in the life of the process. Throws a ConfigError. */
export function settingsFrom({ main }: Desired, resolved: Resolved): Settings {
  const { value, failures } = resolved(main);
  if (failures.length > 0)
    throw new ConfigError(failures.map((failure) => locateFault(main.written, failure)));
  return asSettings(value);
}
