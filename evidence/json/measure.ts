import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicSuite } from '../public-suite.js';
import type { Findings } from '../report.js';
import { OWN_TEXTS } from './own-texts.js';

/** Returns true if a document is accepted. */
export type Takes = (bytes: Buffer) => boolean | Promise<boolean>;

/** Accepts the bytes that JSON.parse accepts after lenient decoding. */
export const lenientTakes: Takes = (bytes) => {
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
};

/**
 * The two requirements of the suite that gatehouse deliberately violates: a duplicate name would have two
 * meanings.
 */
const REFUSED_HERE = ['y_object_duplicated_key.json', 'y_object_duplicated_key_and_value.json'];

/** Optional texts that gatehouse accepts: 1e20, because a double holds it exactly, and a byte order mark before an object. */
const KEPT_HERE = ['i_number_too_big_pos_int.json', 'i_structure_UTF-8_BOM_empty_object.json'];

interface Document {
  readonly name: string;
  readonly bytes: Buffer;
  readonly taken: boolean;
}

/**
 * H5: checks every document of JSONTestSuite, if there is a copy, and our own documents: each must be
 * accepted or refused as expected.
 */
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
    // All other optional cases are refused: not UTF-8, inexact, half a surrogate pair, or too deep.
    taken: (name.startsWith('y_') && !REFUSED_HERE.includes(name)) || KEPT_HERE.includes(name),
  }));
}

function ownDocuments(): readonly Document[] {
  return OWN_TEXTS.map(([verdict, text]) => {
    const bytes = Buffer.from(text);
    return { name: JSON.stringify(bytes.toString('latin1').slice(0, 40)), bytes, taken: verdict === 'y' };
  });
}
