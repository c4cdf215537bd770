import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AdapterMethod, MethodCall } from '../../src/core/adapter-method.js';
import { ROOT } from '../shape/source-files.js';
import { temporaryFolder } from './temporary-folder.js';
import { writeFiles } from './write-files.js';

/** A folder with the plugins "restconf" and "methods". */
interface MethodPlugin {
  readonly pluginFolder: string;
  /** Text of the file of an adapter with this plugin. */
  readonly file: string;
  /** The calls of all adapters so far. */
  readonly calls: () => readonly MethodCall[];
  readonly change: (methods: readonly AdapterMethod[]) => void;
}

/** Creates a plugin whose adapters have methods. Each call returns its arguments. */
export function methodPlugin(methods: readonly AdapterMethod[]): MethodPlugin {
  const pluginFolder = temporaryFolder().path;
  const [list, record] = [join(pluginFolder, 'methods.json'), join(pluginFolder, 'calls.jsonl')];
  const restconf = JSON.stringify(join(ROOT, 'dist', 'plugins', 'restconf', 'index.js'));
  const change = (next: readonly AdapterMethod[]): void => {
    writeFileSync(list, JSON.stringify(next));
  };
  change(methods);
  writeFiles(pluginFolder, {
    'restconf/index.js': `export { plugin } from ${restconf};\n`,
    'methods/index.js': `import { appendFileSync, readFileSync } from 'node:fs';
let text; let methods;
function read() {
  const now = readFileSync(${JSON.stringify(list)}, 'utf8');
  if (now !== text) { text = now; methods = JSON.parse(now); }
  return methods;
}
export const plugin = {
  type: 'methods',
  apiVersion: 1,
  summary: 'Has methods.',
  options: { type: 'object' },
  create() {
    return {
      translate: ({ method, path, accept }) => [{ method, path, headers: { accept } }],
      methods: async () => read(),
      async callMethod(call) {
        appendFileSync(${JSON.stringify(record)}, JSON.stringify(call) + '\\n');
        return call;
      },
    };
  },
};
`,
  });
  return {
    pluginFolder,
    file: 'plugin: methods\nbaseUrl: http://127.0.0.1:9\nhealth: { type: none }\n',
    calls: () =>
      existsSync(record)
        ? readFileSync(record, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as MethodCall)
        : [],
    change,
  };
}

/** A method that scales a service, and one that reads it. */
export const SERVICE_METHODS: readonly AdapterMethod[] = [
  {
    name: 'getService',
    summary: 'Get a service.',
    effect: 'read',
    tags: ['services'],
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['id'],
      properties: { id: { type: 'string', title: 'Id of the service' } },
    },
  },
  {
    name: 'scaleService',
    summary: 'Scale a service.',
    tags: ['services'],
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['service'],
      $defs: { name: { type: 'string', title: 'Name of the service', minLength: 1 } },
      properties: {
        service: { type: 'object', required: ['name'], properties: { name: { $ref: '#/$defs/name' } } },
        instances: { type: 'integer', title: 'Number of instances', minimum: 0, maximum: 9, default: 2 },
      },
    },
  },
];
