import { SERVER } from '../../test/support/http-server.js';
import { report, SABOTAGED } from '../report.js';
import { measureSlow } from './measure.js';

const ATTACKERS = Number(process.argv[2] ?? '500');
const DAY_MS = 86_400_000;
const patient = { requestTimeoutMs: DAY_MS, headersTimeoutMs: DAY_MS, keepAliveTimeoutMs: DAY_MS };
const { requestTimeoutMs, headersTimeoutMs, keepAliveTimeoutMs } = SERVER.limits;
const { holds, figures } = await measureSlow({
  limits: SABOTAGED ? patient : { requestTimeoutMs, headersTimeoutMs, keepAliveTimeoutMs },
  attackers: ATTACKERS,
  dripMs: 1_000,
  patienceMs: 15_000,
});
report('slow', holds, figures);
