import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { systemScheduler } from '../../src/lib/clock.js';
import { VERSION } from '../../src/lib/version.js';
import { createServer } from '../../src/server/create-server.js';
import { mustRun } from '../clients/run-program.js';
import { assertNoPasswords, assertValidCompose, type Compose, readCompose } from '../deploy/compose-file.js';
import { readPage, ROOT } from '../docs/markdown.js';
import { collectingStream } from '../support/collecting-stream.js';
import { runCommand } from '../support/command-io.js';
import { findOpenBao, OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { type OpenBaoPlace, startOpenBao } from '../support/openbao.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startExampleOrchestrator } from './orchestrator.js';

const FOLDER = join(ROOT, 'examples/compose-openbao');
const page = readPage('examples/compose-openbao/README.md');
const compose = readCompose('examples/compose-openbao/compose.yaml');
const product = readCompose('deploy/compose/compose.yaml');
const services = Object.entries(compose.services);

describe('the Compose file of the OpenBao example', () => {
  it('is valid by the Compose specification', () => {
    assertValidCompose(compose);
  });

  it('uses the images of the product', () => {
    const imageOf = (name: string): string | undefined => compose.services[name]?.image;
    assert.equal(imageOf('gatehouse'), `gatehouse:${VERSION}`);
    assert.equal(imageOf('init'), product.services['openbao']?.image);
    const dockerfile = readFileSync(join(ROOT, 'deploy/docker/Dockerfile'), 'utf8');
    assert.ok(dockerfile.includes(`NODE_IMAGE=${String(imageOf('orchestrator'))}\n`));
  });

  it('declares the networks and volumes of the service that it extends', () => {
    assert.deepEqual(compose.services['openbao']?.extends, {
      file: '../../deploy/compose/compose.yaml',
      service: 'openbao',
    });
    const extended = product.services['openbao'] ?? {};
    for (const name of extended.networks ?? []) assert.ok(compose.networks[name], name);
    for (const volume of namedVolumes(extended)) assert.ok(volume in compose.volumes, volume);
  });

  it('declares its volumes, mounts existing files, and publishes only gatehouse on loopback', () => {
    for (const [name, service] of services) {
      for (const volume of namedVolumes(service)) assert.ok(volume in compose.volumes, volume);
      for (const file of mountedFiles(service)) assert.ok(existsSync(file), file);
      assert.deepEqual(service.ports ?? [], name === 'gatehouse' ? ['127.0.0.1:3000:3000'] : []);
    }
    assert.equal(compose.networks['back']?.internal, true);
  });

  it('contains no password', () => {
    assertNoPasswords(compose, '/credentials/');
  });
});

type Mounts = Pick<Compose['services'][string], 'volumes'>;

function sourcesOf({ volumes = [] }: Mounts): readonly string[] {
  return volumes.map((volume) => volume.split(':', 1)[0] ?? '');
}

function namedVolumes(service: Mounts): readonly string[] {
  return sourcesOf(service).filter((source) => !source.startsWith('.'));
}

function mountedFiles(service: Mounts): readonly string[] {
  return sourcesOf(service)
    .filter((source) => source.startsWith('.'))
    .map((source) => join(FOLDER, source));
}

/** Configuration of an OpenBao server with the storage of `deploy/compose/openbao.hcl`. */
function openBaoConfig({ folder, port, clusterPort }: OpenBaoPlace): string {
  return readFileSync(join(ROOT, 'deploy/compose/openbao.hcl'), 'utf8')
    .replace('"/openbao/file"', JSON.stringify(join(folder, 'raft')))
    .replace('"0.0.0.0:8200"', `"127.0.0.1:${port}"`)
    .replace('http://openbao:8200', `http://127.0.0.1:${port}`)
    .replace('http://openbao:8201', `http://127.0.0.1:${clusterPort}`);
}

describeWith(OPENBAO, 'the OpenBao example', function () {
  this.timeout(180_000);

  it('prepares OpenBao twice, and serves the orchestrator with the secret from OpenBao', async () => {
    const folder = temporaryFolder().path;
    const place = (name: string): string => join(folder, name);
    for (const name of ['bin', 'state', 'credentials', 'data']) mkdirSync(place(name), { mode: 0o700 });
    symlinkSync(findOpenBao() ?? '', place('bin/bao'));
    const openbao = await startOpenBao({ config: openBaoConfig });
    const env = {
      PATH: [place('bin'), process.env['PATH']].join(delimiter),
      HOME: folder,
      BAO_ADDR: openbao.address,
      STATE: place('state'),
      CREDENTIALS: place('credentials'),
    };
    const script = join(FOLDER, 'init.sh');
    const orchestrator = await startExampleOrchestrator({
      PASSWORD_FILE: place('credentials/orchestrator_password'),
    });
    try {
      await mustRun(['sh', script], { cwd: folder, env });
      // After a restart, OpenBao is sealed and keeps its data.
      await openbao.stop();
      await openbao.start();
      const said = await mustRun(['sh', script], { cwd: folder, env });
      assert.match(said, /^OpenBao is ready\.$/m);
      cpSync(join(FOLDER, 'config'), place('config'), { recursive: true });
      for (const file of ['config/gatehouse.yaml', 'config/adapters/devices.yaml'])
        writeFileSync(
          place(file),
          readFileSync(place(file), 'utf8')
            .replace('0.0.0.0:3000', '127.0.0.1:0')
            .replace('http://openbao:8200', openbao.address)
            .replace('http://orchestrator:8080', orchestrator.url)
            .replaceAll('/credentials/', `${place('credentials')}/`)
            .replaceAll('/var/lib/gatehouse/', `${place('data')}/`),
        );
      await assertServes(place('config/gatehouse.yaml'));
    } finally {
      await orchestrator.close();
      await openbao.close();
    }
  });

  /** Starts gatehouse, and runs the call of the page. */
  async function assertServes(configPath: string): Promise<void> {
    const server = await createServer({
      configPath,
      env: {},
      clock: systemScheduler,
      logStream: collectingStream().stream,
    });
    try {
      const words = ['token', '--role', 'admin', '--subject', 'ada', '--config', configPath];
      const { out: token } = await runCommand(words, { printsSecret: true });
      const [call = ''] = page.blocks.flatMap(({ text }) => (text.startsWith('curl') ? [text] : []));
      const [reply = ''] = page.blocks.flatMap(({ text, language }) => (language === 'json' ? [text] : []));
      const said = await mustRun(['bash', '-c', call.replace('http://127.0.0.1:3000', server.url)], {
        cwd: ROOT,
        env: { ...process.env, TOKEN: token.trim() },
      });
      assert.deepEqual(JSON.parse(said), JSON.parse(reply));
    } finally {
      await server.close();
    }
  }
});
