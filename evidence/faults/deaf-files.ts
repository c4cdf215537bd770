import { open } from 'node:fs/promises';

// Preloaded as a sabotage: file handles ignore failed writes and syncs.
type Call = (this: unknown, ...args: unknown[]) => Promise<unknown>;

const handle = await open(process.execPath);
const methods = Object.getPrototypeOf(handle) as Record<string, Call>;
await handle.close();
for (const name of ['write', 'writeFile', 'appendFile', 'sync', 'datasync']) {
  const call = methods[name]!;
  methods[name] = function (...args) {
    return call.apply(this, args).catch(() => ({ bytesWritten: (args[0] as Buffer).length }));
  };
}
