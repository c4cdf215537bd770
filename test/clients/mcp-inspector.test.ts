import assert from 'node:assert/strict';
import { readPage } from '../docs/markdown.js';
import { apiToolNeed } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import type { TestServer } from '../support/test-server.js';
import { startClientServer } from './client-server.js';
import { runProgram } from './run-program.js';
import { apiTool } from './tools.js';

describeWith(apiToolNeed('mcp-inspector'), 'the command line of the MCP inspector', function () {
  this.timeout(120_000);
  const inspector = apiTool('mcp-inspector');
  let server: TestServer;

  before(async () => {
    ({ server } = await startClientServer());
  });
  after(() => server.close());

  /** Runs the command of the guide with a method and its arguments. */
  const inspect = async (role: string, ...args: readonly string[]): Promise<string> => {
    const header = `Authorization: Bearer ${server.issueToken(role)}`;
    const transport = ['--cli', `${server.url}/mcp`, '--transport', 'http', '--header', header] as const;
    const cwd = temporaryFolder().path;
    const { status, out, errors } = await runProgram([inspector, ...transport, ...args], { cwd });
    assert.equal(status, 0, out + errors);
    return out;
  };

  it('lists the tools of the caller', async () => {
    const { tools } = JSON.parse(await inspect('viewer', '--method', 'tools/list')) as {
      readonly tools: readonly { readonly name: string }[];
    };
    const names = tools.map(({ name }) => name);
    assert.deepEqual(names, ['getAdapters', 'getAdaptersHealth', 'getAdapterHealth']);
  });

  it('runs the command of the page', async () => {
    const { text = '' } =
      readPage('docs/how-to/connect-an-agent.md').blocks.find((block) =>
        block.text.includes('inspector --cli'),
      ) ?? {};
    const command = text
      .replace('npx @modelcontextprotocol/inspector', '"$INSPECTOR"')
      .replace('https://gatehouse.example.com', server.url);
    const env = { ...process.env, INSPECTOR: inspector, TOKEN: server.issueToken('admin') };
    const cwd = temporaryFolder().path;
    const { status, out, errors } = await runProgram(['bash', '-c', command], { cwd, env });
    assert.equal(status, 0, out + errors);
    assert.match(out, /"name": "restQuery"/);
  });

  it('calls a tool', async () => {
    const call = ['--method', 'tools/call', '--tool-name', 'restQuery', '--tool-arg', 'adapterId=core1'];
    const params = {
      path: '/restconf/data/ietf-interfaces:interfaces',
      accept: 'application/yang-data+json',
    };
    const out = await inspect('admin', ...call, '--tool-arg', `params=${JSON.stringify(params)}`);
    assert.match(out, /ietf-interfaces:interfaces/);
  });
});
