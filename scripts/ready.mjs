// Prepares a checkout: installs the packages that the parts need and builds the parts, each only if the result is missing
// or stale.
//
//   node scripts/ready.mjs [packages] [tests] [code] [command] [kit] [pages] [site] [tools]     (default: all but tests and tools)
//
// `packages` are those of all tests and checks, `tests` only those of `npm test`. Without them, only the packages of the other
// parts are installed. `tools` are the compiled workspaces bench and evidence.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile, compiledHash, hash, TOOLS } from './compile.mjs';
import { writeMessageValues } from './message-values.mjs';
import { installPackages, installSitePackages } from './packages.mjs';
import { run, step } from './step.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (...parts) => join(root, ...parts);

const DEFAULT = ['packages', 'code', 'command', 'kit', 'pages', 'site'];
const PARTS = [...DEFAULT, 'tests', 'tools'];
const wanted = process.argv.slice(2).length > 0 ? process.argv.slice(2) : DEFAULT;
const unknown = wanted.filter((part) => !PARTS.includes(part));
if (unknown.length > 0) {
  console.error(`unknown part ${unknown.join(', ')}; the parts are ${PARTS.join(', ')}`);
  process.exit(64);
}

await installPackages(root, setOf(wanted));

await step('compiling', () => compile(root) > 0);
await writeMessageValues(root);
if (wanted.includes('tools')) await step('compiling bench and evidence', () => compile(root, TOOLS) > 0);
writeCommit();

// No build reads what another writes.
const builds = { command: buildCommand, kit: buildKit, pages: buildPages, site: buildSite };
await Promise.all(
  Object.entries(builds).flatMap(([part, build]) => (wanted.includes(part) ? [build()] : [])),
);

/** Returns the smallest set of packages that the parts need. */
function setOf(parts) {
  if (parts.includes('packages')) return 'all';
  if (parts.includes('tests')) return 'tests';
  return parts.includes('pages') || parts.includes('kit') ? 'pages' : 'server';
}

function buildCommand() {
  const key = `${compiledHash(root, 'src', 'plugins', 'demo', 'test/support')} ${hashFiles(at('package-lock.json'), at('scripts', 'bundle.js'), at('scripts', 'licenses.mjs'), at('scripts', 'ready-made.js'))}`;
  return unlessCurrent(at('dist', '.command-built'), key, async () => {
    await vite(['--config', 'scripts/bundle.js'], 'bundling the command');
    chmodSync(at('dist', 'bin', 'gatehouse.js'), 0o755);
    linkCommand();
  });
}

/** Packs the types of the plugin API and the contract suite for authors of plugins. */
function buildKit() {
  const folders = ['plugin-sdk', 'config', 'core', 'json', 'json-schema', 'lib', 'settings'];
  const key = `${compiledHash(root, ...folders.map((name) => `src/${name}`))} ${hashFiles(at('package.json'), at('package-lock.json'), at('scripts', 'plugin-kit.mjs'), at('src', 'plugin-sdk', 'README.md'))}`;
  return unlessCurrent(at('dist', '.kit-built'), key, () =>
    run('packing the plugin kit', [process.execPath, at('scripts', 'plugin-kit.mjs')], root),
  );
}

function buildPages() {
  // The only folders of the server that the pages import (test/shape/pages.test.ts).
  const server = compiledHash(
    root,
    ...['src/core', 'src/settings', 'src/lib', 'src/json', 'src/form-model', 'src/json-schema/engine'],
  );
  const key = `${server} ${hashFiles(at('package-lock.json'), ...filesBelow('console'))}`;
  return unlessCurrent(at('dist', '.pages-built'), key, async () => {
    for (const [mode, about] of [
      ['console', 'building the console'],
      ['task', 'building the task pages'],
    ])
      await vite(['console', '--mode', mode, '--outDir', '../dist/.ui'], about);
    // A running server lists the files of the folder once, so the folder appears as a whole.
    rmSync(at('dist', 'ui'), { recursive: true, force: true });
    renameSync(at('dist', '.ui'), at('dist', 'ui'));
  });
}

function buildSite() {
  if (!existsSync(at('docs', '.site'))) rmSync(at('dist', '.site-built'), { force: true });
  const folders = ['docs', 'config/examples', 'plugins', 'deploy', 'examples', 'console/src/style'];
  // The build of the image has no examples.
  const inputs = folders.filter((folder) => existsSync(at(folder))).flatMap(filesBelow);
  const pages = inputs.filter((file) => /\.(?:md|svg|png)$/.test(file) && !file.includes('.site'));
  const project = readdirSync(root).filter((name) => name.endsWith('.md') || name === 'package.json');
  const generator = [
    'package-lock.json',
    '.vitepress/config.mjs',
    '.vitepress/theme/index.js',
    '.vitepress/theme/style.css',
  ];
  const files = [...pages, ...project.map((name) => at(name)), ...generator.map((name) => at('site', name))];
  const key = `${compiledHash(root, 'site/src')} ${hashFiles(...files)}`;
  return unlessCurrent(at('dist', '.site-built'), key, async () => {
    await installSitePackages(root);
    const script = at('site', 'node_modules', 'vitepress', 'bin', 'vitepress.js');
    rmSync(at('dist', '.site'), { recursive: true, force: true });
    await run('building the documentation site', [process.execPath, script, 'build', 'site'], root);
    // A running server lists the files of the folder once, so the folder appears as a whole.
    rmSync(at('docs', '.site'), { recursive: true, force: true });
    renameSync(at('dist', '.site'), at('docs', '.site'));
  });
}

/** Writes the commit of the build, which `gatehouse --version` prints: GATEHOUSE_COMMIT, or that of the checkout. */
function writeCommit() {
  const git = () =>
    spawnSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout;
  const commit = (process.env.GATEHOUSE_COMMIT ?? git() ?? '').trim();
  const file = at('dist', 'build.json');
  const text = `${JSON.stringify({ commit })}\n`;
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

/** Runs a build unless its stamp file contains the same key, which is the hash of the inputs. */
async function unlessCurrent(stamp, key, build) {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === key) return;
  await build();
  writeFileSync(stamp, key);
}

function vite(words, about) {
  const script = at('node_modules', 'vite', 'bin', 'vite.js');
  return run(about, [process.execPath, script, 'build', ...words, '--logLevel', 'warn'], root);
}

function filesBelow(folder) {
  return readdirSync(at(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name));
}

function hashFiles(...files) {
  return hash(...files.sort().flatMap((file) => [relative(root, file), readFileSync(file)]));
}

/** Links the command for `npx gatehouse` in a checkout. In an installed package, npm creates the link. */
function linkCommand() {
  const command = at('node_modules', '.bin', 'gatehouse');
  mkdirSync(at('node_modules', '.bin'), { recursive: true });
  rmSync(command, { force: true });
  symlinkSync(join('..', '..', 'dist', 'bin', 'gatehouse.js'), command);
}
