import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../docs/markdown.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const SCRIPT = join(ROOT, 'scripts', 'check-release.mjs');

const readJson = (path: string): { readonly version: string } =>
  JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as { readonly version: string };

function check(dockerfile: string) {
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, '--dockerfile', dockerfile], {
    encoding: 'utf8',
  });
  return { status, stderr };
}

describe('npm run check:release', () => {
  it('fails for base images that are named by tag, and says how to pin them', () => {
    const shipped = readFileSync(join(ROOT, 'deploy/docker/Dockerfile'), 'utf8');
    const file = join(temporaryFolder().path, 'Dockerfile');
    const unpinned = shipped.replaceAll(/@sha256:[0-9a-f]+/g, '');
    writeFileSync(file, unpinned);
    const { status, stderr } = check(file);
    assert.equal(status, 1);
    for (const name of ['NODE_IMAGE', 'BASE_IMAGE'])
      assert.match(stderr, new RegExp(`${name} has no digest. .*imagetools inspect`));
    const digest = 'a'.repeat(64);
    writeFileSync(file, unpinned.replace(/^(ARG NODE_IMAGE=\S+)/m, `$1@sha256:${digest}`));
    assert.doesNotMatch(check(file).stderr, /NODE_IMAGE/);
  });

  it('names evidence of another version', () => {
    const records = readdirSync(join(ROOT, 'docs/evidence')).filter((name) => /^[\w-]+\.json$/.test(name));
    const { version } = readJson('package.json');
    const old = records.filter((name) => readJson(`docs/evidence/${name}`).version !== version);
    const { stderr } = check('deploy/docker/Dockerfile');
    for (const name of old)
      assert.match(stderr, new RegExp(`evidence group ${name.replace('.json', '')} was measured with `));
  });
});
