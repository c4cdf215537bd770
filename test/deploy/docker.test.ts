import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { VERSION } from '../../src/lib/version.js';
import { ROOT } from '../docs/markdown.js';
import { FLAGS } from '../support/gatehouse-command.js';
import { shipped } from './shipped.js';

describe('the Dockerfile', () => {
  const text = shipped('docker/Dockerfile');
  const lines = text
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line));
  const argumentsOf = (instruction: string): readonly string[] =>
    lines.flatMap((line) => (line.startsWith(`${instruction} `) ? [line.slice(instruction.length + 1)] : []));
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));

  it('passes a linter', () => {
    const findings = (one: string) =>
      validate(one).map(
        ({ range, message }) =>
          `${range.start.line + 1}: ${typeof message === 'string' ? message : message.value}`,
      );
    assert.deepEqual(findings(text), []);
    assert.notDeepEqual(findings('FROM node\nRUNN npm ci\n'), []);
  });

  it('builds with one exact Node.js release and runs without package managers', () => {
    const bases = argumentsOf('FROM').map((one) => one.split(' ')[0] ?? '');
    assert.deepEqual([...new Set(bases)], ['${NODE_IMAGE}', '${BASE_IMAGE}']);
    const [, major] = /^NODE_IMAGE=node:(\d+)\.\d+\.\d+-\w+-slim$/m.exec(argumentsOf('ARG').join('\n')) ?? [];
    assert.ok(Number(major) >= 22);
    assert.ok(
      lines.findIndex((line) => line.startsWith('ARG ')) <
        lines.findIndex((line) => line.startsWith('FROM ')),
    );
  });

  it('runs as an unprivileged user with production files only', () => {
    assert.ok(last.some((line) => /^USER [1-9]\d*:[1-9]\d*$/.test(line)));
    assert.deepEqual(
      last.filter((line) => line.startsWith('COPY --from')),
      [
        'COPY --from=installed /usr/local/bin/node /usr/local/bin/node',
        'COPY --from=installed /opt/gatehouse /opt/gatehouse',
        'COPY --from=installed --chown=10001:10001 --chmod=0700 /data /var/lib/gatehouse',
      ],
    );
    assert.match(text, /npm ci --omit=dev --workspaces=false --ignore-scripts/);
    // A file that a later layer removes stays in the image.
    assert.ok(last.every((line) => !/\brm\b/.test(line)));
    // Every release from 22.14 on has this option; the image contains such a release.
    const entry = ['node', '--disable-sigusr1', ...FLAGS, 'dist/bin/gatehouse.js'].map((word) => `"${word}"`);
    assert.ok(last.includes(`ENTRYPOINT [${entry.join(', ')}]`));
  });

  it('needs no shell in the image that runs, and names its version and commit', () => {
    assert.match(argumentsOf('ARG').join('\n'), /^BASE_IMAGE=gcr\.io\/distroless\/cc-debian\d+:nonroot$/m);
    assert.ok(last.every((line) => !/^(?:RUN|SHELL) /.test(line)));
    assert.ok(last.every((line) => !/^(?:ENTRYPOINT|CMD) [^[]/.test(line)));
    const label = last.find((line) => line.startsWith('LABEL ')) ?? '';
    for (const name of [`version=${VERSION}`, 'revision=${COMMIT}', 'licenses=Apache-2.0'])
      assert.ok(label.includes(`org.opencontainers.image.${name}`), name);
  });

  it('contains no secrets and no unverified downloads in its layers', () => {
    assert.deepEqual(argumentsOf('ADD'), []);
    assert.deepEqual(
      argumentsOf('ARG').map((one) => one.split('=')[0]),
      ['NODE_IMAGE', 'BASE_IMAGE', 'COMMIT', 'COMMIT'],
    );
    for (const one of argumentsOf('ENV')) assert.doesNotMatch(one, /TOKEN|PASSWORD|SECRET/i);
    assert.doesNotMatch(text, /curl|wget|\bCOPY \. /);
  });

  it('copies existing files that the ignore file permits', () => {
    const ignored = shipped('docker/Dockerfile.dockerignore').split('\n');
    assert.ok(ignored.includes('*'));
    const permitted = ignored.flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
    const sources = argumentsOf('COPY').flatMap((one) =>
      one.startsWith('--from') ? [] : one.split(' ').slice(0, -1),
    );
    for (const source of sources) {
      assert.ok(existsSync(join(ROOT, source)), source);
      assert.ok(
        permitted.some((path) => `${source}/`.startsWith(`${path}/`)),
        source,
      );
    }
    assert.deepEqual(
      permitted.filter((path) => !sources.includes(path)),
      [],
    );
  });
});
