import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../src/lib/version.js';
import { ROOT } from '../docs/markdown.js';
import { assertNoPasswords, assertValidCompose, readCompose } from './compose-file.js';
import { assertValid, stopSecondsOf, shipped } from './shipped.js';

describe('the Compose file', () => {
  const compose = readCompose('deploy/compose/compose.yaml');
  const { services, networks, secrets } = compose;
  const gatehouse = services['gatehouse']!;
  const main = shipped('compose/config/gatehouse.yaml');

  it('is valid by the Compose specification', () => {
    assertValidCompose(compose);
    assert.throws(() => {
      assertValidCompose({ services: { one: { imagine: 'x' } } });
    });
  });

  it('contains no password: each password is a file outside of the checkout', () => {
    assertNoPasswords(compose, '/run/secrets/');
    for (const { file } of Object.values(secrets)) assert.match(file, /^\.\/secrets\//);
    assert.match(shipped('compose/.gitignore'), /^secrets\/$/m);
    // The development mode of OpenBao has a well-known root token.
    assert.deepEqual(services['openbao']?.command, ['server']);
    for (const name of Object.values(services).flatMap((one) => one.secrets ?? []))
      assert.ok(secrets[name], name);
  });

  it('pins exact images, and the gatehouse image to this version', () => {
    for (const { image } of Object.values(services))
      assert.match(image ?? '', /^[\w./-]+:\d+\.\d+(\.\d+)?(-\w+)?$/);
    assert.equal(gatehouse.image, `gatehouse:${VERSION}`);
    const { context, dockerfile } = gatehouse.build!;
    assert.ok(existsSync(join(ROOT, 'deploy/compose', context, dockerfile)));
  });

  it('restricts gatehouse to its volume and /tmp, and publishes ports on loopback only', () => {
    assert.equal(gatehouse.read_only, true);
    assert.deepEqual(gatehouse.cap_drop, ['ALL']);
    assert.match(gatehouse.tmpfs?.join() ?? '', /^\/tmp:/);
    for (const { ports = [] } of Object.values(services))
      for (const port of ports) assert.match(port, /^127\.0\.0\.1:/);
    assert.equal(networks['back']?.internal, true);
    for (const name of ['postgres', 'openbao']) assert.deepEqual(services[name]?.networks, ['back']);
  });

  it('gives active calls enough time to end', () => {
    assert.ok(parseInt(gatehouse.stop_grace_period ?? '', 10) > stopSecondsOf(main));
  });

  it('ships a valid configuration that finds its secrets', async () => {
    await assertValid(main);
    const used = [...main.matchAll(/\/run\/secrets\/(\w+)/g)].map(([, name]) => name);
    assert.deepEqual(used.sort(), [...(gatehouse.secrets ?? [])].sort());
  });
});
