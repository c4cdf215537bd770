import { openHttpClient } from '../../src/upstream/client.js';
import type { HostileOptions } from './measure.js';

/** A client that accepts a reply of any size. */
export const openBoundlessClient: HostileOptions['openClient'] = () => {
  const client = openHttpClient({});
  return {
    send: (request, limits, signal) => client.send(request, { ...limits, replyBytes: 2 ** 30 }, signal),
    close: () => client.close(),
  };
};

/** Returns true for behaviors that end without a limit. */
export function endsByItself(name: string): boolean {
  return name.includes('bomb');
}
