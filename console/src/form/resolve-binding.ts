import { request } from '../api/request.js';
import { type FormBinding, type Json, readJson } from './model/index.js';

/** The only addresses that a form may have its reader ask: queries through an adapter. A form is data of somebody else's. */
const QUERY = /^\/(?:orchestrator_manager|nso_manager)\/restQuery\/[A-Za-z0-9_.%-]+$/;

/**
 * Asks the query that a field is bound to (wire 4.1), with the rights of whoever looks. Throws an Error that says why a form may not
 * ask this, or an ApiProblem.
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
