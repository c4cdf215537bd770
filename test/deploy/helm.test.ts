import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { describeOperations } from '../../src/features/operations.js';
import { valueAt } from '../../src/json/pointer.js';
import { VERSION } from '../../src/lib/version.js';
import { column } from '../support/columns.js';
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

const deploymentOf = (values: Values): Manifest => ofKind(render(values), 'Deployment');

/** Returns the main file in the ConfigMap. */
const mainOf = (values: Values): string =>
  String(valueAt(ofKind(render(values), 'ConfigMap'), '/data/gatehouse.yaml'));

/** Returns a value of the specification of the pods. */
const ofPod = (values: Values, pointer: string): unknown =>
  valueAt(deploymentOf(values), `/spec/template/spec${pointer}`);

/** Returns a value of the container of the pods. */
const ofContainer = (values: Values, pointer: string): unknown => ofPod(values, `/containers/0${pointer}`);

/** Returns the names in a list. */
const namesIn = (list: unknown): readonly string[] => column(list as readonly { name: string }[], 'name');

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
    assert.equal(ofPod(defaults, '/securityContext/runAsNonRoot'), true);
    assert.equal(ofPod(defaults, '/automountServiceAccountToken'), false);
    assert.deepEqual(ofContainer(defaults, '/securityContext'), {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    assert.deepEqual(namesIn(ofPod(defaults, '/volumes')), ['config', 'vault-token', 'tmp']);
    for (const bound of ['requests', 'limits'])
      assert.ok(ofContainer(defaults, `/resources/${bound}`), bound);
  });

  it('mounts each of its volumes and no others', () => {
    for (const values of [defaults, everything]) {
      const mounted = namesIn(ofContainer(values, '/volumeMounts'));
      assert.deepEqual([...mounted].sort(), [...namesIn(ofPod(values, '/volumes'))].sort());
    }
  });

  it('probes public paths, over TLS if the server uses TLS', () => {
    const open = describeOperations().flatMap(({ paths, row }) => (row.roles === 'public' ? paths : []));
    const config = { server: { listen: '0.0.0.0:3000', tls: { certFile: 'c', keyFile: 'k' } } };
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      assert.ok(open.includes(String(ofContainer(defaults, `/${probe}/httpGet/path`))), probe);
      assert.equal(ofContainer(defaults, `/${probe}/httpGet/scheme`), 'HTTP');
      assert.equal(ofContainer({ ...defaults, config }, `/${probe}/httpGet/scheme`), 'HTTPS');
    }
  });

  it('gives active calls enough time to end and selects only its own pods', () => {
    const main = mainOf(defaults);
    assert.ok(Number(ofPod(defaults, '/terminationGracePeriodSeconds')) > stopSecondsOf(main));
    assert.match(main, /lameDuckSeconds: [1-9]/);
    const port = String(ofContainer(defaults, '/ports/0/containerPort'));
    assert.match(main, new RegExp(`listen: 0\\.0\\.0\\.0:${port}\\n`));
    const selected = valueAt(deploymentOf(defaults), '/spec/selector/matchLabels') as Values;
    const labels = valueAt(deploymentOf(defaults), '/spec/template/metadata/labels') as Values;
    assert.deepEqual({ ...labels, ...selected }, labels);
  });

  it('runs the image of this version', () => {
    assert.equal(ofContainer(defaults, '/image'), `gatehouse:${VERSION}`);
  });

  it('finding F17: runs the image with the digest of the values, whatever the tag', () => {
    const digest = `sha256:${'0a'.repeat(32)}`;
    const image = { ...member(defaults, 'image'), tag: '1.2.3', digest };
    assert.equal(ofContainer({ ...defaults, image }, '/image'), `gatehouse@${digest}`);
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
    const replicas = [defaults, everything].map((values) => valueAt(deploymentOf(values), '/spec/replicas'));
    assert.deepEqual(replicas, [3, undefined]);
  });

  it('replaces the pods for a key that needs a restart, and for no other', () => {
    const checksum = (config: Values): unknown => {
      const values = { ...defaults, config: { ...member(defaults, 'config'), ...config } };
      return valueAt(deploymentOf(values), '/spec/template/metadata/annotations/checksum~1restart');
    };
    const before = checksum({});
    assert.match(String(before), /^[0-9a-f]{64}$/);
    assert.equal(checksum({ roles: { 'tools.restCall': ['admin'] } }), before);
    assert.equal(checksum({ auth: { local: { enabled: false }, issuers: [] }, egress: {} }), before);
    assert.notEqual(checksum({ audit: { durability: 'fsync' } }), before);
  });
});
