import type { Application } from '../../core/operation.js';
import { createForm } from './create-form.js';
import { decodeSchema } from './decode-schema.js';
import { deleteForms } from './delete-forms.js';
import type { JsonFormsDeps } from './deps.js';
import { getFormById } from './get-form-by-id.js';
import { getFormHistory } from './get-form-history.js';
import { getForms } from './get-forms.js';
import { importForms } from './import-forms.js';
import { updateForm } from './update-form.js';
import { validateData } from './validate-data.js';
import { validateForm } from './validate-form.js';
import { yangToSchema } from './yang-to-schema.js';

/** JSON forms, with which people provide input to automations (specification section 4.4). */
export const jsonForms: Application<JsonFormsDeps> = {
  name: 'json-forms',
  summary: 'JSON forms: kept, validated, imported, and made of YANG.',
  component: 'JsonForms',
  prefixes: ['/json-forms'],
  operations: [
    createForm,
    getForms,
    getFormById,
    getFormHistory,
    updateForm,
    deleteForms,
    importForms,
    validateData,
    validateForm,
    decodeSchema,
    yangToSchema,
  ],
};
