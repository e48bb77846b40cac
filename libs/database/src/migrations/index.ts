import { CreateDesk1763600000000 } from './1763600000000-create-desk.js';
import { IndexDesk1763600000500 } from './1763600000500-index-desk.js';
import { CreateAccess1763600001000 } from './1763600001000-create-access.js';
import { CreateDeliveries1763600002000 } from './1763600002000-create-deliveries.js';
import { CreateIdempotencyKeys1763600003000 } from './1763600003000-create-idempotency-keys.js';
import { CreateActivities1763600006000 } from './1763600006000-create-activities.js';
import { CreatePresences1763600007000 } from './1763600007000-create-presences.js';
import { ManageWebhooks1763600008000 } from './1763600008000-manage-webhooks.js';
import { CreateUpkeep1763600012000 } from './1763600012000-create-upkeep.js';
import { CreateStrayFiles1763600014000 } from './1763600014000-create-stray-files.js';
import { KeepListsFlat1763600016000 } from './1763600016000-keep-lists-flat.js';
import { LightenDeliveries1763600018000 } from './1763600018000-lighten-deliveries.js';
import { TellNothingOfOthers1763600019000 } from './1763600019000-tell-nothing-of-others.js';
import { CreateCustomerCopies1763600020000 } from './1763600020000-create-customer-copies.js';
import { EndActivities1763600021000 } from './1763600021000-end-activities.js';

/** Listed, not globbed: the order is the history. */
export const MIGRATIONS = [
  CreateDesk1763600000000,
  IndexDesk1763600000500,
  CreateAccess1763600001000,
  CreateDeliveries1763600002000,
  CreateIdempotencyKeys1763600003000,
  CreateActivities1763600006000,
  CreatePresences1763600007000,
  ManageWebhooks1763600008000,
  CreateUpkeep1763600012000,
  CreateStrayFiles1763600014000,
  KeepListsFlat1763600016000,
  LightenDeliveries1763600018000,
  TellNothingOfOthers1763600019000,
  CreateCustomerCopies1763600020000,
  EndActivities1763600021000,
];
