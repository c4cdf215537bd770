import { report } from '../report.js';
import { measureRequests } from './requests.js';
import { measureStorage } from './storage.js';

// No work stops the main loop for longer than 50 ms of processor time: neither forms that are stored, nor a body of any kind that is
// sent to any operation. `npm run evidence -- stalls [OPERATION...]`: the operations select requests; TMPDIR selects the disk.
const MOST_MS = 50;
const operations = new Set(process.argv.slice(2));

const storage = await measureStorage(MOST_MS);
const requests = await measureRequests(MOST_MS, (id) => operations.size === 0 || operations.has(id));
report('stalls', storage.holds && requests.holds, {
  mostMs: MOST_MS,
  ...storage.figures,
  requests: { holds: requests.holds, ...requests.figures },
});
