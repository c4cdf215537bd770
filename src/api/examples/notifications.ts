// Written by test/e2e/description-examples.test.ts: UPDATE_GOLDEN=1 npm test -- test/e2e/description-examples.test.ts
import type { OperationExample } from '../../core/operation.js';

/** Examples of the operations of one application, by the id of the operation. */
export const examples: Readonly<Record<string, OperationExample>> = {
  createMute: {
    body: { kind: 'tag', name: 'site:zurich', minutes: 120, reason: 'Power works in Zurich' },
    reply: {
      status: 'OK',
      message: 'Successfully muted site:zurich until 2026-11-25T12:00:00.000Z.',
      data: {
        kind: 'tag',
        name: 'site:zurich',
        reason: 'Power works in Zurich',
        id: '01234567-89ab-cdef-0123-456789abcdef',
        at: 1795608000000,
        until: 1795608000000,
        by: 'ada',
      },
    },
  },
  acknowledgeProblem: {
    body: { note: 'The line to Zurich is being repaired' },
    reply: { status: 'OK', message: 'Successfully acknowledged: zrh1 is unreachable.' },
  },
  getNotifications: {
    reply: {
      receivers: [
        {
          name: 'noc',
          kind: 'webhook',
          target: 'http://host.example',
          minSeverity: 'warning',
          tags: [],
          waitSeconds: 60,
          repeatMinutes: 240,
          lastSentAt: null,
          failure: null,
        },
      ],
      mutes: [
        {
          kind: 'tag',
          name: 'site:zurich',
          reason: 'Power works in Zurich',
          id: '01234567-89ab-cdef-0123-456789abcdef',
          at: 1795608000000,
          until: 1795608000000,
          by: 'ada',
        },
      ],
      acknowledgements: [
        {
          problem: '93494582f1ef97b2',
          note: 'The line to Zurich is being repaired',
          at: 1795608000000,
          by: 'ada',
        },
      ],
    },
  },
  deleteMute: { reply: { status: 'OK', message: 'Successfully deleted the mute.' } },
  withdrawAcknowledgement: { reply: { status: 'OK', message: 'Successfully withdrew the acknowledgement.' } },
  testNotificationReceiver: { reply: { status: 'OK', message: 'Successfully sent a test message to noc.' } },
};
