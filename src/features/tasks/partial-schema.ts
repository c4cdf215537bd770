import type { JsonSchema } from '../../core/schema.js';
import { partialSchema } from '../../form-model/partial-schema.js';
import type { SchemaWithUi } from '../../form-model/schema-subtrees.js';
import { choiceParameterOf } from '../../http/query-parameters.js';
import { FIRST_CHARACTERS } from '../forms/subtrees-reply.js';
import type { SchemaIndexes } from './deps.js';
import type { Task } from './task.js';

const SCHEMA_SIZES = ['whole', 'partial'] as const;

export const taskFormQuerySchema: JsonSchema = {
  type: 'object',
  properties: {
    schema: {
      enum: SCHEMA_SIZES,
      description:
        'partial: a schema of more than 500,000 characters has only the objects in which the task has data, and the nearest others; getTaskSubtrees returns the rest. Default whole',
    },
  },
};

/** Returns true if a caller asks for a partial schema. Throws `invalid_request`. */
export function isPartialAsked(query: URLSearchParams): boolean {
  return choiceParameterOf(query, 'schema', SCHEMA_SIZES) === 'partial';
}

interface PartialForm extends SchemaWithUi, Pick<Task, 'warnings'> {
  readonly partial: true;
}

/** Returns the members of a task with a partial schema; undefined if the task is shown with its whole schema. */
export function partialForm(task: Task, indexes: SchemaIndexes): PartialForm | undefined {
  const index = indexes.known(task.id) ?? indexes.of(task);
  if (!index) return undefined;
  const documents = [task.formData, task.draft?.formData, task.outcome?.export];
  const form = partialSchema(index, documents, FIRST_CHARACTERS);
  return { ...form, partial: true, warnings: [] };
}
