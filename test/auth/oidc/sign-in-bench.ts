import assert from 'node:assert/strict';
import { request } from 'undici';
import { openIssuers } from '../../../src/auth/issuers.js';
import { type ClosableSignIns, openSignIns } from '../../../src/auth/oidc/sign-ins.js';
import { createVerifier } from '../../../src/auth/verifier.js';
import type { HttpClientOptions, OpenHttpClient } from '../../../src/core/http.js';
import { silentLog } from '../../../src/core/log.js';
import { Secret } from '../../../src/core/secret.js';
import { type FinishedSignIn, SignInFailure } from '../../../src/core/sign-in.js';
import type { IssuerSettings } from '../../../src/settings/settings.js';
import { openHttpClient } from '../../../src/upstream/client.js';
import { type OidcProvider, startOidcProvider } from '../../support/oidc-provider.js';
import { ISSUER_SETTINGS, manualClock, NOW } from '../fixtures.js';

interface NodeOptions {
  readonly secret?: Secret;
  /** Overrides settings of the sign-in. */
  readonly signIn?: Partial<NonNullable<IssuerSettings['signIn']>>;
  /** Overrides settings of the issuer. */
  readonly issuer?: Partial<IssuerSettings>;
  readonly totalMs?: number;
  /** Additional issuers whose tokens the verifier accepts. */
  readonly others?: readonly IssuerSettings[];
}

/**
 * Provides a provider, a clock, and the parts of gatehouse nodes that sign-ins need. Hooks of the suite set
 * them up.
 */
export class SignInBench {
  readonly clock = manualClock();
  /** Options of the opened clients, for keys and for sign-ins, and the number of closed clients. */
  readonly clients: { readonly opened: HttpClientOptions[]; closed: number } = { opened: [], closed: 0 };
  readonly #nodes: ClosableSignIns[] = [];
  #provider: OidcProvider | undefined;

  constructor() {
    before(async () => {
      this.#provider = await startOidcProvider({ now: () => this.clock.seconds });
      this.#provider.redirectUri = 'http://127.0.0.1:1/console/oidc/callback';
    });
    beforeEach(() => {
      this.provider.mood = {};
      this.clock.seconds = NOW;
      this.clients.opened.splice(0);
      this.clients.closed = 0;
    });
    after(async () => {
      await Promise.all([...this.#nodes.splice(0).map((one) => one.close()), this.provider.close()]);
    });
  }

  get provider(): OidcProvider {
    assert.ok(this.#provider);
    return this.#provider;
  }

  settingsOf({ url }: OidcProvider): IssuerSettings {
    return { ...ISSUER_SETTINGS, issuer: url, discovery: true, rolesClaim: '/realm_access/roles' };
  }

  /** Opens a node of gatehouse. The suite closes a kept node, the caller closes any other node. */
  async openNode(options: NodeOptions = {}, isKept = true): Promise<ClosableSignIns> {
    const { secret, signIn, issuer, totalMs = 5_000, others = [] } = options;
    const { id: clientId, secret: clientSecret } = this.provider.client;
    const settings: IssuerSettings = {
      ...this.settingsOf(this.provider),
      signIn: {
        clientId,
        clientSecret: new Secret(clientSecret),
        scopes: [],
        timeoutSeconds: 10,
        endSession: true,
        ...signIn,
      },
      ...issuer,
    };
    const { clock } = this;
    const deps = { openHttpClient: this.#openClient, clock, log: silentLog };
    const { issuers, faults } = await openIssuers([settings, ...others], deps);
    assert.deepEqual(faults, []);
    const gate = createVerifier({ issuers, clock });
    const signIns = openSignIns(
      { issuers, publicUrl: 'http://127.0.0.1:1/', secret },
      { ...deps, gate, limits: { totalMs, replyBytes: 10_000 } },
    );
    if (isKept) this.#nodes.push(signIns);
    return signIns;
  }

  readonly #openClient: OpenHttpClient = (options) => {
    this.clients.opened.push(options);
    const client = openHttpClient(options);
    return {
      send: (...sent) => client.send(...sent),
      close: () => {
        this.clients.closed += 1;
        return client.close();
      },
    };
  };

  /** Follows a redirect to the provider and returns the parameters of the redirect back. */
  async agree(location: string): Promise<URLSearchParams> {
    const { body } = await request(location);
    const [, link = ''] = /href="([^"]*)"/.exec(await body.text()) ?? [];
    return new URL(link.replaceAll('&amp;', '&'), this.provider.url).searchParams;
  }

  /** Returns the failure of a sign-in at a new node. */
  async failure(options?: NodeOptions): Promise<string> {
    return failureOf(this.signIn(await this.openNode(options)));
  }

  async signIn(node: ClosableSignIns, other = node): Promise<FinishedSignIn> {
    const { location, sealed } = await node.begin(this.provider.url, '/docs');
    return other.finish(await this.agree(location), sealed);
  }
}

/** Returns the problem code and the message of a failed sign-in. */
export async function failureOf(trying: Promise<unknown>): Promise<string> {
  try {
    await trying;
  } catch (error) {
    if (error instanceof SignInFailure) return `${error.problem}: ${error.message}`;
    throw error;
  }
  return assert.fail('signed in');
}
