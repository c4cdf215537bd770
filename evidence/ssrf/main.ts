import { report, SABOTAGED } from '../report.js';
import { measureSsrf, ssrfLack } from './measure.js';

const REBINDINGS = Number(process.argv[2] ?? '10000');
const lack = ssrfLack();
if (lack === undefined) {
  const { holds, figures } = await measureSsrf({ rebindings: REBINDINGS, sabotage: SABOTAGED });
  report('ssrf', holds, figures);
} else report('ssrf', false, { lack });
