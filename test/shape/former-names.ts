import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-files.js';

/** Former names of declarations, which must not come back. */
export const FORMER_NAMES: ReadonlySet<string> = new Set(
  readFileSync(join(ROOT, 'test', 'shape', 'former-names.txt'), 'utf8')
    .trim()
    .split('\n'),
);

/** Phrases that name no object or are literal translations. */
export const ODD_IDIOMS =
  /\b(?:tells?|told|stands?|stood|whoever|nobody|somebody|anew|call(?:s|ed)? off|hears?|heard|looks? (?:at|for|into) (?:it|them|what)|puts? up with|owned up|takes? no part|serves on|so many|at which|behind (?:it|them|which)|is none|are none|has (?:it|them) (?:done|made)|what is (?:asked|known|told|live|under way)|the way of|by itself|by themselves|for ever|of its own|in vain|goes on|comes? to)\b/i;
