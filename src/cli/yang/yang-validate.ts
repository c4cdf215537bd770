import { readFileSync } from 'node:fs';
import { compilePattern } from '../../json-schema/engine/ecma-pattern.js';
import { parseJson } from '../../json/strict-json.js';
import { type CompileOptions, openModules } from '../../yang/compile.js';
import { ValidationTooCostly } from '../../yang/document/step-budget.js';
import {
  type DocumentValidation,
  type DocumentValidator,
  openDocumentValidator,
} from '../../yang/document/validate-document.js';
import { xmlValidatorOf } from '../../yang/encoding/xml-document.js';
import type { SourceText } from '../../yang/syntax/statement.js';
import { type CommandIo, EXIT } from '../lib/command.js';
import { reportFaults } from './yang-input.js';

/** Options of a compilation, and the files of the documents. */
interface ValidateOptions extends CompileOptions {
  readonly documents: readonly string[];
  /** Encoding of the documents; absent: that of the ending of each, or of its first character. */
  readonly encoding?: 'json' | 'xml';
}

/** Validates documents by all modules of the texts. Returns the exit code. */
export function validateFiles(
  sources: readonly SourceText[],
  { documents, encoding, ...options }: ValidateOptions,
  io: CommandIo,
): number {
  const linked = openModules(sources, options);
  if ('faults' in linked) return reportFaults(linked.faults, io);
  const validator = openDocumentValidator(linked.value, { ...options, compilePattern });
  if ('refused' in validator) {
    io.err(`${validator.refused}\n`);
    return EXIT.failed;
  }
  const validateXml = xmlValidatorOf(linked.value, validator, compilePattern);
  const counts = documents.map((file) => {
    const bytes = readFileSync(file);
    const validate = (): DocumentValidation | JsonFault =>
      (encoding ?? encodingOf(file, bytes)) === 'xml' ? validateXml(bytes) : validateJson(bytes, validator);
    return report(file, resultOf(validate), io);
  });
  return counts.every((count) => count === 0) ? EXIT.ok : EXIT.failed;
}

interface JsonFault {
  readonly fault: { readonly pointer: string; readonly message: string };
}

interface TooCostly {
  readonly tooCostly: string;
}

/** Returns the encoding of a document: no document of JSON begins with `<`. */
function encodingOf(file: string, bytes: Uint8Array): 'json' | 'xml' {
  if (/\.(?:json|xml)$/i.test(file)) return /\.xml$/i.test(file) ? 'xml' : 'json';
  return /^\s*</.test(new TextDecoder().decode(bytes.subarray(0, 1024))) ? 'xml' : 'json';
}

function validateJson(bytes: Uint8Array, validator: DocumentValidator): DocumentValidation | JsonFault {
  const parsed = parseJson(bytes);
  return 'fault' in parsed ? parsed : validator.validate(parsed.value);
}

function resultOf(
  validate: () => DocumentValidation | JsonFault,
): DocumentValidation | JsonFault | TooCostly {
  try {
    return validate();
  } catch (error) {
    if (error instanceof ValidationTooCostly) return { tooCostly: error.message };
    throw error;
  }
}

/** Prints the violations of a document as `file: pointer message`. Returns their number. */
function report(file: string, result: ReturnType<typeof resultOf>, io: CommandIo): number {
  if ('fault' in result || 'tooCostly' in result) {
    io.err(
      `${file}: ${'fault' in result ? `${result.fault.pointer} ${result.fault.message}` : result.tooCostly}\n`,
    );
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
