import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { ROOT } from '../docs/markdown.js';
import { BUILT_COMMAND } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const DIST = join(ROOT, 'dist');
const BIN = join(DIST, 'bin');

/** Returns the compiled file and all project files that it imports, directly or through others. */
function importsOf(file: string, reached = new Set<string>()): ReadonlySet<string> {
  if (reached.has(file) || !existsSync(file)) return reached;
  reached.add(file);
  for (const [, source = ''] of readFileSync(file, 'utf8').matchAll(/from ["'](\.[^"']+)["']/g))
    importsOf(resolve(file, '..', source), reached);
  return reached;
}

/** Returns the original files of a file of the bundle. */
function sourcesOf(file: string): readonly string[] {
  const { sources } = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { sources: string[] };
  return sources.map((source) => resolve(BIN, source));
}

/** Modules of the YANG compiler and of the reader of JSON: plugins have a copy, and pass no object of these to the server. */
const OF_PLUGINS =
  /^src\/(?:yang\/|json-schema\/engine\/|(?:core\/yang-document|json\/(?:plain-json|strict-reader)|lib\/(?:fair-queue|pattern-repeats|semaphore|thread-pool))\.js$)/;

describeWith(BUILT_COMMAND, 'the bundled command', () => {
  let bundled = new Set<string>();
  /** The code of the server before it was bundled. */
  let code = '';
  const chunks = () => readdirSync(BIN).filter((name) => name.endsWith('.js'));

  before(() => {
    const mapped = chunks().filter((name) => existsSync(join(BIN, `${name}.map`)));
    bundled = new Set(mapped.flatMap((name) => sourcesOf(join(BIN, name))));
    const own = [...bundled].filter((file) => file.startsWith(join(DIST, 'src')));
    code = own.map((file) => readFileSync(file, 'utf8')).join('\n');
  });

  it('contains the server and its packages', () => {
    for (const name of ['create-server.js', 'workers/worker.js'])
      assert.ok(bundled.has(join(DIST, 'src/server', name)), name);
    assert.ok([...bundled].some((file) => file.includes('/node_modules/undici/')));
    const licences = readFileSync(join(BIN, 'licences.md'), 'utf8');
    for (const name of ['express', 'undici', 'kysely', 'winston'])
      assert.match(licences, new RegExp(`^## ${name} `, 'm'));
  });

  it('shares every class and every identity with plugins instead of bundling a copy', () => {
    const folders = readdirSync(join(DIST, 'plugins')).map((name) => join(DIST, 'plugins', name, 'index.js'));
    const shared = [join(DIST, 'src/plugin-sdk/index.js'), ...folders].flatMap((file) => [
      ...importsOf(file),
    ]);
    const twice = shared.filter((file) => bundled.has(file) && !OF_PLUGINS.test(relative(DIST, file)));
    const own = /^(?:export )?class |^(?:export )?(?:const|let) \w+ = (?:new (?:Weak|Map|Set)|Symbol)/m;
    assert.deepEqual(
      twice.filter((file) => own.test(readFileSync(file, 'utf8'))).map((file) => relative(DIST, file)),
      [],
    );
    assert.ok(shared.includes(join(DIST, 'src/core/problem.js')));
  });

  it('uses nothing of undici, Express, winston and jsonwebtoken that it leaves out', () => {
    const imports = [...code.matchAll(/import \{([^}]*)\} from ["']undici["']/g)];
    assert.deepEqual([...new Set(imports.map(([, list = '']) => list.trim()))].sort(), ['Agent', 'Client']);
    assert.match(code, /\.set\(["']query parser["'], false\)/);
    for (const leftOut of [
      /\ballowH2: true|ALPNProtocols: \[[^\]]*h2/,
      /\bwinston\.transports\b/,
      /\bexpress\.(?:json|raw|static|text|urlencoded)\(/,
      // Express looks up types for these, except for redirections.
      /\bres\.(?:attachment|download|format|json|jsonp|send|sendFile|sendStatus|type)\(/,
      /\breq\.(?:accepts|is)\(/,
    ])
      assert.doesNotMatch(code, leftOut);
    // What jsonwebtoken asks semver about this version of Node.js.
    const require = createRequire(import.meta.url);
    const asked = readdirSync(join(ROOT, 'node_modules/jsonwebtoken/lib')).filter((name) =>
      name.endsWith('Supported.js'),
    );
    assert.equal(asked.length, 3);
    for (const name of asked) assert.equal(require(`jsonwebtoken/lib/${name}`), true, name);
  });

  it('loads no compiler of YANG to serve (bug: the index of its folder did)', () => {
    const loaded = [...importsOf(join(BIN, 'serve.js'))].filter((file) => existsSync(`${file}.map`));
    const sources = loaded.flatMap(sourcesOf);
    assert.ok(sources.includes(join(DIST, 'src/yang/compile-in-worker.js')));
    assert.ok(!sources.includes(join(DIST, 'src/yang/compile.js')));
  });

  it('has functions of CommonJS modules that V8 compiles at once, and is plain ASCII, which halves its memory', () => {
    const texts = chunks().map((name) => readFileSync(join(BIN, name), 'utf8'));
    const wrapped = texts.join('\n').split('__commonJSMin((').slice(1);
    assert.ok(wrapped.length > 50);
    assert.ok(wrapped.every((text) => text.startsWith('function(')));
    for (const text of texts) assert.doesNotMatch(text, /[^\0-\x7f]/);
  });

  it('prints its version and writes a plugin test that finds its own folder (bug: it used the path of the template)', () => {
    const folder = temporaryFolder().path;
    const run = (...words: readonly string[]) =>
      spawnSync(process.execPath, [join(BIN, 'gatehouse.js'), ...words], { encoding: 'utf8' });
    assert.match(run('--version').stdout, /^\d+\.\d+\.\d+/);
    const { status, stderr } = run('plugin', 'new', 'tenant', '--dir', folder);
    assert.equal(status, 0, stderr);
    assert.match(
      readFileSync(join(folder, 'tenant', 'index.test.js'), 'utf8'),
      /new URL\('\.', import\.meta\.url\)/,
    );
  });
});
