import type { UpstreamReply } from '../../src/core/adapter.js';
import { changeDatastore } from './change-datastore.js';
import { NETCONF } from './messages.js';
import type { EditPlan, ResourceFilter } from './plan.js';
import { filterElements, sourceElement } from './read-data.js';
import { emptyReply, refused, withWarnings } from './replies.js';
import type { CallContext } from './server.js';

/** Makes a change with `edit-config`. The reply has the warnings of the server. Throws RestconfFault and RpcFailed. */
export async function editData(context: CallContext, plan: EditPlan): Promise<UpstreamReply> {
  const { method, target, missing, parent, content, defaultOperation, location } = plan;
  const { result, warnings } = await changeDatastore(context, async (edit) => {
    const count = (filter: typeof target) => filter && countInstances(context, edit.datastore, filter);
    const exists = ((await count(target)) ?? 0) > 0;
    if (!exists && missing !== undefined) throw refused(404, 'invalid-value', missing);
    if (!exists && (await count(parent)) === 0)
      throw refused(404, 'invalid-value', 'the parent of the data does not exist');
    await edit.config(content, defaultOperation);
    if (location !== undefined) return emptyReply(201, { location });
    return emptyReply(method === 'PUT' && target && !exists ? 201 : 204);
  });
  return withWarnings(result, warnings);
}

/** Returns the number of instances of a resource in a datastore. */
function countInstances(
  { session, signal }: CallContext,
  datastore: string,
  { resource, filter }: ResourceFilter,
): Promise<number> {
  const content = [sourceElement(datastore), ...filterElements(filter)];
  return session.rpc({ namespace: NETCONF, name: 'get-config', content }, signal, { as: 'count', resource });
}
