/**
 * The task that the URL of a task page requests: an existing one, or a new one with these incoming variables.
 */
export type RequestedTask =
  | { readonly kind: 'task'; readonly view: string; readonly id: string }
  | { readonly kind: 'new'; readonly view: string; readonly variables: Readonly<Record<string, unknown>> };

/**
 * Parses the URL of a task page: `/json-forms/task/<View>?task=<id>`, or the incoming variables by name (wire
 * 4.12), with documents as JSON. Throws an Error that describes the fault of the URL.
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
  const variables = Object.fromEntries(filled.map(([name, text]) => [name, variable(name, text)]));
  return { kind: 'new', view, variables };
}

/** Variables that are texts; all others are JSON documents. */
const TEXTS: ReadonlySet<string> = new Set(['form_id', 'title', 'returnTo', 'module', 'path', 'adapterId']);

function variable(name: string, text: string): unknown {
  if (TEXTS.has(name)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error(`The variable ${name} in the address of this page is no JSON.`);
  }
}

/** Returns the URL path of a task's page. */
export function taskPath(view: string, id: string): string {
  return `/json-forms/task/${encodeURIComponent(view)}?task=${encodeURIComponent(id)}`;
}
