import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { ROOT } from '../docs/markdown.js';
import { callUrl } from '../support/call.js';
import { runCommand } from '../support/command-io.js';
import { COMMAND, FLAGS } from '../support/gatehouse-command.js';
import { isAlive } from '../support/is-alive.js';
import { type Listener, listenOnLoopback } from '../support/loopback.js';
import { LINUX } from '../support/need-list.js';
import { itWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openTokenSigner } from '../support/token-issuer.js';
import { eventually, until } from '../support/until.js';

interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly pid?: number;
  readonly signal?: string;
  readonly lameDuckMs?: number;
}

/** Starts `gatehouse serve` as a separate process and reads its log line by line. */
function serve(path: string, env: NodeJS.ProcessEnv = {}, ...options: readonly string[]) {
  const child = spawn(process.execPath, [...FLAGS, COMMAND, 'serve', '--config', path, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env, TMPDIR: dirname(path) },
  });
  child.stderr.pipe(process.stderr, { end: false });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read: LogLine[] = [];
  const lineWith = async (pattern: RegExp): Promise<LogLine> => {
    for (;;) {
      const known = read.find(({ message }) => pattern.test(message));
      if (known) return known;
      const { value, done } = (await lines.next()) as IteratorResult<string, undefined>;
      if (done) throw new Error(`the log ended before ${String(pattern)}`);
      // Packages print additional lines if DEBUG enables them.
      if (value.startsWith('{')) read.push(JSON.parse(value) as LogLine);
    }
  };
  const workers = (): readonly number[] =>
    read.flatMap(({ message, pid }) => (message === 'worker serves' ? (pid ?? []) : []));
  return { child, lineWith, workers };
}

const urlOf = async ({ lineWith }: ReturnType<typeof serve>): Promise<string> =>
  /http:\S+/.exec((await lineWith(/serves http/)).message)?.[0] ?? '';

