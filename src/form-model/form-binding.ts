import { isJsonObject, type JsonObject, objectOf } from '../json/json-object.js';

/** A field of a form whose options or value come from a query through an adapter (wire 4.1). */
export interface FormBinding {
  /** Path of the field, with `*` for indexes. */
  readonly path: string;
  readonly method: string;
  /** Address of the chosen link, relative to the base address; empty without one. */
  readonly href: string;
  readonly mediaType: string | undefined;
  /** Body of the request. */
  readonly variables: unknown;
  /** `/enum` for options, `/default` for a value. */
  readonly target: string;
  /** Pointers into the response: to the list of values, and within each entry to its value and its label. */
  readonly source: { readonly values: string; readonly value: string; readonly label: string };
}

/** Returns all bindings of a `bindingSchema`, including those of nested members. */
export function formBindings(bindingSchema: unknown, path = ''): readonly FormBinding[] {
  const schema = objectOf(bindingSchema);
  const members = Object.entries(objectOf(schema['properties'])).flatMap(([name, member]) =>
    isJsonObject(member) ? bindingsAt(member, `${path}/${name}`) : [],
  );
  return isJsonObject(schema['items']) ? [...members, ...bindingsAt(schema['items'], `${path}/*`)] : members;
}

function bindingsAt(field: JsonObject, path: string): readonly FormBinding[] {
  const inner = formBindings(field, path);
  const isBound = Object.keys(field).some((name) => name.startsWith('binding:'));
  return isBound ? [bindingOf(field, path), ...inner] : inner;
}

function bindingOf(field: JsonObject, path: string): FormBinding {
  const hyper = objectOf(field['binding:hyperSchema']);
  const links = Array.isArray(hyper['links']) ? hyper['links'].filter(isJsonObject) : [];
  const link = links.find(({ rel }) => rel === field['binding:link']) ?? links[0] ?? {};
  const source = objectOf(field['binding:source']);
  const value = textOr(source['keyPointer'], '/value');
  return {
    path,
    method: textOr(field['binding:method'], 'GET').toUpperCase(),
    href: typeof link['href'] === 'string' ? textOr(hyper['base'], '') + link['href'] : '',
    mediaType: typeof link['targetMediaType'] === 'string' ? link['targetMediaType'] : undefined,
    variables: link['variables'],
    target: textOr(field['binding:target'], '/enum'),
    source: {
      values: textOr(source['propertyPointer'], ''),
      value,
      label: textOr(source['labelKeyPointer'], value),
    },
  };
}

function textOr(value: unknown, other: string): string {
  return typeof value === 'string' ? value : other;
}

/** The only addresses that a binding may have: queries through adapters. Forms are untrusted. */
const QUERY_PATH = /^\/(?:orchestrator_manager|nso_manager)\/restQuery\/([A-Za-z0-9_.%-]+)$/;

/** Returns the adapter whose orchestrator a binding queries; undefined for any other request. */
export function queriedAdapter({ method, href }: Pick<FormBinding, 'method' | 'href'>): string | undefined {
  const [, adapter] = ['', 'POST'].includes(method) ? (QUERY_PATH.exec(href) ?? []) : [];
  if (adapter === undefined || /^\.\.?$/.test(adapter)) return undefined;
  try {
    return decodeURIComponent(adapter);
  } catch {
    return undefined;
  }
}

/** Placeholder in the path of a query: the pointer of another field in braces. */
const PLACEHOLDER = /\{(\/[^{}]*)\}/g;

/** Returns the pointers of the fields on which a path depends, each once, in the order of the path. */
export function placeholdersOf(path: string): readonly string[] {
  return [...new Set([...path.matchAll(PLACEHOLDER)].map(([, pointer = '']) => pointer))];
}

/** Maximum length of a path with placeholders, in characters. */
const MAX_TEMPLATE_LENGTH = 8_192;
/** Maximum number of placeholders in a path. */
const MAX_PLACEHOLDERS = 32;

/** Maximum length of a value in a path, in characters. */
const MAX_VALUE_LENGTH = 256;

