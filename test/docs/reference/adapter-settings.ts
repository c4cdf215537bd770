import { plugin as httpRest } from '../../../plugins/http-rest/index.js';
import { plugin as itentialAdapter } from '../../../plugins/itential-adapter/index.js';
import { plugin as netconf } from '../../../plugins/netconf/index.js';
import { plugin as restconf } from '../../../plugins/restconf/index.js';
import type { AdapterPlugin } from '../../../src/core/adapter.js';
import { adapterSchema } from '../../../src/settings/adapter.js';
import type { ReferencePage } from './page.js';
import { keysOf, tablesOf } from './schema-keys.js';
import { blocks, code, prose } from './write-markdown.js';

/** The plugins that are part of the package. */
export const BUNDLED: readonly Pick<AdapterPlugin, 'type' | 'summary' | 'options'>[] = [
  httpRest,
  restconf,
  netconf,
  itentialAdapter,
];

export const adapterSettings: ReferencePage = {
  file: 'adapter-settings.md',
  title: 'Adapter settings',
  about:
    'The keys of a file in `adapters/`, and of an entry of `adapters` in the main file, with the options of the bundled plugins.',
  body: () =>
    blocks(
      'A reload applies every change. Paths are relative to the file that contains them.',
      '## Keys',
      tablesOf(keysOf(adapterSchema), '###'),
      ...BUNDLED.map(({ type, summary, options }) =>
        blocks(`## Options of ${code(type)}`, prose(summary), tablesOf(keysOf(options, 'options.'), '###')),
      ),
    ),
};
