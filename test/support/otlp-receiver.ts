import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as it arrived. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, string>> }[];
  readonly status: { readonly code?: number };
}

/** A receiver of OTLP over HTTP on loopback that accepts JSON. */
export interface OtlpReceiver {
  readonly url: string;
  readonly requests: readonly {
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
    readonly text: string;
  }[];
  /** Spans of the accepted requests. */
  readonly spans: readonly ReceivedSpan[];
  /** Handlers of the next requests, in order; the receiver accepts all later requests. */
  readonly plan: ((res: ServerResponse) => void)[];
  close(): void;
}

/** Opens a receiver. */
export async function openOtlpReceiver(): Promise<OtlpReceiver> {
  const requests: OtlpReceiver['requests'][number][] = [];
  const spans: ReceivedSpan[] = [];
  const plan: OtlpReceiver['plan'] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      requests.push({ path: req.url ?? '', headers: req.headers, text });
      const deal = plan.shift();
      if (deal) {
        deal(res);
        return;
      }
      spans.push(...spansIn(text));
      res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.unref().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans,
    plan,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function spansIn(text: string): readonly ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(text) as {
    readonly resourceSpans: readonly {
      readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[];
    }[];
  };
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}
