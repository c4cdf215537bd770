import { ConfigError } from '../core/fault.js';
import type { Settings } from '../core/settings.js';
import type { ConfigLoader } from './config-loader.js';
import { type LoadedConfig, type Desired, enabledSections } from './reload/desired-state.js';
import type { ConfigSection } from './reload/config-section.js';
import { type BootInput, resolveAtBoot, resolveMore } from './reload/resolve-at-boot.js';
import type { Resolved } from './reload/resolve-sections.js';
import { settingsFrom } from './reload/settings-from.js';
import type { Store } from '../storage/store.js';

/** What a server is started with. */
export interface InitialConfig {
  readonly settings: Settings;
  readonly store: Store;
  readonly desired: Desired;
  readonly resolved: Resolved;
}

/**
 * Learns what is to run, in the order in which it can be known: what the files say, their secrets, the store that these
 * open, what was registered there, and the secrets of that. Throws a ConfigError.
 */
export async function resolveInitialConfig(
  { loader: preparation, first }: { readonly loader: ConfigLoader; readonly first: LoadedConfig },
  openStore: (url: string) => Promise<Store>,
  boot: BootInput,
): Promise<InitialConfig> {
  const filed = await resolveAtBoot(enabledSections(first.desired), boot);
  const settings = settingsFrom(first.desired, filed);
  const store = await openStore(settings.storage.url);
  const { desired, faults } = await preparation.combine(first.desired.files, await store.platform.read());
  if (faults.length > 0) throw new ConfigError(faults);
  const resolved = await resolveMore(filed, enabledSections(desired).filter(isRegistered), boot);
  return { settings, store, desired, resolved };
}

/** True for what stands in the store rather than in a file. */
function isRegistered(section: ConfigSection): boolean {
  return 'record' in section;
}
