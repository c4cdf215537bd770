import type { AnsweredRequest } from '../../core/metric.js';
import type { RequestTarget } from '../../core/trace.js';
import type { SpanRecord } from './span-record.js';

/** What a span tells of its subject. */
type Facts = Pick<SpanRecord, 'name' | 'attributes' | 'isFailed'>;

/** Facts of a call: its operation names it, never its path. Only failures of the server make it one (HTTP server semantics). */
export function callFacts({
  operation,
  adapter,
  method,
  path,
  status,
  requestId,
  code,
}: AnsweredRequest): Facts {
  return {
    name: operation === '' ? method : operation,
    attributes: {
      'http.request.method': method,
      'http.response.status_code': status,
      'url.path': path,
      'gatehouse.request_id': requestId,
      ...(operation !== '' && { 'gatehouse.operation': operation }),
      ...(adapter !== '' && { 'gatehouse.adapter': adapter }),
      ...(code !== '' && { 'error.type': code }),
    },
    isFailed: status >= 500,
  };
}

/** Facts of a request to another server; `outcome` is the status of its reply, or the code of a Problem. */
export function requestFacts({ method, url }: RequestTarget, outcome: number | string): Facts {
  const { protocol, hostname, port, pathname } = new URL(url);
  const isReply = typeof outcome === 'number';
  const isFailed = !isReply || outcome >= 400;
  return {
    name: method,
    attributes: {
      'http.request.method': method,
      'server.address': hostname,
      'server.port': Number(port === '' ? PORTS[protocol] : port),
      'url.scheme': protocol.slice(0, -1),
      'url.path': pathname,
      ...(isReply && { 'http.response.status_code': outcome }),
      ...(isFailed && { 'error.type': String(outcome) }),
    },
    isFailed,
  };
}

const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
