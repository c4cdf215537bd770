import { report, SABOTAGED } from '../report.js';
import { gatehouseVerifier, measureJwt } from './measure.js';
import { plainVerifier } from './plain-verifier.js';
import { measureTimes } from './times.js';
import { gatehouseJudge, plainJudge } from './wycheproof.js';

const MUTANTS = Number(process.argv[2] ?? '1000000');
const ROUNDS = Number(process.argv[3] ?? '1000');
const judges = SABOTAGED
  ? { judge: plainJudge, verifierOf: plainVerifier }
  : { judge: gatehouseJudge, verifierOf: gatehouseVerifier };
const { holds, figures } = await measureJwt(judges, MUTANTS);
report('jwt', holds, { ...figures, times: measureTimes(ROUNDS) });
