// Fastify with @fastify/http-proxy and @fastify/jwt, which keeps tokens that it has verified; nothing is translated.
//
//   node fastify.mjs PORT UPSTREAM PUBLIC-KEY-FILE
import { readFileSync } from 'node:fs';
import proxy from '@fastify/http-proxy';
import jwt from '@fastify/jwt';
import fastify from 'fastify';

const [port, upstream, keyFile] = process.argv.slice(2);
const app = fastify();

app.register(jwt, {
  secret: { public: readFileSync(keyFile, 'utf8') },
  verify: { algorithms: ['RS256'], allowedIss: 'https://idp.bench', allowedAud: 'gatehouse', cache: 1000 },
});

app.register(proxy, {
  upstream,
  async preHandler(request, reply) {
    await request.jwtVerify();
    if (!request.user.roles?.includes('admin')) return reply.code(403).send({ error: 'forbidden' });
  },
});

await app.listen({ port: Number(port), host: '127.0.0.1' });
