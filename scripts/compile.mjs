// Compiles the TypeScript files that changed since the last run to dist/, one file at a time. The output equals that of
// `tsc` (tsconfig.json sets isolatedModules). Types are not checked; `npm run typecheck` checks them.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';

const FOLDERS = ['src', 'plugins', 'test', 'bench', 'evidence', 'console/src'];
const MANIFEST = 'dist/.compiled.json';

/** Compiles the sources below `root`. Returns the number of written and removed files. */
export function compile(root) {
  const at = (path) => join(root, path);
  const compiler = hash(readFileSync(at('tsconfig.json')), readFileSync(at('package-lock.json')));
  const before = existsSync(at(MANIFEST)) ? JSON.parse(readFileSync(at(MANIFEST), 'utf8')) : {};
  const sources = new Map(sourceFiles(root).map((path) => [path, readFileSync(at(path), 'utf8')]));
  const hashes = Object.fromEntries([...sources].map(([path, text]) => [path, hash(compiler, text)]));
  const changed = [...sources.keys()].filter(
    (path) => hashes[path] !== before[path] || !existsSync(at(outputOf(path))),
  );
  const gone = Object.keys(before).filter((path) => !sources.has(path));
  if (changed.length + gone.length === 0) return 0;
  // Remove the outputs of deleted sources, because the plugin loader and the test runner read folders of dist.
  for (const path of gone) removeOutputs(root, path);
  if (changed.length > 0) {
    const transpile = createTranspile(root);
    for (const path of changed) transpile(path, sources.get(path));
  }
  writeFileSync(at(MANIFEST), JSON.stringify(hashes));
  return changed.length + gone.length;
}

/** Returns the hash of the compiled files from these source folders. A build from them is stale if the hash differs. */
export function compiledHash(root, ...folders) {
  const hashes = JSON.parse(readFileSync(join(root, MANIFEST), 'utf8'));
  const inside = Object.entries(hashes).filter(([path]) => folders.some((one) => path.startsWith(`${one}/`)));
  return hash(JSON.stringify(inside));
}

/** Returns the paths of all TypeScript files relative to `root`, sorted. */
function sourceFiles(root) {
  return FOLDERS.filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`),
    )
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}

function createTranspile(root) {
  const ts = createRequire(import.meta.url)('typescript');
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  // NodeNext reads the module format from the nearest package.json; here every file is an ES module.
  const compilerOptions = { ...options, module: ts.ModuleKind.ESNext };
  return (path, text) => {
    const fileName = join(root, path);
    const { outputText, sourceMapText } = ts.transpileModule(text, { compilerOptions, fileName });
    const output = join(root, outputOf(path));
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, outputText);
    writeFileSync(`${output}.map`, sourceMapText);
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
