/** What the address of a task page asks for: a task that is there, or a new one with these incoming variables. */
export type RequestedTask =
  | { readonly kind: 'task'; readonly view: string; readonly id: string }
  | { readonly kind: 'new'; readonly view: string; readonly variables: Readonly<Record<string, unknown>> };

/**
 * Reads the address of a task page: `/json-forms/task/<View>?task=<id>`, or the incoming variables by name (wire 4.12), those that
 * hold documents as JSON. Throws an Error that says what is wrong with it.
 */
export function readAddress({ pathname, search }: Pick<URL, 'pathname' | 'search'>): RequestedTask {
  const view = pathname.split('/').at(-1) ?? '';
  const query = new URLSearchParams(search);
  const id = query.get('task');
  if (id !== null) return { kind: 'task', view, id };
  // The token of old clients is nothing that is asked.
  query.delete('token');
  // HTML forms send the fields that nobody filled in as well.
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

/** Where the page of a task stands. */
export function taskPath(view: string, id: string): string {
  return `/json-forms/task/${encodeURIComponent(view)}?task=${encodeURIComponent(id)}`;
}
