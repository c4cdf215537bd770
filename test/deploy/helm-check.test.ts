import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { valueAt } from '../../src/json/pointer.js';
import { ROOT } from '../docs/markdown.js';
import { type KubernetesApi, type KubernetesObject, startKubernetesApi } from '../support/kubernetes-api.js';
import { BUILT_COMMAND, HELM } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { CHART, defaults, render, valuesOfGuide, withValues } from './helm.js';

/** Runs the container of a job as a kubelet does, with its ConfigMap as folder and the command of the image. */
function runContainer(
  job: KubernetesObject,
  objects: readonly KubernetesObject[],
): { readonly status: number | null; readonly stdout: string } {
  const pod = '/spec/template/spec';
  const volumes = valueAt(job, `${pod}/volumes`) as readonly {
    readonly configMap?: { readonly name: string };
  }[];
  const name = volumes.find(({ configMap }) => configMap)?.configMap?.name;
  const found = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name);
  const folder = join(temporaryFolder().path, 'gatehouse');
  mkdirSync(folder);
  for (const [file, text] of Object.entries((found?.['data'] ?? {}) as Record<string, string>))
    writeFileSync(join(folder, file), text);
  const given = valueAt(job, `${pod}/containers/0/args`) as readonly string[];
  const args = given.map((arg) => arg.replace('/etc/gatehouse', folder));
  return spawnSync(process.execPath, [join(ROOT, 'dist/bin/gatehouse.js'), ...args], { encoding: 'utf8' });
}

const INVALID = 'adapters: { nso1: { plugin: restcnf, baseUrl: "https://nso.example" } }';

describeWith([HELM, BUILT_COMMAND], 'the job of the Helm chart that checks the configuration', () => {
  let api: KubernetesApi;
  let logs: string[] = [];

  beforeEach(async () => {
    logs = [];
    api = await startKubernetesApi((job, objects) => {
      const { status, stdout } = runContainer(job, objects);
      logs.push(stdout);
      return status === 0;
    });
  });

  afterEach(() => api.close());

  /** Installs the chart with these values. */
  function install(values: string): Promise<{ readonly status: number | null; readonly out: string }> {
    const options = ['--kube-apiserver', api.url, '--namespace', 'net', '--timeout', '20s'];
    const helm = spawn('helm', ['install', 'edge', CHART, ...options, ...withValues(values)], {
      env: { ...process.env, KUBECONFIG: '/dev/null' },
    });
    let out = '';
    for (const stream of [helm.stdout, helm.stderr]) stream.on('data', (chunk) => (out += String(chunk)));
    return new Promise((done) =>
      helm.on('close', (status) => {
        done({ status, out });
      }),
    );
  }

  const kinds = (): readonly string[] => [...api.objects.values()].map(({ kind }) => kind).sort();

  it('lets a valid release be installed, and leaves nothing behind', async () => {
    const { status, out } = await install(valuesOfGuide());
    assert.equal(status, 0, out);
    assert.match(logs.join(''), /no fault found \(1 adapter\)/);
    assert.ok(kinds().includes('Deployment'));
    assert.ok(!kinds().includes('Job'));
    assert.ok(![...api.objects.keys()].some((path) => path.includes('check')));
  });

  it('fails the release with the fault in its log, before anything of the release exists', async () => {
    // The schema of the values does not find it, because only the server knows its plugins.
    const { status, out } = await install(INVALID);
    assert.notEqual(status, 0);
    assert.match(out, /failed pre-install/);
    assert.match(
      logs.join(''),
      /gatehouse\.yaml:\d+:\d+ \/adapters\/nso1\/plugin: there is no such adapter plugin/,
    );
    assert.ok(kinds().includes('Job'), 'the log of the job is lost');
    assert.ok(!kinds().includes('Deployment'));
  });

  it('runs before an upgrade as before an installation', () => {
    const hooks = render(defaults).map(({ metadata }) => metadata.annotations?.['helm.sh/hook']);
    assert.deepEqual(hooks.filter(Boolean), ['pre-install,pre-upgrade', 'pre-install,pre-upgrade']);
  });

  it('does not exist where check.enabled is false', async () => {
    const { status, out } = await install(`check: { enabled: false }\n${INVALID}`);
    assert.equal(status, 0, out);
    assert.deepEqual(logs, []);
  });
});
