import { createReplyMemories } from '../../src/core/reply-memory.js';

export { afterSending, boundedMemory, createReplyMemories } from '../../src/core/reply-memory.js';

/** Memory for replies without a bound. */
export const REPLY_MEMORIES = createReplyMemories(Number.MAX_SAFE_INTEGER);
