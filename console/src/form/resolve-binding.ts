import { request } from '../api/request.js';
import { type FormBinding, type Json, readJson } from './model/index.js';

/** The only addresses that a form may query: queries through an adapter. Form documents are untrusted. */
const QUERY = /^\/(?:orchestrator_manager|nso_manager)\/restQuery\/[A-Za-z0-9_.%-]+$/;

/**
 * Sends the query that a field is bound to (wire 4.1), with the permissions of the current user. Throws an
 * Error if the query is not allowed, or an ApiProblem.
 */
export async function resolveBinding({ method, href, variables }: FormBinding): Promise<Json> {
  const path = new URL(href, window.location.origin).pathname;
  const isQuery = QUERY.test(href) && path === href && ['', 'POST'].includes(method.toUpperCase());
  if (!isQuery)
    throw new Error(
      `The form asks for ${method} ${href}, but options come from queries through adapters alone.`,
    );
  return readJson((await request({ method: 'POST', path, body: variables })).text);
}
