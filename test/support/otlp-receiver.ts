import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { listenOnLoopback } from './loopback.js';

/** A span as it arrived. */
interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Attributes;
  readonly status: { readonly code?: number };
}

/** Attributes as they arrived. */
type Attributes = readonly { readonly key: string; readonly value: Readonly<Record<string, string>> }[];

interface ReceivedResource {
  readonly attributes: Attributes;
}

interface ReceivedPoint {
  readonly attributes: Attributes;
  readonly startTimeUnixNano: string;
  readonly timeUnixNano: string;
  readonly asDouble?: number;
  readonly count?: string;
  readonly sum?: number;
  readonly bucketCounts?: readonly string[];
  readonly explicitBounds?: readonly number[];
}

interface ReceivedPoints {
  readonly dataPoints: readonly ReceivedPoint[];
  readonly aggregationTemporality?: number;
  readonly isMonotonic?: boolean;
}

/** A metric as it arrived. */
interface ReceivedMetric {
  readonly name: string;
  readonly description: string;
  readonly unit: string;
  readonly sum?: ReceivedPoints;
  readonly gauge?: ReceivedPoints;
  readonly histogram?: ReceivedPoints;
}

/** Returns the value of an attribute, as text. */
export function attributeOf(
  { attributes }: { readonly attributes: Attributes },
  name: string,
): string | undefined {
  const found = attributes.find(({ key }) => key === name);
  return found && Object.values(found.value)[0];
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
  /** Metrics of the accepted requests, in the order of their arrival. */
  readonly metrics: readonly ReceivedMetric[];
  /** Resources of the accepted requests. */
  readonly resources: readonly ReceivedResource[];
  /** Handlers of the next requests, in order; the receiver accepts all later requests. */
  readonly plan: ((res: ServerResponse) => void)[];
  close(): void;
}

export async function openOtlpReceiver(): Promise<OtlpReceiver> {
  const requests: OtlpReceiver['requests'][number][] = [];
  const spans: ReceivedSpan[] = [];
  const metrics: ReceivedMetric[] = [];
  const resources: ReceivedResource[] = [];
  const plan: OtlpReceiver['plan'] = [];
  const server = createServer((req, res) => {
    void textOf(req).then((text) => {
      requests.push({ path: req.url ?? '', headers: req.headers, text });
      const deal = plan.shift();
      if (deal) {
        deal(res);
        return;
      }
      const document = JSON.parse(text) as Document;
      spans.push(...spansIn(document));
      metrics.push(...metricsIn(document));
      resources.push(
        ...[...(document.resourceSpans ?? []), ...(document.resourceMetrics ?? [])].map(
          ({ resource }) => resource,
        ),
      );
      res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  const { port, close } = await listenOnLoopback(server.unref());
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    spans,
    metrics,
    resources,
    plan,
    close: () => void close(),
  };
}

interface Document {
  readonly resourceSpans?: readonly {
    readonly resource: ReceivedResource;
    readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[];
  }[];
  readonly resourceMetrics?: readonly {
    readonly resource: ReceivedResource;
    readonly scopeMetrics: readonly { readonly metrics: readonly ReceivedMetric[] }[];
  }[];
}

function spansIn({ resourceSpans = [] }: Document): readonly ReceivedSpan[] {
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

function metricsIn({ resourceMetrics = [] }: Document): readonly ReceivedMetric[] {
  return resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics));
}
