import { systemScheduler } from '../domain/clock.js';
import { silentLog } from '../domain/log.js';
import type { Settings } from '../domain/settings.js';
import { createConfigLoader, type ConfigLoaderOptions, settingsOf } from '../prepare.js';
import { resolvePieces } from '../runtime/resolve-pieces.js';
import { settingsFrom } from '../runtime/settings-from.js';
import { openSecrets } from '../secrets/resolve.js';
import { openStore } from '../storage/open-store.js';
import type { Store } from '../storage/store.js';
import { openHttpClient } from '../upstream/client.js';

/**
 * Opens the store of a configuration, works on it, and closes it; the server may run meanwhile. Throws the faults of the
 * configuration as a ConfigError.
 */
export async function withConfiguredStore<Result>(
  input: ConfigLoaderOptions,
  work: (store: Store, settings: Settings) => Promise<Result>,
): Promise<Result> {
  const first = await (await createConfigLoader(input)).read();
  const { desired } = first;
  const { vault } = settingsOf(first);
  const secrets = openSecrets(vault, {
    openHttpClient,
    env: input.env,
    scheduler: systemScheduler,
    log: silentLog,
  });
  try {
    const settings = settingsFrom(desired, await resolvePieces([desired.main], secrets));
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
