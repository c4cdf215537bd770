import type { Form, FormLimits, FormStore } from '../../src/features/forms/form-store.js';

export const LIMITS: FormLimits = { maxForms: 100_000, maxVersions: 20 };

/** An id that ends with a number. */
export function formId(number: number): string {
  return number.toString(16).padStart(24, '0');
}

/** Creates an ordinary form; the number distinguishes forms. */
export function form(number: number, changes: Partial<Form> = {}): Form {
  return {
    id: formId(number),
    name: `form ${number}`,
    description: '',
    struct: {},
    schema: {},
    uiSchema: {},
    bindingSchema: {},
    validationSchema: {},
    created: '2026-01-02T03:04:05.678Z',
    createdBy: 'ada',
    lastUpdated: '2026-01-02T03:04:05.678Z',
    lastUpdatedBy: 'ada',
    version: '2020.1',
    ...changes,
  };
}

export async function formsOf(store: FormStore): Promise<readonly Form[]> {
  return (await formTextsOf(store.list())).map((json) => JSON.parse(json) as Form);
}

/** Returns the JSON of the forms in the pages of a list. */
export async function formTextsOf(pages: ReturnType<FormStore['list']>): Promise<readonly string[]> {
  const texts: string[] = [];
  for await (const page of pages) texts.push(...page.toString().split('\n'));
  return texts;
}
