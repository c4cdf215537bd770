import { Agent } from 'node:http';
import { bareHost, type Connector } from '../connector.js';
import type { BaseUrl } from '../target.js';

/** How long a connection is kept that nobody uses, in milliseconds: shorter than orchestrators keep theirs. */
const IDLE_MS = 4_000;

/**
 * Makes the connections to one base URL, whatever host it is asked for, and keeps those that can be used again. It sets no
 * limit of its own: whoever sends holds a place in the adapter's queue, and a second line behind it would hang.
 */
export function createStreamAgent({ origin }: BaseUrl, dialTo: Connector, signal: AbortSignal): Agent {
  const { hostname, protocol, port } = new URL(origin);
  const isSecure = protocol === 'https:';
  const target = { hostname: bareHost(hostname), port: Number(port || (isSecure ? 443 : 80)), isSecure };
  const agent = new Agent({ keepAlive: true, scheduling: 'lifo', timeout: IDLE_MS });
  agent.createConnection = (_options, callback) => {
    dialTo(target, signal).then(
      (socket) => callback?.(null, socket),
      // Node looks at the error first, and then at nothing else.
      (error: unknown) => callback?.(error as Error, undefined as never),
    );
    return undefined;
  };
  return agent;
}
