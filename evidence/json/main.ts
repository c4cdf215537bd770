import { parseJson } from '../../src/core/strict-json.js';
import { report, SABOTAGED } from '../report.js';
import { lenientTakes, measureJson } from './measure.js';
import { openJsonDoor } from './endpoint.js';

// The reader itself, then the same documents as bodies of requests.
const door = SABOTAGED ? undefined : await openJsonDoor();
const reader = await measureJson(SABOTAGED ? lenientTakes : (bytes) => 'value' in parseJson(bytes));
const served = door && (await measureJson(door.takes));
await door?.close();
report('json', reader.holds && served?.holds !== false, { ...reader.figures, overHttp: served?.figures });
