import { lackOf } from '../../test/support/needs.js';
import { report, SABOTAGED } from '../report.js';
import { measureSsrf, SSRF_NEEDS } from './measure.js';

const REBINDINGS = Number(process.argv[2] ?? '10000');
const lack = lackOf(SSRF_NEEDS)?.name;
if (lack === undefined) {
  const { holds, figures } = await measureSsrf({ rebindings: REBINDINGS, sabotage: SABOTAGED });
  report('ssrf', holds, figures);
} else report('ssrf', false, { lack });
