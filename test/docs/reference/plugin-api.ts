import { sectionOf } from './declarations.js';
import { exportsOf } from './exported.js';
import type { ReferencePage } from './page.js';
import { blocks, code, codes } from './write-markdown.js';

/** The modules that plugins and programs import, as `exports` of the package names them. */
const MODULES = [
  ['gatehouse-proxy/plugin', 'src/plugin-sdk/index.ts', 'Types and functions for adapter plugins.'],
  [
    'gatehouse-proxy/plugin/contract',
    'src/plugin-sdk/contract.ts',
    'Tests of the contract that every plugin fulfills.',
  ],
  [
    'gatehouse-proxy/yang',
    'src/yang/index.ts',
    'The compiler from YANG to JSON Schema, and the validator of data.',
  ],
] as const;

export const pluginApi: ReferencePage = {
  file: 'plugin-api.md',
  title: 'Plugin API',
  about: 'The exports of the package for authors of plugins, with their types.',
  body: () =>
    blocks(
      '[Write a plugin](../how-to/write-a-plugin.md) shows how the parts work together. The package `gatehouse-plugin-kit` exports the first two modules without the server, as `gatehouse-plugin-kit` and `gatehouse-plugin-kit/contract`. No export is removed or changed incompatibly within a major release.',
      ...MODULES.map(([name, path, about]) => {
        const exported = exportsOf(path);
        return blocks(
          `## ${code(name)}`,
          about,
          `Exports: ${codes(exported.map((one) => one.name))}.`,
          ...exported.map(sectionOf),
        );
      }),
    ),
};
