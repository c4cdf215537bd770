import { ATTEMPT_FLOODS } from './attempts.js';
import { BODY_FLOODS } from './bodies.js';
import { CONNECTION_FLOODS } from './connections.js';
import { DOOR_FLOODS } from './doors.js';
import type { Flood } from './flood.js';
import { LOOK_UP_FLOODS } from './look-ups.js';
import { RECORD_FLOODS } from './records.js';
import { REPLY_FLOODS } from './replies.js';
import { REST_CALL_FLOODS } from './rest-calls.js';
import { SIGN_OUT_FLOODS } from './sign-outs.js';
import { TASK_FLOODS } from './tasks.js';
import { VALIDATION_FLOODS } from './validations.js';

/** All floods, by their names. */
export const FLOODS: Readonly<Record<string, Flood>> = {
  ...BODY_FLOODS,
  ...REST_CALL_FLOODS,
  ...REPLY_FLOODS,
  ...DOOR_FLOODS,
  ...LOOK_UP_FLOODS,
  ...SIGN_OUT_FLOODS,
  ...RECORD_FLOODS,
  ...TASK_FLOODS,
  ...CONNECTION_FLOODS,
  ...ATTEMPT_FLOODS,
  ...VALIDATION_FLOODS,
};
