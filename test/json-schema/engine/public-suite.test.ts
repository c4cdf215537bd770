import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileSchema, DRAFT_URIS } from '../../../src/json-schema/engine/index.js';
import { JSON_SCHEMA_TEST_SUITE } from '../../support/need-list.js';
import { describeWith } from '../../support/needs.js';

/** The folder of a checkout of JSON-Schema-Test-Suite. */
const root = process.env['JSON_SCHEMA_TEST_SUITE'] ?? '';

const DRAFTS = ['draft4', 'draft6', 'draft7', 'draft2019-09', 'draft2020-12'];

/**
 * Optional cases with a different result: some languages do not treat `1.0` as an integer, and `content...`
 * is only an annotation.
 */
const KNOWN_DIFFERENCES: Readonly<Record<string, number>> = { draft4: 1, draft7: 4 };

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

const readJson = (...path: readonly string[]): unknown =>
  JSON.parse(readFileSync(join(root, ...path), 'utf8'));

/** Returns the external schemas to which the suite refers, by their URIs. */
function readRemotes(): Readonly<Record<string, unknown>> {
  const files = readdirSync(join(root, 'remotes'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.json') && !file.startsWith('v1'),
  );
  return Object.fromEntries(
    files.map((file) => [`http://localhost:1234/${file}`, readJson('remotes', file)]),
  );
}

describeWith(
  JSON_SCHEMA_TEST_SUITE,
  'the schema engine, on the public JSON-Schema-Test-Suite (at JSON_SCHEMA_TEST_SUITE)',
  () => {
    let registry: Readonly<Record<string, unknown>> = {};
    before(() => {
      registry = readRemotes();
    });

    for (const [index, draft] of DRAFTS.entries()) {
      /** Returns the names of the cases of a folder, such as `draft7/optional/format`, with a wrong result. */
      const wrongIn = (folder: string, formats: 'assert' | 'annotate'): readonly string[] => {
        const options = { dialect: DRAFT_URIS[index] ?? '', registry, formats };
        const isWrong = (schema: unknown, data: unknown, valid: boolean): boolean => {
          const compiled = compileSchema(schema, options);
          if (!('validator' in compiled)) return true;
          return compiled.validator.validate(data).outcome !== (valid ? 'valid' : 'invalid');
        };
        const files = readdirSync(join(root, 'tests', folder)).filter((file) => file.endsWith('.json'));
        return files.flatMap((file) =>
          (readJson('tests', folder, file) as readonly Group[]).flatMap(
            ({ description: group, schema, tests }) =>
              tests
                .filter(({ data, valid }) => isWrong(schema, data, valid))
                .map(({ description }) => `${folder}/${file}: ${group}: ${description}`),
          ),
        );
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
