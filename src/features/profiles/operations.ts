import type { Application } from '../../core/operation.js';
import type { ProfilesDeps } from './deps.js';
import { profileHistoryOperations } from './profile-history.js';
import { exportProfile, getProfile, getProfiles } from './read-profiles.js';
import { switchActiveProfile } from './switch-active-profile.js';
import { createProfile, deleteProfile, importProfile, updateProfile } from './write-profiles.js';

export const profiles: Application<ProfilesDeps> = {
  name: 'profiles',
  summary: 'Named sets of settings, one of which may be active.',
  prefixes: ['/profiles'],
  operations: [
    getProfiles,
    getProfile,
    createProfile,
    importProfile,
    exportProfile,
    updateProfile,
    switchActiveProfile,
    deleteProfile,
    ...profileHistoryOperations,
  ],
};
