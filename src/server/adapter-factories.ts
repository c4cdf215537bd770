import { DocumentReader } from '../adapters/openapi/document-reader.js';
import { withIntrospection } from '../auth/introspection.js';
import { introspectionFaults, signInFaults } from '../auth/issuer-faults.js';
import { type ConfiguredIssuer, shareKeys } from '../auth/issuer.js';
import { openIssuers } from '../auth/issuers.js';
import type { LocalIssuer } from '../auth/local-issuer.js';
import { createLoginThrottle } from '../auth/login-throttle.js';
import { openLogins } from '../auth/logins.js';
import { createIssuerChecks } from '../auth/oidc/issuer-check.js';
import { openSignIns } from '../auth/oidc/sign-ins.js';
import type { RevokedTokens } from '../auth/revoked-tokens.js';
import { createVerifier } from '../auth/verifier.js';
import { createCertificateJudge, type JudgeCertificates } from '../core/certificate.js';
import type { OwnAddress } from '../core/egress.js';
import type { OpenHttpClient } from '../core/http.js';
import type { Log } from '../core/log.js';
import type { AttemptStore } from '../core/login.js';
import type { Redactor } from '../core/secret.js';
import type { ShellProvider } from '../core/sign-in.js';
import type { RequestTracer } from '../core/trace.js';
import { type CacheChanges, createCacheChanges } from '../features/cache/cache-changes.js';
import { createCachePool } from '../features/cache/cache-pool.js';
import { openReadCache } from '../features/cache/open-read-cache.js';
import { withReadCache } from '../features/cache/with-read-cache.js';
import { describeOperations, OPERATION_ROLES } from '../features/operations.js';
import { callRoles } from '../features/roles.js';
import { compileSchema } from '../json-schema/compile.js';
import { type Clock, type Scheduler, monotonic } from '../lib/clock.js';
import { Semaphore } from '../lib/semaphore.js';
import type { AdapterSettings } from '../settings/adapter.js';
import type { IssuerSettings } from '../settings/settings.js';
import { createConnectionCheck, deniedTargetFaults, parseAdapterEgress } from '../upstream/adapter-egress.js';
import { openHttpClient } from '../upstream/client.js';
import type { InspectConnection } from '../upstream/connect.js';
import { createEgressState, openEgress } from '../upstream/egress-caller.js';
import { parseEgress } from '../upstream/egress-policy.js';
import { openUpstream } from '../upstream/open-upstream.js';
import { createPluginConnect } from '../upstream/plugin-connect.js';
import { testNetwork } from '../upstream/test-network.js';
import { readTlsMaterial } from '../upstream/tls-material.js';
import { upstreamFaults } from '../upstream/upstream-faults.js';
import type { UpstreamOptions } from '../upstream/upstream-options.js';
import { tracedClients } from '../upstream/with-tracing.js';
import { createOpenMethods } from './open-methods.js';
import { readServerTls } from './server-tls.js';
import type { AdapterFactories } from './state/factories.js';

interface AdapterFactoryDeps {
  readonly clock: Scheduler;
  readonly log: Log;
  /** Receives the tokens of logins to orchestrators, to mask them; absent if no login is made. */
  readonly redactor?: Redactor;
  /** The built-in issuer; absent if it is disabled. */
  readonly local?: LocalIssuer | undefined;
  /** Revoked tokens; absent if every token counts as valid until it expires. */
  readonly revokedTokens?: RevokedTokens | undefined;
  /** Counts of wrong passwords on all nodes; absent if this process counts alone. */
  readonly attempts?: AttemptStore;
  /** Creates the traces of requests that no call causes; absent if they have no trace. */
  readonly tracer?: RequestTracer;
  /** Maximum time that streams of a replaced adapter continue; absent: the default. */
  readonly drainSeconds?: number;
  /** Returns the share of this process in the limits of an adapter; absent: all. */
  readonly share?: (settings: AdapterSettings) => AdapterSettings;
  /** Key of pending sign-ins if the configuration has none; absent: a key of this process. */
  readonly signInKey?: Buffer | undefined;
  /** Maximum size of all caches of this process, in bytes, and the changes that remove replies; absent: nothing is cached. */
  readonly cache?: { readonly maxBytes: number; readonly changes: CacheChanges };
  /** Maximum number of concurrent starts that take processor time; absent: one. */
  readonly adapterStarts?: number;
}

