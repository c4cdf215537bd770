import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Writable } from 'node:stream';
import { Agent, request } from 'undici';
import { trustSteps } from '../../src/cli/init/local-ca.js';
import { systemScheduler } from '../../src/lib/clock.js';
import { createServer, type Server } from '../../src/server/create-server.js';
import { readPage, ROOT } from '../docs/markdown.js';
import { runCommand } from '../support/command-io.js';
import { keepSecret } from '../support/leak-scan.js';
import { LINUX, MOUNTS } from '../support/need-list.js';
import { itWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('gatehouse init', () => {
  const root = temporaryFolder().path;
  const path = join(root, 'first', 'gatehouse.yaml');
  let password = '';
  let server: Server;

  before(async () => {
    const { code, out } = await runCommand(['init', '--config', path], { printsSecret: true });
    assert.equal(code, 0);
    password = /Sign in as admin with: +(\S+)/.exec(out)?.[1] ?? '';
    keepSecret(password);
    assert.match(out, /Serve it: +gatehouse serve --config /);
    assert.match(out, /https:\/\/localhost:3443\/ui\//);
    // Any free port in place of the documented one.
    writeFileSync(path, readFileSync(path, 'utf8').replace('127.0.0.1:3443', '127.0.0.1:0'));
    const logStream = new Writable({
      write: (_chunk, _encoding, done) => {
        done();
      },
    });
    server = await createServer({ configPath: path, env: {}, clock: systemScheduler, logStream });
  });

  after(() => server.close());

  const post = async (target: string, body: unknown, token?: string): Promise<readonly [number, string]> => {
    const dispatcher = new Agent({ connect: { ca: readFileSync(join(root, 'first', 'tls', 'cert.pem')) } });
    const reply = await request(server.url + target, {
      dispatcher,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    const text = await reply.body.text();
    await dispatcher.close();
    return [reply.statusCode, text];
  };

  it('writes files for the owner only, without the password', () => {
    for (const name of ['gatehouse.yaml', 'tls/key.pem', 'tls/cert.pem', 'adapters/nso1.yaml']) {
      const file = join(root, 'first', name);
      assert.equal(statSync(file).mode & 0o777, 0o600, name);
      assert.ok(!readFileSync(file, 'utf8').includes(password), name);
    }
  });

  it('writes the schemas that the first line of each file names', () => {
    for (const name of ['gatehouse.yaml', 'adapters/nso1.yaml']) {
      const file = join(root, 'first', name);
      const [, schema = ''] =
        /^# yaml-language-server: \$schema=(\S+)\n/.exec(readFileSync(file, 'utf8')) ?? [];
      assert.ok(existsSync(join(dirname(file), schema)), `${name}: ${schema}`);
    }
  });

  it('writes a configuration without faults', async () => {
    const { code, out } = await runCommand(['check', '--config', path]);
    assert.deepEqual([code, out], [0, `${path}: no fault found (1 adapter)\n`]);
  });

  it('writes a user who can log in with the printed password, and an adapter that answers', async () => {
    const [loggedIn, token] = await post('/login', { username: 'admin', password });
    assert.equal(loggedIn, 200);
    const body = {
      params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' },
    };
    const [status, text] = await post('/orchestrator_manager/restQuery/nso1', body, token);
    assert.equal(status, 200);
    assert.match(text, /"name":"eth0"/);
  });

  it('with --trust signs the certificate with a CA whose key is nowhere, and prints the way there and back', async () => {
    const folder = join(root, "o'brien");
    const { code, out } = await runCommand(['init', '--trust', '--config', join(folder, 'gatehouse.yaml')], {
      printsSecret: true,
    });
    assert.equal(code, 0);
    const pem = (name: string): string => readFileSync(join(folder, 'tls', name), 'utf8');
    const [ca, certificate] = [new X509Certificate(pem('ca.pem')), new X509Certificate(pem('cert.pem'))];
    assert.ok(ca.ca && !certificate.ca);
    assert.ok(certificate.verify(ca.publicKey) && certificate.checkIssued(ca));
    assert.ok(certificate.checkPrivateKey(createPrivateKey(pem('key.pem'))));
    assert.ok(!ca.checkPrivateKey(createPrivateKey(pem('key.pem'))));
    assert.deepEqual(readdirSync(join(folder, 'tls')).sort(), ['ca.pem', 'cert.pem', 'key.pem']);
    const name = ca.subject.replace('CN=', '');
    const [steps = '', back = ''] = out.split('The way back:');
    assert.ok(steps.includes('Nothing trusts it yet'));
    assert.ok(back.includes(name) || back.includes(name.replaceAll(' ', '-')));
    assert.ok(!out.includes('self-signed'));
  });

  it('prints commands for each system that a shell reads as one path', () => {
    const stepsOn = (platform: NodeJS.Platform): string =>
      trustSteps("/home/o'brien/ca.pem", 'local CA 1', platform);
    assert.match(stepsOn('linux'), /certutil .* -A .* -i '\/home\/o'\\''brien\/ca\.pem'\n/);
    assert.match(stepsOn('linux'), /certutil .* -D -n 'local CA 1'\n/);
    assert.match(
      stepsOn('darwin'),
      /security add-trusted-cert [\s\S]*security delete-certificate -c 'local CA 1'/,
    );
    assert.match(stepsOn('win32'), /-addstore Root "[\s\S]*-delstore Root "local CA 1"/);
  });

  itWith(LINUX, 'ends where no folder can be created (bug: it did not return)', () => {
    const program = join(ROOT, 'dist/bin/gatehouse.js');
    const { status, stderr } = spawnSync(
      process.execPath,
      [program, 'init', '--config', '/proc/first/gatehouse.yaml'],
      { encoding: 'utf8', timeout: 60_000 },
    );
    assert.equal(status, 1);
    assert.match(stderr, /\/proc\/first/);
  });

  itWith(
    MOUNTS,
    'says what to do on a full disk, and on one that is read-only (bug: the words of the system)',
    () => {
      const folder = join(root, 'disk');
      mkdirSync(folder);
      const init = `"${process.execPath}" "${join(ROOT, 'dist/bin/gatehouse.js')}" init --config`;
      const mount = `mount -t tmpfs -o size=64k tmpfs "${folder}"`;
      const code = `${mount}; ${init} "${folder}/a/gatehouse.yaml"; mount -o remount,ro "${folder}"; ${init} "${folder}/b/gatehouse.yaml"`;
      const { stderr } = spawnSync('unshare', ['--mount', 'sh', '-c', code], { encoding: 'utf8' });
      assert.match(stderr, /^gatehouse init: the disk is full; free disk space, and run the command again$/m);
      assert.match(
        stderr,
        /^gatehouse init: \S+b is on a read-only file system; name a path on another one$/m,
      );
    },
  );

  it('refuses --trust with --production', async () => {
    assert.equal((await runCommand(['init', '--trust', '--production'])).code, 64);
  });

  it('changes no existing file', async () => {
    const before = readFileSync(path, 'utf8');
    const { code, err } = await runCommand(['init', '--config', path]);
    assert.equal(code, 64);
    assert.match(err, /gatehouse\.yaml exists already; name another file with --config/);
    assert.equal(readFileSync(path, 'utf8'), before);
  });

  it('prints what the first tutorial shows', async () => {
    const other = join(root, 'tutorial', 'config');
    const { out, err } = await runCommand(['init'], {
      env: { GATEHOUSE_CONFIG: join(other, 'gatehouse.yaml') },
      printsSecret: true,
    });
    const withoutPassword = (text: string): string => text.replace(/(as admin with: +)\S+/, '$1PASSWORD');
    const [shown] = readPage('docs/tutorial/first-call.md').blocks.filter(({ mark }) =>
      mark?.includes('test/cli/init.test.ts'),
    );
    assert.equal(
      withoutPassword(err.replaceAll(relative('.', other), 'config') + out),
      withoutPassword(shown?.text ?? ''),
    );
  });
});
