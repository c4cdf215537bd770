import type { TaskSettings } from '../../../core/settings.js';

type Allowed = Pick<TaskSettings, 'messageOrigins'>;

/** The origin in the spelling of browsers when it may be told outcomes, else undefined. */
export function allowedOrigin(written: string, { messageOrigins }: Allowed): string | undefined {
  const origin = normal(written);
  return messageOrigins.some((allowed) => normal(allowed) === origin) ? origin : undefined;
}

/** Where the page of a task may send its outcome, as the configuration stands now. */
export function allowedOrigins(returnTo: string | null, allowed: Allowed): readonly string[] {
  if (returnTo === null) return allowed.messageOrigins.map(normal);
  const origin = allowedOrigin(returnTo, allowed);
  return origin === undefined ? [] : [origin];
}

/** `self` stays: the page knows its own origin, and this server may not. */
function normal(written: string): string {
  return written !== 'self' && URL.canParse(written) ? new URL(written).origin : written;
}
