import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import sirv from 'sirv';
import { Problem } from '../core/problem.js';
import { PAGE_HEADERS } from '../core/html.js';
import { DEFAULT_STALL_LIMITS, type StallLimits } from './request-context.js';

/** Serves a request, or calls `next`. A missing file is not an error: `next` then has no argument. */
export type StaticFiles = (
  req: IncomingMessage,
  res: ServerResponse,
  next: (error?: unknown) => void,
) => void;

const NOT_BUILT = "The pages are not built. Run 'npm run build' in the checkout, or install the package.";

/**
 * Creates a handler for the built pages of a folder. Names of files in `assets/` contain a hash, so browsers
 * cache these files permanently. Every other path returns the single page, which routes by its URL, also if the
 * last segment has a dot: `/adapters/nso1.example.com`. The handler lists the files at the first request after they were built. It closes the connection of a client
 * that reads nothing for `stallMs` milliseconds.
 */
export function createStaticFiles(
  folder: string,
  { stallMs }: Pick<StallLimits, 'stallMs'> = DEFAULT_STALL_LIMITS,
): StaticFiles {
  let files: { readonly assets: StaticFiles; readonly pages: StaticFiles } | undefined;
  return (req, res, next) => {
    // The pages of a checkout may be built while the server runs.
    if (!files && existsSync(join(folder, 'index.html'))) {
      const options = { etag: true, brotli: true, gzip: true, setHeaders };
      // Without `ignores`, sirv answers a path with a dot as a missing file.
      files = {
        assets: sirv(folder, options),
        pages: sirv(folder, { ...options, single: true, ignores: false }),
      };
    }
    if (!files) {
      next(new Problem('not_found', NOT_BUILT));
      return;
    }
    if (req.method === 'GET' || req.method === 'HEAD') {
      // Node closes the connection of a client that reads nothing for this time.
      res.setTimeout(stallMs);
      // sirv leaves the file open when the client disconnects.
      res.on('unpipe', (file: Readable) => file.destroy());
      const isAsset = req.url?.startsWith('/assets/') === true;
      files[isAsset ? 'assets' : 'pages'](req, res, next);
    } else
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
