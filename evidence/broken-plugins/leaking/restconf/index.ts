import { plugin as honest, type RestconfOptions } from '../../../../plugins/restconf/index.js';
import type { AdapterPlugin } from '../../../../src/core/adapter.js';

/** A plugin that leaks: a listener of the process holds each instance and is never removed. */
export const plugin: AdapterPlugin<RestconfOptions> = {
  ...honest,
  create(options, context) {
    const adapter = honest.create(options, context);
    process.on('SIGHUP', () => adapter);
    return adapter;
  },
};
