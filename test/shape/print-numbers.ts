/** Prints the table of the structure: `node dist/test/shape/print-numbers.js`. */
import { structureNumbers } from './numbers.js';

console.table(
  structureNumbers().map(({ about, value, aim }) => ({ number: about, now: value, 'version 3': aim })),
);
