import { installPlugin } from '../install-plugin.js';

/**
 * Installs a package with the plugin `busy` next to a configuration. Each call uses CPU time according to the
 * adapter's option `bytes`, in two halves around a short wait, and contacts no server.
 */
export function installBusyPlugin(folder: string): void {
  installPlugin(
    folder,
    'busy',
    `import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
export const plugin = {
  type: 'busy',
  apiVersion: 1,
  summary: 'Computes a hash for each call, without an orchestrator.',
  options: { type: 'object', properties: { bytes: { type: 'integer' } } },
  create({ bytes }) {
    const block = Buffer.alloc(bytes);
    const work = () => createHash('sha256').update(block).digest('hex');
    return {
      translate: ({ method, path }) => {
        work();
        return [{ method, path, headers: {} }];
      },
      async send() {
        await setTimeout(10);
        return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') };
      },
      shape: () => ({ worked: work() }),
    };
  },
};
`,
  );
}
