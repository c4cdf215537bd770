import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostModuleUrl } from '../../src/plugin-sdk/host-module-url.js';
import { ROOT } from '../docs/markdown.js';

describe('hostModuleUrl', () => {
  it('leads every export of the package to its module, under both names of the package', () => {
    const { name, exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      readonly name: string;
      readonly exports: Readonly<Record<string, string>>;
    };
    const modules = Object.entries(exports).filter(([path]) => path !== './package.json');
    assert.ok(modules.length >= 3);
    for (const [path, file] of modules)
      for (const packageName of [name, 'gatehouse']) {
        const url = hostModuleUrl(`${packageName}${path.slice(1)}`) ?? '';
        const compiled = fileURLToPath(new URL('../../', import.meta.url));
        assert.equal(fileURLToPath(url), join(compiled, file.replace('./dist/', '')));
      }
  });

  it('leads the exports of the plugin kit to those of the package', () => {
    assert.equal(hostModuleUrl('gatehouse-plugin-kit'), hostModuleUrl('gatehouse-proxy/plugin'));
    assert.equal(
      hostModuleUrl('gatehouse-plugin-kit/contract'),
      hostModuleUrl('gatehouse-proxy/plugin/contract'),
    );
  });

  it('leaves all other specifiers to Node.js', () => {
    const others = `gatehouse gatehouse-proxy gatehouse/toString gatehouse-proxy/plugin/x a/plugin
      gatehouse-plugin-kit/package.json gatehouse-plugin-kits`;
    for (const specifier of others.split(/\s+/)) assert.equal(hostModuleUrl(specifier), undefined);
  });
});
