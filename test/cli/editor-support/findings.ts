import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parseDocument } from 'yaml';
import { checkConfig } from '../../../src/cli/check-config.js';
import { SCHEMA_FILES, schemaFiles } from '../../../src/config/schema-files.js';
import { pointerTo } from '../../../src/json/pointer.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import type { YamlLanguageServer } from '../../support/yaml-language-server.js';

export type FileKind = keyof typeof SCHEMA_FILES;

/** A configuration of which one file is checked. */
export interface CheckedFile {
  readonly kind: FileKind;
  readonly text: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** What each tool finds in one file, in the form `line:column message`, or for Ajv `pointer keyword`. */
export interface Findings {
  readonly check: readonly string[];
  readonly ajv: readonly string[];
  readonly editor: readonly string[];
}

/** Compiles the schema files with Ajv in strict mode. Returns one validator for each kind of file. */
export function compileSchemaFiles(): Readonly<Record<FileKind, ValidateFunction>> {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  // The YAML language server shows these texts; they restrict nothing.
  ajv.addVocabulary(['errorMessage', 'patternErrorMessage']);
  const files = schemaFiles();
  for (const [name, schema] of Object.entries(files)) ajv.addSchema(schema, name);
  return {
    main: ajv.compile({ $ref: SCHEMA_FILES.main }),
    adapter: ajv.compile({ $ref: SCHEMA_FILES.adapter }),
  };
}

/** Returns the places and keywords of the errors of a value; `yaml` if the text is not one document. */
export function schemaErrors(validate: ValidateFunction, text: string): readonly string[] {
  const document = parseDocument(text, { version: '1.2', schema: 'core', logLevel: 'error' });
  if (document.errors.length > 0) return ['yaml'];
  if (validate(document.toJS())) return [];
  const errors = (validate.errors ?? []).filter(({ keyword }) => !SUMMARIES.has(keyword));
  return errors.map(({ instancePath, keyword, params, propertyName }) => {
    const member: unknown = propertyName ?? params['additionalProperty'] ?? params['missingProperty'];
    return `${typeof member === 'string' ? pointerTo(instancePath, member) : instancePath} ${keyword}`;
  });
}

/** Keywords whose errors only summarize others. */
const SUMMARIES = new Set(['if', 'allOf']);

/** The three tools that check a file. */
interface Checkers {
  readonly examine: (file: CheckedFile) => Promise<Findings>;
  readonly close: () => void;
}

/** Writes the schemas for a running language server, and checks files also with `gatehouse check` and Ajv. */
export function createCheckers(server: YamlLanguageServer): Checkers {
  const validators = compileSchemaFiles();
  const folder = temporaryFolder();
  for (const [name, schema] of Object.entries(schemaFiles()))
    writeFileSync(join(folder.path, name), JSON.stringify(schema));
  let files = 0;
  return {
    async examine(file) {
      files += 1;
      const { kind, text, env = {} } = file;
      const path = writeConfiguration(join(folder.path, `c${files}`), file);
      const configPath = join(folder.path, `c${files}`, 'gatehouse.yaml');
      const { faults } = await checkConfig({ configPath, env, probe: false });
      const line = `# yaml-language-server: $schema=${kind === 'main' ? '../' : '../../'}${SCHEMA_FILES[kind]}\n`;
      const diagnostics = await server.diagnose(path, line + text);
      return {
        check: faults
          .filter((fault) => fault.file === path)
          .map(({ line: at, column, pointer, message }) => `${at}:${column} ${pointer} ${message}`),
        ajv: schemaErrors(validators[kind], text),
        editor: diagnostics.map(({ line: at, column, message }) => `${at - 1}:${column} ${message}`).sort(),
      };
    },
    close: () => {
      folder.remove();
    },
  };
}

/** Writes a configuration with one file to check, and returns the path of this file. */
function writeConfiguration(folder: string, { kind, text }: CheckedFile): string {
  const main = join(folder, 'gatehouse.yaml');
  const adapter = join(folder, 'adapters', 'a.yaml');
  mkdirSync(dirname(adapter), { recursive: true });
  writeFileSync(main, kind === 'main' ? text : VAULT);
  if (kind === 'adapter') writeFileSync(adapter, text);
  return kind === 'main' ? main : adapter;
}

/** Main file for adapters with references. */
export const VAULT = 'vault: { address: http://127.0.0.1:8200, auth: { method: token } }\n';
