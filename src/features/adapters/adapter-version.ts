import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugins } from '../../adapters/plugins.js';
import { CATALOGUE_PLUGIN } from '../../config/adapter-record.js';
import { valueAt } from '../../json/pointer.js';
import { PRODUCT_FOLDER, VERSION } from '../../lib/version.js';
import type { AdapterConfig } from '../../server/state/configuration.js';
import { parseChangelog } from './get-changelogs.js';

/**
 * Creates the lookup of the version of an adapter: the version of its npm package; for a plugin of the product, the latest
 * release in its changelog; for a catalog adapter, the version in its folder at the time of the request. The version of the
 * product if none is known. Reads each changelog once.
 */
export function createAdapterVersions(
  plugins: Pick<Plugins, 'types' | 'versionOf'>,
): (adapter: AdapterConfig) => string {
  const versions = new Map<string, string>();
  return ({ plugin, written }) => {
    const configured = valueAt(written.value, '/plugin');
    const name = typeof configured === 'string' ? configured : plugin.type;
    const installed = plugins.versionOf(name);
    if (installed !== undefined) return installed;
    const folder = valueAt(written.value, '/options/folder');
    // The adapter can be switched off and on with another version in its folder.
    if (name === CATALOGUE_PLUGIN && typeof folder === 'string')
      return readVersion(join(folder, 'package.json')) ?? VERSION;
    const file = join(PRODUCT_FOLDER, 'plugins', encodeURIComponent(name), 'CHANGELOG.md');
    const version = versions.get(file) ?? readVersion(file) ?? VERSION;
    versions.set(file, version);
    return version;
  };
}

function readVersion(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    if (file.endsWith('.md')) return parseChangelog(text).find(({ version }) => /^\d/.test(version))?.version;
    const version = valueAt(JSON.parse(text), '/version');
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}