/** Maximum number of periodic probes that run at the same time, however many adapters there are. */
const CONCURRENT_PROBES = 64;

/** Creates the factories of everything that a snapshot opens. `serve` and `gatehouse check` share them. */
export function createAdapterFactories(input: AdapterFactoryDeps): AdapterFactories {
  const { clock, local, redactor, tracer, drainSeconds } = input;
  // Sessions use a monotonic clock, so that changing the system time does not prolong them.
  const scheduler = monotonic(clock);
  const guard = createLoginThrottle(scheduler, input.attempts);
  const key = local?.keyFor('gatehouse names of strangers');
  const egress = egressFactory(scheduler);
  const judge = createCertificateJudge(clock);
  const openMethods = createOpenMethods(new DocumentReader(clock));
  const openClient = tracer ? tracedClients(openHttpClient, tracer) : openHttpClient;
  return {
    compile: compileSchema,
    openMethods,
    startSlots: new Semaphore(input.adapterStarts ?? 1),
    probeSlots: new Semaphore(CONCURRENT_PROBES),
    operationNames: describeOperations().map(({ name }) => name),
    operationRoles: OPERATION_ROLES,
    callRoles,
    applicationNames: [...new Set(describeOperations().flatMap(({ component }) => component ?? []))],
    openVerifier: createOpenVerifier({ ...input, openHttpClient: openClient, judge }),
    openLogins: (settings) => openLogins(settings, { guard, clock: scheduler, key, markKey: local?.markKey }),
    openEgress: egress.open,
    openListenerTls: (tls) => readServerTls(tls, judge),
    async openUpstream(configured, adapterLog, { openTargets, secretVersions } = {}) {
      const settings = input.share?.(configured) ?? configured;
      const tls = await readTlsMaterial(settings.tls, judge);
      const denied = openTargets ? deniedTargetFaults(settings, openTargets) : [];
      const faults = [...upstreamFaults(settings), ...tls.faults, ...denied];
      if (faults.length > 0) return { faults };
      const options = {
        scheduler,
        log: adapterLog,
        secretVersions,
        ...secretsTo(redactor),
        ...(tracer && { tracer }),
        ...drainOf(drainSeconds),
        ...(openTargets && { inspect: egress.inspectorFor(settings, openTargets) }),
      };
      const { material, certificates } = tls;
      const connect = createPluginConnect({ ...options, proxy: settings.proxy });
      return { value: { ...openUpstream(settings, material, options), certificates, connect } };
    },
    connectCache: cacheFactory(scheduler, input.cache ?? { maxBytes: 0, changes: createCacheChanges() }),
    async testNetwork(settings, baseUrl, { openTargets, signal }) {
      const { material } = await readTlsMaterial(settings.tls);
      const inspect = openTargets && egress.inspectorFor(settings, openTargets);
      const now = () => clock.now();
      return testNetwork(baseUrl, { settings, tls: material, inspect, scheduler, signal, now });
    },
  };
}

/** Creates the function that opens the caches of adapters, which share one size. */
function cacheFactory(
  clock: Clock,
  { maxBytes, changes }: NonNullable<AdapterFactoryDeps['cache']>,
): AdapterFactories['connectCache'] {
  const pool = createCachePool(maxBytes);
  return (adapter, settings) => {
    if (!settings || maxBytes === 0) return (upstream) => upstream;
    const cache = openReadCache(settings, { adapter, clock, changes, pool });
    return (upstream) => withReadCache(upstream, cache);
  };
}

