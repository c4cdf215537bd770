/** A target in angle brackets, and its parameters, up to the next comma outside of quotes (RFC 8288 section 3). */
const LINK = /<([^<>]*)>((?:[^",<]|"(?:[^"\\]|\\.)*")*)/gs;

const PARAMETER = /;\s*([\w!#$&+.^`|~-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/gs;

/** Returns the target of the first link with the relation `next` in the headers `Link`; undefined without one. */
export function nextLink(header: string | readonly string[] | undefined): string | undefined {
  for (const [, target, parameters = ''] of [header ?? []].flat().join(', ').matchAll(LINK)) {
    const values = parametersOf(parameters);
    // A link with another context says nothing about this page (section 3.2).
    const relations = values.has('anchor') ? '' : (values.get('rel') ?? '');
    if (relations.toLowerCase().split(/\s+/).includes('next')) return target;
  }
  return undefined;
}

/** Returns the parameters of a link by lower-case name. Of several with one name, the first counts (section 3.3). */
function parametersOf(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [, name = '', quoted, token = ''] of text.matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    if (!values.has(key)) values.set(key, quoted?.replaceAll(/\\(.)/gs, '$1') ?? token);
  }
  return values;
}
