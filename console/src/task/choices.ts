import { queriedAdapter } from '../../../src/form-model/form-binding.js';
import { pointerTo, pointerTokens } from '../../../src/json/pointer.js';
import { ApiProblem } from '../api/problem.js';
import { request } from '../api/request.js';
import {
  type DependedValues,
  type FormBinding,
  isMembers,
  type Json,
  readJson,
} from '../form/model/index.js';
import { textOf } from '../text/text.js';

const text = textOf('task');

interface Choices {
  readonly choices: readonly { readonly value: Json; readonly label: string }[];
}

/**
 * Returns the function that asks for the choices of a bound field of a task. The server sends the query under the
 * grant of the form's author. The returned document has the choices at the pointers of the binding's source.
 */
export function choicesOf(task: string): (binding: FormBinding, values: DependedValues) => Promise<Json> {
  return async (binding, values) => {
    if (queriedAdapter(binding) === undefined)
      throw new Error(text('bindingNotAllowed', { method: binding.method, href: binding.href }));
    try {
      const path = `/json-forms/tasks/${encodeURIComponent(task)}/choices`;
      const reply = await request({ method: 'POST', path, body: { field: binding.path, values } });
      return replyWith((readJson(reply.text) as unknown as Choices).choices, binding.source);
    } catch (error) {
      throw error instanceof ApiProblem ? new Error(reasonOf(error)) : error;
    }
  };
}

function reasonOf({ code, message }: ApiProblem): string {
  if (code === 'binding_not_granted') return text('bindingNotGranted', { reason: message });
  if (code === 'invalid_request') return text('choicesValueRefused', { reason: message });
  return code === 'too_many_requests' ? text('choicesTooMany') : text('choicesFailed', { reason: message });
}

/** Returns a document with the choices at the pointers of the source. */
function replyWith(choices: Choices['choices'], source: FormBinding['source']): Json {
  const entries = choices.map((choice) => {
    // The pointer of the value is that of the label where the binding names one alone: the value decides.
    const labelled = withValueAt({}, source.label, choice.label);
    return source.value === '' ? choice.value : withValueAt(labelled, source.value, choice.value);
  });
  return withValueAt({}, source.values, entries);
}

/** Returns the document with a value at a pointer; creates the objects on the way. */
function withValueAt(document: Json, pointer: string, value: Json): Json {
  const [name, ...rest] = pointerTokens(pointer);
  if (name === undefined) return value;
  const members = isMembers(document) ? document : {};
  const inner = Object.hasOwn(members, name) ? members[name] : undefined;
  const path = rest.reduce((parent, token) => pointerTo(parent, token), '');
  return { ...members, [name]: withValueAt(inner ?? {}, path, value) };
}
