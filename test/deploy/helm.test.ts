import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { describeOperations } from '../../src/features/operations.js';
import { VERSION } from '../../src/lib/version.js';
import { HELM } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { defaults, everything, member, render, type Values, valuesOfGuide } from './helm.js';
import { complaintsAbout, type Manifest } from './kubernetes.js';
import { assertValid, stopSecondsOf } from './shipped.js';

function ofKind(manifests: readonly Manifest[], kind: string): Manifest {
  const found = manifests.find((one) => one.kind === kind);
  assert.ok(found, `there is no ${kind}`);
  return found;
}

interface Deployment {
  readonly spec: {
    readonly selector: { readonly matchLabels: Values };
    readonly template: {
      readonly metadata: { readonly labels: Values; readonly annotations: Values };
      readonly spec: PodSpec;
    };
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

describeWith(HELM, 'the Helm chart', () => {
  it('renders the required kinds of manifests', () => {
    // The second ConfigMap and the Job check the configuration before an installation.
    const kinds = [
      'ConfigMap',
      'ConfigMap',
      'Deployment',
      'Job',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
      'ServiceAccount',
    ];
    const kindsOf = (values: Values) => render(values).map(({ kind }) => kind);
    assert.deepEqual(kindsOf(defaults).sort(), kinds);
    assert.deepEqual(
      kindsOf(everything).sort(),
      [...kinds, 'HTTPRoute', 'HorizontalPodAutoscaler', 'Ingress', 'ServiceMonitor'].sort(),
    );
  });

  for (const [title, values] of Object.entries({
    'with default values': defaults,
    'with all options': everything,
  }))
    it(`renders only fields that Kubernetes knows, ${title}`, () => {
      const known = render(values).filter(
        ({ apiVersion }) => !/^(?:monitoring\.|gateway\.)/.test(apiVersion),
      );
      assert.deepEqual(
        known.flatMap((manifest) => complaintsAbout(manifest)),
        [],
      );
    });

  it('is checked by schemas that report unknown fields and wrong types', () => {
    const service = ofKind(render(defaults), 'Service');
    const spec = { ...(service['spec'] as object), prots: [] };
    assert.deepEqual(complaintsAbout({ ...service, spec }), ['Service: there is no field /spec/prots']);
    assert.match(complaintsAbout({ ...service, spec: { ports: 1 } }).join(), /ports must be array/);
  });

  it('ships a valid configuration, with and without adapters', async () => {
    for (const values of [defaults, everything]) {
      const main = mainOf(values);
      assert.equal(main.includes('nso1:'), values === everything);
      await assertValid(main);
    }
  });

  it('renders what Kubernetes and gatehouse accept from the values of the guide', async () => {
    const values = parse(valuesOfGuide()) as Values;
    assert.deepEqual(
      render(values).flatMap((manifest) => complaintsAbout(manifest)),
      [],
    );
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

  it('routes the hosts of an ingress and of a gateway to its service', () => {
    const manifests = render(everything);
    const backend = { service: { name: 'edge', port: { name: 'http' } } };
    const paths = [{ path: '/', pathType: 'Prefix', backend }];
    assert.deepEqual(ofKind(manifests, 'Ingress')['spec'], {
      ingressClassName: 'nginx',
      tls: [{ secretName: 'gatehouse-tls', hosts: ['gatehouse.example'] }],
      rules: ['gatehouse.example', 'edge.example'].map((host) => ({ host, http: { paths } })),
    });
    assert.deepEqual(ofKind(manifests, 'HTTPRoute')['spec'], {
      parentRefs: [{ name: 'edge', namespace: 'gateways', sectionName: 'https' }],
      hostnames: ['gatehouse.example'],
      rules: [
        {
          matches: [{ path: { type: 'PathPrefix', value: '/' } }],
          backendRefs: [{ name: 'edge', port: 80 }],
        },
      ],
    });
  });

  it('leaves the number of pods to the autoscaler, if there is one', () => {
    const replicas = (values: Values) =>
      (deploymentOf(values).spec as { readonly replicas?: number }).replicas;
    assert.deepEqual([replicas(defaults), replicas(everything)], [3, undefined]);
  });

  it('replaces the pods for a key that needs a restart, and for no other', () => {
    const checksum = (config: Values): unknown => {
      const values = { ...defaults, config: { ...member(defaults, 'config'), ...config } };
      const { annotations } = deploymentOf(values).spec.template.metadata;
      return annotations['checksum/restart'];
    };
    const before = checksum({});
    assert.match(String(before), /^[0-9a-f]{64}$/);
    assert.equal(checksum({ roles: { 'tools.restCall': ['admin'] } }), before);
    assert.equal(checksum({ auth: { local: { enabled: false }, issuers: [] }, egress: {} }), before);
    assert.notEqual(checksum({ audit: { durability: 'fsync' } }), before);
  });
});
