import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { callUrl } from '../support/call.js';
import { COMMAND } from '../support/gatehouse-command.js';
import { writeMistake } from '../support/mistakes.js';
import { openTokenSigner } from '../support/token-issuer.js';
import { until } from '../support/until.js';

/** A plugin that does not return from the method that its option names. */
const PLUGIN = `
const spin = () => { for (;;) JSON.stringify({}); };
export const plugin = {
  type: 'looping',
  apiVersion: 1,
  summary: 'Does not return.',
  options: { type: 'object', properties: { where: { type: 'string' } } },
  create({ where }) {
    if (where === 'create') spin();
    return { translate: spin };
  },
};
`;

function configure(where: 'create' | 'translate', server = ''): string {
  const manifest = { name: 'looping', type: 'module', exports: './index.js', keywords: ['gatehouse-plugin'] };
  return writeMistake({
    main: `server: { listen: "127.0.0.1:0", watchdogSeconds: 1${server} }
log: { file: gatehouse.log }
storage: { url: "sqlite:data/gatehouse.db" }
audit: { file: data/audit.log }
auth: { local: { keyFile: data/local-issuer.pem } }
`,
    files: {
      'node_modules/looping/package.json': JSON.stringify(manifest),
      'node_modules/looping/index.js': PLUGIN,
      'adapters/nso1.yaml': `plugin: looping\nbaseUrl: http://127.0.0.1:9\noptions: { where: ${where} }\n`,
    },
  });
}

function start(folder: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [COMMAND, ...args, '--config', join(folder, 'gatehouse.yaml')]);
  const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(
    ([[code], out, err]) => ({ code: code as unknown, out, err }),
  );
  return { child, ended };
}

interface LogLine {
  readonly message: string;
  readonly [field: string]: unknown;
}

const logOf = (folder: string): readonly LogLine[] =>
  readFileSync(join(folder, 'gatehouse.log'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LogLine);

/** Sends a call whose translation does not return. */
async function callLoop(folder: string): Promise<void> {
  const findUrl = (): string | undefined =>
    logOf(folder).flatMap(({ message }) => /serves (http:\S+)/.exec(message)?.[1] ?? [])[0];
  await until(() => existsSync(join(folder, 'gatehouse.log')) && findUrl() !== undefined);
  const issueToken = await openTokenSigner(join(folder, 'data', 'local-issuer.pem'));
  const token = issueToken({ subject: 'ada', roles: ['admin'] });
  const body = { params: { path: '/', accept: '*/*' } };
  const url = `${findUrl() ?? ''}/orchestrator_manager/restQuery/nso1`;
  await callUrl(url, { token, body }).catch(() => undefined);
}

const CALL = { plugin: 'looping', adapter: 'nso1' };

describe('a plugin in an endless loop', () => {
  it('P10: ends the check with the exit code 70 and the name of the plugin', async () => {
    const { ended } = start(configure('create'), 'check', '--plugin-timeout', '1');
    const { code, out, err } = await ended;
    assert.deepEqual([code, out], [70, '']);
    assert.match(
      err,
      /^gatehouse check: create of the plugin "looping" for the adapter "nso1" does not return; ending the process\nat spin \(file:\S+\/looping\/index\.js:2:\d+\)\nat create /,
    );
  });

  it('in create ends the start with the exit code 70 and one line in each log', async () => {
    const folder = configure('create');
    const { code, out } = await start(folder, 'serve').ended;
    assert.equal(code, 70);
    const [line, ...others] = logOf(folder);
    assert.deepEqual(others, []);
    assert.deepEqual(JSON.parse(out), line);
    assert.equal(
      line?.message,
      'create of the plugin "looping" for the adapter "nso1" does not return; ending the process',
    );
    assert.deepEqual({ ...line, ...CALL, method: 'create', exitCode: 70 }, line);
  });

  it('R5: in translate ends only its worker, which the main process replaces as stuck', async () => {
    const folder = configure('translate', ', workers: 2');
    const { child, ended } = start(folder, 'serve');
    try {
      await callLoop(folder);
      const find = (pattern: RegExp): readonly LogLine[] =>
        logOf(folder).filter(({ message }) => pattern.test(message));
      await until(() => find(/worker serves/).length === 3);
      const [report] = find(/does not return/);
      const [replaced] = find(/worker was ended by its watchdog; replacing it/);
      assert.deepEqual(
        {
          ...report,
          ...CALL,
          method: 'translate',
          exitCode: 70,
          worker: replaced?.['worker'],
          pid: replaced?.['pid'],
        },
        report,
      );
      assert.equal(replaced?.['code'], 70);
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
  });
});
