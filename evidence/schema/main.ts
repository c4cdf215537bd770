import fc from 'fast-check';
import { compileSchema } from '../../src/json-schema/engine/index.js';
import { ajvVerdict } from '../../test/json-schema/engine/ajv-verdict.js';
import { type SchemaPair, PAIR_DRAFTS, pairsOf } from '../../test/json-schema/engine/pairs.js';
import { report, SABOTAGED } from '../report.js';
import { openHyperjump } from './hyperjump.js';

// Compares our engine on generated pairs of schema and value with Ajv, and with @hyperjump/json-schema if the
// second argument names the folder of an installed copy.
const PAIRS = Number(process.argv[2] ?? '10000');
const hyperjump = process.argv[3] === undefined ? undefined : await openHyperjump(process.argv[3]);

const counts = { valid: 0, invalid: 0, withAjv: 0, withHyperjump: 0, different: 0 };
for (const draft of PAIR_DRAFTS) {
  const numRuns = Math.ceil(PAIRS / PAIR_DRAFTS.length);
  for (const pair of fc.sample(pairsOf(draft), { numRuns, seed: 20_260_101 })) {
    const compiled = compileSchema(SABOTAGED ? misread(pair.schema) : pair.schema);
    const ours = 'validator' in compiled && compiled.validator.validate(pair.data).outcome === 'valid';
    const [ajv, other] = [ajvVerdict(pair), await hyperjump?.(pair)];
    counts[ours ? 'valid' : 'invalid'] += 1;
    if (ajv !== undefined) counts.withAjv += 1;
    if (other !== undefined) counts.withHyperjump += 1;
    if ('validator' in compiled && (ajv ?? ours) === ours && (other ?? ours) === ours) continue;
    counts.different += 1;
    process.stderr.write(`ours ${ours}, Ajv ${ajv}, hyperjump ${other}: ${JSON.stringify(pair)}\n`);
  }
}
const isMeasured = counts.withAjv > 0 && counts.valid > 0 && counts.invalid > 0;
report('schema', isMeasured && counts.different === 0, counts);

/** As an engine reads it that does not know the keyword `required`. */
function misread(schema: SchemaPair['schema']): SchemaPair['schema'] {
  const text = JSON.stringify(schema).replaceAll('"required":', '"unknown":');
  return JSON.parse(text) as SchemaPair['schema'];
}
