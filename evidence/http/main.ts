import { report, SABOTAGED } from '../report.js';
import { measureHttp, openFront, openLenientFront } from './measure.js';
import { measureRivals } from './rivals.js';

const front = await (SABOTAGED ? openLenientFront() : openFront());
const { holds, figures } = await measureHttp({
  front,
  // The lenient server leaves connections open.
  ...(SABOTAGED && { leaving: true, routes: { step: 20, open: true } }),
});
await front.close();
report('http', holds, { ...figures, ...(!SABOTAGED && { rivals: await measureRivals() }) });
