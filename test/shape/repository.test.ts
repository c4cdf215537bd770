import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../docs/markdown.js';

const FORMS = '.github/ISSUE_TEMPLATE';
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface IssueForm {
  readonly name: string;
  readonly description: string;
  readonly body: readonly {
    readonly type: string;
    readonly id?: string;
    readonly attributes: { readonly label?: string; readonly value?: string };
  }[];
}

describe('the files for people who visit the repository', () => {
  const forms = readdirSync(join(ROOT, FORMS)).filter((name) => name !== 'config.yml');

  it('include forms for bugs and features, in place of blank issues', () => {
    assert.deepEqual(forms.sort(), ['bug.yml', 'feature.yml']);
    assert.deepEqual(parse(read(`${FORMS}/config.yml`)), { blank_issues_enabled: false });
  });

  for (const name of forms)
    it(`include a valid form: ${name}`, () => {
      const form = parse(read(`${FORMS}/${name}`)) as IssueForm;
      assert.ok(form.name && form.description);
      const fields = form.body.filter(({ type }) => type !== 'markdown');
      for (const { type, id, attributes } of fields) {
        assert.ok(['input', 'textarea'].includes(type), type);
        assert.ok(id !== undefined && attributes.label !== undefined);
      }
      assert.equal(new Set(fields.map(({ id }) => id)).size, fields.length);
    });

  it('lead to the private report of vulnerabilities', () => {
    assert.match(read(`${FORMS}/bug.yml`), /SECURITY\.md/);
    assert.match(read('CODE_OF_CONDUCT.md'), /\(SECURITY\.md\)/);
    for (const file of ['.github/pull_request_template.md', 'LICENSE'])
      assert.ok(existsSync(join(ROOT, file)));
  });

  it('name the current version in the changelog, below the unreleased changes', () => {
    const { version } = JSON.parse(read('package.json')) as { readonly version: string };
    const [unreleased = '', released = ''] = read('CHANGELOG.md').match(/^## .*$/gm) ?? [];
    assert.equal(unreleased, '## [Unreleased]');
    assert.match(released, new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d{2}-\\d{2}$`));
  });
});
