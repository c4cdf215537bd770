import { retryAfterMs } from '../../core/header.js';
import type { HttpClient, HttpLimits, HttpReply } from '../../core/http.js';
import type { Log } from '../../core/log.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';
import type { Clock } from '../../lib/clock.js';
import type { OtlpSettings } from '../../settings/otlp.js';

type SendResult =
  | { readonly isAccepted: true; readonly reply: HttpReply }
  /** `retryAfterMs` is absent if the same document must not be sent again (OTLP 1, "Failures"). */
  | { readonly isAccepted: false; readonly retryAfterMs?: number };

/** What a sender needs, besides the settings of the receiver. */
interface SenderDeps {
  readonly client: HttpClient;
  readonly clock: Clock;
  readonly log: Log;
}

interface Signal {
  /** Path of the receiver if the endpoint has no path, for example `/v1/traces`. */
  readonly path: string;
  /** Log line of a failure. */
  readonly failure: string;
}

/** Sends documents to an OTLP receiver over HTTP, in JSON. */
export interface OtlpSender {
  /** Sends one document, once. Never rejects. */
  send(document: object, limits: HttpLimits, signal?: CancelSignal): Promise<SendResult>;
  close(): Promise<void>;
}

/** Statuses after which a document may be sent again (OTLP 1, "Failures"). */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Creates a sender. It logs a failure once per outage of the receiver. */
export function createOtlpSender(
  settings: OtlpSettings & { readonly otlpEndpoint: string },
  { path, failure }: Signal,
  { client, clock, log }: SenderDeps,
): OtlpSender {
  const url = new URL(settings.otlpEndpoint);
  if (url.pathname === '/') url.pathname = path;
  const own = Object.entries(settings.headers).map(([name, value]) => [name, value.reveal()] as const);
  const headers = { ...Object.fromEntries<string>(own), 'content-type': 'application/json' };
  let isDown = false;
  const fail = (fields: { readonly status: number } | { readonly error: unknown }): void => {
    if (!isDown) log.warn(failure, fields);
    isDown = true;
  };
  return {
    async send(document, limits, signal) {
      const body = Buffer.from(JSON.stringify(document));
      try {
        const reply = await client.send({ method: 'POST', url: url.href, headers, body }, limits, signal);
        if (reply.status < 300) {
          isDown = false;
          return { isAccepted: true, reply };
        }
        fail({ status: reply.status });
        if (!RETRYABLE.has(reply.status)) return { isAccepted: false };
        return { isAccepted: false, retryAfterMs: retryAfterMs(reply, clock.now()) ?? 0 };
      } catch (error) {
        fail({ error });
        return { isAccepted: false, retryAfterMs: 0 };
      }
    },
    close: () => client.close(),
  };
}

/** Returns the number of items rejected in an accepted document (OTLP 1, "Partial Success"). */
export function rejectedIn({ body }: HttpReply, member: 'rejectedSpans' | 'rejectedDataPoints'): number {
  try {
    const { partialSuccess } = JSON.parse(body.toString()) as {
      partialSuccess?: Readonly<Record<string, unknown>>;
    };
    const rejected = Number(partialSuccess?.[member] ?? 0);
    return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0;
  } catch {
    return 0;
  }
}
