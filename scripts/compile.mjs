// Compiles the TypeScript files that changed since the last run to dist/, one file at a time, with the compiler of the
// bundler (tsconfig.json sets isolatedModules), and copies the JSON files that they import. The workspaces `bench` and
// `evidence` are compiled only for those who run them. Types are not checked;
// `npm run typecheck` checks them.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';

/** The product and its tests. */
const PRODUCT = {
  folders: ['src', 'plugins', 'demo', 'test', 'site/src', 'console/src'],
  manifest: 'dist/.compiled.json',
};
/** What measures the product, and imports it. */
export const TOOLS = { folders: ['bench', 'evidence'], manifest: 'dist/.compiled-tools.json' };

/** Compiles a set of folders below `root`. Returns the number of written and removed files. */
export function compile(root, { folders, manifest } = PRODUCT) {
  const at = (path) => join(root, path);
  const compiler = hash(readFileSync(at('tsconfig.json')), readFileSync(at('package-lock.json')));
  const before = existsSync(at(manifest)) ? JSON.parse(readFileSync(at(manifest), 'utf8')) : {};
  const sources = new Map(sourceFiles(root, folders).map((path) => [path, readFileSync(at(path), 'utf8')]));
  const hashes = Object.fromEntries([...sources].map(([path, text]) => [path, hash(compiler, text)]));
  const changed = [...sources.keys()].filter(
    (path) => hashes[path] !== before[path] || !existsSync(at(outputOf(path))),
  );
  const gone = Object.keys(before).filter((path) => !sources.has(path));
  if (changed.length + gone.length === 0) return 0;
  // Remove the outputs of deleted sources, because the plugin loader and the test runner read folders of dist.
  for (const path of gone) removeOutputs(root, path);
  if (changed.length > 0) {
    // A compilation that fails on the way has written some outputs: none of them counts as that of an earlier source.
    const unchanged = Object.entries(hashes).filter(([path]) => !changed.includes(path));
    mkdirSync(dirname(at(manifest)), { recursive: true });
    writeFileSync(at(manifest), JSON.stringify(Object.fromEntries(unchanged)));
    const transpile = createTranspile(root);
    for (const path of changed)
      if (isData(path)) copy(root, path);
      else transpile(path, sources.get(path));
  }
  writeFileSync(at(manifest), JSON.stringify(hashes));
  return changed.length + gone.length;
}

/** Returns the hash of the compiled files from these source folders. A build from them is stale if the hash differs. */
export function compiledHash(root, ...folders) {
  const hashes = JSON.parse(readFileSync(join(root, PRODUCT.manifest), 'utf8'));
  const inside = Object.entries(hashes).filter(([path]) => folders.some((one) => path.startsWith(`${one}/`)));
  return hash(JSON.stringify(inside));
}

/** Returns the paths of all TypeScript files, and of the JSON files of the product, relative to `root`, sorted. */
function sourceFiles(root, folders) {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`),
    )
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => isData(path) || (path.endsWith('.ts') && !path.endsWith('.d.ts')))
    .filter((path) => !path.includes('/node_modules/'))
    .sort();
}

function isData(path) {
  return path.startsWith('src/') && path.endsWith('.json');
}

function copy(root, path) {
  const output = join(root, outputOf(path));
  mkdirSync(dirname(output), { recursive: true });
  copyFileSync(join(root, path), output);
}

/** Returns a function that removes the types of one file and writes it to dist, with its source map. */
function createTranspile(root) {
  const { transformSync } = createRequire(import.meta.url)('rolldown/utils');
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  const options = {
    target: compilerOptions.target.toLowerCase(),
    sourcemap: true,
    // The equivalent of verbatimModuleSyntax.
    typescript: { onlyRemoveTypeImports: true },
  };
  return (path, text) => {
    const { code, map, errors } = transformSync(path, text, options);
    if (errors.length > 0) throw new Error(`${path} cannot be compiled: ${errors[0].message}`);
    const output = join(root, outputOf(path));
    const sources = [relative(dirname(output), join(root, path)).replaceAll('\\', '/')];
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, `${code}//# sourceMappingURL=${basename(output)}.map`);
    writeFileSync(`${output}.map`, JSON.stringify({ ...map, file: basename(output), sources }));
  };
}

function outputOf(path) {
  return `dist/${path.replace(/\.ts$/, '.js')}`;
}

function removeOutputs(root, path) {
  const output = join(root, outputOf(path));
  for (const file of [output, `${output}.map`, output.replace(/\.js$/, '.d.ts')])
    rmSync(file, { force: true });
  for (let folder = dirname(output); folder.startsWith(join(root, 'dist')); folder = dirname(folder)) {
    if (!existsSync(folder) || readdirSync(folder).length > 0) return;
    rmdirSync(folder);
  }
}

/** Returns the hash of several texts or buffers. */
export function hash(...parts) {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part).update('\0');
  return digest.digest('hex');
}
