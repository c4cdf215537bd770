import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runCommand } from '../../support/command-io.js';
import { createRestconfDouble } from '../../support/restconf-double.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { readPage } from '../markdown.js';
import { followGuides } from './follow-guides.js';
import { inFolder, type OpenSetting, PASSWORD, withExamples, withVault } from './installations.js';

followGuides({
  'config/examples/README.md': withExamples,
  'docs/tutorial/first-call.md': openFirstCall,
  'docs/tutorial/first-form.md': openFirstForm,
  'docs/tutorial/first-plugin.md': openFirstPlugin,
  'plugins/README.md': withVault,
});

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
async function openFirstCall(): Promise<OpenSetting> {
  const folder = temporaryFolder().path;
  const orchestrator = await createRestconfDouble({ username: 'admin', password: PASSWORD });
  writeFileSync(join(folder, 'ca.pem'), orchestrator.caPem ?? '');
  return {
    folder,
    env: { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
    programs: { curl: PATIENT_CURL },
    names: new Map([
      ['the password of core1', PASSWORD],
      ['https://core1.example:8888', orchestrator.url],
    ]),
    close: () => orchestrator.close(),
  };
}

/** Creates the folder of the first tutorial, and a person who approves the task before the reader reads it. */
async function openFirstForm(): Promise<OpenSetting> {
  const folder = temporaryFolder().path;
  const path = join(folder, 'first', 'config', 'gatehouse.yaml');
  const { code, err } = await runCommand(['init', '--config', path], { printsSecret: true });
  assert.equal(code, 0, err);
  return { ...inFolder(folder), programs: { curl: CURL_OF_A_PERSON } };
}

/** Starts the orchestrator that the tutorial of plugins shows. */
async function openFirstPlugin(): Promise<OpenSetting> {
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
