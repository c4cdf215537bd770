import { report, SABOTAGED } from '../report.js';
import { houseVerifier, measureJwt } from './measure.js';
import { measureTimes } from './times.js';
import { plainVerifier } from './plain-verifier.js';
import { houseJudge, plainJudge } from './wycheproof.js';

const MUTANTS = Number(process.argv[2] ?? '1000000');
const ROUNDS = Number(process.argv[3] ?? '1000');
const judges = SABOTAGED
  ? { judge: plainJudge, verifierOf: plainVerifier }
  : { judge: houseJudge, verifierOf: houseVerifier };
const { holds, figures } = await measureJwt(judges, MUTANTS);
report('jwt', holds, { ...figures, times: measureTimes(ROUNDS) });
