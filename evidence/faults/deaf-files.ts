import { open } from 'node:fs/promises';

// Loaded before a program to break it on purpose: its file handles do not hear when a write or a sync fails.
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
