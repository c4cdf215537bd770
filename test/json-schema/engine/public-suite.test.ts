import assert from 'node:assert/strict';
import { compileSchema, DRAFT_URIS } from '../../../src/json-schema/engine/index.js';
import { JSON_SCHEMA_TEST_SUITE } from '../../support/need-list.js';
import { describeWith } from '../../support/needs.js';
import { casesIn, remotesOf, type SuiteCase } from './public-suite.js';

/** The folder of a checkout of JSON-Schema-Test-Suite. */
const root = process.env['JSON_SCHEMA_TEST_SUITE'] ?? '';

const DRAFTS = ['draft4', 'draft6', 'draft7', 'draft2019-09', 'draft2020-12'];

/**
 * Optional cases with a different result: some languages do not treat `1.0` as an integer, and `content...`
 * is only an annotation.
 */
const KNOWN_DIFFERENCES: Readonly<Record<string, number>> = { draft4: 1, draft7: 4 };

describeWith(
  JSON_SCHEMA_TEST_SUITE,
  'the schema engine, on the public JSON-Schema-Test-Suite (at JSON_SCHEMA_TEST_SUITE)',
  () => {
    for (const [index, draft] of DRAFTS.entries()) {
      const wrongIn = (folder: string, formats: 'assert' | 'annotate'): readonly string[] => {
        const remotes = DRAFTS.map((draftName) => remotesOf(root, draftName));
        const registry = Object.assign({}, ...remotes) as Record<string, unknown>;
        const isWrong = ({ schema, data, valid }: SuiteCase): boolean => {
          const compiled = compileSchema(schema, { dialect: DRAFT_URIS[index] ?? '', registry, formats });
          return !('validator' in compiled) || compiled.validator.validate(data).outcome !== (valid ? 'valid' : 'invalid'); // prettier-ignore
        };
        return casesIn(root, folder)
          .filter(isWrong)
          .map(({ name }) => name);
      };

      it(`${draft}: passes every required case`, () => {
        assert.deepEqual(wrongIn(draft, 'annotate'), []);
      });

      it(`${draft}: passes every format case`, () => {
        assert.deepEqual(wrongIn(`${draft}/optional/format`, 'assert'), []);
      });

      it(`${draft}: passes the optional cases, except for ${KNOWN_DIFFERENCES[draft] ?? 0}`, () => {
        const wrong = wrongIn(`${draft}/optional`, 'annotate');
        assert.equal(wrong.length, KNOWN_DIFFERENCES[draft] ?? 0, wrong.join('\n'));
      });
    }
  },
);
