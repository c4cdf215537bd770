import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { licensesOf } from './licenses.mjs';
import { readyMadeCode } from './ready-made.js';

// Bundles the compiled sources and the packages into one file, because loading nearly two thousand files took most of the
// start time (docs/decisions/0018-start-and-memory.md). Worker threads, plugins, and the modules that plugins share with
// the server stay separate files.

const root = fileURLToPath(new URL('..', import.meta.url));
const compiled = join(root, 'dist', 'src');
const doubles = [join(root, 'dist', 'demo'), join(root, 'dist', 'test')];

export default defineConfig({
  root,
  configFile: false,
  plugins: [
    {
      name: 'gatehouse',
      enforce: 'pre',
      resolveId: leaveShared,
      load: leaveOut,
      transform: keepPlaces,
      generateBundle: finish,
    },
  ],
  ssr: { noExternal: true, external: ['pg-native'] },
  build: {
    ssr: true,
    ssrEmitAssets: true,
    target: 'node20',
    outDir: 'dist/bin',
    emptyOutDir: true,
    sourcemap: true,
    minify: false,
    rolldownOptions: {
      input: {
        gatehouse: join(compiled, 'cli', 'gatehouse.js'),
        worker: join(compiled, 'server', 'workers', 'worker.js'),
        demo: join(root, 'dist', 'demo', 'main.js'),
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', comments: false },
    },
  },
});

/** Keeps modules external that the server and plugins share, so that both use the same classes and values. */
function leaveShared(source, importer) {
  const isOurs = [compiled, ...doubles].some((folder) => importer?.startsWith(folder));
  const full = isOurs && source.startsWith('.') && join(importer, '..', source);
  return full && shared.has(full)
    ? { id: `../${relative(join(root, 'dist'), full)}`, external: true }
    : undefined;
}

const shared = new Set(
  [join(root, 'src', 'plugin-sdk', 'index.ts'), ...sourcesBelow(join(root, 'plugins'))]
    .flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/from '[^']*(\/(?:core|lib|json)\/[\w/-]+\.js)'/g),
    ])
    .map(([, module]) => join(compiled, module)),
);

function sourcesBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

/** Replacements for entry points of packages that load slowly and that the server uses only in part. */
const USED = {
  // The server has its own body parsers, and no parser of queries.
  'body-parser/index.js': 'module.exports = {};',
  'qs/lib/index.js': 'module.exports = {};',
  // Without the colors of its development.
  '@dabh/diagnostics/node/index.js': `module.exports = require('./production.js');`,
  // The server names its types itself, except that Express answers a redirection with plain text or HTML.
  'mime-db/index.js': `module.exports = {
    'text/html': { source: 'iana', compressible: true, extensions: ['html', 'htm', 'shtml'] },
    'text/plain': { source: 'iana', compressible: true, extensions: ['txt', 'text'] },
  };`,
  // jsonwebtoken asks for versions of Node.js that are older than what the server needs.
  'semver/index.js': 'module.exports = { satisfies: () => true };',
  // Clients of the server speak HTTP/1.1 (`allowH2: false`).
  'undici/lib/dispatcher/client-h2.js': 'module.exports = undefined;',
  'winston/lib/winston/transports/index.js': 'module.exports = {};',
  'undici/index.js': `module.exports = {
    Agent: require('./lib/dispatcher/agent.js'),
    Client: require('./lib/dispatcher/client.js'),
  };`,
};

function leaveOut(id) {
  if (id === join(compiled, 'json-schema', 'ready-made.js')) return readyMadeCode(join(root, 'dist'));
  return USED[id.split('/node_modules/').at(-1)];
}

/** Rewrites `import.meta.url` to the original path, so that a module finds its neighbors (a thread, the pages). Strings stay. */
function keepPlaces(code, id) {
  if (!id.startsWith(compiled) || !code.includes('import.meta.url')) return undefined;
  const place = JSON.stringify(`../src/${relative(compiled, id)}`);
  const parts = placesIn(this.parse(code)).map(({ start, end }, at, all) => {
    const before = code.slice(all[at - 1]?.end ?? 0, start);
    return { text: `${before}new URL(${place}, import.meta.url).href`, end };
  });
  return { code: parts.map(({ text }) => text).join('') + code.slice(parts.at(-1)?.end ?? 0), map: null };
}

/** Returns every `import.meta.url` of a syntax tree, in the order of the text. */
function placesIn(node) {
  if (typeof node !== 'object' || node === null) return [];
  const isPlace = node.type === 'MemberExpression' && node.object.type === 'MetaProperty';
  return isPlace && node.property.name === 'url' ? [node] : Object.values(node).flatMap(placesIn);
}

/**
 * Escapes characters beyond ASCII, which would double the memory of the text, and writes the licenses of all bundled packages.
 * The function of each CommonJS module becomes one that V8 compiles at once (`(function`), because it is called while the
 * file is loaded: V8 parses an arrow function twice, first only to skip it. An import of `node:http` reads all its members, also
 * those for which Node.js loads its own undici.
 */
function finish(_options, output) {
  const chunks = Object.values(output).filter(({ type }) => type === 'chunk');
  for (const chunk of chunks)
    chunk.code = chunk.code
      .replace(/[\u0080-\uffff]/g, escaped)
      .replace(
        /^import (\{[^}]*\}|\w+) from "node:http";$/gm,
        (_import, names) =>
          `const ${names.replaceAll(' as ', ': ')} = process.getBuiltinModule("node:http");`,
      )
      .replace(/(__commonJSMin\(\()(\([\w$, ]*\)) => \{/g, '$1function$2 {');
  const source = licensesOf(chunks.flatMap(({ moduleIds }) => moduleIds));
  this.emitFile({ type: 'asset', fileName: 'licences.md', source });
}

function escaped(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
