export interface PluginCall {
  readonly plugin: string;
  /** The adapterId; absent while no adapter exists. */
  readonly adapter?: string;
  readonly method: string;
}

/** Name of the property of `globalThis` with the running call. The watchdog reads it while the event loop is stuck. */
export const PLUGIN_CALL = 'gatehouse.pluginCall';

const PROPERTY = Symbol.for(PLUGIN_CALL);
const running = globalThis as { [PROPERTY]?: PluginCall | undefined };

/**
 * Runs a function of a plugin, and records the call until the function returns. A promise that the function returns counts as
 * returned: other work runs while it is pending.
 */
export function callPlugin<T>(call: PluginCall, work: () => T): T {
  const outer = running[PROPERTY];
  running[PROPERTY] = call;
  try {
    return work();
  } finally {
    running[PROPERTY] = outer;
  }
}
