import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { describeOperations } from '../../src/api/index.js';
import { VERSION } from '../../src/server/version.js';
import { readPage, ROOT } from '../docs/markdown.js';
import { renderTemplates, type Values } from './helm-template.js';
import { complaintsAbout, type Manifest } from './kubernetes.js';
import { assertValid, stopSecondsOf, shipped, shippedYaml } from './shipped.js';

const CHART = 'helm/gatehouse';
const defaults = shippedYaml(`${CHART}/values.yaml`) as Values;

/** Values that enable every option. */
const everything: Values = {
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
  service: { ...member(defaults, 'service'), annotations: { a: 'b' } },
  serviceAccount: { name: 'edge', annotations: { a: 'b' } },
  nodeSelector: { zone: 'edge' },
  tolerations: [{ key: 'edge', operator: 'Exists' }],
  affinity: { nodeAffinity: {} },
};

function member(values: Values, key: string): Values {
  return values[key] as Values;
}

/** Merges operator values into chart values member by member, as Helm does. */
function mergeValues(below: Values, above: Values): Values {
  const merged = Object.entries(above).map(([name, value]) => {
    const isMap = [value, below[name]].every((one) => typeof one === 'object' && !Array.isArray(one));
    return [name, isMap ? mergeValues(member(below, name), value as Values) : value];
  });
  return { ...below, ...(Object.fromEntries(merged) as Values) };
}

function render(values: Values): readonly Manifest[] {
  const folder = join(ROOT, 'deploy', CHART, 'templates');
  const files = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  const { name, version, appVersion } = shippedYaml(`${CHART}/Chart.yaml`) as Record<string, string>;
  const rendered = renderTemplates(files, {
    Values: values,
    Release: { Name: 'edge', Service: 'Helm', Namespace: 'net' },
    Chart: { Name: name, Version: version, AppVersion: appVersion },
  });
  return [...rendered.values()].flatMap((text) => (text.trim() === '' ? [] : [parse(text) as Manifest]));
}

function ofKind(manifests: readonly Manifest[], kind: string): Manifest {
  const found = manifests.find((one) => one.kind === kind);
  assert.ok(found, `there is no ${kind}`);
  return found;
}

interface Deployment {
  readonly spec: {
    readonly selector: { readonly matchLabels: Values };
    readonly template: { readonly metadata: { readonly labels: Values }; readonly spec: PodSpec };
  };
}

function deploymentOf(values: Values): Deployment {
  return ofKind(render(values), 'Deployment') as unknown as Deployment;
}

/** Returns the main file in the ConfigMap. */
function mainOf(values: Values): string {
  const { data } = ofKind(render(values), 'ConfigMap') as unknown as {
    readonly data: Record<string, string>;
  };
  return data['gatehouse.yaml'] ?? '';
}

interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: Values;
  readonly volumes: readonly { readonly name: string }[];
  readonly containers: readonly Container[];
}

interface Container {
  readonly image: string;
  readonly securityContext: Values;
  readonly resources: Values;
  readonly ports: readonly { readonly containerPort: number }[];
  readonly volumeMounts: readonly { readonly name: string }[];
  readonly [probe: `${string}Probe`]: {
    readonly httpGet: { readonly path: string; readonly scheme: string };
  };
}

function podOf(values: Values): PodSpec & { readonly container: Container } {
  const { spec } = deploymentOf(values).spec.template;
  return { ...spec, container: spec.containers[0]! };
}

