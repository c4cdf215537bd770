import type { DoubleReply } from './replies.js';
import type { VaultDoubleState } from './state.js';

/** `GET sys/health`: the status tells load balancers whether the node serves. */
export function health({ initialized, sealed, standby, flavour }: VaultDoubleState): DoubleReply {
  const status = !initialized ? 501 : sealed ? 503 : standby ? 429 : 200;
  const version = flavour === 'vault' ? '1.17.2' : '2.6.2';
  return { status, body: { initialized, sealed: status === 503, standby: status !== 200, version } };
}
