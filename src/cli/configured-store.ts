import { silentLog } from '../core/log.js';
import { openStore } from '../features/open-store.js';
import type { Store } from '../features/store.js';
import { systemScheduler } from '../lib/clock.js';
import { openSecrets } from '../secrets/open-secrets.js';
import { type ConfigLoaderOptions, createConfigLoader, settingsOf } from '../server/config-loader.js';
import type { Desired } from '../server/state/configuration.js';
import { resolveSections, settingsFrom } from '../server/state/resolve.js';
import type { Settings } from '../settings/settings.js';
import { openHttpClient } from '../upstream/client.js';

/**
 * Opens the store of a configuration, runs the work on it, and closes it. The server may run at the same
 * time. Throws the faults of the configuration as a ConfigError.
 */
export async function withConfiguredStore<Result>(
  input: ConfigLoaderOptions,
  work: (store: Store, settings: Settings) => Promise<Result>,
): Promise<Result> {
  const first = await (await createConfigLoader(input)).read();
  const terms = { desired: first.desired, settings: settingsOf(first), env: input.env };
  return withResolvedSettings(terms, async (settings) => {
    const store = await openStore(settings.storage.url);
    try {
      return await work(store, settings);
    } finally {
      await store.close();
    }
  });
}

interface WrittenConfiguration extends Pick<ConfigLoaderOptions, 'env'> {
  readonly desired: Desired;
  /** The settings of the main file as written. */
  readonly settings: Settings;
}

/** Reads the secrets of the main file, and gives the settings to the work. Leased secrets are valid until the work ends. */
export async function withResolvedSettings<Result>(
  { desired, settings, env }: WrittenConfiguration,
  work: (settings: Settings) => Promise<Result>,
): Promise<Result> {
  const secrets = openSecrets(settings, {
    openHttpClient,
    env,
    scheduler: systemScheduler,
    log: silentLog,
    keepsCredentials: true,
  });
  try {
    return await work(settingsFrom(desired, await resolveSections([desired.main], secrets)));
  } finally {
    await secrets.close();
  }
}
