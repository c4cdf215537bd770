import { readFileSync } from 'node:fs';
import { readDocument as readYaml } from '../../config/document.js';
import type { LineAndColumn, FaultText } from '../../core/fault.js';
import { textOfValue } from '../../json/json-members.js';
import { pointerTokens, pointerTo } from '../../json/pointer.js';
import type { DocumentFault, Place } from './document-task.js';

/** Maximum size of YAML in which faults are located, in characters: its parser with positions is slow. */
const MAX_YAML_LENGTH = 2_000_000;

/** Maximum number of faults, and of warnings: finding the place of one in a large document takes time. */
const MAX_FAULTS = 50;
const MAX_WARNINGS = 20;

/** Collects the faults of a document, each once, and locates them in its files. */
export class FaultList {
  readonly #faults = new Map<string, DocumentFault>();
  readonly #warnings = new Map<string, DocumentFault>();
  /** Faults with places already. */
  readonly #syntax: DocumentFault[] = [];

  get hasFaults(): boolean {
    return this.#syntax.length + this.#faults.size > 0;
  }

  add(at: Place, message: string, fix: string): void {
    this.#add(at, { message, fix }, false);
  }

  /** Adds a warning about a part that is left out. */
  warn(at: Place, message: string, fix: string): void {
    this.#add(at, { message, fix }, true);
  }

  /** Adds the faults of a text that the parser refuses. They quote nothing of the text. */
  addMalformed(file: string): void {
    const text = readText(file) ?? '';
    const isLong = text.length > MAX_YAML_LENGTH;
    const found = isLong ? [] : readYaml({ file, text }, {}).faults.filter(({ code }) => code === 'yaml');
    const place = { file, line: 0, column: 0, pointer: '', code: CODE };
    const message = 'is no object of JSON or YAML';
    this.#syntax.push(...(found.length > 0 ? found : [{ ...place, message, fix: NO_OBJECT_FIX }]));
  }

  /** Returns the faults with their lines and columns. */
  located(): readonly DocumentFault[] {
    const locators = new Map<string, (pointer: string) => LineAndColumn>();
    const locate = (file: string, pointer: string): LineAndColumn => {
      const locator = locators.get(file) ?? locatorOf(file);
      locators.set(file, locator);
      return locator(pointer);
    };
    return [
      ...this.#syntax,
      ...[...this.#faults.values(), ...this.#warnings.values()].map((fault) => ({
        ...fault,
        ...locate(fault.file, fault.pointer),
      })),
    ];
  }

  #add({ file, pointer }: Place, text: FaultText, isWarning: boolean): void {
    const key = `${file}\n${pointer}\n${text.message}`;
    const found = isWarning ? this.#warnings : this.#faults;
    if (found.size >= (isWarning ? MAX_WARNINGS : MAX_FAULTS)) return;
    const fault = { file, line: 0, column: 0, pointer, code: CODE, ...text };
    found.set(key, isWarning ? { ...fault, isWarning } : fault);
  }
}

const CODE = 'openapi';
const NO_OBJECT_FIX = 'Name a document of OpenAPI 3.0 or 3.1, or of Swagger 2.0.';

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch {
    return undefined;
  }
}

/** Returns the function that finds the position of a value in a file; of the nearest value around it if that is unknown. */
function locatorOf(file: string): (pointer: string) => LineAndColumn {
  const text = readText(file) ?? '';
  if (/^\s*\{/.test(text)) return (pointer) => jsonPosition(text, pointer);
  if (text.length > MAX_YAML_LENGTH) return () => ({ line: 0, column: 0 });
  const document = readYaml({ file, text }, {});
  return (pointer) => document.locate(pointer);
}

function jsonPosition(text: string, pointer: string): LineAndColumn {
  const tokens = pointerTokens(pointer);
  for (let length = tokens.length; length >= 0; length -= 1) {
    const found = textOfValue(text, tokens.slice(0, length).reduce<string>(pointerTo, ''));
    if (found) return positionOf(text, found.from);
  }
  return { line: 1, column: 1 };
}

function positionOf(text: string, offset: number): LineAndColumn {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