/** Creates the function that opens the verifier of tokens, and the sign-ins at their issuers. */
function createOpenVerifier({
  local,
  revokedTokens,
  ...deps
}: AdapterFactoryDeps & {
  readonly judge: JudgeCertificates;
  readonly openHttpClient: OpenHttpClient;
}): AdapterFactories['openVerifier'] {
  const { clock } = deps;
  const shared = shareKeys();
  const signInKey = local?.keyFor('gatehouse sign-ins') ?? deps.signInKey;
  return async (settings, publicUrl) => {
    const { issuers, signInSecret, sessions: lifetimes, local: accounts, maxTokenLength } = settings;
    const { issuers: trusted, faults: issuerFaults } = await openIssuers(issuers, { ...deps, shared });
    const faults = [...issuerFaults, ...introspectionFaults(issuers), ...signInFaults(issuers, publicUrl)];
    if (faults.length > 0) {
      await Promise.all(trusted.map(({ keys }) => keys.close()));
      return { faults: faults.map((fault) => ({ ...fault, pointer: `/issuers${fault.pointer}` })) };
    }
    const all = local && accounts.enabled ? [...trusted, local.issuerFor(accounts)] : trusted;
    const ended = revokedTokens && { ended: revokedTokens };
    const tokens = createVerifier({ issuers: all, clock, maxTokenLength, ...ended });
    const verifier = withIntrospection(tokens, trusted, deps);
    const signIns = openSignIns(
      { issuers: trusted, publicUrl, secret: signInSecret ?? signInKey, lifetimes },
      { ...deps, gate: verifier, maxTokenLength },
    );
    const issuerChecks = createIssuerChecks(trusted, { ...deps, publicUrl });
    const close = async (): Promise<void> => {
      await Promise.all(
        [signIns, verifier, ...trusted.map(({ keys }) => keys)].map((opened) => opened.close()),
      );
    };
    const refreshKeys = createRefresh(trusted);
    const shellProviders = shellProvidersOf(issuers);
    const certificates = trusted.flatMap(({ rules: { issuer: name }, certificates: files = [] }) =>
      files.map((file) => ({
        ...file,
        pointer: `/auth/issuers${file.pointer}`,
        use: 'issuer' as const,
        name,
      })),
    );
    return {
      value: { ...verifier, certificates, signIns, issuerChecks, shellProviders, refreshKeys, close },
    };
  };
}

function drainOf(seconds: number | undefined): UpstreamOptions {
  return seconds === undefined ? {} : { drainMs: seconds * 1000 };
}

/** Creates the function that fetches the keys of all issuers again. */
function createRefresh(issuers: readonly ConfiguredIssuer[]): () => void {
  return () => {
    for (const { keys } of issuers) keys.refresh();
  };
}

/** Opens outbound calls, and the checks of registered adapters, which must not reach this server either. */
function egressFactory(clock: Clock): {
  readonly open: AdapterFactories['openEgress'];
  readonly inspectorFor: (settings: AdapterSettings, openTargets: readonly string[]) => InspectConnection;
} {
  const state = createEgressState(clock);
  const { ownAddressCheck, listeners } = state;
  // A reload shows new settings that need a restart, but the server still uses those of its start.
  let addressesAtStart: readonly OwnAddress[] | undefined;
  let latestAddresses: readonly OwnAddress[] = [];
  return {
    open(settings, own) {
      const { policy, faults } = parseEgress(settings);
      const all = [...faults, ...parseAdapterEgress(settings.adapters ?? []).faults];
      if (all.length > 0) return { faults: all };
      addressesAtStart ??= own;
      latestAddresses = own ?? latestAddresses;
      const ownAddresses = [...(addressesAtStart ?? []), ...(own ?? [])];
      return { value: openEgress(policy, settings, { state, ownAddresses }) };
    },
    inspectorFor({ tls: { insecure, serverName } }, openTargets) {
      const { policy } = parseAdapterEgress(openTargets);
      const ownAddresses = () => [...(addressesAtStart ?? []), ...latestAddresses, ...listeners];
      const verifiesName = !insecure && serverName === null;
      return createConnectionCheck({ policy, ownAddresses, ownAddressCheck }, { verifiesName });
    },
  };
}

function secretsTo(redactor: Redactor | undefined): UpstreamOptions {
  return redactor ? { onSecret: (value) => redactor.add([value]), redact: redactor.redact } : {};
}

/** Returns the identity providers for sign-ins at a shell: the issuers with `cli`. */
function shellProvidersOf(issuers: readonly IssuerSettings[]): readonly ShellProvider[] {
  return issuers.flatMap(({ issuer, signIn, cli }) =>
    cli
      ? [{ issuer, name: signIn?.name ?? new URL(issuer).host, clientId: cli.clientId, scopes: cli.scopes }]
      : [],
  );
}
