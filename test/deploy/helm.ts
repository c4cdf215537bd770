import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { readPage, ROOT } from '../docs/markdown.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import type { Manifest } from './kubernetes.js';
import { shippedYaml } from './shipped.js';

/** Values of the chart. */
export type Values = Readonly<Record<string, unknown>>;

/** Folder of the chart. */
export const CHART = join(ROOT, 'deploy/helm/gatehouse');
/** Values that the chart ships. */
export const defaults = shippedYaml('helm/gatehouse/values.yaml') as Values;

/** The cluster that Helm renders for. Helm asks none while it renders, and assumes an old one. */
const CLUSTER = ['--namespace', 'net', '--kube-version', '1.31.0'];

/** Runs Helm. */
export function helm(...args: readonly string[]): { readonly status: number | null; readonly out: string } {
  const { status, stdout, stderr } = spawnSync('helm', args, { encoding: 'utf8', timeout: 60_000 });
  return { status, out: status === 0 ? stdout : `${stdout}${stderr}` };
}

/** Returns the options that give Helm these values, as YAML. */
export function withValues(values: string): readonly string[] {
  const file = join(temporaryFolder().path, 'values.yaml');
  writeFileSync(file, values);
  return ['--values', file];
}

/** Returns the values that the page about Kubernetes shows. */
export function valuesOfGuide(): string {
  const { blocks } = readPage('docs/how-to/deploy-on-kubernetes.md');
  return blocks.find(({ text }) => text.includes('registry.example'))?.text ?? '';
}

/** Values that enable every option. */
export const everything: Values = {
  ...defaults,
  config: {
    ...member(defaults, 'config'),
    server: { listen: '0.0.0.0:3000', drainSeconds: 30, workers: 2 },
    tracing: { otlpEndpoint: 'http://collector.observability.svc:4318' },
    log: { syslog: { url: 'tcp://logs.example:601' } },
  },
  adapters: {
    nso1: {
      plugin: 'restconf',
      baseUrl: 'https://nso.example:8888',
      auth: { type: 'basic', username: 'admin', password: '$VAULT_adapters/nso1#password' },
    },
  },
  imagePullSecrets: [{ name: 'registry' }],
  env: [{ name: 'SITE', value: 'berlin' }],
  extraVolumes: [{ name: 'tls', secret: { secretName: 'gatehouse-tls' } }],
  extraVolumeMounts: [{ name: 'tls', mountPath: '/run/tls', readOnly: true }],
  networkPolicy: {
    ...member(defaults, 'networkPolicy'),
    from: [{ podSelector: {} }],
    to: [{ ipBlock: { cidr: '10.0.0.0/8' } }],
  },
  serviceMonitor: {
    enabled: true,
    interval: '15s',
    labels: { release: 'prometheus' },
    authentication: { authorization: { credentials: { name: 'metrics-token', key: 'token' } } },
  },
  podAnnotations: { a: 'b' },
  podLabels: { team: 'net' },
  ingress: {
    enabled: true,
    className: 'nginx',
    annotations: { a: 'b' },
    hosts: ['gatehouse.example', 'edge.example'],
    tls: [{ secretName: 'gatehouse-tls', hosts: ['gatehouse.example'] }],
  },
  httpRoute: {
    enabled: true,
    annotations: { a: 'b' },
    parentRefs: [{ name: 'edge', namespace: 'gateways', sectionName: 'https' }],
    hostnames: ['gatehouse.example'],
  },
  autoscaling: { enabled: true, minReplicas: 2, maxReplicas: 6, targetCPUUtilizationPercentage: 60 },
  service: { ...member(defaults, 'service'), annotations: { a: 'b' } },
  serviceAccount: { name: 'edge', annotations: { a: 'b' } },
  nodeSelector: { zone: 'edge' },
  tolerations: [{ key: 'edge', operator: 'Exists' }],
  affinity: { nodeAffinity: {} },
};

/** Returns the members of a block of values. */
export function member(values: Values, key: string): Values {
  return values[key] as Values;
}

/** Renders the chart with Helm, once for each set of values. */
export function render(values: Values): readonly Manifest[] {
  const text = JSON.stringify(values);
  const known = rendered.get(text);
  if (known) return known;
  const { status, out } = helm('template', 'edge', CHART, ...CLUSTER, ...withValues(text));
  assert.equal(status, 0, out);
  const manifests = parseAllDocuments(out).map((document) => document.toJS() as Manifest);
  rendered.set(text, manifests);
  return manifests;
}

const rendered = new Map<string, readonly Manifest[]>();
