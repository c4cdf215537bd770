import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../docs/markdown.js';
import { shipped, shippedYaml } from './shipped.js';

interface Rule {
  readonly alert: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

describe('the alert rules', () => {
  const { groups } = shippedYaml('prometheus/alerts.yaml') as {
    readonly groups: readonly { readonly rules: readonly Rule[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);

  it('have unique names', () => {
    assert.ok(rules.length > 20);
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  });

  for (const { alert, labels, annotations } of rules)
    it(`have a severity, a summary and a description of what to do: ${alert}`, () => {
      assert.match(labels.severity, /^(critical|warning)$/);
      assert.ok(annotations.summary.length > 10);
      assert.match(annotations.description, /^\w.{40,}\.$/);
    });

  it('name only existing pages', () => {
    const named = shipped('prometheus/alerts.yaml').match(/docs\/[\w/-]+\.md/g) ?? [];
    assert.ok(named.length > 5);
    assert.deepEqual(
      named.filter((path) => !existsSync(join(ROOT, path))),
      [],
    );
  });
});
