import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { ROOT } from '../docs/markdown.js';
import { scrapeEverything } from '../support/everything-measured.js';
import type { Scrape } from '../support/scrape.js';
import { shipped, shippedYaml } from './shipped.js';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
}

interface Expression {
  readonly place: string;
  readonly text: string;
  /** The labels in the texts of the expression, as `{{adapter}}` or `$labels.adapter`. */
  readonly labels: readonly string[];
}

const { groups } = shippedYaml('prometheus/alerts.yaml') as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(shipped('grafana/gatehouse.json')) as Dashboard;

const expressions: readonly Expression[] = [
  ...rules.map(({ alert, expr, annotations: { summary } }) => ({
    place: alert,
    text: expr,
    labels: [...summary.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label),
  })),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({
      place: title,
      text: expr.replaceAll('$__rate_interval', '5m'),
      labels: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label),
    })),
  ),
];

/** The labels that Prometheus adds to every sample, and the metric that it creates. */
const OF_PROMETHEUS = { labels: ['job', 'instance'], metrics: ['up'] };
/** The labels whose values the guide lists and that do not depend on the configuration. */
const FIXED = ['state', 'result', 'service', 'class', 'reason'];

describe('the dashboard and the alert rules', () => {
  let exposed: Scrape;

  before(async () => {
    exposed = await scrapeEverything();
  });

  it('contain a plausible number of expressions', () => {
    assert.ok(rules.length > 20 && expressions.length > 40);
  });

  it('have unique names, known severities, and existing pages', () => {
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
    for (const { alert, labels } of rules) assert.match(labels.severity, /^(critical|warning)$/, alert);
    const named = shipped('prometheus/alerts.yaml').match(/docs\/[\w/-]+\.md/g) ?? [];
    assert.ok(named.length > 5);
    for (const page of named) assert.ok(existsSync(join(ROOT, page)), page);
  });

  for (const { place, text, labels: words } of expressions)
    it(`query existing metrics and labels: ${place}: ${text}`, () => {
      assert.deepEqual(complaintsAbout(exposed, text, words), []);
    });

  it('use every metric of gatehouse', () => {
    const asked = new Set(
      expressions.flatMap(({ text }) => namesIn(text).selectors.map(({ metric }) => metric)),
    );
    const unasked = [...exposed.families.keys()].filter(
      (name) => /^(gatehouse|vault)_/.test(name) && !asked.has(name) && !asked.has(`${name}_bucket`),
    );
    assert.deepEqual(unasked, []);
  });

  it('are checked by a test that reports unknown metrics, labels and values', () => {
    const wrong = 'sum by (colour) (rate(gatehouse_requests_total{shape="round"}[5m])) / gatehouse_colours';
    assert.deepEqual(complaintsAbout(exposed, wrong, ['size']), [
      'gatehouse_requests_total has no label shape',
      'there is no metric gatehouse_colours',
      'no metric has the label colour',
      'size is not a label of the result',
    ]);
    const state = 'gatehouse_adapter_state{state="LATE"} == 1';
    assert.deepEqual(complaintsAbout(exposed, state, []), [
      'state of gatehouse_adapter_state is never "LATE"',
    ]);
    for (const text of ['sum(rate(up[5m])', 'sum by up']) assert.throws(() => namesIn(text), /is no PromQL/);
  });
});

/** A metric that an expression queries. */
interface Selector {
  readonly metric: string;
  readonly matchers: { readonly label: string; readonly operator: string; readonly value: string }[];
}

/** Returns the metrics in an expression, and the labels after `by`. Throws if it is not valid PromQL. */
function namesIn(expression: string): {
  readonly selectors: readonly Selector[];
  readonly labels: readonly string[];
} {
  const selectors: Selector[] = [];
  const labels: string[] = [];
  parser.parse(expression).iterate({
    enter: ({ type, from, to, node: { parent } }) => {
      const text = expression.slice(from, to);
      if (type.isError) throw new Error(`${expression} is no PromQL`);
      const place = `${parent?.name ?? ''}/${type.name}`;
      if (place === 'VectorSelector/Identifier') selectors.push({ metric: text, matchers: [] });
      else if (place === 'GroupingLabels/LabelName') labels.push(text);
      else if (type.name === 'UnquotedLabelMatcher') selectors.at(-1)?.matchers.push(matcherOf(text));
    },
  });
  return { selectors, labels };
}

/** Parses a matcher such as `state="up"`. */
function matcherOf(text: string): Selector['matchers'][number] {
  const [, label = '', operator = '', value = ''] = /^(\w+)\s*([=!~]+)\s*"(.*)"$/.exec(text) ?? [];
  return { label, operator, value };
}

function complaintsAbout({ families }: Scrape, text: string, words: readonly string[]): readonly string[] {
  const { selectors, labels } = namesIn(text);
  const known = selectors.filter(({ metric }) => !OF_PROMETHEUS.metrics.includes(metric));
  const familyOf = (metric: string) =>
    families.get(metric) ?? families.get(metric.replace(/_(bucket|sum|count)$/, ''));
  const labelsOf = (metric: string) => [...(familyOf(metric)?.labels.keys() ?? []), ...OF_PROMETHEUS.labels];
  const all = known.flatMap(({ metric }) => labelsOf(metric));
  const result = labels.length > 0 ? labels : all;
  return [
    ...known.flatMap(({ metric, matchers }) => {
      const family = familyOf(metric);
      if (!family) return [`there is no metric ${metric}`];
      return matchers.flatMap(({ label, operator, value }) => {
        if (!labelsOf(metric).includes(label)) return [`${metric} has no label ${label}`];
        const isOdd = operator === '=' && FIXED.includes(label) && !family.labels.get(label)?.has(value);
        return isOdd ? [`${label} of ${metric} is never "${value}"`] : [];
      });
    }),
    ...labels.filter((label) => !all.includes(label)).map((label) => `no metric has the label ${label}`),
    ...words
      .filter((label) => known.length > 0 && !result.includes(label))
      .map((label) => `${label} is not a label of the result`),
  ];
}

describe('the dashboard', () => {
  it('has panels with unique ids that do not overlap', () => {
    const { panels } = dashboard;
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    );
    assert.equal(new Set(cells).size, cells.length);
    assert.ok(panels.every(({ gridPos: { x, w } }) => x + w <= 24));
  });

  it('defines exactly the variables that it uses', () => {
    const names = dashboard.templating.list.map(({ name }) => name);
    const used = shipped('grafana/gatehouse.json').matchAll(/\$\{?([a-z]\w*)/g);
    assert.deepEqual([...new Set([...used].map(([, name]) => name))].sort(), names.sort());
  });
});
