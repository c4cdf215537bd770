import type { YangModelReference } from '../core/yang.js';
import { ownMember } from '../json/json-object.js';
import { BoundedMap } from '../lib/bounded-map.js';
import { errorMessage } from '../lib/error-message.js';
import { serveThread } from '../lib/thread-pool.js';
import { ValidationTooCostly } from './document/step-budget.js';
import {
  type DocumentValidation,
  type DocumentValidator,
  openDocumentValidator,
} from './document/validate-document.js';
import type { CompilePattern } from './document/value-reader.js';
import type { DataViolation } from './document/violations.js';
import { xmlValidatorOf } from './encoding/xml-document.js';
import type { Limits } from './limits.js';
import type { LinkedModules } from './link.js';
import { openArchive } from './model-archive.js';

/** Validation of one document by a model, as plain data that can be passed to another thread. */
export interface DocumentTask {
  readonly model: YangModelReference;
  /** Archive of the model; absent as long as the thread has not asked for it. */
  readonly archive?: string;
  /** Limits of the compilation of the model. */
  readonly limits: Partial<Limits>;
  /** JSON object with the document in its member `formData`, a string for a document of XML. */
  readonly body: Uint8Array;
}

export type DocumentTaskResult =
  | { readonly violations: readonly DataViolation[]; readonly isTruncated: boolean }
  /** The thread needs the archive of the model. */
  | { readonly needsArchive: true }
  | { readonly tooCostly: string }
  | { readonly internalError: string };

/** Maximum number of compiled models of one thread, and maximum total length of their texts in characters. */
const MODEL_CACHE = { maxEntries: 8, maxWeight: 32 * 1024 * 1024 };

/** Validators of the documents of one model. */
interface Validators {
  readonly ofJson: DocumentValidator;
  readonly ofXml: (bytes: Uint8Array) => DocumentValidation;
}

/** Compiled models of a thread with their validators. */
class CompiledModels {
  readonly #compile: CompilePattern;
  readonly #models = new BoundedMap<string, LinkedModules>(MODEL_CACHE);
  readonly #validators = new BoundedMap<string, Validators>({ maxEntries: 32, maxWeight: 32 });

  constructor(compile: CompilePattern) {
    this.#compile = compile;
  }

  run({ body, ...task }: DocumentTask): DocumentTaskResult {
    try {
      const validators = this.#validatorsOf(task);
      if (!validators) return { needsArchive: true };
      const document = ownMember(JSON.parse(new TextDecoder().decode(body)), 'formData');
      const { violations, isTruncated } =
        typeof document === 'string'
          ? validators.ofXml(new TextEncoder().encode(document))
          : validators.ofJson.validate(document);
      return { violations, isTruncated };
    } catch (error) {
      if (error instanceof ValidationTooCostly) return { tooCostly: error.message };
      // The stack overflowed, or a string exceeded the maximum length of strings.
      if (error instanceof RangeError) return { tooCostly: `Checking the document failed: ${error.message}` };
      return { internalError: error instanceof Error ? (error.stack ?? '') : errorMessage(error) };
    }
  }

  #validatorsOf({ model, archive, limits }: Omit<DocumentTask, 'body'>): Validators | undefined {
    const key = JSON.stringify(model);
    const known = this.#validators.get(key);
    if (known) return known;
    const linked = this.#models.get(model.digest) ?? this.#open(model.digest, archive, limits);
    if (!linked) return undefined;
    const { modules, content, target, path } = model;
    const opened = openDocumentValidator(linked, {
      modules,
      content,
      compilePattern: this.#compile,
      ...(target !== undefined && { target }),
      ...(path !== undefined && { path }),
    });
    if ('refused' in opened) throw new Error(opened.refused);
    const validators = { ofJson: opened, ofXml: xmlValidatorOf(linked, opened, this.#compile) };
    this.#validators.set(key, validators, 1);
    return validators;
  }

  #open(digest: string, archive: string | undefined, limits: Partial<Limits>): LinkedModules | undefined {
    if (archive === undefined) return undefined;
    const linked = openArchive(archive, limits);
    this.#models.set(digest, linked, archive.length);
    return linked;
  }
}

/** Runs the tasks of {@link DocumentWorkers} in the current thread. */
export function serveDocuments(compile: CompilePattern): void {
  const models = new CompiledModels(compile);
  serveThread((task: DocumentTask) => models.run(task));
}
