import type { Call, Reply } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import type { FromSchema } from '../../settings/from-schema.js';
import {
  ADMIN_ROLES,
  bodySchemaWith,
  doneReplySchema,
  listSchemaOf,
  replyWithMember,
  objectSchemaWith,
  recoverFrom,
  allResultsOf,
  type LegacyHandler,
  type LegacyHandlerDeps,
} from './legacy-operation.js';

/** A profile as `profiles.getProfiles` returns it. */
interface ListedProfile {
  readonly metadata: { readonly isActive: boolean; readonly activeSync: boolean };
  readonly profile: Profile;
}

type Profile = Readonly<Record<string, unknown>>;

const profileSchema = { title: 'Configuration profile', ...objectSchemaWith('id') };

export const deleteConfigProfile: LegacyHandler = {
  id: 'deleteConfigProfile',
  summary: 'Delete a profile that is not active.',
  description: 'Deletes a profile. The active profile cannot be deleted.',
  roles: ADMIN_ROLES,
  through: ['profiles.deleteProfile'],
  reply: doneReplySchema,
  audited: true,
  serve: (call, { dispatch }) => dispatch('profiles.deleteProfile', call),
};

/** Lists the profiles without their state. */
export const getConfigProfiles: LegacyHandler = {
  id: 'getConfigProfiles',
  summary: 'List the profiles.',
  description: 'Returns all profiles without their state. Changes nothing.',
  roles: READERS,
  through: ['profiles.getProfiles'],
  reply: listSchemaOf('List of profiles', profileSchema),
  async serve(call, { dispatch }) {
    const all = await allResultsOf<ListedProfile>(dispatch, 'profiles.getProfiles', call);
    return { body: all.map(({ profile }) => profile) };
  },
};

/** Returns for each profile whether it is active, and whether its stored state is in effect. */
export const syncConfigProfiles: LegacyHandler = {
  id: 'syncConfigProfiles',
  summary: 'List whether each profile is active, and whether its stored state is in effect.',
  description: 'Returns the state of all profiles. Changes nothing.',
  roles: READERS,
  through: ['profiles.getProfiles'],
  reply: listSchemaOf('Profiles and their state', {
    type: 'object',
    required: ['id', 'isActive', 'activeSync'],
    properties: { id: { type: 'string' }, isActive: { type: 'boolean' }, activeSync: { type: 'boolean' } },
  }),
  async serve(call, { dispatch }) {
    const all = await allResultsOf<ListedProfile>(dispatch, 'profiles.getProfiles', call);
    return {
      body: all.map(({ metadata: { isActive, activeSync }, profile: { id } }) => ({
        id,
        isActive,
        activeSync,
      })),
    };
  },
};

export const getProperty: LegacyHandler = {
  id: 'getProperty',
  summary: 'Get the active profile.',
  description: 'Returns the active profile. Fails if no profile is active.',
  roles: READERS,
  through: ['profiles.getProfiles'],
  reply: profileSchema,
  serve: async (call, { dispatch }) => ({ body: await activeProfile(call, dispatch) }),
};

export const getPropertyById: LegacyHandler = {
  id: 'getPropertyById',
  summary: 'Get a profile.',
  description: 'Returns a profile without its state. Changes nothing.',
  roles: READERS,
  through: ['profiles.getProfile'],
  reply: profileSchema,
  serve: async (call, { dispatch }) =>
    replyWithMember(await dispatch('profiles.getProfile', call), 'profile'),
};

export const getPropertySchema: LegacyHandler = {
  id: 'getPropertySchema',
  summary: 'Get the JSON Schema of profiles.',
  description: 'Returns the schema of all members of a profile. Changes nothing.',
  roles: READERS,
  through: ['schema.getProfileSchema'],
  reply: { title: 'JSON Schema of profiles', type: 'object' },
  serve: async (call, { dispatch }) =>
    replyWithMember(await dispatch('schema.getProfileSchema', call), 'schema'),
};

