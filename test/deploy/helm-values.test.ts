import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HELM } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { chartDefinitions } from './chart-schema.js';
import { CHART, everything, helm, valuesOfGuide, withValues } from './helm.js';

/** Values that the chart must refuse, each with the text that names the cause. */
const REFUSED: readonly (readonly [title: string, values: string, cause: RegExp])[] = [
  ['an unknown key', 'replica: 2', /replica/],
  ['the tag "latest"', 'image: { tag: latest }', /tag/],
  ['a digest of another form', 'image: { digest: "sha256:1234" }', /digest/],
  ['an unknown pull policy', 'image: { pullPolicy: Sometimes }', /pullPolicy/],
  ['an adapter with a slash in its name', 'adapters: { "a/b": { plugin: restconf } }', /a\/b/],
  ['a listener that only the pod reaches', 'config: { server: { listen: "127.0.0.1:3000" } }', /listen/],
  [
    'a misspelled key of the main file',
    'config: { auth: { issuers: [{ issuer: "https://idp.example", audience: a, discovery: true, algorithms: [RS256], roleClaim: /roles }] } }',
    /roleClaim/,
  ],
  ['a misspelled key at the top of the main file', 'config: { vualt: {} }', /vualt/],
  [
    'a misspelled key of an adapter',
    'adapters: { nso1: { plugin: restconf, baseURL: "https://nso.example" } }',
    /baseURL/,
  ],
  ['a value of the wrong type in the main file', 'config: { audit: { durability: always } }', /durability/],
  [
    'a misspelled key of the login of an adapter',
    'adapters: { nso1: { plugin: restconf, baseUrl: "https://nso.example", auth: { type: basic, username: a, pasword: "$VAULT_a#b" } } }',
    /pasword/,
  ],
  ['a number of replicas that is no number', 'replicas: many', /replicas/],
  ['a service without a number as port', 'service: { port: http }', /port/],
  ['an interval without a unit', 'serviceMonitor: { enabled: true, interval: 15 }', /interval/],
  ['an environment that is no list', 'env: { SITE: berlin }', /env/],
  ['an ingress without a host', 'ingress: { enabled: true }', /\/ingress\/hosts.*minItems/],
  ['a route without a gateway', 'httpRoute: { enabled: true }', /\/httpRoute\/parentRefs.*minItems/],
  ['a gateway without a name', 'httpRoute: { enabled: true, parentRefs: [{ namespace: a }] }', /name/],
  ['no pod at all by autoscaling', 'autoscaling: { enabled: true, minReplicas: 0 }', /minReplicas/],
];

const SCHEMA = join(CHART, 'values.schema.json');

describe('the schema of the values of the Helm chart', () => {
  it('has the schemas of the configuration files (UPDATE_GOLDEN=1 writes them)', () => {
    const schema = JSON.parse(readFileSync(SCHEMA, 'utf8')) as Readonly<Record<string, unknown>>;
    const text = `${JSON.stringify({ ...schema, definitions: chartDefinitions() }, null, 2)}\n`;
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(SCHEMA, text);
    assert.equal(readFileSync(SCHEMA, 'utf8'), text);
  });
});

// Helm once refused the schema of the values: a pattern that Go does not know.
describeWith(HELM, 'the values of the Helm chart', () => {
  const accepted: readonly (readonly [title: string, values: string])[] = [
    ['its default values', ''],
    ['the values of the guide', valuesOfGuide()],
    ['all options', JSON.stringify(everything)],
  ];
  for (const [title, values] of accepted)
    it(`passes helm lint with ${title}`, () => {
      const { status, out } = helm('lint', '--strict', CHART, ...withValues(values));
      assert.equal(status, 0, out);
    });

  for (const [title, values, cause] of REFUSED)
    it(`refuses ${title}`, () => {
      const { status, out } = helm('template', 'edge', CHART, ...withValues(values));
      assert.notEqual(status, 0);
      assert.match(out, cause);
    });
});
