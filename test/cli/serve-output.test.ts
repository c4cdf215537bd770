import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { callUrl } from '../support/call.js';
import { COMMAND, FLAGS } from '../support/gatehouse-command.js';
import { POSIX } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

interface LogLine {
  readonly message: string;
}

describeWith([POSIX], 'a server whose standard output fails', function () {
  this.timeout(60_000);
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  /** Starts a server that also writes its log to a file, and waits until it serves. */
  async function serve(folder: string, workers: number, stdout: number | 'pipe') {
    const path = join(folder, 'gatehouse.yaml');
    writeFileSync(
      path,
      `server: { listen: "127.0.0.1:0", workers: ${workers} }
storage: { url: "sqlite:data/gatehouse.db" }
audit: { file: data/audit.log }
auth: { local: { keyFile: data/local-issuer.pem } }
log: { file: gatehouse.log }
`,
    );
    const stdio: StdioOptions = ['ignore', stdout, 'inherit'];
    const child = spawn(process.execPath, [...FLAGS, COMMAND, 'serve', '--config', path], {
      stdio,
      env: { ...process.env, TMPDIR: folder },
    });
    children.push(child);
    const messages = (): readonly string[] =>
      readFileSync(join(folder, 'gatehouse.log'), { encoding: 'utf8', flag: 'a+' })
        .split('\n')
        .filter((line) => line.endsWith('}'))
        .map((line) => (JSON.parse(line) as LogLine).message);
    const url = (): string => /serves (http:\S+)/.exec(messages().join('\n'))?.[1] ?? '';
    await until(() => url() !== '');
    return { child, messages, url: url() };
  }

  /** Opens a pipe that is full, and that nobody reads. */
  function openFullPipe(folder: string): number {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    try {
      for (;;) writeSync(pipe, '-'.repeat(512));
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'EAGAIN');
      return pipe;
    }
  }

  for (const workers of [1, 2]) {
    it(`ends on SIGTERM while the reader hangs, with ${workers} worker(s) (bug: never)`, async () => {
      const folder = temporaryFolder().path;
      const pipe = openFullPipe(folder);
      try {
        const { child } = await serve(folder, workers, pipe);
        child.kill('SIGTERM');
        assert.deepEqual(await once(child, 'exit'), [0, null]);
      } finally {
        closeSync(pipe);
      }
    });

    it(`logs no uncaught error after the reader is gone, with ${workers} worker(s) (bug: one for each write)`, async () => {
      const { child, messages, url } = await serve(temporaryFolder().path, workers, 'pipe');
      child.stdout?.destroy();
      for (let count = 1; count <= 5; count += 1) {
        await callUrl(`${url}/nothing`, { method: 'GET', headers: { connection: 'close' } });
        await until(() => messages().filter((message) => message === 'request').length === count);
      }
      child.kill('SIGTERM');
      assert.deepEqual(await once(child, 'exit'), [0, null]);
      assert.deepEqual(
        messages().filter((message) => message.includes('uncaught')),
        [],
      );
    });
  }
});
