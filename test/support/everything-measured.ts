import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callUrl } from './call.js';
import { connectLater } from './mcp-client.js';
import { type Scrape, scrape } from './scrape.js';
import { temporaryFolder } from './temporary-folder.js';
import { startTestServer, SECRET } from './test-server.js';
import { eventually, until } from './until.js';

/** Returns the metrics of a server that has a sample of every metric that SQLite permits. */
export async function scrapeEverything(): Promise<Scrape> {
  const server = await startTestServer({
    folder: temporaryFolder().path,
    vaultLines: '  request: { attempts: 1 }\n',
    arrange: withEverythingMeasured,
  });
  try {
    const token = server.issueToken('admin');
    const body = { params: { path: '/restconf/data', accept: 'application/yang-data+json' } };
    await callUrl(`${server.url}/orchestrator_manager/restQuery/core1`, { token, body });
    const agent = await connectLater(server.url, token);
    await agent.call('restQuery', { adapterId: 'core1', ...body });
    await agent.close();
    server.vault.putSecret({ path: SECRET.path }, { [SECRET.field]: 'the-next-password' });
    server.orchestrator.setPassword('the-next-password');
    await callUrl(`${server.url}/admin/vault/refresh`, { token });
    await until(() => server.logLines.join('').includes('rotated secrets are live'));
    server.vault.seal();
    await server.running.reload();
    let exposed: Scrape | undefined;
    await eventually(async () => {
      exposed = await scrape(server);
      assert.equal(exposed.families.get('gatehouse_worker_memory_bytes')?.labels.get('worker')?.size, 2);
    });
    return exposed!;
  } finally {
    await server.close();
  }
}

/** Turns on what has metrics only when it is configured: workers, tools for agents, limits and a cache. */
function withEverythingMeasured(folder: string): void {
  const file = join(folder, 'gatehouse.yaml');
  const text = readFileSync(file, 'utf8').replace('server: {', 'server: { workers: 2,');
  writeFileSync(file, `${text}mcp: { enabled: true }\nlimits: { agents: { per: client, requests: 1000 } }\n`);
  const adapter = join(folder, 'adapters', 'core1.yaml');
  writeFileSync(adapter, `${readFileSync(adapter, 'utf8')}cache: { rules: [{ paths: ['/**'] }] }\n`);
}
