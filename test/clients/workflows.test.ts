import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../docs/markdown.js';
import { apiToolNeed } from '../support/need-list.js';
import { itWith } from '../support/needs.js';
import { mustRun } from './run-program.js';
import { apiTool } from './tools.js';

const WORKFLOWS = readdirSync(join(ROOT, '.github/workflows')).map((name) => `.github/workflows/${name}`);

describe('the workflows of GitHub Actions', () => {
  itWith(apiToolNeed('actionlint'), 'are accepted by actionlint', async () => {
    const files = [...WORKFLOWS, 'deploy/pipelines/github-actions.yml'];
    await mustRun([apiTool('actionlint'), ...files], { cwd: ROOT });
  });

  it('name every action by its commit, with the version in a comment', () => {
    const used = WORKFLOWS.flatMap((file) => readFileSync(join(ROOT, file), 'utf8').match(/uses: .*/g) ?? []);
    assert.ok(used.length > 10);
    assert.deepEqual(
      used.filter((line) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line)),
      [],
    );
  });

  it('run scripts of package.json, and files that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const text = WORKFLOWS.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n');
    const named = [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name);
    assert.ok(named.length >= 2);
    assert.deepEqual(
      named.filter((name) => scripts[name] === undefined),
      [],
    );
    for (const path of ['.ci/run', 'deploy/docker/Dockerfile', 'deploy/helm/gatehouse'])
      assert.ok(text.includes(path) && existsSync(join(ROOT, path)), path);
  });
});
