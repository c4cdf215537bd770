import { asSettings } from '../config/settings-schema.js';
import { ConfigError } from '../domain/fault.js';
import type { Settings } from '../domain/settings.js';
import type { SecretSource } from '../secrets/resolve.js';
import type { Desired } from './desired.js';
import { placeFault } from './piece.js';
import { resolvePieces } from './resolve-pieces.js';

/** The main file with its secrets, for what is opened once in the life of the process. Throws a ConfigError. */
export async function resolveMain(
  { main }: Desired,
  source: Pick<SecretSource, 'resolve'>,
): Promise<Settings> {
  const { value, failures } = (await resolvePieces([main], source))(main);
  if (failures.length > 0)
    throw new ConfigError(failures.map((failure) => placeFault(main.written, failure)));
  return asSettings(value);
}
