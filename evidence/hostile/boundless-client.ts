import { openHttpClient } from '../../src/upstream/client.js';
import type { HostileOptions } from './measure.js';

/** A client that takes a reply of any size. */
export const openBoundlessClient: HostileOptions['openClient'] = () => {
  const client = openHttpClient({});
  return {
    send: (request, limits, signal) => client.send(request, { ...limits, replyBytes: 2 ** 30 }, signal),
    close: () => client.close(),
  };
};

/** Behaviours that end by themselves where there is no limit. */
export function endsByItself(name: string): boolean {
  return name.includes('bomb');
}
