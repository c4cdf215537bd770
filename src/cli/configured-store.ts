import { silentLog } from '../core/log.js';
import { openStore } from '../features/open-store.js';
import type { Store } from '../features/store.js';
import { systemScheduler } from '../lib/clock.js';
import { openSecrets } from '../secrets/open-secrets.js';
import { type ConfigLoaderOptions, createConfigLoader, settingsOf } from '../server/config-loader.js';
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
  const { desired } = first;
  const secrets = openSecrets(settingsOf(first), {
    openHttpClient,
    env: input.env,
    scheduler: systemScheduler,
    log: silentLog,
    keepsCredentials: true,
  });
  try {
    const settings = settingsFrom(desired, await resolveSections([desired.main], secrets));
    const store = await openStore(settings.storage.url);
    try {
      return await work(store, settings);
    } finally {
      await store.close();
    }
  } finally {
    await secrets.close();
  }
}
