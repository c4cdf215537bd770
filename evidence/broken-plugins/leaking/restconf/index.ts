import { plugin as honest, type RestconfOptions } from '../../../../plugins/restconf/index.js';
import type { AdapterPlugin } from '../../../../src/core/adapter.js';

/** The plugin, but a listener of the process holds each instance, and nobody takes it away. */
export const plugin: AdapterPlugin<RestconfOptions> = {
  ...honest,
  create(options, context) {
    const adapter = honest.create(options, context);
    process.on('SIGHUP', () => adapter);
    return adapter;
  },
};
