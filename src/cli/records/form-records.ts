import { omit } from '../../lib/omit.js';
import type { RecordKind } from './record-kind.js';

const PATH = '/json-forms/forms';

/** Members that the server writes. */
const OWN_MEMBERS = [
  ...['id', '_id', 'created', 'createdBy', 'createdByIssuer', 'createdByName'],
  ...['lastUpdated', 'lastUpdatedBy', 'lastUpdatedByIssuer', 'lastUpdatedByName'],
  ...['version', 'bindingGrant'],
];

/** JSON forms. A form is found by its name. */
export const formRecords: RecordKind = {
  folder: 'forms',
  title: 'form',
  nameMember: 'name',
  keepsNumbers: true,
  complete: ['/struct', '/schema', '/uiSchema', '/bindingSchema', '/validationSchema', '/tags'],
  normalize: (value) => omit(value, ...OWN_MEMBERS),
  written: (value) =>
    Object.fromEntries(Object.entries(omit(value, ...OWN_MEMBERS)).filter(([, member]) => !isEmpty(member))),
  async list(client) {
    const forms = await client.list(PATH);
    return forms.map((form) => ({ name: String(form['name']), id: String(form['id']), value: form }));
  },
  async create({ client }, { value }) {
    await client.send({ method: 'POST', path: PATH, body: omit(value, ...OWN_MEMBERS) });
  },
  async update({ client }, { value }, { id = '' }) {
    const body = { options: omit(value, ...OWN_MEMBERS) };
    await client.send({ method: 'PUT', path: `${PATH}/${id}`, body });
  },
  async remove({ client }, { id = '' }) {
    await client.send({ method: 'DELETE', path: PATH, body: { ids: [id] } });
  },
};

/** Returns true for the value of a member that a new form has without it. */
function isEmpty(member: unknown): boolean {
  return member === '' || (typeof member === 'object' && member !== null && Object.keys(member).length === 0);
}
