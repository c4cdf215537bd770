// http-proxy with an agent that keeps connections to the upstream.
//
//   node http-proxy.mjs PORT UPSTREAM
import { Agent, createServer } from 'node:http';
import httpProxy from 'http-proxy';

const [port, target] = process.argv.slice(2);
const proxy = httpProxy.createProxyServer({ target, agent: new Agent({ keepAlive: true }) });
proxy.on('error', (error, req, res) => res.writeHead?.(502).end());
createServer((req, res) => proxy.web(req, res)).listen(Number(port), '127.0.0.1');
