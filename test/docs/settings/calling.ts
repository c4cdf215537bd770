import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startStreamOrchestrator } from '../../support/stream-orchestrator.js';
import { type OpenSetting, type PageSettings, withCheckout } from '../installations.js';
import { openDemo } from './demo.js';

/** The pages about calls, adapters and the configuration whose commands are executed, each with its initial environment. */
export const CALLING: PageSettings = {
  'docs/guides/calling.md': withStreams,
  'docs/guides/configuring.md': withCheckout,
  'docs/guides/deprecations.md': openDemo,
  'docs/guides/managing.md': withCatalogue,
  'docs/guides/mcp.md': withTools,
};

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

/** Starts the demo with a configuration folder into which packages can be installed. */
async function withCatalogue(): Promise<OpenSetting> {
  const { names, ...setting } = await openDemo();
  return { ...setting, names: new Map([...names, ['/etc/gatehouse', join(setting.folder, 'config')]]) };
}
