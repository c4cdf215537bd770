import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import sirv from 'sirv';
import { Problem } from '../core/problem.js';
import { PAGE_HEADERS } from '../core/page-headers.js';

/** Serves a request, or calls `next`: without an error for what is not there. */
export type StaticFiles = (
  req: IncomingMessage,
  res: ServerResponse,
  next: (error?: unknown) => void,
) => void;

const NOT_BUILT = "The pages are not built. Run 'npm run build' in the checkout, or install the package.";

/**
 * Serves the built pages of a folder. What lies in `assets/` has its hash in its name and is kept by browsers for ever; every
 * path without an extension is the page itself, which finds its way by the address. The files are looked up once: what is
 * added later is not served.
 */
export function createStaticFiles(folder: string): StaticFiles {
  if (!existsSync(join(folder, 'index.html')))
    return (_req, _res, next) => {
      next(new Problem('not_found', NOT_BUILT));
    };
  const files = sirv(folder, { etag: true, brotli: true, gzip: true, single: true, setHeaders });
  return (req, res, next) => {
    if (req.method === 'GET' || req.method === 'HEAD') files(req, res, next);
    else
      next(
        new Problem('method_not_allowed', 'A page is read with GET.', { headers: { allow: 'GET, HEAD' } }),
      );
  };
}

function setHeaders(res: ServerResponse, path: string): void {
  const isHashed = path.startsWith('/assets/');
  res.setHeader('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  for (const [name, value] of Object.entries(PAGE_HEADERS)) res.setHeader(name, value);
}
