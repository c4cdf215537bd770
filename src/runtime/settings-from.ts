import { asSettings } from '../config/settings-schema.js';
import { ConfigError } from '../domain/fault.js';
import type { Settings } from '../domain/settings.js';
import type { Desired } from './desired.js';
import { locateFault } from './piece.js';
import type { Resolved } from './resolve-pieces.js';

/** The main file with its secrets, for what is opened once in the life of the process. Throws a ConfigError. */
export function settingsFrom({ main }: Desired, resolved: Resolved): Settings {
  const { value, failures } = resolved(main);
  if (failures.length > 0)
    throw new ConfigError(failures.map((failure) => locateFault(main.written, failure)));
  return asSettings(value);
}
