import type { Call, Reply } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import {
  ADMIN,
  bodyWith,
  doneReply,
  listOf,
  memberOf,
  objectWith,
  orElse,
  resultsOf,
  type LegacyHandler,
  type ServingDeps,
} from './legacy-operation.js';

/** A profile as `profiles.getProfiles` returns it. */
interface Listed {
  readonly metadata: { readonly isActive: boolean; readonly activeSync: boolean };
  readonly profile: Profile;
}

type Profile = Readonly<Record<string, unknown>>;

const profileReply = { title: 'Profile', ...objectWith('id') };

/** Deletes a profile. */
export const deleteConfigProfile: LegacyHandler = {
  id: 'deleteConfigProfile',
  summary: 'Delete a profile that is not active.',
  roles: ADMIN,
  through: ['profiles.deleteProfile'],
  reply: doneReply,
  audited: true,
  serve: (call, { ask }) => ask('profiles.deleteProfile', call),
};

/** Lists the profiles without their state. */
export const getConfigProfiles: LegacyHandler = {
  id: 'getConfigProfiles',
  summary: 'List the profiles.',
  roles: ADMIN,
  through: ['profiles.getProfiles'],
  reply: listOf('List of profiles', profileReply),
  async serve(call, { ask }) {
    const all = await resultsOf<Listed>(ask, 'profiles.getProfiles', call);
    return { body: all.map(({ profile }) => profile) };
  },
};

/** Returns for each profile whether it is active, and whether its stored state is in effect. */
export const syncConfigProfiles: LegacyHandler = {
  id: 'syncConfigProfiles',
  summary: 'List whether each profile is active, and whether its stored state is in effect.',
  roles: ADMIN,
  through: ['profiles.getProfiles'],
  reply: listOf('Profiles and their state', {
    type: 'object',
    required: ['id', 'isActive', 'activeSync'],
    properties: { id: { type: 'string' }, isActive: { type: 'boolean' }, activeSync: { type: 'boolean' } },
  }),
  async serve(call, { ask }) {
    const all = await resultsOf<Listed>(ask, 'profiles.getProfiles', call);
    return {
      body: all.map(({ metadata: { isActive, activeSync }, profile: { id } }) => ({
        id,
        isActive,
        activeSync,
      })),
    };
  },
};

/** Returns the active profile, an object with a member for each block. */
export const getProperty: LegacyHandler = {
  id: 'getProperty',
  summary: 'Get the active profile.',
  roles: ADMIN,
  through: ['profiles.getProfiles'],
  reply: profileReply,
  serve: async (call, { ask }) => ({ body: await activeProfile(call, ask) }),
};

/** Returns a profile. */
export const getPropertyById: LegacyHandler = {
  id: 'getPropertyById',
  summary: 'Get a profile.',
  roles: ADMIN,
  through: ['profiles.getProfile'],
  reply: profileReply,
  serve: async (call, { ask }) => memberOf(await ask('profiles.getProfile', call), 'profile'),
};

/** Returns the schema of profiles. */
export const getPropertySchema: LegacyHandler = {
  id: 'getPropertySchema',
  summary: 'Get the JSON Schema of profiles.',
  roles: ADMIN,
  through: ['schema.getProfileSchema'],
  reply: { title: 'JSON Schema of profiles', type: 'object' },
  serve: async (call, { ask }) => memberOf(await ask('schema.getProfileSchema', call), 'schema'),
};

/** Creates a profile. */
export const addConfigProfile: LegacyHandler<Profile> = {
  id: 'addConfigProfile',
  summary: 'Create a profile.',
  roles: ADMIN,
  through: ['profiles.createProfile'],
  body: bodyWith('Added profile', { id: 'The name' }),
  reply: doneReply,
  audited: true,
  target: ({ body }) => String(body['id']),
  serve: (call, { ask }) => ask('profiles.createProfile', { ...call, body: { properties: call.body } }),
};

/** Activates a profile. */
export const changeConfigProfile: LegacyHandler<{ readonly id: string }> = {
  id: 'changeConfigProfile',
  summary: 'Activate a profile.',
  roles: ADMIN,
  through: ['profiles.switchActiveProfile'],
  body: bodyWith('Profile to activate', { id: 'The name' }),
  reply: doneReply,
  audited: true,
  target: ({ body }) => body.id,
  serve: (call, { ask }) => ask('profiles.switchActiveProfile', { ...call, params: { id: call.body.id } }),
};

/** Request body that the pages of the old platform send. */
interface PropertyBody {
  readonly property_obj: Profile;
}

const propertyBody = {
  title: 'Properties of a profile',
  type: 'object',
  required: ['property_obj'],
  properties: {
    property_obj: {
      type: 'object',
      properties: { id: { type: 'string', minLength: 1, description: 'Absent: the active profile' } },
    },
  },
} as const;

/** Replaces members of a profile, or creates the profile if it does not exist. */
export const newProperty: LegacyHandler<PropertyBody> = {
  id: 'newProperty',
  summary: 'Update members of a profile, or create the profile if it does not exist.',
  roles: ADMIN,
  through: ['profiles.getProfiles', 'profiles.updateProfile', 'profiles.createProfile'],
  body: propertyBody,
  reply: doneReply,
  audited: true,
  target: profileNamed,
  serve: (call, deps) =>
    orElse(
      'profile_not_found',
      () => update(call, deps),
      () => {
        const { property_obj: properties } = call.body;
        if (properties['id'] === undefined) throw noneActive();
        return deps.ask('profiles.createProfile', { ...call, body: { properties } });
      },
    ),
};

/** Replaces members of a profile. */
export const updateProperty: LegacyHandler<PropertyBody> = {
  id: 'updateProperty',
  summary: 'Update members of a profile.',
  roles: ADMIN,
  through: ['profiles.getProfiles', 'profiles.updateProfile'],
  body: propertyBody,
  reply: doneReply,
  audited: true,
  target: profileNamed,
  serve: update,
};

function profileNamed({ body }: Pick<Call<PropertyBody>, 'body'>): string {
  const { id } = body.property_obj;
  return typeof id === 'string' ? id : '';
}

async function update(call: Call<PropertyBody>, { ask }: ServingDeps): Promise<Reply> {
  const { property_obj: properties } = call.body;
  const id = String(properties['id'] ?? (await activeProfile(call, ask))['id']);
  return ask('profiles.updateProfile', { ...call, params: { id }, body: { properties } });
}

/** Returns the active profile. Throws `profile_not_found` if no profile is active. */
async function activeProfile(call: Call, ask: ServingDeps['ask']): Promise<Profile> {
  const all = await resultsOf<Listed>(ask, 'profiles.getProfiles', call);
  const active = all.find(({ metadata }) => metadata.isActive);
  if (!active) throw noneActive();
  return active.profile;
}

function noneActive(): Problem {
  return new Problem('profile_not_found', 'No profile is active: PUT /profiles/:id/active makes one so.');
}
