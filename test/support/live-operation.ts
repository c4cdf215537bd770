import { bindApplication, type BoundOperation } from '../../src/core/operation.js';

/** Returns the operation `GET /live`, whose reply is a text that arrives in pieces. */
export function liveOperation(
  pieces: () => AsyncGenerator<string>,
  headers: Readonly<Record<string, string>> = {},
): readonly BoundOperation[] {
  return bindApplication(
    {
      name: 'live',
      summary: 'Live texts.',
      prefixes: [''],
      operations: [
        {
          id: 'getLive',
          summary: 'Stream a text.',
          method: 'GET',
          path: '/live',
          roles: 'public',
          reply: { type: 'string' },
          replyType: 'text/event-stream',
          handle: () => ({ body: { livePieces: pieces() }, headers }),
        },
      ],
    },
    {},
  );
}
