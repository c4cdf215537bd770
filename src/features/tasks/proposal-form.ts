import type { Question } from '../../core/task.js';
import { isJsonObject } from '../../json/json-object.js';
import { jsonText } from '../../json/write-json.js';
import type { ProposedCall } from './approval.js';
import type { TasksDeps } from './deps.js';
import { validateTaskData } from './validate-data.js';

/** Member of the data of a proposal that has the arguments as a form. */
const FORM = 'form';

/** Characters that change the direction of the text around them. */
const REVERSING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

interface Texts extends Omit<Question, 'dialect' | 'returnTo'> {
  readonly formData: object;
  readonly schema: { readonly properties: object };
  readonly uiSchema: object;
}

/**
 * Returns the question with the arguments as a form that cannot be edited, above their JSON. Returns it unchanged if the form could
 * show something else than the arguments, or if its schema cannot be applied or does not admit them.
 */
export async function withForm<T extends Texts>(
  texts: T,
  { form, call }: ProposedCall,
  { validator }: TasksDeps,
): Promise<T> {
  if (!form) return texts;
  const { schema: input, data } = form;
  if (REVERSING.test(jsonText(input))) return texts;
  const { $schema, ...schema } = input;
  const { arguments: json, ...above } = texts.schema.properties as Readonly<Record<string, object>>;
  const asForm = { ...(within(schema, `#/properties/${FORM}`) as object), readOnly: true };
  const properties = { ...above, [FORM]: { ...asForm, title: 'Arguments as a form' }, arguments: json };
  const filled = {
    ...texts,
    schema: { ...texts.schema, ...($schema !== undefined && { $schema }), properties },
    uiSchema: { ...texts.uiSchema, [FORM]: { 'ui:readonly': true } },
    formData: { ...texts.formData, [FORM]: data },
  };
  const isValid = await validateTaskData({ ...filled, view: 'RenderJsonSchema' }, { validator }, call).then(
    ({ valid }) => valid,
    () => false,
  );
  return isValid ? filled : texts;
}

/** Returns a schema whose references to its own places are correct at another place of a document. */
function within(schema: unknown, place: string): unknown {
  if (Array.isArray(schema)) return schema.map((item) => within(item, place));
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) =>
      (key === '$ref' || key === '$dynamicRef') && typeof value === 'string' && /^#(?:\/|$)/.test(value)
        ? [key, place + value.slice(1)]
        : [key, within(value, place)],
    ),
  );
}
