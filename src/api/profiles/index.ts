import type { Application } from '../../core/operation.js';
import { createProfile, importProfile } from './add-profile.js';
import { deleteProfile } from './delete-profile.js';
import type { ProfilesDeps } from './deps.js';
import { exportProfile } from './export-profile.js';
import { getProfile } from './get-profile.js';
import { getProfiles } from './get-profiles.js';
import { switchActiveProfile } from './switch-active-profile.js';
import { updateProfile } from './update-profile.js';

/** Profiles: named sets of settings, one of which may be active (wire section 5.4). */
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
  ],
};
