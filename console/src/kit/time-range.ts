/** Lengths of the time span that ends now; the first one is the default. */
export const SPANS = ['1h', '24h', '7d'] as const;
export type SpanName = (typeof SPANS)[number];

/** Length of each span, in milliseconds. */
export const SPAN_MS: Readonly<Record<SpanName, number>> = {
  '1h': 3_600_000,
  '24h': 86_400_000,
  '7d': 7 * 86_400_000,
};

/** A selected part of the time, in milliseconds since 1970. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** The time that the pages show. */
export interface TimeSpan {
  readonly span: SpanName;
  /** The selected part; undefined: everything from the length of `span` ago until now. */
  readonly selected: TimeRange | undefined;
  /** Query parameters of the URL and of `GET /console/traffic`: `span`, or `from` and `to` in RFC 3339. */
  readonly query: Readonly<Record<string, string>>;
}

/** Parameters of a URL that does not name a time. */
export const NO_TIME = { span: SPANS[0] as string, from: '', to: '' };
export type UrlTime = typeof NO_TIME;

/** Returns the time span of query parameters; parameters that make no sense are ignored. */
export function timeSpanOf({ span, from, to }: UrlTime): TimeSpan {
  const name = SPANS.find((known) => known === span) ?? SPANS[0];
  const [start, end] = [timeOf(from), timeOf(to)];
  if (start === undefined || end === undefined || start >= end)
    return { span: name, selected: undefined, query: { span: name } };
  return {
    span: name,
    selected: { from: start, to: end },
    query: { from: rfc3339(start), to: rfc3339(end) },
  };
}

/** Returns the time span as query parameters of a URL of the console: `?from=..&to=..`. */
export function timeQuery({ from, to }: TimeRange): string {
  return `from=${rfc3339(from)}&to=${rfc3339(to)}`;
}

function timeOf(text: string): number | undefined {
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

/** Returns a time in RFC 3339, in whole seconds: `2026-11-25T06:00:00Z`. */
export function rfc3339(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}
