import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { hostname } from 'node:os';
import { createFormIds } from './apps/json-forms/form-id.js';
import type { ServiceProbe } from './apps/platform/deps.js';
import { passThrough } from './apps/proxy/pass-through.js';
import { bearerToken } from './auth/bearer.js';
import type { AuditTrail } from './domain/audit.js';
import type { SchemaJudge } from './domain/caller-schema.js';
import type { Clock } from './domain/clock.js';
import type { Log } from './domain/log.js';
import type { Redact } from './domain/redactor.js';
import type { Settings } from './domain/settings.js';
import type { YangCompiler } from './domain/yang.js';
import { bindStream } from './domain/stream.js';
import type { AllowDeps } from './http/allow.js';
import type { AuditDeps } from './http/audited.js';
import { createApp } from './http/express-app.js';
import { createPipeline } from './http/pipeline.js';
import { createRefuse } from './http/send.js';
import { listen, type RunningServer } from './http/server.js';
import { createStreamDoor } from './http/stream-door.js';
import { compileSchema } from './json-schema/compile.js';
import type { KeptCurrent } from './keep-current.js';
import { exposition } from './metrics/exposition.js';
import { metricsOf } from './metrics-of.js';
import { bindOperations } from './operations.js';
import type { Current } from './runtime/current.js';
import type { LiveSnapshot } from './runtime/live-snapshot.js';
import type { SecretSource } from './secrets/resolve.js';
import { readServerTls } from './server-tls.js';
import type { Store } from './storage/store.js';

export interface DoorsInput {
  readonly settings: Settings;
  readonly current: Current<LiveSnapshot>;
  readonly secrets: Pick<SecretSource, 'status' | 'traffic' | 'refresh'>;
  readonly reloading: Pick<KeptCurrent, 'renew' | 'isUpToDate' | 'counts'>;
  readonly store: Store;
  readonly judge: SchemaJudge;
  readonly yang: YangCompiler;
  readonly audit: AuditTrail;
  readonly log: Log;
  readonly clock: Clock;
  /** Takes secrets out of what failures tell. */
  readonly redact: Redact;
}

/** Opens the server with every operation behind it. */
export async function openDoors(input: DoorsInput): Promise<RunningServer> {
  const { settings, current, secrets, reloading, store, judge, yang, audit, log, clock, redact } = input;
  const visits = { log, clock, redact, newId: randomUUID };
  const ladder: AllowDeps & AuditDeps = {
    ...visits,
    audit,
    // Leased, so that a reload does not end a look-up of the issuer's keys.
    authenticate: (headers) =>
      current.lease(async ({ verifier }) => verifier.verify(bearerToken(headers.authorization))),
    rolesOf: ({ name, row }) => current.peek().roles[name] ?? row.roles,
  };
  const bodyBytes = settings.server.limits.bodyBytes;
  const serve = createPipeline({ ...ladder, compile: compileSchema, bodyBytes });
  const operations = bindOperations({
    lease: current.lease,
    renew: reloading.renew,
    secrets: { status: secrets.status, refreshNow: notTooOften(clock, secrets.refresh) },
    forms: store.forms,
    formLimits: settings.forms,
    judge,
    yang,
    compile: compileSchema,
    newFormId: createFormIds({ now: () => clock.now(), random: randomBytes(5) }),
    metrics: () => exposition(metricsOf(input)),
    services: servicesOf(input),
    now: () => clock.now(),
    host: hostname(),
    serverId: createHash('sha256')
      .update(hostname())
      .update(withoutCredentials(settings.storage.url))
      .digest('hex'),
  });
  const app = createApp({ operations, serve, refuse: createRefuse(visits) });
  const operation = bindStream(passThrough, { lease: current.lease, renew: reloading.renew });
  const streams = createStreamDoor({ ...ladder, operation });
  const handler: RequestListener = (req, res) => {
    if (streams.isFor(req)) void streams.serve({ req, res });
    else app(req, res);
  };
  const tls = settings.server.tls && (await readServerTls(settings.server.tls));
  const { isFor: mayUpgrade } = streams;
  return listen({ settings: settings.server, handler, mayUpgrade, log, ...(tls && { tls }) });
}

/** The digest is public: nobody may try passwords on it. */
function withoutCredentials(url: string): string {
  return url.replace(/\/\/[^/]*@/, '//');
}

function servicesOf({ settings, store, secrets, reloading, clock }: DoorsInput): readonly ServiceProbe[] {
  const probe = (service: string, isRunning: () => boolean): ServiceProbe => ({
    service,
    running: () => Promise.resolve(isRunning()),
  });
  return [
    { service: 'store', running: rarely(clock, () => succeeds(store.recentAudit(1))) },
    probe('configuration', reloading.isUpToDate),
    ...(settings.vault ? [probe('vault', () => secrets.status().state === 'running')] : []),
  ];
}

/** How long an answer about a service stands, in milliseconds: anyone may ask, as often as they like. */
const PROBE_MS = 1_000;

function rarely(clock: Clock, probe: () => Promise<boolean>): () => Promise<boolean> {
  let last: { readonly at: number; readonly answer: Promise<boolean> } | undefined;
  return () => {
    if (!last || clock.now() - last.at >= PROBE_MS) last = { at: clock.now(), answer: probe() };
    return last.answer;
  };
}

/** Pause between two refreshes that somebody asks for, in milliseconds: each is a read of every secret. */
const REFRESH_PAUSE_MS = 10_000;

/** Does the work and resolves to 0; or does not, and resolves to the milliseconds until it would. */
function notTooOften(clock: Clock, work: () => Promise<void>): () => Promise<number> {
  let latest = -Infinity;
  return async () => {
    const waitMs = latest + REFRESH_PAUSE_MS - clock.now();
    if (waitMs > 0) return waitMs;
    latest = clock.now();
    await work();
    return 0;
  };
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
