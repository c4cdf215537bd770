import type { Application } from '../../core/operation.js';
import { decodeSchema, yangToSchema } from './convert-schema.js';
import type { JsonFormsDeps } from './deps.js';
import { importForms } from './import-forms.js';
import { getFormById, getFormHistory, getFormSubtrees } from './read-form.js';
import { getForms } from './read-forms.js';
import { validateData, validateForm } from './validate-form-data.js';
import { createForm, deleteForms, updateForm } from './write-forms.js';

export const jsonForms: Application<JsonFormsDeps> = {
  name: 'json-forms',
  summary: 'JSON forms: storage, validation, import, and conversion from YANG.',
  component: 'JsonForms',
  isInteractive: true,
  prefixes: ['/json-forms'],
  operations: [
    createForm,
    getForms,
    getFormById,
    getFormSubtrees,
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
