import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../docs/markdown.js';
import { BUILT_COMMAND } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string>>;
}

interface Packed {
  readonly files: readonly { readonly path: string }[];
}

/** Permitted files of the package, by folder. */
const ALLOWED = [
  /^(package\.json|README\.md|CHANGELOG\.md|SECURITY\.md|LICENSE)$/,
  /^dist\/build\.json$/,
  /^dist\/plugin-kit\/gatehouse-plugin-kit-[\d.]+\.tgz$/,
  /^dist\/bin\/([\w-]+\.js|licences\.md)$/,
  /^dist\/(src|plugins)\/.*\.(js|d\.ts)$/,
  // Examples of the API description and meta-schemas, which the modules beside them import.
  /^dist\/src\/(features\/docs\/examples|json-schema\/engine\/metaschemas)\/[\w-]+\.json$/,
  /^dist\/ui\/.*\.(html|js|css|svg|woff2)(\.br|\.gz)?$/,
  /^dist\/ui\/licences-(console|task)\.md$/,
  /^plugins\/.*\.md$/,
  /^config\/.*\.(json|yaml|md)$/,
  /^config\/yang\/[\w-]+@\d{4}-\d\d-\d\d\.yang$/,
  /^docs\/openapi\.json$/,
  /^docs\/\.site\/(?:[\w/-]+\.html|vp-icons\.css|assets\/[\w./@-]+\.(?:js|css|svg|png))(?:\.gz)?$/,
  /^docs\/\.site\/licences\.md$/,
  /^deploy\/(systemd|nginx|haproxy)\//,
  /^deploy\/helm\/gatehouse\/values\.yaml$/,
];

describeWith(BUILT_COMMAND, 'the npm package', () => {
  let files: readonly string[] = [];

  before(() => {
    const { stdout, stderr, status } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: ROOT,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    assert.equal(status, 0, stderr);
    const [packed] = JSON.parse(stdout) as readonly Packed[];
    files = packed?.files.map(({ path }) => path) ?? [];
  });

  it('contains all required files', () => {
    const { bin, exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
    const plugins = readdirSync(join(ROOT, 'plugins'), { withFileTypes: true }).filter((one) =>
      one.isDirectory(),
    );
    const needed = [
      ...Object.values(bin),
      ...Object.values(exports).map((path) => path.replace('./', '')),
      ...plugins.flatMap(({ name }) => [`dist/plugins/${name}/index.js`, `plugins/${name}/CHANGELOG.md`]),
      ...['LICENSE', 'README.md', 'CHANGELOG.md', 'config/gatehouse.yaml', 'config/gatehouse.schema.json'],
      ...['deploy/systemd/gatehouse.service', 'deploy/nginx/gatehouse.conf', 'deploy/haproxy/haproxy.cfg'],
      'deploy/helm/gatehouse/values.yaml',
      'docs/openapi.json',
      'dist/bin/licences.md',
      ...['dist/ui/index.html', 'dist/ui/task.html', 'dist/ui/licences-console.md'],
    ];
    if (existsSync(join(ROOT, 'docs/.site')))
      needed.push(...['index', '404', 'reference/glossary'].map((name) => `docs/.site/${name}.html`));
    assert.ok(plugins.length >= 3);
    assert.deepEqual(
      needed.filter((path) => !files.includes(path)),
      [],
    );
  });

  it('contains nothing else: no sources, no tests, no data', () => {
    const stray = files.filter((path) => !ALLOWED.some((pattern) => pattern.test(path)));
    assert.deepEqual(stray, []);
    assert.deepEqual(
      files.filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts')),
      [],
    );
  });
});
