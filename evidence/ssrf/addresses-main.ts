import { classifyIpv4 } from '../../src/upstream/address.js';
import { report, SABOTAGED } from '../report.js';
import { measureAddresses } from './addresses.js';

const STEP = Number(process.argv[2] ?? '1');
const { holds, figures } = measureAddresses(
  SABOTAGED ? (value) => (classifyIpv4(value) === 'metadata' ? 'public' : classifyIpv4(value)) : classifyIpv4,
  STEP,
);
report('addresses', holds, figures);
