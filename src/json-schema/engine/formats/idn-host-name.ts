import { isHostName, isLabel, wireLabel } from './host-name.js';
import { keepDirection } from './idn-direction.js';
import { isIdnLabel } from './idn-label.js';

// All that people type for the dot (RFC 3490 section 3.1).
const DOTS = /[.\u3002\uff0e\uff61]/u;

/** True for the name of a host with labels in Unicode (RFC 5890 section 2.3.2.3). */
export function isIdnHostName(text: string): boolean {
  if (text.length > 253) return false;
  const labels = text.split(DOTS);
  const right = labels.every((label) => (/[^\x00-\x7f]/.test(label) ? isIdnLabel(label) : isLabel(label)));
  return (
    right && keepDirection(labels) && isHostName(labels.map((label) => wireLabel(label) ?? '').join('.'))
  );
}
