import { Problem } from '../../core/problem.js';
import type { CallerSchema, Compiler } from './compile.js';
import { plainSchema } from './plain-schema.js';
import { readJson, readMembers } from './read-members.js';
import type { Outcome, Task } from './task.js';
import { validateInTurn } from './validate-in-turn.js';

/** Drafts of schemas that name none. */
const OF_FORMS = 'http://json-schema.org/draft-07/schema';
const OF_DATA = 'https://json-schema.org/draft/2020-12/schema';

/** Does a task; what goes wrong is an outcome as well. */
export function performTask(task: Task, compiler: Compiler): Outcome {
  try {
    return runTask(task, compiler);
  } catch (error) {
    // The stack overflows, or a text grows longer than a text can be.
    if (error instanceof RangeError) return tooLarge();
    if (!(error instanceof Problem))
      return { bug: error instanceof Error ? (error.stack ?? '') : String(error) };
    return { problem: { code: error.code, detail: error.message, errors: error.extras.errors ?? [] } };
  }
}

function tooLarge(): Outcome {
  const detail = 'The schema grows too large when it is applied.';
  return { problem: { code: 'schema_too_costly', detail, errors: [] } };
}

/** Most bytes of a decoded schema: references multiply what they refer to. */
const LARGEST_ANSWER = 16_777_216;

function schemaOfForm(form: Uint8Array): CallerSchema {
  const { schema } = readJson(form) as { readonly schema: unknown };
  return { schema, at: '/schema', dialect: OF_FORMS };
}

function runTask(task: Task, compiler: Compiler): Outcome {
  switch (task.kind) {
    case 'validateData': {
      const { jsonSchema, formData } = readMembers(task.body, { jsonSchema: true, formData: true });
      const compiled = compiler.compile({ schema: jsonSchema, at: '/jsonSchema', dialect: OF_DATA });
      return { verdict: validateInTurn(compiled, formData, jsonSchema) };
    }
    case 'validateForm': {
      const { formData } = readMembers(task.body, { formData: true });
      const { schema, validator } = compiler.compileIn(task.form, schemaOfForm);
      return { verdict: validateInTurn(validator, formData, schema) };
    }
    case 'decode': {
      const { jsonSchema, bindingSchema } = readMembers(task.body, {
        jsonSchema: true,
        bindingSchema: false,
      });
      const json = Buffer.from(JSON.stringify({ jsonSchema: plainSchema(jsonSchema, bindingSchema) }));
      return json.length > LARGEST_ANSWER ? tooLarge() : { json };
    }
  }
}
