/** Prints the table of the structure: `node dist/test/shape/print-numbers.js`. */
import { structureNumbers } from './numbers.js';

const lines = structureNumbers().map(
  ({ about, value, aim }) => `${String(value).padStart(7)}  ${about} (aim: ${aim})\n`,
);
process.stdout.write(lines.join(''));