/** Operators, quotation marks and wildcards of query languages: ServiceNow, OData, XPath, SQL. */
const QUERY_CHARACTERS = /[\^'"`()[\]{}&|<>*]/;

/** Characters that servers read as separators, and half a surrogate pair, which cannot be encoded. */
const REFUSED_CHARACTERS = /[\p{Cc}\p{Cs}\\;]/u;

/**
 * Result of {@link fillPath}: the path; or the placeholder without a usable value and the reason; or why the path itself
 * cannot be used.
 */
export type FilledPath =
  | { readonly path: string }
  | { readonly pointer: string; readonly message: string }
  | { readonly unusable: string };

/**
 * Replaces each placeholder of a path with the value of its field, percent-encoded. A value never adds a
 * segment, a parameter or a fragment: a value with a slash is only accepted in a key (RFC 8040 section 3.5.3)
 * and in the query, and no segment becomes `.` or `..`. In the query and in a segment with quotation marks or brackets,
 * a value with a character of query languages is accepted only if `isListed` returns true: the server decodes the
 * value, and would read another condition than the author of the path wrote.
 */
export function fillPath(
  template: string,
  values: Readonly<Record<string, unknown>>,
  isListed: (pointer: string, value: unknown) => boolean = () => false,
): FilledPath {
  const fault = templateFault(template) ?? valueFault(template, values, isListed);
  if (fault) return fault;
  const path = template.replace(PLACEHOLDER, (_match, pointer: string) =>
    encodeURIComponent(String(values[pointer])),
  );
  const [pathOnly = ''] = path.split(/[?#]/, 1);
  const [first = ''] = placeholdersOf(template);
  if (first !== '' && pathOnly.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)))
    return { pointer: first, message: 'must not make a segment "." or ".."' };
  return { path };
}

function templateFault(template: string): FilledPath | undefined {
  if (template.length > MAX_TEMPLATE_LENGTH)
    return { unusable: `has a path of more than ${MAX_TEMPLATE_LENGTH} characters` };
  if (placeholdersOf(template).length > MAX_PLACEHOLDERS)
    return { unusable: `has a path with more than ${MAX_PLACEHOLDERS} placeholders` };
  return undefined;
}

function valueFault(
  template: string,
  values: Readonly<Record<string, unknown>>,
  isListed: (pointer: string, value: unknown) => boolean,
): FilledPath | undefined {
  for (const { pointer, isKey, isCondition } of locatedPlaceholders(template)) {
    const value = Object.hasOwn(values, pointer) ? values[pointer] : undefined;
    const message = faultOf(value, isKey);
    if (message !== undefined) return { pointer, message };
    if (isCondition && QUERY_CHARACTERS.test(String(value)) && !isListed(pointer, value))
      return { pointer, message: 'must not contain one of ^ \' " ` ( ) [ ] { } & | < > * in a query' };
  }
  return undefined;
}

interface LocatedPlaceholder {
  readonly pointer: string;
  /** True in the query and in the key of a segment. */
  readonly isKey: boolean;
  /** True in the query, and after a quotation mark or bracket in its segment. */
  readonly isCondition: boolean;
}

function locatedPlaceholders(template: string): readonly LocatedPlaceholder[] {
  let segment = '';
  let isQuery = false;
  let end = 0;
  return [...template.matchAll(PLACEHOLDER)].map((match) => {
    const between = template.slice(end, match.index);
    end = match.index + match[0].length;
    isQuery ||= between.includes('?');
    segment = between.includes('/') ? (between.split('/').at(-1) ?? '') : segment + between;
    return {
      pointer: match[1] ?? '',
      isKey: isQuery || segment.includes('='),
      isCondition: isQuery || /['"([]|%2[278]|%5b/i.test(segment),
    };
  });
}

function faultOf(value: unknown, isKey: boolean): string | undefined {
  if (value === undefined || value === null || value === '') return 'has no value';
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return 'must be text, a number or a boolean';
  const text = String(value);
  if (text.length > MAX_VALUE_LENGTH) return `must have at most ${MAX_VALUE_LENGTH} characters`;
  if (REFUSED_CHARACTERS.test(text)) return 'must not contain a control character, "\\" or ";"';
  if (!isKey && text.includes('/')) return 'must not contain "/"';
  return text.split('/').some((part) => /^\.\.?$/.test(part))
    ? 'must not contain a segment "." or ".."'
    : undefined;
}
