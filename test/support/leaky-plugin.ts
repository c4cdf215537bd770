import { writeFiles } from './write-files.js';

const built = (path: string): string => JSON.stringify(new URL(`../../${path}`, import.meta.url).href);

// Leaks every password that the plugin has received, in every way in which a plugin can fail.
const LEAKY = `import { Problem } from ${built('src/core/problem.js')};
const seen = new Set();
const told = () => [...seen].map((one) => \`login as u:\${one} failed, \${JSON.stringify({ one })}\`).join('; ');
export const plugin = {
  type: 'leaky',
  apiVersion: 1,
  summary: 'Tells its passwords.',
  options: {
    type: 'object',
    properties: { password: { type: 'string', 'x-secret': true }, fail: { type: 'string' } },
  },
  create({ password, fail }, { log }) {
    seen.add(password.reveal());
    log.spam(told(), { where: [told()], [told()]: Buffer.from(told()).toString('base64') });
    if (fail === 'create') throw new Problem('adapter_unavailable', told());
    const actions = {
      '/error': () => { throw new Error(told(), { cause: new TypeError(told()) }); },
      '/problem': () => {
        throw new Problem('invalid_path', told(), {
          errors: [{ pointer: '/a', message: told() }],
          upstream: { status: 400, body: { nested: JSON.stringify({ told: told() }), hex: Buffer.from(told()).toString('hex') } },
          headers: { 'x-told': encodeURIComponent(told()) },
        });
      },
    };
    return {
      translate: ({ method, path, accept }) => {
        actions[path]?.();
        return [{ method, path, headers: { accept } }];
      },
      async start() {
        if (fail === 'start') throw new Problem('upstream_auth', told());
      },
    };
  },
};
`;

/** Writes a folder of plugins: `leaky`, whose failures contain its secrets, and the original `restconf`. */
export function writeLeakyPlugins(folder: string): void {
  writeFiles(folder, {
    'package.json': '{ "type": "module" }',
    'leaky/index.js': LEAKY,
    'restconf/index.js': `export { plugin } from ${built('plugins/restconf/index.js')};\n`,
  });
}
