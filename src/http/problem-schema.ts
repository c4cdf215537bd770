import { PROBLEMS } from '../core/problem-codes.js';
import type { JsonSchema } from '../core/schema.js';

/** Schema of every error answer (RFC 9457 and this API's members), for the API description. */
export const problemSchema: JsonSchema = {
  type: 'object',
  required: [
    'type',
    'title',
    'status',
    'detail',
    'instance',
    'code',
    'message',
    'requestId',
    'recommendation',
  ],
  properties: {
    type: { type: 'string', description: 'urn:gatehouse:problem:<code>' },
    title: { type: 'string' },
    status: { type: 'integer', description: 'The HTTP status' },
    detail: { type: 'string', description: 'What went wrong, in one sentence' },
    instance: { type: 'string', description: 'Path of the request' },
    code: {
      type: 'string',
      enum: Object.keys(PROBLEMS),
      description: 'What went wrong, for programs',
      'x-problems': PROBLEMS,
    },
    message: { type: 'string', description: 'The same text as detail' },
    requestId: { type: 'string', description: 'Names the request in the log' },
    error: { type: 'string', description: 'Error word of OAuth 2.0 (RFC 6749), from /oauth/token alone' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'message'],
        properties: {
          pointer: { type: 'string', description: 'JSON pointer (RFC 6901) into the body' },
          message: { type: 'string' },
        },
      },
    },
    upstream: {
      type: 'object',
      required: ['status', 'body'],
      properties: {
        status: { type: 'integer' },
        body: { description: 'What the orchestrator answered: JSON, or its text' },
      },
    },
    recommendation: { type: 'string', description: 'What to do next, in one sentence' },
  },
};
