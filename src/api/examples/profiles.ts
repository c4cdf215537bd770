// Written by test/e2e/description-examples.test.ts: UPDATE_GOLDEN=1 npm test -- test/e2e/description-examples.test.ts
import type { OperationExample } from '../../core/operation.js';

/** Examples of the operations of one application, by the id of the operation. */
export const examples: Readonly<Record<string, OperationExample>> = {
  createProfile: {
    body: { properties: { id: 'night', description: 'Only the core at night', services: ['core1'] } },
    reply: {
      status: 'Created',
      message: 'Successfully created night.',
      data: { id: 'night', description: 'Only the core at night', services: ['core1'] },
    },
  },
  importProfile: {
    body: { properties: { id: 'day', description: 'Only the core at night', services: ['core1'] } },
    reply: {
      status: 'Created',
      message: 'Successfully created day.',
      data: { id: 'day', description: 'Only the core at night', services: ['core1'] },
    },
  },
  getProfiles: {
    reply: {
      results: [
        {
          metadata: { isActive: false, activeSync: false },
          profile: { id: 'day', description: 'Only the core at night', services: ['core1'] },
        },
      ],
      total: 2,
    },
  },
  getProfile: {
    reply: {
      metadata: { isActive: false, activeSync: false },
      profile: { id: 'night', description: 'Only the core at night', services: ['core1'] },
    },
  },
  exportProfile: { reply: { id: 'night', description: 'Only the core at night', services: ['core1'] } },
  updateProfile: {
    body: { properties: { description: 'Only core1 at night' }, confirmWithin: 10, comment: 'lab test' },
    reply: {
      status: 'OK',
      message: 'Successfully updated night.',
      data: { id: 'night', description: 'Only core1 at night', services: ['core1'] },
    },
  },
  confirmProfileChange: { reply: { status: 'OK', message: 'Successfully confirmed the change of night.' } },
  cancelProfileChange: { reply: { status: 'OK', message: 'Successfully canceled the change of night.' } },
  getProfileHistory: {
    reply: {
      results: [
        {
          revision: 26,
          action: 'updated',
          time: '2026-11-25T12:00:00.000Z',
          author: { subject: 'ada', issuer: 'gatehouse', name: 'ada' },
          comment: 'lab test',
          restores: null,
        },
      ],
      total: 5,
    },
  },
  getProfileVersion: {
    reply: {
      revision: 26,
      action: 'updated',
      time: '2026-11-25T12:00:00.000Z',
      author: { subject: 'ada', issuer: 'gatehouse', name: 'ada' },
      comment: 'lab test',
      restores: null,
      document: { id: 'night', description: 'Only core1 at night', services: ['core1'] },
    },
  },
  rollbackProfile: {
    body: { revision: 26, comment: 'back to the version of the test' },
    reply: {
      status: 'OK',
      message: 'Successfully updated night.',
      data: { id: 'night', description: 'Only core1 at night', services: ['core1'] },
    },
  },
  getRemovedProfiles: { reply: { results: [], total: 0 } },
  switchActiveProfile: {
    reply: { status: 'OK', message: 'Successfully activated night. Stopped: inventory, zrh1, lab2.' },
  },
  deleteProfile: { reply: { status: 'OK', message: 'Successfully deleted day.' } },
};
