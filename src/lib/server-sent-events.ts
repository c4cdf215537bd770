// Texts of server-sent events (HTML standard, section 9.2).

/** Sets the delay in milliseconds after which a browser reconnects. */
export const RETRY = 'retry: 3000\n\n';

/** A comment, which keeps proxies from closing the stream. */
export const KEEP_ALIVE = ':\n\n';

/** Interval of keep-alive comments, in milliseconds. */
export const KEEP_ALIVE_INTERVAL_MS = 15_000;

/** Formats an event; one `data` line is enough, because the JSON contains no line breaks. */
export function eventOf(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
