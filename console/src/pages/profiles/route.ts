import type { PageRoute } from '../../app/page-route.js';

/** The list of profiles. */
export const profilesPage: PageRoute = {
  path: '/profiles',
  area: 'profiles',
  key: 'p',
  needs: 'getProfiles',
  guide: 'manage-profiles',
  command: 'gatehouse profile',
  load: () => import('./profiles.js').then(({ Profiles }) => Profiles),
};

/** Creates a profile. */
export const newProfilePage: PageRoute = {
  // Not below /profiles, where the path would be that of a profile with this name.
  path: '/new-profile',
  area: 'new-profile',
  needs: 'createProfile',
  guide: 'manage-profiles',
  load: () => import('./new-profile.js').then(({ NewProfilePage }) => NewProfilePage),
};

/** One profile. */
export const profilePage: PageRoute = {
  path: '/profiles/:id',
  area: 'profiles',
  needs: 'getProfile',
  guide: 'manage-profiles',
  command: 'gatehouse profile',
  load: () => import('./profile-page.js').then(({ ProfilePage }) => ProfilePage),
};
