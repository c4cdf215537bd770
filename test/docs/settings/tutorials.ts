import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../support/command-io.js';
import { createRestconfDouble } from '../../support/restconf-double.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { type OpenSetting, PASSWORD } from '../installations.js';
import { readPage } from '../markdown.js';

const MAIN = fileURLToPath(new URL('../../../src/cli/main.js', import.meta.url));

/** The command of gatehouse as a separate process. The configuration of `init` gets any free port in place of the documented one. */
const GATEHOUSE = `[ "$1" = init ] || exec "${process.execPath}" "${MAIN}" "$@"
"${process.execPath}" "${MAIN}" "$@" && sed -i s/127.0.0.1:3443/127.0.0.1:0/ config/gatehouse.yaml`;

/** Runs the real curl, which the shell of the tests hides. */
const CURL = 'PATH="${PATH#*:}" exec curl "$@" --fail-with-body';

/** Waits until the server has reloaded, for which a person at a terminal takes long enough. */
const PATIENT_CURL = `case "$*" in
*/restQuery/core1*) for attempt in $(seq 600); do
    (set -- -s --cacert config/tls/cert.pem https://localhost:3443/adapters/core1 \
      -H "Authorization: Bearer $TOKEN" -o /dev/null
    ${CURL}) && break || sleep 0.1
  done ;;
esac
${CURL}`;

/** Approves a task before the reader reads it, in place of a person at the page of the task. */
const CURL_OF_A_PERSON = `case "$*" in
*/json-forms/tasks/*) (set -- -s --cacert config/tls/cert.pem "https://localhost:3443/json-forms/tasks/$TASK/outcome" \
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -o /dev/null \
  -d '{"outcome": "approved", "formData": {"customer": "Example GmbH", "vlan": 120, "mode": "trunk"}}'
  ${CURL}) || exit ;;
esac
${CURL}`;

/** Creates an empty folder, and starts the orchestrator of the reader. */
export async function openFirstCall(): Promise<OpenSetting> {
  const folder = temporaryFolder().path;
  const orchestrator = await createRestconfDouble({ username: 'admin', password: PASSWORD });
  writeFileSync(join(folder, 'ca.pem'), orchestrator.caPem ?? '');
  return {
    folder,
    env: { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
    programs: { gatehouse: GATEHOUSE, curl: PATIENT_CURL },
    names: new Map([
      ['the password of core1', PASSWORD],
      ['https://core1.example:8888', orchestrator.url],
    ]),
    close: () => orchestrator.close(),
  };
}

/** Creates the folder of the first tutorial, and a person who approves the task before the reader reads it. */
export async function openFirstForm(): Promise<OpenSetting> {
  const folder = temporaryFolder().path;
  const path = join(folder, 'first', 'config', 'gatehouse.yaml');
  const { code, err } = await runCommand(['init', '--config', path], { printsSecret: true });
  assert.equal(code, 0, err);
  writeFileSync(path, readFileSync(path, 'utf8').replace('127.0.0.1:3443', '127.0.0.1:0'));
  return {
    folder,
    env: {},
    programs: { gatehouse: GATEHOUSE, curl: CURL_OF_A_PERSON },
    names: new Map(),
    close: () => Promise.resolve(),
  };
}

/** Starts the orchestrator that the tutorial of plugins shows. */
export async function openFirstPlugin(): Promise<OpenSetting> {
  const { blocks } = readPage('docs/tutorial/first-plugin.md');
  const { text = '' } = blocks.find(({ language }) => language === 'js') ?? {};
  const port = `function () { console.log(this.address().port); }`;
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      text.replace("listen(4000, '127.0.0.1')", `listen(0, '127.0.0.1', ${port})`),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  return {
    folder: temporaryFolder().path,
    env: {},
    programs: { gatehouse: GATEHOUSE },
    names: new Map([['http://127.0.0.1:4000', `http://127.0.0.1:${await firstLineOf(child)}`]]),
    async close() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

async function firstLineOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout) for await (const line of createInterface({ input: stdout })) return line;
  throw new Error('the orchestrator does not serve');
}
