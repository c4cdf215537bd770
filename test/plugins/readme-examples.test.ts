import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { readPage, ROOT } from '../docs/markdown.js';
import { callUrl } from '../support/call.js';
import { CATALOGUE_ADAPTER } from '../support/catalogue-adapter.js';
import { listenOnLoopback } from '../support/loopback.js';
import { createNetconfDouble } from '../support/netconf-double.js';
import { openedByTest } from '../support/opened.js';
import { startTestServer } from '../support/test-server.js';
import { elementText } from './netconf/double-adapter.js';

const MODULE = `module ietf-interfaces {
  namespace "urn:ietf:params:xml:ns:yang:ietf-interfaces";
  prefix if;
  container interfaces { list interface { key "name"; leaf name { type string; } } }
}`;
const REPLY =
  '<data><interfaces xmlns="urn:ietf:params:xml:ns:yang:ietf-interfaces"><interface><name>eth0</name></interface></interfaces></data>';

/** An adapter file, the query that is sent to it, and the result that the README shows. */
interface Example {
  readonly adapter: string;
  readonly file: string;
  readonly query: unknown;
  readonly upstreamRequest: string;
}

function exampleOf(type: string): Example {
  const { blocks, prose } = readPage(`plugins/${type}/README.md`);
  const file = blocks.find(({ language }) => language === 'yaml')?.text ?? '';
  const [, below = ''] = prose.split('\n## Example\n');
  const [, query = 'null', adapter = ''] =
    /`(\{"params".*?\})` sent to\s+`POST \/orchestrator_manager\/restQuery\/([a-z0-9]+)`/.exec(below) ?? [];
  const [, upstreamRequest = 'nothing'] = /`(GET https:[^`]*)`/.exec(below) ?? [];
  const [, operation, filter = ''] = /`(<get>)` with the filter `([^`]*)`/.exec(below) ?? [];
  return {
    adapter,
    file,
    query: JSON.parse(query),
    upstreamRequest: operation === undefined ? upstreamRequest : `${operation} ${filter}`,
  };
}

/** Orchestrator of a test, with the requests that it received. */
interface TestOrchestrator {
  readonly port: number;
  readonly requests: readonly string[];
  readonly close: () => unknown;
  /** Fingerprint of its host key, if it has one. */
  readonly fingerprint?: string;
}

/** Starts an orchestrator that accepts every request and records it. */
async function openOrchestrator(): Promise<TestOrchestrator> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"token":"of-the-login"}');
  });
  return { ...(await listenOnLoopback(server)), requests };
}

/** Opens a NETCONF device with one interface. Its requests are the filters that it receives, without namespaces. */
async function openNetconfDevice(): Promise<TestOrchestrator> {
  const requests: string[] = [];
  const double = await createNetconfDouble({
    capabilities: [
      'urn:ietf:params:netconf:base:1.1',
      'urn:ietf:params:xml:ns:yang:ietf-interfaces?module=ietf-interfaces',
    ],
    schemas: { 'ietf-interfaces': MODULE },
    onOperation(operation) {
      const [filter] = operation.children;
      requests.push(`<${operation.name}> ${filter?.children.map(elementText).join('') ?? ''}`);
      return REPLY;
    },
  });
  const { port, fingerprint } = double;
  return { port, requests, fingerprint, close: () => double.close() };
}

/** Returns the adapter file with the URL of the test orchestrator instead of the example URL. */
function withTestOrchestrator(file: string, { port, fingerprint = '' }: TestOrchestrator): string {
  return file
    .replace(/https:\/\/[a-z.]+(?::\d+)?/, `http://127.0.0.1:${port}`)
    .replace(/^tls:.*\n/m, '')
    .replace(/host: \S+/, 'host: 127.0.0.1')
    .replace(/port: \d+/, `port: ${port}`)
    .replace(/SHA256:[\w+/]{43}/, fingerprint)
    .replace('protocol: https', 'protocol: http')
    .replace(/folder: \S+/, `folder: ${CATALOGUE_ADAPTER}`);
}

describe('the example in the README of a plugin', () => {
  const opened = openedByTest();
  const folders = readdirSync(join(ROOT, 'plugins'), { withFileTypes: true });
  for (const { name } of folders.filter((entry) => entry.isDirectory()))
    it(`sends the documented request: ${name}`, async () => {
      const { adapter, file, query, upstreamRequest } = exampleOf(name);
      const orchestrator = await opened(name === 'netconf' ? openNetconfDevice() : openOrchestrator());
      const testServer = await opened(
        startTestServer({
          arrange(folder, vault) {
            rmSync(join(folder, 'adapters', 'core1.yaml'));
            for (const [, path = ''] of file.matchAll(/\$VAULT_([\w/]+)#/g))
              vault.putSecret({ path }, { token: 'a-token', password: 'a-password', apiKey: 'a-key' });
            const written = withTestOrchestrator(file, orchestrator);
            writeFileSync(join(folder, 'adapters', `${adapter}.yaml`), written);
          },
        }),
      );
      const url = `${testServer.url}/orchestrator_manager/restQuery/${adapter}`;
      const { status, text } = await callUrl(url, { token: testServer.issueToken('admin'), body: query });
      assert.equal(status, 200, text);
      const asked = upstreamRequest.replace(/https:\/\/[^/]+/, '');
      assert.ok(
        orchestrator.requests.includes(asked),
        `${asked} is not among ${orchestrator.requests.join()}`,
      );
    });
});
