import { openIssuers } from './auth/open-issuers.js';
import type { LocalIssuer } from './auth/local-issuer.js';
import { shareKeys } from './auth/shared-keys.js';
import { createVerifier } from './auth/verifier.js';
import type { Clock } from './domain/clock.js';
import type { Log } from './domain/log.js';
import { compileSchema } from './json-schema/compile.js';
import { describeOperations } from './operations.js';
import type { Rooms } from './runtime/rooms.js';
import { openHttpClient } from './upstream/client.js';
import { parseEgress } from './upstream/egress-policy.js';
import { openEgress } from './upstream/egress-caller.js';
import { openUpstream, upstreamFaults } from './upstream/open-upstream.js';
import { readTlsMaterial } from './upstream/tls-material.js';

interface RoomsInput {
  readonly clock: Clock;
  readonly log: Log;
  /** The built-in issuer, where there is one. */
  readonly local?: LocalIssuer;
}

/** Hands the abilities of the rooms to the runtime; `start` and `gatehouse check` share it. */
export function connectRooms({ clock, log, local }: RoomsInput): Rooms {
  const shared = shareKeys();
  return {
    compile: compileSchema,
    operationNames: describeOperations().map(({ name }) => name),
    async openVerifier({ issuers, local: { enabled } }) {
      const { issuers: trusted, faults } = await openIssuers(issuers, { openHttpClient, clock, log, shared });
      if (faults.length > 0)
        return { faults: faults.map((fault) => ({ ...fault, pointer: `/issuers${fault.pointer}` })) };
      const verifier = createVerifier({
        issuers: local && enabled ? [...trusted, local.issuer] : trusted,
        clock,
      });
      const close = async (): Promise<void> => {
        await Promise.all(trusted.map(({ keys }) => keys.close()));
      };
      return { value: { ...verifier, close } };
    },
    openEgress(settings) {
      const { policy, faults } = parseEgress(settings);
      return faults.length > 0 ? { faults } : { value: openEgress(policy, settings) };
    },
    async openUpstream(settings) {
      const tls = await readTlsMaterial(settings.tls);
      const faults = [...upstreamFaults(settings), ...tls.faults];
      return faults.length > 0 ? { faults } : { value: openUpstream(settings, tls.material) };
    },
  };
}
