import { errorMessage } from '../../../../src/lib/error-message.js';
import { listFormat } from '../../text/locale.js';
import {
  boundQueries,
  type BoundQuery,
  defaultFrom,
  type DependedValues,
  type FormBinding,
  type Json,
  labelOf,
  optionsFrom,
  type Row,
  rowAt,
  withDefault,
  withOptions,
} from '../model/index.js';
import type { FormController } from './form-controller.js';
import { formText } from './form-text.js';

/** Returns the response to the query of a binding, with the values of the fields on which it depends. */
export type ResolveBinding = (binding: FormBinding, values: DependedValues) => Promise<Json>;

/**
 * Maximum number of different queries of a form at one time. Forms are untrusted, and their queries run with the
 * permissions of the current user.
 */
const MAX_QUERIES = 100;

/** Loads the options and defaults of the bound fields of a form. */
interface BindingLoader {
  /** Sends the queries that the current values need. */
  readonly update: () => void;
  readonly close: () => void;
}

/**
 * Creates the loader of a form. A query that depends on other fields is sent when all of them have a value, and again
 * when one of them changes; late replies to earlier values are discarded. Fields with the same query share one request.
 */
export function createBindingLoader(controller: FormController, resolve: ResolveBinding): BindingLoader {
  /** The last query of each field: the values for which it waits, or its key. */
  const asked = new Map<string, string>();
  const responses = new Map<string, Promise<Json>>();
  let isClosed = false;

  const responseTo = ({ binding, values }: BoundQuery, key: string): Promise<Json> => {
    const known = responses.get(key);
    if (known) return known;
    if (responses.size >= MAX_QUERIES) removeUnused(responses, new Set(asked.values()));
    if (responses.size >= MAX_QUERIES)
      return Promise.reject(new Error(formText('tooManyQueries', { count: MAX_QUERIES })));
    const response = resolve(binding, values);
    responses.set(key, response);
    // A failed query is sent again when its values come back.
    response.catch(() => responses.delete(key));
    return response;
  };

  const load = (query: BoundQuery, isRepeated: boolean): void => {
    const { binding, field, isDependent } = query;
    const id = idOf(query);
    const key = keyOf(query);
    const isOptions = binding.target === '/enum';
    const isCurrent = () => !isClosed && asked.get(id) === key;
    if (isOptions) controller.change(withOptions(controller.now(), field, { state: 'waiting' }));
    responseTo(query, key).then(
      (response) => {
        if (!isCurrent()) return;
        if (isOptions) {
          const options = optionsFrom(binding, response);
          controller.change(withOptions(controller.now(), field, { state: 'ready', options, isDependent }));
          if (isRepeated) announceLost(controller, field);
          return;
        }
        const value = defaultFrom(binding, response);
        if (value !== undefined) controller.change(withDefault(controller.now(), field, value));
      },
      (reason: unknown) => {
        if (!isCurrent()) return;
        const message = errorMessage(reason);
        if (isOptions) controller.change(withOptions(controller.now(), field, { state: 'failed', message }));
        else controller.announce(formText('noDefault', { path: field, reason: message }));
      },
    );
  };

  const wait = ({ binding, field, missing }: BoundQuery): void => {
    if (binding.target !== '/enum') return;
    const fields = missing.map((pointer) => rowAt(controller.now(), pointer)?.title ?? pointer);
    controller.change(withOptions(controller.now(), field, { state: 'missing', fields }));
  };

  return {
    update: () => {
      for (const query of boundQueries(controller.now())) {
        const { target } = query.binding;
        if ((target !== '/enum' && target !== '/default') || isLoaded(controller, query)) continue;
        const id = idOf(query);
        const previous = asked.get(id);
        const next = query.missing.length > 0 ? JSON.stringify(query.missing) : keyOf(query);
        if (previous === next) continue;
        asked.set(id, next);
        if (query.missing.length > 0) wait(query);
        else load(query, previous !== undefined);
      }
    },
    close: () => {
      isClosed = true;
    },
  };
}

/** Returns true if the options or the default of an independent field are known already. */
function isLoaded(
  controller: FormController,
  { binding: { target }, field, isDependent }: BoundQuery,
): boolean {
  const { bound, defaults } = controller.now();
  if (isDependent) return false;
  return target === '/enum' ? bound.get(field)?.state === 'ready' : defaults.has(field);
}

/** Announces that the value of a field is not among its new options. */
function announceLost(controller: FormController, field: string): void {
  const row = rowAt(controller.now(), field);
  if (row && isUnlisted(row))
    controller.announce(formText('valueUnlistedAt', { title: row.title, value: row.text }));
}

/** Returns true if a value is not among the options that another field decides. */
function isUnlisted({ bound, filled, text }: NonNullable<ReturnType<typeof rowAt>>): boolean {
  return (
    filled &&
    bound?.state === 'ready' &&
    bound.isDependent === true &&
    !bound.options.some(({ value }) => labelOf(value) === text)
  );
}

function removeUnused(responses: Map<string, Promise<Json>>, used: ReadonlySet<string>): void {
  for (const key of responses.keys()) if (!used.has(key)) responses.delete(key);
}

function idOf({ binding, field }: BoundQuery): string {
  return `${binding.target} ${field}`;
}

function keyOf({ binding, values }: BoundQuery): string {
  const { method, href, mediaType, variables, target, source } = binding;
  return JSON.stringify([method, href, mediaType, variables, target, source, values]);
}

/** Returns what a person must know about the options of a bound field. */
export function boundNotes(row: Row): readonly string[] {
  if (row.bound?.state === 'missing')
    return [formText('optionsAfter', { fields: listFormat().format(row.bound.fields) })];
  return isUnlisted(row) ? [formText('valueUnlisted', { value: row.text })] : [];
}
