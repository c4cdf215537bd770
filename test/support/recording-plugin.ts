import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.js';
import { writeFiles } from './write-files.js';

/**
 * A folder with a plugin "recording", whose adapters pass calls on, and the names of those that were created so far.
 * With the option `check`, a start asks the orchestrator for that path. The plugin changes the option `tags`.
 */
export function recordingPlugin(): {
  readonly pluginFolder: string;
  readonly created: () => readonly string[];
} {
  const pluginFolder = temporaryFolder().path;
  const record = join(pluginFolder, 'created.txt');
  writeFiles(pluginFolder, {
    'recording/index.js': `import { appendFileSync } from 'node:fs';
export const plugin = {
  type: 'recording',
  apiVersion: 1,
  summary: 'Records the adapters that are created.',
  options: { type: 'object' },
  create(options, { name, send }) {
    const { check, tags } = options;
    tags?.push('added by the plugin');
    appendFileSync(${JSON.stringify(record)}, name + '\\n');
    return {
      translate: ({ method, path, accept }) => [{ method, path, headers: { accept } }],
      async start(signal) {
        if (!check) return;
        const { status } = await send({ method: 'GET', path: check, headers: {} }, signal);
        if (status >= 400) throw new Error('the orchestrator answered ' + status);
      },
    };
  },
};
`,
  });
  const created = (): readonly string[] =>
    existsSync(record) ? readFileSync(record, 'utf8').trim().split('\n').sort() : [];
  return { pluginFolder, created };
}
