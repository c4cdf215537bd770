import { Problem } from '../domain/problem.js';
import type { Compiler } from './compile.js';
import { DRAFT_07, DRAFT_2020_12 } from './dialects.js';
import { plainSchema } from './plain-schema.js';
import { readJson, readMembers } from './read-members.js';
import type { Outcome, Task } from './task.js';
import { judge } from './verdict.js';

/** Does a task; what goes wrong is an outcome as well. */
export function performTask(task: Task, compiler: Compiler): Outcome {
  try {
    return perform(task, compiler);
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

function perform(task: Task, compiler: Compiler): Outcome {
  switch (task.kind) {
    case 'validateData': {
      const { jsonSchema, formData } = readMembers(task.body, { jsonSchema: true, formData: true });
      const compiled = compiler.compile({ schema: jsonSchema, at: '/jsonSchema', dialect: DRAFT_2020_12 });
      return { verdict: judge(compiled, formData) };
    }
    case 'validateForm': {
      const { formData } = readMembers(task.body, { formData: true });
      const { schema } = readJson(task.form) as { readonly schema: unknown };
      const compiled = compiler.compile({ schema, at: '/schema', dialect: DRAFT_07 });
      return { verdict: judge(compiled, formData) };
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
