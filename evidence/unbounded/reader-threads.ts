import { planCall } from '../../plugins/netconf/plan-call.js';
import type { Plan, ResourceRequest } from '../../plugins/netconf/plan.js';
import { readMessage } from '../../plugins/netconf/read-message.js';
import { subscriptionOperation, type SubscriptionRequest } from '../../plugins/netconf/subscribe.js';
import type { MessageContent, ReadTask } from '../../plugins/netconf/thread-tasks.js';
import type { InstanceModel } from '../../src/yang/encoding/instance-model.js';
import { type ModelBytes, modelOfBytes } from '../../src/yang/encoding/model-bytes.js';
import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';

export { valueOf } from '../../plugins/netconf/reader-threads.js';

const NO_LIMITS = { bytes: Infinity, depth: Infinity, memory: Infinity };

interface Terms {
  readonly model: ModelBytes;
}

/** Reads the messages of NETCONF servers in the main thread, whatever memory and time they need. */
export class ReaderThreads {
  readonly maxModelBytes = Infinity;

  read(task: Omit<ReadTask, 'do' | 'limits'>): Promise<MessageContent> {
    const model = task.model && modelOf(task.model);
    return Promise.resolve(readMessage({ do: 'read', ...task, limits: NO_LIMITS }, model));
  }

  plan(request: ResourceRequest, { model }: Terms): Promise<Plan> {
    return Promise.resolve(planCall(request, modelOf(model)));
  }

  subscription(request: SubscriptionRequest, { model }: Terms): Promise<XmlOutput> {
    return Promise.resolve(subscriptionOperation(request, modelOf(model)));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function modelOf(bytes: ModelBytes): InstanceModel {
  return modelOfBytes(bytes, (source) => new RegExp(source, 'u'));
}
