import { withoutByteOrderMark } from '../../src/json/byte-order-mark.js';
import { parseJson } from '../../src/json/strict-json.js';
import { report, SABOTAGED } from '../report.js';
import { openJsonEndpoint } from './endpoint.js';
import { lenientTakes, measureJson } from './measure.js';

// The reader itself, then the same documents as bodies of requests.
const endpoint = SABOTAGED ? undefined : await openJsonEndpoint();
const reader = await measureJson(
  SABOTAGED ? lenientTakes : (bytes) => 'value' in parseJson(withoutByteOrderMark(bytes)),
);
const served = endpoint && (await measureJson(endpoint.takes));
await endpoint?.close();
report('json', reader.holds && served?.holds !== false, { ...reader.figures, overHttp: served?.figures });
