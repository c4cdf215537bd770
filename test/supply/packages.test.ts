import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../docs/markdown.js';
import { column } from '../support/columns.js';

interface LockedPackage {
  readonly version: string;
  readonly license?: unknown;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

type Lock = Readonly<Record<string, LockedPackage>>;

const readJson = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as unknown;
const locks = ['package-lock.json', 'site/package-lock.json'].map(
  (file) => (readJson(file) as { readonly packages: Lock }).packages,
);
const manifests = ['', 'console/', 'test/', 'scripts/', 'site/'].map(
  (folder) =>
    readJson(`${folder}package.json`) as Readonly<
      Record<string, Readonly<Record<string, string>> | undefined>
    >,
);

const locked = locks
  .flatMap((packages) => Object.entries(packages))
  .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
  .map(([path, one]) => ({ ...one, path, name: path.replace(/^.*node_modules\//, '') }));

/**
 * Licenses of packages that users of the product install. They grant at least the rights of the Apache
 * License 2.0.
 */
const PERMISSIVE =
  /^(?:MIT|MIT-0|ISC|0BSD|Unlicense|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0|Python-2\.0)$/;

/** Licenses of packages that only build and test the product, which are not distributed. */
const FOR_DEVELOPERS = /^MPL-2\.0$/;

/** Licenses of packages without a machine-readable license. A person has read their license files. */
const READ_BY_HAND: Readonly<Record<string, string>> = {
  querystring: 'MIT',
  'json-query': 'MIT',
  format: 'MIT',
  ssh2: 'MIT',
  'cpu-features': 'MIT',
  buildcheck: 'MIT',
  tv4: 'MIT',
};

/** Packages with an install script, each with the purpose of the script. SECURITY.md lists them. */
const INSTALL_SCRIPTS: Readonly<Record<string, string>> = {
  '@photostructure/sqlite': 'looks for its binary, and compiles it where its package has none',
  ssh2: 'compiles a faster cipher, which is not needed',
  'cpu-features': 'compiles what the script of ssh2 asks for',
  '@itentialopensource/adapter-utils': 'nothing that is needed; only for tests',
  esbuild: 'looks for its binary; only for the documentation site',
  'aws-sdk': 'prints a notice; only for tests, brought by adapter-utils',
};

/** Returns true if one of the licenses is permissive, as in `(MIT OR WTFPL)`. */
function isPermissive({ name, license, dev }: (typeof locked)[number]): boolean {
  const words = READ_BY_HAND[name] ?? (typeof license === 'string' ? license : '');
  return words
    .replace(/^\(|\)$/g, '')
    .split(' OR ')
    .some((word) => PERMISSIVE.test(word) || (dev === true && FOR_DEVELOPERS.test(word)));
}

describe('third-party packages', () => {
  it('are pinned to exact versions', () => {
    const named = manifests.flatMap(({ dependencies, devDependencies }) =>
      Object.entries({ ...dependencies, ...devDependencies }),
    );
    assert.ok(named.length > 30);
    const loose = named.filter(([, wanted]) => !/^(?:npm:[^@]+@|npm:@[^@]+@)?\d+\.\d+\.\d+$/.test(wanted));
    assert.deepEqual(loose, []);
  });

  it('have an integrity hash and come from a registry, not from a repository or a folder', () => {
    const odd = locked.filter(({ integrity = '' }) => !integrity.startsWith('sha512-'));
    assert.deepEqual(column(odd, 'path'), []);
    const wrong = locked.filter(({ resolved }) => resolved?.startsWith('git') === true);
    assert.deepEqual(wrong, []);
  });

  it('have licenses that permit redistribution', () => {
    const others = locked.filter((one) => !isPermissive(one));
    const wrong = others.map(({ path, license }) => `${path}: ${String(license)}`);
    assert.deepEqual(wrong, []);
    assert.equal(isPermissive({ path: '', name: 'x', version: '1.0.0', license: 'GPL-3.0-only' }), false);
    assert.equal(isPermissive({ path: '', name: 'x', version: '1.0.0', license: 'MPL-2.0' }), false);
  });

  it('run no install scripts except the reviewed ones', () => {
    const found = locked.flatMap(({ name, hasInstallScript }) => (hasInstallScript ? [name] : []));
    assert.deepEqual([...new Set(found)].sort(), Object.keys(INSTALL_SCRIPTS).sort());
    const policy = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');
    for (const name of found) assert.ok(policy.includes(`\`${name}\``), `SECURITY.md does not name ${name}`);
  });
});
