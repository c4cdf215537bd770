import { fileStates } from '../config/file-watch.js';
import type { Settings } from '../settings/settings.js';
import {
  type ConfigLoader,
  type ConfigLoaderOptions,
  createConfigLoader,
  settingsOf,
} from './config-loader.js';
import type { CheckedConfiguration } from './state/configuration.js';

/** The configuration files, as they are read before anything else. */
export interface ReadAtStart extends Pick<ConfigLoader, 'isConfigured'> {
  readonly loader: ConfigLoader;
  readonly files: CheckedConfiguration;
  /** State of the files when they were read. */
  readonly fileStates: string;
  /** The settings as written, for those that are never references. */
  readonly written: Settings;
}

/** Reads the configuration files. Throws a ConfigError with the faults of all of them. */
export async function readAtStart(options: ConfigLoaderOptions): Promise<ReadAtStart> {
  const states = await fileStates(options.configPath, { atStart: true });
  const loader = await createConfigLoader(options);
  const files = await loader.readForStart();
  const { isConfigured } = loader;
  return { loader, isConfigured, files, fileStates: states, written: settingsOf(files) };
}