export const addConfigProfile: LegacyHandler<Profile> = {
  id: 'addConfigProfile',
  summary: 'Create a profile.',
  description: 'Stores a profile, which is not active. Absent members get their defaults.',
  roles: ADMIN_ROLES,
  through: ['profiles.createProfile'],
  body: bodySchemaWith('Added profile', { id: 'The name' }, {}),
  reply: doneReplySchema,
  audited: true,
  target: ({ body }) => String(body['id']),
  serve: (call, { dispatch }) =>
    dispatch('profiles.createProfile', { ...call, body: { properties: call.body } }),
};

const activationSchema = bodySchemaWith('Profile to activate', { id: 'The name' }, {});

export const changeConfigProfile: LegacyHandler<FromSchema<typeof activationSchema>> = {
  id: 'changeConfigProfile',
  summary: 'Activate a profile.',
  description: 'Makes a profile the active profile, and starts and stops adapters as the profile says.',
  roles: ADMIN_ROLES,
  through: ['profiles.switchActiveProfile'],
  body: activationSchema,
  reply: doneReplySchema,
  audited: true,
  target: ({ body }) => body.id,
  serve: (call, { dispatch }) =>
    dispatch('profiles.switchActiveProfile', { ...call, params: { id: call.body.id } }),
};

/** Request body that the pages of the old platform send. */
interface PropertyBody {
  readonly property_obj: Profile;
}

const propertyBodySchema = {
  title: 'Properties of a profile',
  type: 'object',
  required: ['property_obj'],
  properties: {
    property_obj: {
      type: 'object',
      properties: { id: { type: 'string', minLength: 1, description: 'Default: the active profile' } },
    },
  },
} as const;

export const newProperty: LegacyHandler<PropertyBody> = {
  id: 'newProperty',
  summary: 'Update members of a profile, or create the profile if it does not exist.',
  description: 'Replaces the sent members of a profile, or stores a new profile with these members.',
  roles: ADMIN_ROLES,
  through: ['profiles.getProfiles', 'profiles.updateProfile', 'profiles.createProfile'],
  body: propertyBodySchema,
  reply: doneReplySchema,
  audited: true,
  target: profileIdOf,
  serve: (call, deps) =>
    recoverFrom(
      'profile_not_found',
      () => updateSentProfile(call, deps),
      () => {
        const { property_obj: properties } = call.body;
        if (properties['id'] === undefined) throw noActiveProfile();
        return deps.dispatch('profiles.createProfile', { ...call, body: { properties } });
      },
    ),
};

export const updateProperty: LegacyHandler<PropertyBody> = {
  id: 'updateProperty',
  summary: 'Update members of a profile.',
  description: 'Replaces the sent members of a profile; without an id, of the active profile.',
  roles: ADMIN_ROLES,
  through: ['profiles.getProfiles', 'profiles.updateProfile'],
  body: propertyBodySchema,
  reply: doneReplySchema,
  audited: true,
  target: profileIdOf,
  serve: updateSentProfile,
};

function profileIdOf({ body }: Call<PropertyBody>): string {
  const { id } = body.property_obj;
  return typeof id === 'string' ? id : '';
}

async function updateSentProfile(call: Call<PropertyBody>, { dispatch }: LegacyHandlerDeps): Promise<Reply> {
  const { property_obj: properties } = call.body;
  const id = String(properties['id'] ?? (await activeProfile(call, dispatch))['id']);
  return dispatch('profiles.updateProfile', { ...call, params: { id }, body: { properties } });
}

/** Returns the active profile. Throws `profile_not_found` if no profile is active. */
async function activeProfile(call: Call, dispatch: LegacyHandlerDeps['dispatch']): Promise<Profile> {
  const all = await allResultsOf<ListedProfile>(dispatch, 'profiles.getProfiles', call);
  const active = all.find(({ metadata }) => metadata.isActive);
  if (!active) throw noActiveProfile();
  return active.profile;
}

function noActiveProfile(): Problem {
  return new Problem(
    'profile_not_found',
    'No profile is active: activate a profile with PUT /profiles/:id/active.',
  );
}
