import { request } from '../api/request.js';
import { type FormBinding, type Json, readJson } from './model/index.js';

/** The only paths that a form may request: queries through an adapter. Form documents are untrusted. */
const QUERY_PATH = /^\/(?:orchestrator_manager|nso_manager)\/restQuery\/[A-Za-z0-9_.%-]+$/;

/**
 * Sends the query that a field is bound to (wire 4.1), with the permissions of the current user. Throws an
 * Error if the query is not allowed, or an ApiProblem.
 */
export async function resolveBinding({ method, href, variables }: FormBinding): Promise<Json> {
  const path = new URL(href, window.location.origin).pathname;
  const isQuery = QUERY_PATH.test(href) && path === href && ['', 'POST'].includes(method.toUpperCase());
  if (!isQuery)
    throw new Error(
      `The form requests ${method} ${href}, but options can only come from queries through adapters.`,
    );
  return readJson((await request({ method: 'POST', path, body: variables })).text);
}
