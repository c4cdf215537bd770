import { report, SABOTAGED } from '../report.js';
import { FLOODS } from './list.js';
import { measureFloods } from './measure-all.js';

// Sends floods to the shipped command, in 1 GiB of memory, one after the other. An observer in a separate
// process measures the service for other callers. `npm run evidence -- floods [FLOOD...]`; 20 minutes.
const names = process.argv.slice(2);
const { holds, figures } = await measureFloods({
  names: names.length > 0 ? names : Object.keys(FLOODS),
  part: 1,
  isLifted: SABOTAGED,
  tell: (row) => process.stderr.write(`${row}\n`),
});
report('floods', holds, figures);
// The orchestrators of the floods still listen.
process.exit();
