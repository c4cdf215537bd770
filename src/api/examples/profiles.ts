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
    body: { properties: { description: 'Only core1 at night' } },
    reply: {
      status: 'OK',
      message: 'Successfully updated night.',
      data: { id: 'night', description: 'Only core1 at night', services: ['core1'] },
    },
  },
  switchActiveProfile: {
    reply: { status: 'OK', message: 'Successfully activated night. Stopped: inventory, lab2.' },
  },
  deleteProfile: { reply: { status: 'OK', message: 'Successfully deleted day.' } },
};
