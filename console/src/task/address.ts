/** The task that the URL of a task page requests: an existing task, or a new task with incoming variables. */
export type RequestedTask =
  | { readonly kind: 'task'; readonly view: string; readonly id: string }
  | { readonly kind: 'new'; readonly view: string; readonly variables: Readonly<Record<string, unknown>> };

/**
 * Parses the URL of a task page: `/json-forms/task/<View>?task=<id>`, or a query with the incoming variables
 * (wire 4.12), in which documents are JSON. Throws an Error if a variable is not valid JSON.
 */
export function readAddress({ pathname, search }: Pick<URL, 'pathname' | 'search'>): RequestedTask {
  const view = pathname.split('/').at(-1) ?? '';
  const query = new URLSearchParams(search);
  const id = query.get('task');
  if (id !== null) return { kind: 'task', view, id };
  // Old clients send their token as a parameter, which is not a variable.
  query.delete('token');
  // HTML forms also send empty fields.
  const filled = [...query].filter(([, text]) => text !== '');
  const variables = Object.fromEntries(filled.map(([name, text]) => [name, variableValue(name, text)]));
  return { kind: 'new', view, variables };
}

/** Variables that are texts. All other variables are JSON documents. */
const TEXT_VARIABLES: ReadonlySet<string> = new Set([
  'form_id',
  'title',
  'returnTo',
  'due',
  'module',
  'path',
  'adapterId',
]);

function variableValue(name: string, text: string): unknown {
  if (TEXT_VARIABLES.has(name)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error(`The variable ${name} in the URL of this page is not valid JSON.`);
  }
}

/** Returns the URL path of a task's page. */
export function taskPath(view: string, id: string): string {
  return `/json-forms/task/${encodeURIComponent(view)}?task=${encodeURIComponent(id)}`;
}
