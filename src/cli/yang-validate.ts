import { readFileSync } from 'node:fs';
import { compilePattern } from '../json-schema/engine/ecma-pattern.js';
import { parseJson } from '../json/strict-json.js';
import { type CompileOptions, openModules } from '../yang/compile.js';
import { ValidationTooCostly } from '../yang/document/step-budget.js';
import {
  type DocumentValidation,
  type DocumentValidator,
  openDocumentValidator,
} from '../yang/document/validate-document.js';
import type { SourceText } from '../yang/syntax/statement.js';
import { type CommandIo, EXIT } from './command.js';
import { reportFaults } from './yang-input.js';

/** Options of a compilation, and the files of the documents. */
interface ValidateOptions extends CompileOptions {
  readonly documents: readonly string[];
}

/** Validates documents by all modules of the texts. Returns the exit code. */
export function validateFiles(
  sources: readonly SourceText[],
  { documents, ...options }: ValidateOptions,
  io: CommandIo,
): number {
  const linked = openModules(sources, options);
  if ('faults' in linked) return reportFaults(linked.faults, io);
  const validator = openDocumentValidator(linked.value, { ...options, compilePattern });
  if ('refused' in validator) {
    io.err(`${validator.refused}\n`);
    return EXIT.failed;
  }
  const counts = documents.map((file) => validateFile(file, validator, io));
  return counts.every((count) => count === 0) ? EXIT.ok : EXIT.failed;
}

/** Prints the violations of a document as `file: pointer message`. Returns their number. */
function validateFile(file: string, validator: DocumentValidator, io: CommandIo): number {
  const parsed = parseJson(readFileSync(file));
  if ('fault' in parsed) {
    io.err(`${file}: ${parsed.fault.pointer} ${parsed.fault.message}\n`);
    return 1;
  }
  const result = validationOf(validator, parsed.value);
  if ('tooCostly' in result) {
    io.err(`${file}: ${result.tooCostly}\n`);
    return 1;
  }
  for (const { pointer, message } of result.violations)
    io.err(`${file}: ${pointer === '' ? 'the document' : pointer} ${message}\n`);
  const count = result.violations.length;
  if (count === 0) io.out(`${file}: valid\n`);
  else
    io.err(
      `${file}: ${count}${result.isTruncated ? ' or more' : ''} ${count === 1 ? 'violation' : 'violations'}\n`,
    );
  return count;
}

function validationOf(
  validator: DocumentValidator,
  document: unknown,
): DocumentValidation | { readonly tooCostly: string } {
  try {
    return validator.validate(document);
  } catch (error) {
    if (error instanceof ValidationTooCostly) return { tooCostly: error.message };
    throw error;
  }
}
