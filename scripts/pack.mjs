// Prepares the files of the npm package, before `npm pack`: builds what it needs, packs the plugin kit, writes the types of the
// modules that plugins import, reduces package.json to what an installation reads, and writes npm-shrinkwrap.json, which pins the
// packages of an installation. The documentation site is part of the package if `npm run site` has built it, or with
// `--with-site`. With `--restore`, brings the checkout back to its own package.json and package-lock.json.
//
//   node scripts/pack.mjs [--without-types] [--with-site] | --restore
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = join(root, 'package.json');
const shrinkwrap = join(root, 'npm-shrinkwrap.json');
/** The package.json of the checkout while the reduced one is in its place. */
const saved = join(root, 'dist', '.package.json');

/** Members of package.json that only a checkout needs. */
const OF_CHECKOUT = ['scripts', 'workspaces', 'devDependencies', 'mocha', 'allowScripts'];

// An earlier `npm pack` may have been interrupted.
restore();
if (!process.argv.includes('--restore')) prepare(!process.argv.includes('--without-types'));

function restore() {
  rmSync(shrinkwrap, { force: true });
  if (existsSync(saved)) renameSync(saved, manifest);
}

function prepare(withTypes) {
  const withSite = process.argv.includes('--with-site') || existsSync(join(root, 'docs', '.site'));
  const parts = ['code', 'command', 'pages', ...(withTypes ? ['kit'] : []), ...(withSite ? ['site'] : [])];
  runNode('scripts/ready.mjs', ...parts);
  if (!withSite)
    console.error('> without the documentation site; "npm run site" builds it for the next package');
  if (withTypes) runNode('node_modules/typescript/bin/tsc', '-p', 'scripts/tsconfig.package.json');
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  copyFileSync(manifest, saved);
  writeJson(manifest, withoutCheckout(JSON.parse(readFileSync(saved, 'utf8'))));
  writeJson(shrinkwrap, { ...lock, packages: productionPackages(lock.packages) });
}

function runNode(script, ...args) {
  const { status } = spawnSync(process.execPath, [join(root, script), ...args], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
}

function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

function withoutCheckout(value) {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !OF_CHECKOUT.includes(name)));
}

/** Returns the entries of the lock file without the packages that only build and test. */
function productionPackages(packages) {
  const installed = Object.entries(packages).filter(
    ([path, { dev, devOptional, link }]) => path.includes('node_modules/') && !dev && !devOptional && !link,
  );
  return { '': withoutCheckout(packages['']), ...Object.fromEntries(installed) };
}
