import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicSuite } from '../../test/support/public-suite.js';
import type { Findings } from '../report.js';
import { OWN_TEXTS } from './own-texts.js';

/** True when a document is taken. */
export type Takes = (bytes: Buffer) => boolean | Promise<boolean>;

/** A reader that takes what JSON.parse takes of bytes read leniently. */
export const lenientTakes: Takes = (bytes) => {
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
};

/** The two demands of the suite that this house does not meet: a name that stands twice has two meanings. */
const REFUSED_HERE = ['y_object_duplicated_key.json', 'y_object_duplicated_key_and_value.json'];

/** The one number whose treatment the suite leaves open and that a double holds exactly: 1e20. */
const KEPT_HERE = 'i_number_too_big_pos_int.json';

interface Document {
  readonly name: string;
  readonly bytes: Buffer;
  readonly taken: boolean;
}

/** H5: every document of JSONTestSuite, where there is a copy, and our own, each taken or refused as it must be. */
export async function measureJson(takes: Takes): Promise<Findings> {
  const suite = suiteDocuments();
  const documents = [...suite, ...ownDocuments()];
  const wrong: string[] = [];
  let refused = 0;
  for (const { name, bytes, taken } of documents) {
    const verdict = await takes(bytes);
    if (!verdict) refused += 1;
    if (verdict !== taken) wrong.push(`${name} was ${verdict ? 'taken' : 'refused'}`);
  }
  return {
    holds: wrong.length === 0,
    figures: {
      vectors: documents.length,
      ofJsonTestSuite: suite.length,
      own: OWN_TEXTS.length,
      refused,
      taken: documents.length - refused,
      asSpecified: documents.length - wrong.length,
      wrong: wrong.slice(0, 10),
    },
  };
}

function suiteDocuments(): readonly Document[] {
  const folder = publicSuite('JSONTestSuite', 'test_parsing');
  if (folder === undefined) return [];
  return readdirSync(folder).map((name) => ({
    name,
    bytes: readFileSync(join(folder, name)),
    // What else implementations may choose is refused: not UTF-8, lossy, half a pair, or too deep.
    taken: (name.startsWith('y_') && !REFUSED_HERE.includes(name)) || name === KEPT_HERE,
  }));
}

function ownDocuments(): readonly Document[] {
  return OWN_TEXTS.map(([verdict, text]) => {
    const bytes = Buffer.from(text);
    return { name: JSON.stringify(bytes.toString('latin1').slice(0, 40)), bytes, taken: verdict === 'y' };
  });
}
