import { randomUUID } from 'node:crypto';
import type { AdmitCall, LimitDecision } from '../../src/core/limits.js';
import type { StreamCall, StreamReply } from '../../src/core/stream.js';
import { bindStream } from '../../src/features/proxy/operations.js';
import { createProxyHandler } from '../../src/http/proxy-handler.js';
import { listen } from '../../src/http/server.js';
import { createStreamRights } from '../../src/http/stream-rights.js';
import { systemClock, systemScheduler } from '../../src/lib/clock.js';
import { buildTestApi, memoryAudit, personOf, SERVER, TOKENS } from '../support/http-server.js';
import { memoryLog } from '../support/memory-log.js';

export const ADMIN = `Authorization: Bearer ${TOKENS.admin}\r\n`;

/** The head of a request of an administrator. */
export const head = (line: string, more = ''): string =>
  `${line}\r\nHost: a\r\nConnection: close\r\n${ADMIN}${more}\r\n`;

interface StreamServerOptions {
  /** False for an audit trail that accepts no record. */
  readonly writable?: boolean;
  readonly stallMs?: number;
  /** Throws what the access rules refuse; absent: they admit every call. */
  readonly requireAccess?: () => void;
  /** What the limit of calls decides; absent: it admits every call. */
  readonly decision?: Partial<LimitDecision>;
}

/** Creates a limit that admits every call, and counts how often each was ended. */
export function countingLimit(decision: Partial<LimitDecision> = {}) {
  const ends: number[] = [];
  const admit: AdmitCall = () => {
    const at = ends.push(0) - 1;
    const end = (): void => {
      ends[at] = (ends[at] ?? 0) + 1;
    };
    return Promise.resolve({ isRunning: true, headers: { ratelimit: '"a";r=1' }, end, ...decision });
  };
  return { admit, ends };
}

/** A reply of an orchestrator with status 200. */
export const replyWith = (body: StreamReply['body'], more: Partial<StreamReply> = {}): StreamReply => ({
  status: 200,
  headers: [],
  body,
  ...more,
});

/** Waits until the caller has left. */
export function untilLeft({ signal }: StreamCall): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason);
    });
  });
}

/** Opens a server with streams below `/proxy`, which `open` opens. */
export async function openStreamServer(
  open: (call: StreamCall) => StreamReply | Promise<StreamReply>,
  { writable = true, stallMs = 15_000, decision, requireAccess = () => undefined }: StreamServerOptions = {},
) {
  const { log, lines } = memoryLog();
  const { audit, records } = memoryAudit();
  const calls: StreamCall[] = [];
  const inFlight: number[] = [];
  const { admit, ends } = countingLimit(decision);
  const operation = bindStream(
    {
      application: 'proxy',
      applicationSummary: 'Passes on.',
      id: 'passThrough',
      summary: 'Pass.',
      prefix: '/proxy',
      roles: ['admin'],
      requireAccess,
      open: (call) => {
        calls.push(call);
        return Promise.resolve(open(call));
      },
    },
    {},
  );
  const rights = createStreamRights(systemScheduler);
  const proxyHandler = createProxyHandler({
    rights,
    log,
    clock: systemClock,
    newId: randomUUID,
    operation,
    admit,
    audit: { ...audit, reserve: () => Promise.resolve(writable) },
    authenticate: ({ header }) => personOf(header('authorization')),
    rolesOf: ({ row: { roles } }) => roles,
    stallLimits: { lingerMs: 2_000, lingerBytes: 1_000_000, stallMs },
  });
  const testServer = buildTestApi();
  const { url, close } = await listen({
    settings: { ...SERVER, drainSeconds: 0 },
    handler: (req, res) => {
      if (proxyHandler.isFor(req)) void proxyHandler.serve({ req, res });
      else testServer.handler(req, res);
    },
    shed: ({ req, res }, count, handler) => {
      inFlight.push(count);
      handler(req, res);
    },
    mayUpgrade: proxyHandler.isFor,
    log,
  });
  const { check } = rights;
  return { port: Number(new URL(url).port), calls, records, lines, url, inFlight, ends, check, close };
}
