import { openIssuers } from './auth/open-issuers.js';
import type { LocalIssuer } from './auth/local-issuer.js';
import { createVerifier } from './auth/verifier.js';
import type { Clock } from './domain/clock.js';
import type { Log } from './domain/log.js';
import { compileSchema } from './json-schema/compile.js';
import { describeOperations } from './operations.js';
import type { Rooms } from './runtime/rooms.js';
import { openHttpClient } from './upstream/client.js';
import { parseEgress } from './upstream/egress-policy.js';
import { openEgress } from './upstream/egress-caller.js';
import { openUpstream } from './upstream/open-upstream.js';
import { readTlsMaterial } from './upstream/tls-material.js';

interface RoomsInput {
  readonly clock: Clock;
  readonly log: Log;
  /** The built-in issuer, where there is one. */
  readonly local?: LocalIssuer;
}

/** Hands the abilities of the rooms to the runtime; `start` and `gatehouse check` share it. */
export function connectRooms({ clock, log, local }: RoomsInput): Rooms {
  return {
    compile: compileSchema,
    operationNames: describeOperations().map(({ name }) => name),
    async openVerifier({ issuers }) {
      const opened = await openIssuers(issuers, { openHttpClient, clock, log });
      const trusted = local ? [...opened.issuers, local.issuer] : opened.issuers;
      const faults = opened.faults.map((fault) => ({ ...fault, pointer: `/issuers${fault.pointer}` }));
      const close = async (): Promise<void> => {
        await Promise.all(opened.issuers.map(({ keys }) => keys.close()));
      };
      return { value: { ...createVerifier({ issuers: trusted, clock }), close }, faults };
    },
    openEgress(settings) {
      const { policy, faults } = parseEgress(settings);
      return { value: openEgress(policy, settings), faults };
    },
    async openUpstream(settings) {
      const { material, faults } = await readTlsMaterial(settings.tls);
      return { value: openUpstream(settings, material), faults };
    },
  };
}
