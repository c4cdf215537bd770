/** A date-time or time of RFC 3339 in the parts that pickers of a browser edit. */
export interface ZonedTime {
  /** Date and time, or time, as a picker takes it: `2026-01-02T03:04:05` or `03:04:05`. */
  readonly clock: string;
  /** `Z` or an offset such as `+01:00`. */
  readonly zone: string;
}

const ZONED = /^((?:\d{4}-\d\d-\d\d[Tt])?\d\d:\d\d:\d\d(?:\.\d{1,3})?)([Zz]|[+-]\d\d:\d\d)$/;

/** Returns the parts of a date-time or time; undefined for a text that a picker cannot show without loss. */
export function zonedTimeOf(text: string): ZonedTime | undefined {
  const [, clock, zone] = ZONED.exec(text) ?? [];
  return clock === undefined || zone === undefined
    ? undefined
    : { clock: clock.toUpperCase(), zone: zone.toUpperCase() };
}

/** Returns the RFC 3339 text of a time. Pickers leave out seconds of zero. */
export function zonedText({ clock, zone }: ZonedTime): string {
  return `${/\d\d:\d\d:\d\d/.test(clock) ? clock : `${clock}:00`}${zone}`;
}

/**
 * Returns the offset from UTC that the time zone of the browser has at a time, such as `+02:00` in summer. A
 * time without a date gets the offset of `today`.
 */
export function localOffset(clock: string, today: Date): string {
  const at = clock.includes('T') ? new Date(clock) : today;
  const minutes = -(Number.isNaN(at.getTime()) ? today : at).getTimezoneOffset();
  const pad = (value: number) => String(Math.trunc(value)).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${pad(size / 60)}:${pad(size % 60)}`;
}

/** Returns true for a full date that a picker can show. */
export function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}
