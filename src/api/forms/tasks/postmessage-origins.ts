import type { TaskSettings } from '../../../core/forms-settings.js';

type Allowed = Pick<TaskSettings, 'messageOrigins'>;

/** Returns the origin in the spelling of browsers if it may receive outcomes; otherwise undefined. */
export function allowedOrigin(written: string, { messageOrigins }: Allowed): string | undefined {
  const origin = normal(written);
  return messageOrigins.some((allowed) => normal(allowed) === origin) ? origin : undefined;
}

/** Returns the origins to which the page of a task may send its outcome, by the current configuration. */
export function allowedOrigins(returnTo: string | null, allowed: Allowed): readonly string[] {
  if (returnTo === null) return allowed.messageOrigins.map(normal);
  const origin = allowedOrigin(returnTo, allowed);
  return origin === undefined ? [] : [origin];
}

/** Normalizes an origin. Keeps `self`, because the page knows its own origin, but this server may not. */
function normal(written: string): string {
  return written !== 'self' && URL.canParse(written) ? new URL(written).origin : written;
}