describe('the Helm chart', () => {
  const fits = new Ajv({ strict: false }).compile(
    JSON.parse(shipped(`${CHART}/values.schema.json`)) as object,
  );

  it('has a schema that accepts its values and rejects unknown values', () => {
    assert.ok(fits(defaults), JSON.stringify(fits.errors));
    assert.ok(fits(everything), JSON.stringify(fits.errors));
    const wrong = [
      { ...defaults, replica: 2 },
      { ...defaults, image: { ...member(defaults, 'image'), tag: 'latest' } },
      { ...defaults, adapters: { 'a/b': { plugin: 'restconf' } } },
      { ...defaults, config: { server: { listen: '127.0.0.1:3000' } } },
    ];
    for (const values of wrong) assert.ok(!fits(values), JSON.stringify(values));
  });

  it('renders the required kinds of manifests', () => {
    const kinds = [
      'ConfigMap',
      'Deployment',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
      'ServiceAccount',
    ];
    const kindsOf = (values: Values) => render(values).map(({ kind }) => kind);
    assert.deepEqual(kindsOf(defaults).sort(), kinds);
    assert.deepEqual(kindsOf(everything).sort(), [...kinds, 'ServiceMonitor'].sort());
  });

  for (const [title, values] of Object.entries({
    'with default values': defaults,
    'with all options': everything,
  }))
    it(`renders only fields that Kubernetes knows, ${title}`, function () {
      const known = render(values).filter(({ apiVersion }) => !apiVersion.startsWith('monitoring.'));
      assert.deepEqual(
        known.flatMap((manifest) => complaintsAbout(this, manifest)),
        [],
      );
    });

  it('is checked by schemas that report unknown fields and wrong types', function () {
    const service = ofKind(render(defaults), 'Service');
    const spec = { ...(service['spec'] as object), prots: [] };
    assert.deepEqual(complaintsAbout(this, { ...service, spec }), ['Service: there is no field /spec/prots']);
    assert.match(complaintsAbout(this, { ...service, spec: { ports: 1 } }).join(), /ports must be array/);
  });

  it('ships a valid configuration, with and without adapters', async () => {
    for (const values of [defaults, everything]) {
      const main = mainOf(values);
      assert.equal(main.includes('nso1:'), values === everything);
      await assertValid(main);
    }
  });

  it('accepts the values of the deployment guide', async () => {
    const { blocks } = readPage('docs/guides/deploying.md');
    const { text = '' } = blocks.find((block) => block.text.includes('registry.example')) ?? {};
    const values = mergeValues(defaults, parse(text) as Values);
    assert.ok(fits(values), JSON.stringify(fits.errors));
    await assertValid(mainOf(values));
  });

  it('runs pods as non-root with a read-only file system and no token except that for Vault', () => {
    const { container, securityContext, automountServiceAccountToken, volumes } = podOf(defaults);
    assert.equal(securityContext['runAsNonRoot'], true);
    assert.equal(automountServiceAccountToken, false);
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    assert.deepEqual(
      volumes.map(({ name }) => name),
      ['config', 'vault-token', 'tmp'],
    );
    assert.ok(container.resources['requests'] && container.resources['limits']);
  });

  it('mounts each of its volumes and no others', () => {
    for (const values of [defaults, everything]) {
      const { container, volumes } = podOf(values);
      const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).sort();
      assert.deepEqual(names(container.volumeMounts), names(volumes));
    }
  });

  it('probes public paths, over TLS if the server uses TLS', () => {
    const open = describeOperations().flatMap(({ paths, row }) => (row.roles === 'public' ? paths : []));
    const probes = ({ container }: ReturnType<typeof podOf>) =>
      (['startupProbe', 'livenessProbe', 'readinessProbe'] as const).map((name) => container[name]!.httpGet);
    for (const { path, scheme } of probes(podOf(defaults))) {
      assert.ok(open.includes(path), path);
      assert.equal(scheme, 'HTTP');
    }
    const config = { server: { listen: '0.0.0.0:3000', tls: { certFile: 'c', keyFile: 'k' } } };
    for (const { scheme } of probes(podOf({ ...defaults, config }))) assert.equal(scheme, 'HTTPS');
  });

  it('gives active calls enough time to end and selects only its own pods', () => {
    const { terminationGracePeriodSeconds: grace, container } = podOf(defaults);
    const main = mainOf(defaults);
    assert.ok(grace > stopSecondsOf(main));
    assert.match(main, /lameDuckSeconds: [1-9]/);
    assert.match(main, new RegExp(`listen: 0\\.0\\.0\\.0:${container.ports[0]!.containerPort}\\n`));
    const { selector, template } = deploymentOf(defaults).spec;
    for (const [label, value] of Object.entries(selector.matchLabels))
      assert.equal(template.metadata.labels[label], value);
  });

  it('runs the image of this version', () => {
    assert.equal(podOf(defaults).container.image, `gatehouse:${VERSION}`);
  });

  it('finding F17: runs the image with the digest of the values, whatever the tag', () => {
    const digest = `sha256:${'0a'.repeat(32)}`;
    const image = { ...member(defaults, 'image'), tag: '1.2.3', digest };
    assert.equal(podOf({ ...defaults, image }).container.image, `gatehouse@${digest}`);
  });
});

describe('renderTemplates', () => {
  const text = (template: string, dot: Values = {}) =>
    renderTemplates(new Map([['t', template]]), dot).get('t');

  it('renders the supported constructs as Helm does', () => {
    assert.equal(text('a:\n  {{- if .x }}\n  b\n  {{- else }}\n  c\n  {{- end }}\n', { x: {} }), 'a:\n  c\n');
    assert.equal(text('{{ range .l }}<{{ . }}>{{ end }}', { l: [1, 2] }), '<1><2>');
    assert.equal(
      text('a:{{ toYaml .v | nindent 2 }}', { v: { b: [1], c: '' } }),
      'a:\n  b:\n    - 1\n  c: ""',
    );
    assert.equal(
      text('{{- define "n" -}}\nx: {{ .y }}\n{{- end -}}\n{{ include "n" . | nindent 1 }}', { y: 1 }),
      '\n x: 1',
    );
    assert.equal(text('{{ .a | default "b" | quote }}', { a: '' }), '"b"');
  });

  it('throws for unsupported constructs', () => {
    assert.throws(() => text('{{ tpl .x . }}', { x: 1 }), /beyond this renderer/);
    assert.throws(() => text('{{ with .x }}'), /beyond this renderer/);
  });
});
