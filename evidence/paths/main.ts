import { confine } from '../../src/upstream/target.js';
import { report, SABOTAGED } from '../report.js';
import { measurePaths, naiveJoin } from './measure.js';

const RUNS = Number(process.argv[2] ?? '1000000');
const { holds, figures } = measurePaths(SABOTAGED ? naiveJoin : confine, RUNS);
report('paths', holds, figures);
