import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { checkConfig } from '../../../src/cli/check-config.js';
import { allowsReferenceInAdapter, allowsReferenceInMain } from '../../../src/config/reference-positions.js';
import type { JsonSchema } from '../../../src/core/schema.js';
import { withValues } from '../../../src/json/pointer.js';
import { adapterSchema } from '../../../src/settings/adapter.js';
import { settingsSchema } from '../../../src/settings/settings.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { compileSchemaFiles, type FileKind, schemaErrors, VAULT } from './findings.js';
import {
  hasVariable,
  rewritten,
  scalarsOf,
  STRANGE_ENV,
  STRANGE_TEXTS,
  validValue,
  without,
  type WrittenConfiguration,
} from './random-configuration.js';

/** Codes of faults that depend on the text of the file and on the schema alone. */
const CODES_OF_TEXT =
  'schema yaml env ENC_REJECTED VAULT_REF_SYNTAX VAULT_REF_FOREIGN VAULT_REF_MISPLACED'.split(' ');

const validVault = { address: 'http://127.0.0.1:8200', auth: { method: 'token' } };

/** A main file that has a Vault for its references. Its adapters are written into files of their own. */
const mainValue = validValue(settingsSchema).map((value) => {
  const { vault, ...main } = value as Readonly<Record<string, unknown>>;
  return { ...without(main, ['adapters']), vault: vault ?? validVault };
});
const VALUES: Readonly<Record<FileKind, fc.Arbitrary<unknown>>> = {
  main: mainValue,
  adapter: validValue(adapterSchema),
};
const ALLOWS = { main: allowsReferenceInMain, adapter: allowsReferenceInAdapter };

describe('gatehouse check and the schemas for editors', () => {
  const validators = compileSchemaFiles();
  const folder = temporaryFolder().path;
  const mainFile = join(folder, 'gatehouse.yaml');
  const adapterFile = join(folder, 'adapters', 'a.yaml');
  before(() => mkdirSync(join(folder, 'adapters'), { recursive: true }));

  /** Returns the faults of the text that check finds, and the errors of the schema. */
  async function ask(kind: FileKind, { value, env }: WrittenConfiguration) {
    const text = JSON.stringify(value);
    writeFileSync(mainFile, kind === 'main' ? text : VAULT);
    writeFileSync(adapterFile, kind === 'adapter' ? text : 'plugin: restconf\nbaseUrl: http://a.example\n');
    const { faults } = await checkConfig({ configPath: mainFile, env, probe: false });
    const file = kind === 'main' ? mainFile : adapterFile;
    const ownFaults = faults.filter((fault) => fault.file === file);
    return {
      faults: ownFaults.length,
      check: ownFaults
        .filter(({ code }) => CODES_OF_TEXT.includes(code))
        .map(({ pointer, code, message }) => `${pointer} ${code} ${message}`),
      schema: schemaErrors(validators[kind], text),
      said: text,
    };
  }

  for (const kind of ['main', 'adapter'] as const) {
    it(`accept the same valid files with variables and references: ${kind} (property)`, async () => {
      const written = VALUES[kind].chain((value) => rewritten(value, ALLOWS[kind]));
      await fc.assert(
        fc.asyncProperty(written, async (configuration) => {
          const { check, schema, said } = await ask(kind, configuration);
          assert.deepEqual({ check, schema }, { check: [], schema: [] }, said);
        }),
        { numRuns: 30 },
      );
    });

    it(`reject the same texts in any place: ${kind} (property)`, async () => {
      const broken = fc.tuple(
        VALUES[kind],
        fc.nat(),
        fc.constantFrom<unknown>(...STRANGE_TEXTS, 0, 7, true, null, [], {}),
      );
      await fc.assert(
        fc.asyncProperty(broken, async ([value, nth, strange]) => {
          const scalars = scalarsOf(value);
          const pointer = scalars[nth % scalars.length] ?? '';
          const changed = withValues(value, new Map([[pointer, strange]]));
          const { faults, check, schema, said } = await ask(kind, { value: changed, env: STRANGE_ENV });
          const about = `${pointer} ${JSON.stringify(strange)} check: ${check.join()} schema: ${schema.join()} in ${said}`;
          // The schema may accept what depends on the environment, but never rejects what check accepts.
          if (schema.length > 0) assert.notEqual(faults, 0, about);
          else if (!hasVariable(changed)) assert.deepEqual(check, [], about);
        }),
        { numRuns: 80 },
      );
    });
  }
});

describe('validValue', () => {
  it('returns every key of forms.yang', () => {
    const { forms } = settingsSchema['properties'] as Readonly<Record<string, JsonSchema>>;
    const { yang } = forms?.['properties'] as Readonly<Record<string, JsonSchema>>;
    assert.ok(forms && yang);
    const samples = fc.sample(validValue(forms), { numRuns: 200, seed: 1 });
    const found = new Set(samples.flatMap((sample) => Object.keys((sample as { yang?: object }).yang ?? {})));
    assert.deepEqual([...found].sort(), Object.keys(yang['properties'] as object).sort());
  });
});
