// Packs gatehouse-plugin-kit for authors of plugins: the modules that plugins import and the contract suite, bundled from the
// compiled sources, with their types, and without the server (docs/decisions/0062-plugin-kit.md). The result is
// dist/plugin-kit/gatehouse-plugin-kit-<version>.tgz.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { licensesOf } from './licenses.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiled = join(root, 'dist', 'src');
const sdk = join(compiled, 'plugin-sdk');
const output = join(root, 'dist', 'plugin-kit');
const folder = join(output, 'package');
const copied = new Set();

rmSync(output, { recursive: true, force: true });
run(process.execPath, 'node_modules/typescript/bin/tsc', '-p', 'scripts/tsconfig.package.json');
await bundle();
for (const name of ['index', 'contract']) copyTypes(join(sdk, `${name}.d.ts`));
const manifest = manifestOf(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
copyFileSync(join(root, 'src', 'plugin-sdk', 'README.md'), join(folder, 'README.md'));
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
run('npm', 'pack', folder, '--silent', '--pack-destination', output);

/** Bundles the modules. A thread of a plugin begins with `register-host-modules`, which Node.js 20 leads to `resolve-hook`. */
async function bundle() {
  const entries = ['index', 'contract', 'register-host-modules', 'resolve-hook'];
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [{ name: 'licenses', generateBundle: writeLicenses }],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'node20',
      outDir: folder,
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(entries.map((name) => [name, join(sdk, `${name}.js`)])),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', comments: false },
      },
    },
  });
}

function writeLicenses(_options, files) {
  const modules = Object.values(files).flatMap(({ moduleIds = [] }) => moduleIds);
  this.emitFile({ type: 'asset', fileName: 'licences.md', source: licensesOf(modules) });
}

/** Copies the types of a module and of all that they import. */
function copyTypes(file) {
  const copy = file.replace(compiled, join(folder, 'types'));
  const text = readFileSync(file, 'utf8');
  mkdirSync(dirname(copy), { recursive: true });
  writeFileSync(copy, text);
  copied.add(file);
  for (const [, path] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)\.js['"]/g)) {
    const next = join(dirname(file), `${path}.d.ts`);
    if (!copied.has(next)) copyTypes(next);
  }
}

function manifestOf({ version, license, engines }) {
  const at = (name) => ({ types: `./types/plugin-sdk/${name}.d.ts`, default: `./${name}.js` });
  return {
    name: 'gatehouse-plugin-kit',
    version,
    description: 'The plugin API of gatehouse-proxy and its contract suite, for authors of plugins.',
    keywords: ['gatehouse', 'plugin', 'testing'],
    license,
    type: 'module',
    engines,
    exports: { '.': at('index'), './contract': at('contract'), './package.json': './package.json' },
  };
}

/** Runs a program without the options of an `npm pack --dry-run` around it. */
function run(program, ...words) {
  const variables = Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name));
  const { status } = spawnSync(program, words, {
    cwd: root,
    env: Object.fromEntries(variables),
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}
