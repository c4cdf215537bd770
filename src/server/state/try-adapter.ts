import { randomBytes } from 'node:crypto';
import { errorPlace } from '../../core/error-place.js';
import { type Fault, faultAt } from '../../core/fault.js';
import type { Redactor } from '../../core/secret.js';
import { valueAt } from '../../json/pointer.js';
import { errorMessage } from '../../lib/error-message.js';
import type { SecretResolver } from '../../secrets/open-secrets.js';
import { buildAdapter, NO_TRANSLATE } from './build-adapter.js';
import type { AdapterConfig, ConfigSection } from './configuration.js';
import { referencesWithoutStore, type ResolvedAdapterConfig, resolveSections } from './resolve.js';
import type { BuildDeps } from './snapshot.js';

/** Input of {@link tryAdapter}. */
interface TrialDeps extends BuildDeps {
  /**
   * Masks the secrets of the adapter in the error of a plugin, which a fault for the operator repeats. Absent: faults do not
   * repeat such an error.
   */
  readonly redactor?: Redactor;
}

/** A fault, or a probable mistake that refuses nothing. */
type Finding = Fault & { readonly isWarning?: true };

/** Builds an adapter and closes it. Returns all that can be found without a connection. */
export async function tryAdapter(
  config: ResolvedAdapterConfig,
  deps: TrialDeps,
): Promise<readonly Finding[]> {
  const built = await buildAdapter(config, deps);
  if ('faults' in built) return built.faults;
  const state = built.instance.state();
  await built.instance.close();
  if (state.name !== 'DEAD')
    return (built.warnings ?? []).map((warning) => ({ ...warning, isWarning: true as const }));
  if (built.pluginError === undefined) return [deadFault(config, state.reason)];
  const error = deps.redactor
    ? withoutSecrets(pluginErrorText(built.pluginError), secretsOf(config), deps.redactor)
    : 'the log of the server has the error';
  return [pluginFailedFault(config, `${state.reason}: ${error}`)];
}

/**
 * Tries an adapter as if it were to run, with placeholders for its secrets. Returns its faults, or those of its references if
 * the main file does not configure their store.
 */
export async function tryWithoutSecrets(
  adapter: AdapterConfig,
  main: ConfigSection,
  deps: BuildDeps,
): Promise<readonly Fault[]> {
  const unconfigured = referencesWithoutStore(adapter, main);
  if (unconfigured.length > 0) return unconfigured;
  const resolved = await resolveSections([adapter], placeholderSecrets);
  const found = await tryAdapter({ ...adapter, runs: true, resolved: resolved(adapter) }, deps);
  const faults = found.filter(({ isWarning }) => !isWarning);
  return withoutPlaceholders(adapter, faults);
}

/** Returns the first line of a plugin's error, with the file and the line of its code. */
function pluginErrorText(error: unknown): string {
  const [line = ''] = errorMessage(error).split('\n');
  const place = errorPlace(error);
  return place === undefined ? line : `${line} (${place})`;
}

/** Returns the secrets of an adapter: those in its file, and those from Vault. */
function secretsOf({ written, resolved: { fromVault } }: ResolvedAdapterConfig): readonly string[] {
  const literals = written.secrets.flatMap((pointer) => {
    const literal = valueAt(written.value, pointer);
    return typeof literal === 'string' ? [literal] : [];
  });
  return [...fromVault, ...literals].filter((secret) => secret !== '');
}

function withoutSecrets(text: string, secrets: readonly string[], redactor: Redactor): string {
  redactor.add(secrets);
  // The redactor leaves short values, which occur in too many texts.
  return secrets.reduce((masked, secret) => masked.replaceAll(secret, '[redacted]'), redactor.redact(text));
}

function pluginFailedFault({ written, plugin }: AdapterConfig, message: string): Fault {
  const fix = `Correct the code of the plugin "${plugin.type}", or the options that it does not expect.`;
  return faultAt(written.document, `${written.at}/plugin`, { code: 'plugin_failed', message, fix });
}

/** Removes the faults of placeholder secrets, because only the real values can be checked. */
export function withoutPlaceholders<F extends Fault>(
  { written, references }: ConfigSection,
  faults: readonly F[],
): readonly F[] {
  const placeholders = new Set(references.map(({ pointer }) => written.at + pointer));
  return faults.filter(({ pointer }) => !placeholders.has(pointer));
}

function deadFault({ written, plugin, pluginFault }: AdapterConfig, reason: string): Fault {
  const isBroken = pluginFault !== undefined || reason === NO_TRANSLATE;
  const fix = isBroken
    ? `Correct the plugin "${plugin.type}", or install another version; in its folder, "npm install" installs the packages that it needs, and "npm run build" compiles it.`
    : `Compare the options with the README of the plugin "${plugin.type}".`;
  return faultAt(written.document, `${written.at}/plugin`, { code: 'plugin', message: reason, fix });
}

/** A source for checks that resolves every reference to a random text. The text satisfies rules about secret strength. */
export const placeholderSecrets: SecretResolver & { close(): Promise<void> } = {
  resolve: (references) =>
    Promise.resolve(
      new Map(references.map(({ pointer }) => [pointer, { value: randomBytes(64).toString('base64url') }])),
    ),
  close: () => Promise.resolve(),
};
