import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { readPage, ROOT } from '../docs/markdown.js';
import { isInstalled } from '../support/is-installed.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { complaintsAbout, type Manifest } from './kubernetes.js';
import { assertValid } from './shipped.js';

const CHART = join(ROOT, 'deploy/helm/gatehouse');

/** The cluster that Helm renders for. Helm asks none while it renders, and assumes an old one. */
const CLUSTER = ['--namespace', 'net', '--kube-version', '1.31.0'];

/** Values that the chart must refuse, each with the text that names the cause. */
const REFUSED: readonly (readonly [title: string, values: string, cause: RegExp])[] = [
  ['an unknown key', 'replica: 2', /replica/],
  ['the tag "latest"', 'image: { tag: latest }', /tag/],
  ['a digest of another form', 'image: { digest: "sha256:1234" }', /digest/],
  ['an unknown pull policy', 'image: { pullPolicy: Sometimes }', /pullPolicy/],
  ['an adapter with a slash in its name', 'adapters: { "a/b": { plugin: restconf } }', /a\/b/],
  ['a listener that only the pod reaches', 'config: { server: { listen: "127.0.0.1:3000" } }', /listen/],
  ['a number of replicas that is no number', 'replicas: many', /replicas/],
  ['a service without a number as port', 'service: { port: http }', /port/],
  ['an interval without a unit', 'serviceMonitor: { enabled: true, interval: 15 }', /interval/],
  ['an environment that is no list', 'env: { SITE: berlin }', /env/],
];

// The schema of the values was once refused by every Helm: a pattern that Go does not know.
describe('the Helm chart, with Helm itself', () => {
  before(function () {
    if (!isInstalled('helm')) this.skip();
  });

  const helm = (...args: readonly string[]): { status: number | null; out: string } => {
    const { status, stdout, stderr } = spawnSync('helm', args, { encoding: 'utf8', timeout: 60_000 });
    return { status, out: `${stdout}${stderr}` };
  };
  const withValues = (values: string): readonly string[] => {
    const file = join(temporaryFolder().path, 'values.yaml');
    writeFileSync(file, values);
    return ['--values', file];
  };
  const valuesOfGuide = (): string => {
    const { blocks } = readPage('docs/guides/deploying.md');
    return blocks.find(({ text }) => text.includes('registry.example'))?.text ?? '';
  };
  const CASES = { 'its default values': () => '', 'the values of the guide': valuesOfGuide } as const;

  for (const [title, values] of Object.entries(CASES)) {
    it(`passes helm lint with ${title}`, () => {
      const { status, out } = helm('lint', '--strict', CHART, ...withValues(values()));
      assert.equal(status, 0, out);
    });

    it(`renders manifests that Kubernetes knows with ${title}`, async function () {
      const { status, out } = helm('template', 'edge', CHART, ...CLUSTER, ...withValues(values()));
      assert.equal(status, 0, out);
      const manifests = parseAllDocuments(out).map((document) => document.toJS() as Manifest);
      assert.ok(manifests.length >= 6);
      assert.deepEqual(
        manifests.flatMap((manifest) => complaintsAbout(this, manifest)),
        [],
      );
      const { data } = manifests.find(({ kind }) => kind === 'ConfigMap') as unknown as {
        readonly data: Readonly<Record<string, string>>;
      };
      await assertValid(data['gatehouse.yaml'] ?? '');
    });
  }

  for (const [title, values, cause] of REFUSED)
    it(`refuses ${title}`, () => {
      const { status, out } = helm('template', 'edge', CHART, ...withValues(values));
      assert.notEqual(status, 0);
      assert.match(out, cause);
    });
});