describe('gatehouse serve', () => {
  const write = (config: string): string => {
    const path = join(temporaryFolder().path, 'gatehouse.yaml');
    writeFileSync(path, config);
    return path;
  };
  const MINIMAL = `server: { listen: "127.0.0.1:0" }
storage: { url: "sqlite:data/gatehouse.db" }
audit: { file: data/audit.log }
auth: { local: { keyFile: data/local-issuer.pem } }
`;

  it('creates a key at its first start, listens on the address of --listen, continues after SIGPIPE and SIGUSR1, reloads on SIGHUP and ends on SIGINT', async () => {
    const { port, close } = await listenOnLoopback(createServer());
    const config = MINIMAL.replace('127.0.0.1:0', `127.0.0.1:${port}`);
    const path = write(config);
    const server = serve(path, {}, '--listen', '127.0.0.1:0');
    const { child, lineWith } = server;
    try {
      const url = await urlOf(server);
      assert.notEqual(new URL(url).port, String(port));
      await lineWith(/created a signing key/);
      await lineWith(/gatehouse token --role admin/);
      assert.equal((await callUrl(`${url}/health/status`, { method: 'GET' })).status, 200);
      child.kill('SIGPIPE');
      child.kill('SIGUSR1');
      // Each process handles its signals in order.
      child.kill('SIGHUP');
      await lineWith(/configuration is live/);
      writeFileSync(path, `${config}rolls: {}\n`);
      child.kill('SIGHUP');
      assert.equal((await lineWith(/configuration refused/)).level, 'error');
      assert.equal((await callUrl(`${url}/health/status`, { method: 'GET' })).status, 200);
    } finally {
      child.kill('SIGINT');
      await close();
    }
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  it('refuses an address that is not HOST:PORT', async () => {
    const { code, err } = await runCommand(['serve', '--config', write(MINIMAL), '--listen', '8080']);
    assert.equal(code, 64);
    assert.match(err, /--listen takes HOST:PORT, for example 127\.0\.0\.1:8080 or \[::\]:8080, not "8080"/);
  });

  for (const [workers, stop] of [
    [1, 'SIGQUIT'],
    [2, 'SIGTERM'],
  ] as const)
    it(`finding O15: takes calls for its lame duck time after ${stop} with ${workers} worker(s), while /readyz answers 503`, async () => {
      const path = write(MINIMAL.replace('{ listen', `{ workers: ${workers}, lameDuckSeconds: 600, listen`));
      const server = serve(path);
      const { child, lineWith } = server;
      try {
        const url = await urlOf(server);
        const get = (at: string) => fetch(url + at);
        assert.equal((await get('/readyz')).status, 200);
        assert.equal((await get('/readyz')).headers.get('connection'), 'keep-alive');
        child.kill(stop);
        assert.equal((await lineWith(/^stopping$/)).signal, stop);
        // Connections that were idle, and new ones: each serves one more request.
        for (let count = 0; count < 2 * workers; count += 1) {
          const { status, headers } = await get('/readyz');
          assert.deepEqual([status, headers.get('connection')], [503, 'close']);
          assert.equal((await get('/livez')).status, 200);
        }
        assert.match(await (await get('/readyz')).text(), /stopping: the server ends soon/);
        child.kill('SIGTERM');
        const { signal, lameDuckMs } = await lineWith(/^stopped$/);
        assert.deepEqual([signal, typeof lameDuckMs], [stop, 'number']);
        if (child.exitCode === null) await once(child, 'exit');
        assert.deepEqual([child.exitCode, child.signalCode], [0, null]);
        assert.deepEqual(server.workers().filter(isAlive), []);
      } finally {
        child.kill('SIGKILL');
      }
    }).timeout(60_000);

  describe('with two workers', () => {
    let server: ReturnType<typeof serve>;
    let taken: Listener;
    let errors = '';
    let folder = '';

    before(async () => {
      taken = await listenOnLoopback(createServer());
      const path = write(MINIMAL.replace('127.0.0.1:0"', `127.0.0.1:${taken.port}", workers: 2`));
      folder = dirname(path);
      server = serve(path, { TZ: 'UTC', SITE: 'berlin', LISTEN_FDS: '1' }, '--listen', '127.0.0.1:0');
      server.child.stderr.on('data', (chunk: Buffer) => {
        errors += chunk.toString();
      });
      await server.lineWith(/serves http/);
    });

    after(async () => {
      server.child.kill('SIGKILL');
      await taken.close();
    });

    it('listens on the address of --listen', async () => {
      const url = await urlOf(server);
      assert.notEqual(new URL(url).port, String(taken.port));
      // An idle connection would keep its worker for the drain time.
      const reply = await callUrl(`${url}/livez`, { method: 'GET', headers: { connection: 'close' } });
      assert.equal(reply.status, 200);
    });

    itWith(LINUX, 'gives its workers its environment, without the variables for the service manager', () => {
      const variables = (pid: number): readonly string[] =>
        readFileSync(`/proc/${pid}/environ`, 'utf8')
          .split('\0')
          .map((line) => line.split('=', 1)[0] ?? '');
      const pids = [...new Set(server.workers())];
      assert.equal(pids.length, 2);
      for (const inWorker of pids.map(variables)) {
        assert.ok(['TZ', 'PATH', 'SITE'].every((name) => inWorker.includes(name)));
        assert.ok(!inWorker.includes('LISTEN_FDS'));
      }
    });

    it('replaces its workers on SIGUSR2', async () => {
      const { child, lineWith, workers } = server;
      // The replacement starts after these signals, and each process handles its signals in order.
      for (const pid of [child.pid!, ...workers()]) process.kill(pid, 'SIGUSR1');
      child.kill('SIGUSR2');
      await lineWith(/workers were replaced/);
      assert.equal(new Set(workers()).size, 4);
    });

    it('ends its workers when it is killed, and leaves no file behind', async () => {
      server.child.kill('SIGKILL');
      await until(() => !server.workers().some(isAlive));
      // Node.js 22 and later keep compiled code in the temporary folder, for the next start.
      const compiled = `gatehouse-${process.getuid?.()}`;
      assert.ok(!readdirSync(folder).some((name) => name.startsWith('gatehouse-') && name !== compiled));
    });

    it('finding F17: opened no inspector on SIGUSR1, neither in the server nor in its workers', () => {
      assert.doesNotMatch(errors, /Debugger|inspector/);
    });
  });

  it('ends at once on a further signal', async () => {
    // The orchestrator does not answer, so that the running call keeps the server from ending.
    const orchestrator = await listenOnLoopback(createServer((socket) => socket.resume()));
    const path = write(
      `${MINIMAL}adapters: { a: { plugin: http-rest, baseUrl: "http://${orchestrator.host}", health: { type: none } } }\n`,
    );
    const server = serve(path);
    const { child } = server;
    const url = await urlOf(server);
    const issueToken = await openTokenSigner(join(dirname(path), 'data', 'local-issuer.pem'));
    const call = callUrl(`${url}/orchestrator_manager/restQuery/a`, {
      token: issueToken({ subject: 'ada', roles: ['admin'] }),
      body: { params: { path: '/', accept: '*/*' } },
    });
    await Promise.race([until(() => orchestrator.connections() > 0), call]);
    child.kill('SIGTERM');
    await eventually(async () => {
      await assert.rejects(callUrl(`${url}/readyz`, { method: 'GET' }));
    });
    child.kill('SIGINT');
    assert.deepEqual(await once(child, 'exit'), [null, 'SIGINT']);
    await assert.rejects(call);
    await orchestrator.close();
  }).timeout(60_000);

  it('has a test for every signal in the reference', () => {
    const reference = readFileSync(join(ROOT, 'docs/reference/process.md'), 'utf8');
    const named = [...reference.matchAll(/^\| (SIG\w+) +\|/gm)].map(([, name]) => name);
    const tests = readFileSync(join(ROOT, 'test/cli/serve.test.ts'), 'utf8');
    assert.deepEqual(
      named.filter((name) => !tests.includes(`'${name ?? ''}'`)),
      [],
    );
    assert.equal(named.length, 8);
  });

  it('serves on an inherited socket, on which requests wait during a restart, and warns that --listen has no effect (bug: not a word)', async () => {
    const path = write(MINIMAL);
    const socket = createServer().listen(0, '127.0.0.1');
    await once(socket, 'listening');
    const { port } = socket.address() as AddressInfo;
    // The shell keeps the socket open, as systemd does, and starts the server again after its end.
    const command = `LISTEN_FDS=1 LISTEN_PID=$$ exec "${process.execPath}" "${COMMAND}" serve --config "${path}" --listen 127.0.0.1:0`;
    const again = `sh -c 'echo $$; ${command}'`;
    const { fd } = (socket as unknown as { readonly _handle: { readonly fd: number } })._handle;
    const holder = spawn('sh', ['-c', `${again}; ${again}`], { stdio: ['ignore', 'pipe', 'inherit', fd] });
    socket.close();
    const pids: number[] = [];
    let warnings = 0;
    createInterface({ input: holder.stdout! }).on('line', (line) => {
      if (/^\d+$/.test(line)) pids.push(Number(line));
      if (line.includes('"level":"warn","message":"--listen has no effect: the server uses the socket'))
        warnings += 1;
    });
    const url = `http://127.0.0.1:${port}/health/status`;
    const ended = once(holder, 'exit');
    assert.equal((await callUrl(url, { method: 'GET', headers: { connection: 'close' } })).status, 200);
    process.kill(pids[0]!, 'SIGTERM');
    await until(() => !isAlive(pids[0]!));
    assert.equal((await callUrl(url, { method: 'GET', headers: { connection: 'close' } })).status, 200);
    process.kill(pids[1]!, 'SIGTERM');
    assert.deepEqual(await ended, [0, null]);
    assert.equal(warnings, 2);
  }).timeout(60_000);

  it('finding 29: reports a failed start as text on standard error and as a line of the log', async () => {
    const blocked = await listenOnLoopback(createServer());
    const used = `${MINIMAL.replace(':0', `:${blocked.port}`)}log: { file: server.log }\n`;
    for (const [config, code, message, reason] of [
      [
        'rolls: {}\n',
        78,
        'start failed: the configuration has faults',
        /"pointer":"\/rolls","code":"schema"/,
      ],
      [
        'vault: { address: "http://127.0.0.1:1", auth: { method: token, tokenEnv: PATH }, boot: { waitSeconds: 0, requireAll: true } }\nstorage: { url: $VAULT_gatehouse/storage#url }\n',
        75,
        'start failed: Vault is not available',
        /VAULT_UNAVAILABLE/,
      ],
      [used, 1, 'start failed', /Another process holds the port/],
    ] as const) {
      const path = write(config);
      const child = spawn(process.execPath, [COMMAND, 'serve', '--config', path], { stdio: 'pipe' });
      const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
      assert.equal(child.exitCode ?? (await once(child, 'exit'))[0], code);
      const line = out.split('\n').find((one) => one.includes('start failed')) ?? '';
      assert.equal((JSON.parse(line) as LogLine).message, message);
      assert.match(line, reason);
      assert.match(err, code === 78 ? /gatehouse\.yaml:1:1 \/rolls: .*did you mean "roles"/ : reason);
      if (code === 1) assert.ok(readFileSync(join(dirname(path), 'server.log'), 'utf8').includes(line));
    }
    await blocked.close();
  }).timeout(60_000);
});
