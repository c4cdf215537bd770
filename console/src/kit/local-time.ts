/**
 * Converts a time (RFC 3339) to the value of a `datetime-local` input in the local time zone; empty for an
 * invalid time.
 */
export function toLocalTime(moment: string): string {
  const time = new Date(moment);
  if (moment === '' || Number.isNaN(time.getTime())) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  const date = [String(time.getFullYear()).padStart(4, '0'), two(time.getMonth() + 1), two(time.getDate())];
  return `${date.join('-')}T${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`;
}

/** Converts the value of a `datetime-local` input to a time in UTC; empty for an invalid value. */
export function fromLocalTime(text: string): string {
  const time = new Date(text);
  return text === '' || Number.isNaN(time.getTime()) ? '' : time.toISOString();
}
