import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './markdown.js';
import { VARIABLES } from './reference/environment.js';
import { REFERENCE_PAGES } from './reference/index.js';
import { FOLDER, textOf } from './reference/page.js';
import { SECRET_ERROR_CODES } from './reference/secret-errors.js';

const sorted = (texts: Iterable<string>): readonly string[] => [...new Set(texts)].sort();

describe('the reference', () => {
  for (const page of REFERENCE_PAGES)
    it(`contains what the code says in ${page.file} (UPDATE_GOLDEN=1 writes it)`, async () => {
      const file = join(FOLDER, page.file);
      const text = await textOf(page);
      if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text);
      assert.equal(readFileSync(file, 'utf8'), text);
    });
});

describe('the reference of environment variables', () => {
  it('lists exactly the variables that the code reads', () => {
    const sources = sourceFiles('src', 'plugins').map((path) => readFileSync(join(ROOT, path), 'utf8'));
    assert.deepEqual(
      sorted(Object.keys(VARIABLES)),
      sorted([...sources.flatMap(variablesIn), 'VAULT_TOKEN']),
    );
  });

  it('is checked by a test that finds each kind of use', () => {
    const text = "env['ONE'] process.env.TWO const { THREE, FOUR_5 } = env; f({ SIX }: Input['env'])";
    assert.deepEqual(variablesIn(text), ['ONE', 'TWO', 'THREE', 'FOUR_5', 'SIX']);
    assert.deepEqual(variablesIn("const { name } = env; codes['ONE']"), []);
  });
});

/** Returns the environment variables that the text reads. `vault.auth.tokenEnv` names a further one. */
function variablesIn(text: string): readonly string[] {
  const members = text.matchAll(/\benv(?:\['|\.)([A-Z][A-Z0-9_]*)\b/g);
  const lists = text.matchAll(/\{ ([A-Z][A-Z0-9_]*(?:, [A-Z][A-Z0-9_]*)*) \}(?: = env\b|: )/g);
  return [
    ...[...members].map(([, name = '']) => name),
    ...[...lists].flatMap(([, names = '']) => names.split(', ')),
  ];
}

describe('the reference of secret errors', () => {
  it('lists exactly the codes of the sources', () => {
    const types = ['vault/vault-error.ts', 'vault/reference.ts', 'server/reload/literal-secrets.ts'];
    const codes = types.flatMap(
      (name) =>
        readFileSync(join(ROOT, 'src', name), 'utf8').match(
          /(?<=')(?:VAULT|FILE|ENC|SECRET)_[A-Z_]+(?=')/g,
        ) ?? [],
    );
    assert.ok(codes.length > 20);
    assert.deepEqual(sorted(SECRET_ERROR_CODES), sorted(codes));
  });
});

/** Returns the TypeScript files of the folders. */
function sourceFiles(...folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
}
