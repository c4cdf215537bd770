import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { runProgram } from '../clients/run-program.js';
import { readPage, ROOT } from '../docs/markdown.js';
import { extendMainFile } from '../support/main-file.js';
import { CURL, GO, JQ, PYTHON3 } from '../support/need-list.js';
import { itWith, type Need } from '../support/needs.js';
import { cheapHash } from '../support/password-hash.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

interface Example {
  readonly page: string;
  readonly needs: readonly Need[];
  /** The line that the program prints before it repeats a call. */
  readonly waits: RegExp;
}

const WAITS = /^waiting \d+ s after 429$/m;

const EXAMPLES: readonly Example[] = [
  { page: 'examples/client-python/README.md', needs: [PYTHON3], waits: WAITS },
  { page: 'examples/client-go/README.md', needs: [GO], waits: WAITS },
  { page: 'examples/client-curl/README.md', needs: [CURL, JQ], waits: /Will retry in \d+/ },
];

/** Removes the reply of the orchestrator, which may have several lines. */
const withoutReply = (text: string): string => text.replace(/(?<=^reply: ).*(?=^problem: )/ms, '');

/** A path that the orchestrator of the tests serves. */
const QUERY = '/restconf/yang-library-version';

describe('the examples of clients', function () {
  this.timeout(300_000);
  const folder = temporaryFolder().path;
  const clientSecret = randomBytes(12).toString('hex');
  let server: TestServer;

  before(async () => {
    server = await startTestServer({
      folder,
      arrange() {
        const client = `{ clientId: example, clientSecretHash: '${cheapHash(clientSecret)}', roles: [admin] }`;
        // The second query of a program is one too many.
        const limit = `{ per: address, operations: [orchestrator-manager.restQuery], requests: 1, periodSeconds: 5 }`;
        extendMainFile(folder, { local: `clients: [${client}]`, more: `limits: { queries: ${limit} }\n` });
      },
    });
  });
  after(() => server.close());

  /** Runs the command of a page on the server of the test. */
  async function runExample(page: string, env: Readonly<Record<string, string>>) {
    const command = readPage(page).blocks.find(({ language }) => language === 'sh')?.text ?? '';
    const last = command.trimEnd().split('\n').at(-1) ?? '';
    const [program = ''] = /^.*(?= nso1 )/.exec(last) ?? [];
    assert.notEqual(program, '', command);
    return runProgram(['bash', '-c', `exec ${program} core1 ${QUERY}`], {
      cwd: ROOT,
      // No module and no package is downloaded.
      env: { ...process.env, GOPROXY: 'off', GOTOOLCHAIN: 'local', GATEHOUSE_URL: server.url, ...env },
    });
  }

  for (const { page, needs, waits } of EXAMPLES) {
    itWith(needs, `sign in, read, wait and report a problem: ${page}`, async () => {
      const credentials = { CLIENT_ID: 'example', CLIENT_SECRET: clientSecret };
      const { status, out, errors } = await runExample(page, credentials);
      assert.equal(status, 0, errors);
      const [, sample = ''] = readPage(page).blocks.map(({ text }) => text);
      const shown = withoutReply(sample.replace('nso1', 'core1'));
      assert.equal(withoutReply(out), shown, errors);
      assert.match(out, /^reply: \{\s*"ietf-restconf:yang-library-version": "2019-01-04"\s*\}$/m);
      assert.match(errors, waits);
    });

    itWith(needs, `fail with a wrong secret: ${page}`, async () => {
      const { status, out } = await runExample(page, { CLIENT_ID: 'example', CLIENT_SECRET: 'wrong' });
      assert.notEqual(status, 0);
      assert.equal(out, '');
    });
  }
});
