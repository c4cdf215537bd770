import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startStreamOrchestrator } from '../../support/stream-orchestrator.js';
import { openDemo, shareDemo } from './demo.js';
import { followGuides } from './follow-guides.js';
import { type OpenSetting, withCheckout } from './installations.js';

followGuides({
  'docs/how-to/cache-reads.md': withCache,
  'docs/how-to/call-an-orchestrator.md': shareDemo,
  'docs/how-to/change-the-configuration.md': withCheckout,
  'docs/how-to/connect-an-agent.md': withTools,
  'docs/how-to/find-callers-of-deprecated-operations.md': shareDemo,
  'docs/how-to/handle-errors.md': shareDemo,
  'docs/how-to/manage-adapters-through-the-api.md': shareDemo,
  'docs/how-to/manage-profiles.md': shareDemo,
  'docs/how-to/register-an-adapter.md': withCatalogue,
  'docs/how-to/stream-through-the-proxy.md': withStreams,
  'docs/how-to/undo-a-change.md': shareDemo,
  'docs/how-to/use-a-client-library.md': shareDemo,
});

/** Starts the demo with an adapter that caches the replies of its orchestrator. */
async function withCache(): Promise<OpenSetting> {
  const { world, ...setting } = await openDemo();
  const adapters = join(setting.folder, 'config/adapters');
  const cache =
    'cache: { rules: [{ paths: ["/restconf/data/**"], ttlSeconds: 60, overridesReplies: true }] }\n';
  writeFileSync(join(adapters, 'cached.yaml'), readFileSync(join(adapters, 'core1.yaml'), 'utf8') + cache);
  assert.deepEqual(await world.running.reload(), []);
  return setting;
}

/** Starts the demo with tools for agents. */
function withTools(): Promise<OpenSetting> {
  return openDemo({}, 'mcp: { enabled: true }\n');
}

/** Starts the demo with an orchestrator that stores files, sends events and supports WebSocket. */
async function withStreams(): Promise<OpenSetting> {
  const orchestrator = await startStreamOrchestrator(
    {
      latest: (_request, response) => response.end('backup'),
      NETCONF: (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {"link": "down"}\n\n'),
    },
    (socket) => socket.end(LAST_WORDS),
  );
  const { world, names, ...setting } = await openDemo({
    streams: `plugin: http-rest\nbaseUrl: ${orchestrator.url}\n`,
  });
  writeFileSync(join(setting.folder, 'image.bin'), 'image');
  const streamed = ['images', 'backups', 'streams', 'events'].map(
    (path) => [`/proxy/core1/${path}`, `/proxy/streams/${path}`] as const,
  );
  return {
    ...setting,
    names: new Map([...names, ...streamed, ['ws://127.0.0.1:3000', world.url.replace('http:', 'ws:')]]),
    close: async () => {
      await setting.close();
      await orchestrator.close();
    },
  };
}

/** A text message and the close of a WebSocket (RFC 6455 section 5). */
const LAST_WORDS = Buffer.from([0x81, 2, ...Buffer.from('up'), 0x88, 0]);

/** Starts the demo with a CA and a password for another adapter, and a configuration folder into which packages can be installed. */
async function withCatalogue(): Promise<OpenSetting> {
  const { world, names, ...setting } = await openDemo();
  const config = join(setting.folder, 'config');
  world.vault.putSecret({ path: 'adapters/core3' }, { password: world.password });
  copyFileSync(join(config, 'orchestrator-ca.pem'), join(config, 'adapters/core3-ca.pem'));
  return { ...setting, names: new Map([...names, ['/etc/gatehouse', config]]) };
}
