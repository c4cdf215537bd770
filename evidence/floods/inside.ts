import { writeFileSync } from 'node:fs';
import { FLOODS } from './list.js';
import { measureFlood, type MeasureOptions } from './measure.js';

// Runs in a separate network namespace: `node inside.js FLOOD OPTIONS RESULT`
const [name = '', options = '{}', result = ''] = process.argv.slice(2);
const flood = FLOODS[name];
if (!flood) throw new Error(`there is no flood ${name}`);
writeFileSync(result, JSON.stringify(await measureFlood(flood, JSON.parse(options) as MeasureOptions)));
process.exit(0);
