// Express and http-proxy-middleware as their documentation combines them: the body is parsed, sent again with
// fixRequestBody, and the reply changed by responseInterceptor; the key of the tokens is a PEM text.
//
//   node usual.mjs PORT UPSTREAM PUBLIC-KEY-FILE
import { readFileSync } from 'node:fs';
import express from 'express';
import { createProxyMiddleware, fixRequestBody, responseInterceptor } from 'http-proxy-middleware';
import jwt from 'jsonwebtoken';

const [port, target, keyFile] = process.argv.slice(2);
const key = readFileSync(keyFile, 'utf8');
const terms = { algorithms: ['RS256'], issuer: 'https://idp.bench', audience: 'gatehouse' };

function authenticate(req, res, next) {
  try {
    req.user = jwt.verify((req.headers.authorization ?? '').replace(/^Bearer /, ''), key, terms);
  } catch {
    res.status(401).json({ error: 'unauthorized' });
    return;
  }
  if (req.user.roles?.includes('admin')) next();
  else res.status(403).json({ error: 'forbidden' });
}

function translate(req, res, next) {
  const { params, body } = req.body;
  req.callPath = params.path;
  req.method = params.method ?? (body === undefined ? 'GET' : 'POST');
  req.body = body;
  req.headers.accept = params.accept;
  // The upstream must not receive the caller's token.
  delete req.headers.authorization;
  if (body === undefined) delete req.headers['content-length'];
  next();
}

const shared = {
  target,
  changeOrigin: true,
  selfHandleResponse: true,
  pathRewrite: (path, req) => req.callPath,
};

const action = createProxyMiddleware({
  ...shared,
  on: {
    proxyReq: fixRequestBody,
    proxyRes: responseInterceptor(async (...[, proxyRes, , res]) => {
      res.statusCode = 200;
      res.setHeader('content-type', 'application/json');
      return JSON.stringify([{ result: String(proxyRes.statusCode) }]);
    }),
  },
});

const query = createProxyMiddleware({
  ...shared,
  on: { proxyRes: responseInterceptor(async (buffer) => buffer) },
});

const app = express();
app.use(authenticate, express.json(), translate);
app.use('/orchestrator_manager/restAction/:adapter', action);
app.use('/orchestrator_manager/restQuery/:adapter', query);
app.listen(Number(port), '127.0.0.1');
