import { setImmediate } from 'node:timers/promises';
import type { Call, Operation } from '../../core/operation.js';
import { andMoreErrors, Problem, type RequestError } from '../../core/problem.js';
import { FLAG_VALUES, flagParameterOf } from '../../http/query-parameters.js';
import { pointerTo } from '../../json/pointer.js';
import type { JsonFormsDeps } from './deps.js';
import { newFormSchema } from './form-schema.js';
import type { Form } from './form-store.js';
import { type FormFields, newForm } from './form.js';

interface ImportFormsBody {
  readonly forms: readonly (FormFields & Readonly<Record<string, unknown>>)[];
}

const requestSchema = {
  title: 'Forms to import',
  type: 'object',
  required: ['forms'],
  additionalProperties: false,
  // The handler validates each form as a new form, because only the handler knows whether one form may fail.
  properties: {
    forms: { type: 'array', items: { type: 'object', description: 'A form as getForms returns it' } },
  },
} as const;

const querySchema = {
  type: 'object',
  properties: {
    partial: {
      enum: FLAG_VALUES,
      description: 'With "true", valid forms are imported even if other forms are invalid',
    },
  },
} as const;

const formExcerptSchema = {
  type: 'object',
  properties: {
    _id: {},
    name: {},
    created: {},
    createdBy: {},
    lastUpdated: {},
  },
} as const;

const replySchema = {
  title: 'Imported forms',
  type: 'object',
  required: ['status', 'message', 'imported'],
  properties: {
    status: { enum: ['success', 'failure'] },
    message: { type: 'string' },
    imported: {
      type: 'array',
      items: {
        type: 'object',
        required: ['success', 'message', 'original', 'created'],
        properties: {
          success: { type: 'boolean' },
          message: { type: 'string' },
          original: { ...formExcerptSchema, description: 'The form as it was sent' },
          created: {
            oneOf: [formExcerptSchema, { type: 'null' }],
            description: 'The stored form; null if the form was not imported',
          },
        },
      },
    },
  },
} as const;

/**
 * Imports forms. Appends the first free ` (n)` to a name that is taken (specification 4.4, wire 4.7). Imports
 * all forms or no form; with `?partial=true`, imports all valid forms.
 */
export const importForms: Operation<JsonFormsDeps, ImportFormsBody> = {
  id: 'importForms',
  summary: 'Import JSON forms.',
  description:
    'Stores forms with new ids, and appends a number to a name that is taken. One invalid form stops the whole import, unless `partial` is `true`.',
  problems: ['too_many_forms'],
  method: 'POST',
  path: '/import/forms',
  aliases: [{ path: '/forms/import', id: 'importFormsAlias' }],
  roles: ['admin'],
  query: querySchema,
  body: requestSchema,
  exactNumbers: true,
  hasDocuments: true,
  reply: replySchema,
  audited: true,
  target: ({ body: { forms } }) => `${forms.length} forms`,
  async handle(call, deps) {
    const isPartial = flagParameterOf(call.query, 'partial');
    const checked = await checkForms(call, deps, isPartial ? Infinity : MAX_FAULTS);
    const faults = checked.flatMap(({ faults }) => faults);
    if (faults.length > 0 && !isPartial) throw invalidForms(faults);
    const validForms = checked.flatMap(({ form }) => (form ? [form] : []));
    const added = new Map(
      (await deps.forms.import(validForms, deps.formLimits())).map((form) => [form.id, form]),
    );
    const body = {
      status: added.size > 0 || checked.length === 0 ? 'success' : 'failure',
      message: importMessage(added.size, checked.length),
      imported: checked.map((form, at) => importReportOf(form, call.body.forms[at] ?? {}, added)),
    };
    return { body, outcome: String(added.size), change: { after: [...added.values()] } };
  },
};

interface CheckedForm {
  /** Absent if there are faults. */
  readonly form?: Form;
  readonly faults: readonly RequestError[];
}

/**
 * Number of forms after which the check yields to other requests; a body may contain thousands, and each may have many faults.
 */
const FORMS_PER_TURN = 10;

/** Number of faults after which an import of all forms or none checks no further form. */
const MAX_FAULTS = 1000;

async function checkForms(
  call: Call<ImportFormsBody>,
  deps: JsonFormsDeps,
  maxFaults: number,
): Promise<readonly CheckedForm[]> {
  const validate = deps.compile(newFormSchema);
  const checked: CheckedForm[] = [];
  let found = 0;
  for (const fields of call.body.forms) {
    const formPointer = pointerTo('/forms', checked.length);
    const { violations } = validate(fields);
    const faults = violations.map(({ pointer, message }) => ({ pointer: formPointer + pointer, message }));
    checked.push(faults.length > 0 ? { faults } : { form: newForm(fields, call, deps), faults });
    found += faults.length;
    if (found >= maxFaults) break;
    if (checked.length % FORMS_PER_TURN === 0) await setImmediate();
  }
  return checked;
}

/** Maximum number of errors in one reply. */
const MAX_REPORTED_ERRORS = 100;

function invalidForms(faults: readonly RequestError[]): Problem {
  const [first] = faults;
  const more = andMoreErrors(faults.length - 1);
  const detail = `Nothing was imported: ${first?.pointer ?? ''} ${first?.message ?? ''}${more}.`;
  return new Problem('invalid_request', detail, { errors: faults.slice(0, MAX_REPORTED_ERRORS) });
}

function importReportOf(
  { form, faults }: CheckedForm,
  sent: Readonly<Record<string, unknown>>,
  added: ReadonlyMap<string, Form>,
): object {
  const created = form && added.get(form.id);
  const [fault] = faults;
  return {
    success: created !== undefined,
    message: fault ? `${fault.pointer} ${fault.message}` : 'Form imported successfully',
    original: formExcerptOf({ ...sent, _id: sent['_id'] ?? sent['id'] ?? null }),
    created: created ? formExcerptOf({ ...created, _id: created.id }) : null,
  };
}

function formExcerptOf({
  _id,
  name,
  created,
  createdBy,
  lastUpdated,
}: Readonly<Record<string, unknown>>): object {
  return { _id, name, created, createdBy, lastUpdated };
}

function importMessage(added: number, all: number): string {
  if (added < all) return `${added} of ${all} forms imported`;
  return added === 1 ? '1 form imported successfully' : `${added} forms imported successfully`;
}
