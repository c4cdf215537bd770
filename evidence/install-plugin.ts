import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Installs a package with a plugin next to a configuration; `text` is the source of its only module. */
export function installPlugin(folder: string, name: string, text: string): void {
  const home = join(folder, 'node_modules', name);
  mkdirSync(home, { recursive: true });
  const manifest = { name, version: '1.0.0', type: 'module', exports: './index.js' };
  writeFileSync(join(home, 'package.json'), JSON.stringify({ ...manifest, keywords: ['gatehouse-plugin'] }));
  writeFileSync(join(home, 'index.js'), text);
}
