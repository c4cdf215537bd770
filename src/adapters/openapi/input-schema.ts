import type { JsonSchema } from '../../core/schema.js';
import { uniqueName, type ConvertedSchema, type SchemaConverter } from './convert-schema.js';
import type { DocumentTask } from './document-task.js';
import type { FaultList } from './fault-list.js';
import type { SourceFiles } from './read-document.js';

/** What the conversion of an operation needs besides the operation. */
export interface ConvertDeps {
  readonly source: SourceFiles;
  readonly version: string;
  readonly ownNames: DocumentTask['ownNames'];
  readonly request: SchemaConverter;
  readonly reply: SchemaConverter;
  readonly faults: FaultList;
  readonly inputs: InputSchema;
}

interface Argument extends ConvertedSchema {
  readonly name: string;
  readonly place: 'path' | 'query' | 'header' | 'cookie' | 'body';
  readonly isRequired: boolean;
}

/** Collects the arguments of a method, whose names are unique. */
export class InputSchema {
  readonly #taken = new Set<string>();
  readonly #properties: [string, JsonSchema][] = [];
  readonly #required: string[] = [];
  readonly #dependent: [string, readonly string[]][] = [];
  readonly #uses = new Set<string>();

  /** Adds an argument. A name that an earlier one has gets the place of the argument at its end, for example `id_query`. */
  add({ name, place, schema, isRequired, uses }: Argument): string {
    const argument = uniqueName(this.#taken.has(name) ? `${name}_${place}` : name, this.#taken);
    this.#properties.push([argument, schema]);
    if (isRequired) this.#required.push(argument);
    for (const use of uses) this.#uses.add(use);
    return argument;
  }

  /** Makes arguments required as soon as one of `all` is given. */
  requireTogether(all: readonly string[], required: readonly string[]): void {
    for (const name of all) {
      const others = required.filter((other) => other !== name);
      if (others.length > 0) this.#dependent.push([name, others]);
    }
  }

  uses(): readonly string[] {
    return [...this.#uses];
  }

  schema(): JsonSchema {
    return {
      type: 'object',
      properties: Object.fromEntries(this.#properties),
      ...(this.#required.length > 0 && { required: this.#required }),
      ...(this.#dependent.length > 0 && { dependentRequired: Object.fromEntries(this.#dependent) }),
      additionalProperties: false,
    };
  }
}
