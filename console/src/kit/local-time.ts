/** A moment (RFC 3339) as an input of the kind `datetime-local` takes it, in the zone of this machine; empty for what is none. */
export function toLocalTime(moment: string): string {
  const time = new Date(moment);
  if (moment === '' || Number.isNaN(time.getTime())) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  const date = [String(time.getFullYear()).padStart(4, '0'), two(time.getMonth() + 1), two(time.getDate())];
  return `${date.join('-')}T${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`;
}

/** What such an input says as a moment in UTC; empty for what is none. */
export function fromLocalTime(text: string): string {
  const time = new Date(text);
  return text === '' || Number.isNaN(time.getTime()) ? '' : time.toISOString();
}
